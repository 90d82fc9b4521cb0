# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The record of epochs that a dataset shares with the workers of a DataLoader."""

from __future__ import annotations

import fcntl
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from forked import in_child
from loader_warnings import LOADER_WARNINGS
from rowfeed._native import core
from rowfeed._torch.epoch_claims import Claim, Place, Worker, place_of
from rowfeed._torch.epoch_record import EpochRecord, EpochRecords

pytestmark = LOADER_WARNINGS


def is_taken(record: EpochRecord, place: Place, worker: Worker | None = None) -> bool:
    claim = Claim(core.Progress(*place))
    record.claim(claim, worker)
    return claim.generation is not None


def claim_next(record: EpochRecord, worker: Worker | None = None) -> Claim:
    """Takes what comes next, as often as others are faster."""
    while True:
        claim = Claim(core.Progress(*record.peek(worker)))
        record.claim(claim, worker)
        if claim.generation is not None:
            return claim


def claim(record: EpochRecord, worker: Worker | None = None) -> Place:
    """Returns the place of the next claim."""
    return claim_next(record, worker).progress.astuple()


def delivers_all(record: EpochRecord, worker: Worker) -> bool:
    """Takes the first epoch and ends it, as a worker does."""
    place = claim(record, worker)
    record.end(worker)
    return place == (0, 0, 1, 0)


def test_claims_of_one_pass_are_one_epoch() -> None:
    record = EpochRecord.create((3, 7, 4, 0))
    first = claim(record, Worker(99, 0, 2, 0))
    assert first == (3, 7, 4, 0)
    assert claim(record, Worker(99, 0, 2, 0)) == first
    assert record.by_workers
    assert claim(record, Worker(99, 1, 2, 0)) == (4, 0, 5, 0)
    assert claim(record, Worker(99, 0, 2, 0)) == first
    assert claim(record) == (5, 0, 6, 0)
    assert not record.by_workers
    assert record.peek() == (6, 0, 7, 0)


def test_what_others_have_taken_is_not_taken_again() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    place = record.peek()
    assert record.peek() == place
    assert is_taken(record, place)
    assert not is_taken(record, place)
    of_worker = record.peek(Worker(7, 0, 2, 0))
    claim(record)
    assert not is_taken(record, of_worker, Worker(7, 0, 2, 0))
    assert record.peek(Worker(7, 0, 2, 0)) == (2, 0, 3, 0)


@pytest.mark.parametrize("number", [0, 1])
def test_a_pass_that_was_given_up_is_over(number: int) -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    in_child(lambda: claim(record, Worker(5, 0, 2, 0)) == (0, 0, 1, 0))
    assert claim(record, Worker(5, 0, 2, number)) == (1, 0, 2, 0)


def test_a_worker_that_begins_when_another_has_ended_has_its_epoch() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    in_child(lambda: delivers_all(record, Worker(5, 0, 2, 0)))
    assert claim(record, Worker(5, 0, 2, 1)) == (0, 0, 1, 0)
    assert record.peek(Worker(5, 0, 2, 0)) == (1, 0, 2, 0)  # This is the next pass.


def test_passes_of_other_numbers_of_workers_are_others() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    in_child(lambda: delivers_all(record, Worker(5, 0, 1, 0)))
    assert claim(record, Worker(5, 0, 2, 1)) == (1, 0, 2, 0)
    assert claim(record, Worker(5, 0, 2, 0)) == (1, 0, 2, 0)


def test_a_worker_that_was_restored_claims_nothing_when_it_ends() -> None:
    record = EpochRecord.create((0, 0, 1, 0))

    def end() -> bool:
        record.end(Worker(5, 0, 2, 0))
        return True

    in_child(end)
    claim(record)
    assert claim(record, Worker(5, 0, 2, 0)) == (1, 0, 2, 0)
    assert claim(record, Worker(5, 0, 2, 1)) == (1, 0, 2, 0)


def test_a_worker_that_began_first_takes_what_another_took_that_has_ended() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    place = record.peek(Worker(5, 0, 2, 0))  # And then it counts.
    in_child(lambda: claim(record, Worker(5, 0, 2, 1)) == place)
    assert is_taken(record, place, Worker(5, 0, 2, 0))
    assert record.peek() == (1, 0, 2, 0)


def test_a_restore_is_of_the_record_as_it_was() -> None:
    record = EpochRecord.create((4, 7, 5, 0))
    restored = Claim(core.Progress(4, 7, 5, 0), record.generation)
    record.restore(restored, by_workers=False)
    assert record.peek() == (5, 0, 6, 0)
    record.move((9, 0, 10, 0))
    record.restore(restored, by_workers=False)
    assert record.peek() == (9, 0, 10, 0)


def test_moves_leave_no_say_to_iterations_before() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    own = claim_next(record)
    record.reach(3, own)
    record.reach(2, own)
    assert record.peek() == (3, 0, 4, 0)
    record.move((1, 0, 2, 0))
    record.reach(9, own)
    assert record.peek() == (1, 0, 2, 0)


def test_concurrent_claims_are_distinct() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            for _ in range(500):
                claim(record)
            os._exit(0)
        children.append(child)
    for child in children:
        assert os.waitpid(child, 0)[1] == 0
    assert record.peek() == (2000, 0, 2001, 0)


def test_a_forked_copy_starts_where_the_original_stood() -> None:
    records = EpochRecords((2, 0, 3, 0))

    def child() -> bool:
        assert records.is_copy
        own = claim(records.own)
        return own == (2, 0, 3, 0) and records.of_worker.peek() == (2, 0, 3, 0)

    in_child(child)
    assert records.own.peek() == (2, 0, 3, 0)


@pytest.mark.parametrize("moves", [False, True])
def test_what_a_signal_handler_does_while_the_record_is_claimed_is_not_overruled(
    moves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    read = place_of
    todo = [moves]

    def read_and_do(words: Any) -> Place:
        place = read(words)
        while todo:
            if todo.pop():
                record.move((7, 0, 8, 0))
            else:
                claim(record)
        return place

    monkeypatch.setattr("rowfeed._torch.epoch_record.place_of", read_and_do)
    assert not is_taken(record, (0, 0, 1, 0))
    assert record.peek() == ((7, 0, 8, 0) if moves else (1, 0, 2, 0))


def test_epochs_that_a_signal_handler_takes_are_taken_once() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    others: list[int] = []

    def handle(*_: Any) -> None:
        others.append(claim(record)[0])

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 3e-4, 3e-4)
        own = [claim(record)[0] for _ in range(20_000)]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert others
    assert sorted(own + others) == list(range(len(own + others)))


def test_who_asks_while_the_record_is_claimed_lets_no_other_process_in() -> None:
    record = EpochRecord.create((0, 0, 1, 0))

    def is_locked() -> bool:
        try:
            fcntl.lockf(record._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False

    with record._locked():
        in_child(is_locked)
        record.peek()  # A signal handler may do so.
        in_child(is_locked)
    in_child(lambda: not is_locked())


def test_a_record_that_is_gone_is_no_other_file(tmp_path: Path) -> None:
    record = EpochRecord.create((3, 7, 4, 0))
    assert EpochRecord.open(record.path).peek() == (3, 7, 4, 0)
    (tmp_path / "other").write_bytes(bytes(4096))
    for path in (tmp_path / "none", tmp_path / "other"):
        with pytest.raises(RuntimeError, match="has a copy of is gone"):
            EpochRecord.open(str(path))
