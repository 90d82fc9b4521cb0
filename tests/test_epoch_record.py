# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The record of epochs that a dataset shares with the workers of a DataLoader."""

from __future__ import annotations

import os
from collections.abc import Callable

from conftest import LOADER_WARNINGS
from rowfeed.epoch_record import EpochRecord, EpochRecords, Pass, Place

pytestmark = LOADER_WARNINGS


def in_child(work: Callable[[], bool]) -> None:
    """Runs `work` in a forked child and fails if it says False there."""
    child = os.fork()
    if child == 0:
        ok = False
        try:
            ok = work()
        finally:
            os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0


def claim(record: EpochRecord, group: Pass | None = None) -> tuple[Place, int]:
    """Takes what comes next, as often as others are faster."""
    while True:
        place = record.peek(group)
        generation = record.claim(place, group)
        if generation is not None:
            return place, generation


def test_claims_of_one_pass_are_one_epoch() -> None:
    record = EpochRecord.create((3, 7, 4, 0))
    first, _ = claim(record, Pass(99, 0))
    assert first == (3, 7, 4, 0)
    assert claim(record, Pass(99, 0))[0] == first
    assert record.by_workers
    assert claim(record, Pass(99, 1))[0] == (4, 0, 5, 0)
    assert claim(record, Pass(99, 0))[0] == first
    assert claim(record)[0] == (5, 0, 6, 0)
    assert not record.by_workers
    assert record.peek() == (6, 0, 7, 0)


def test_what_others_have_taken_is_not_taken_again() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    place = record.peek()
    assert record.peek() == place
    assert record.claim(place) is not None
    assert record.claim(place) is None
    of_worker = record.peek(Pass(7, 0))
    claim(record)
    assert record.claim(of_worker, Pass(7, 0)) is None
    assert record.peek(Pass(7, 0)) == (2, 0, 3, 0)


def test_a_pass_whose_founder_is_gone_is_over() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    in_child(lambda: claim(record, Pass(5, 0))[0] == (0, 0, 1, 0))
    assert claim(record, Pass(5, 0))[0] == (1, 0, 2, 0)


def test_a_worker_that_began_first_takes_what_another_took_that_has_ended() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    place = record.peek(Pass(5, 0))  # And then it counts.
    in_child(lambda: claim(record, Pass(5, 0))[0] == place)
    assert record.claim(place, Pass(5, 0)) is not None
    assert record.peek() == (1, 0, 2, 0)


def test_a_restore_is_of_the_record_as_it_was() -> None:
    record = EpochRecord.create((4, 7, 5, 0))
    generation = record.generation
    record.restore(5, generation, by_workers=False)
    assert record.peek() == (5, 0, 6, 0)
    record.move((9, 0, 10, 0))
    record.restore(5, generation, by_workers=False)
    assert record.peek() == (9, 0, 10, 0)


def test_moves_leave_no_say_to_iterations_before() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    _, generation = claim(record)
    record.reach(3, generation)
    record.reach(2, generation)
    assert record.peek() == (3, 0, 4, 0)
    record.move((1, 0, 2, 0))
    record.reach(9, generation)
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
        assert records.parent is not None
        own, _ = claim(records.own)
        return own == (2, 0, 3, 0) and records.parent.peek() == (2, 0, 3, 0)

    in_child(child)
    assert records.own.peek() == (2, 0, 3, 0)
