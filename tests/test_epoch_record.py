# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The record of epochs that a dataset shares with the workers of a DataLoader."""

from __future__ import annotations

import os
from collections.abc import Callable

from conftest import LOADER_WARNINGS
from rowfeed.epoch_record import EpochRecord, EpochRecords, Pass

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


def test_claims_of_one_pass_are_one_epoch() -> None:
    record = EpochRecord.create((3, 7, 4, 0))
    first, _ = record.claim(Pass(99, 0))
    assert first == (3, 7, 4, 0)
    assert record.claim(Pass(99, 0))[0] == first
    assert record.by_workers
    assert record.claim(Pass(99, 1))[0] == (4, 0, 5, 0)
    assert record.claim(Pass(99, 0))[0] == first
    assert record.claim(None)[0] == (5, 0, 6, 0)
    assert not record.by_workers
    assert record.next == (6, 0, 7, 0)


def test_a_pass_whose_founder_is_gone_is_over() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    in_child(lambda: record.claim(Pass(5, 0))[0] == (0, 0, 1, 0))
    assert record.claim(Pass(5, 0))[0] == (1, 0, 2, 0)


def test_moves_leave_no_say_to_iterations_before() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    _, generation = record.claim(None)
    record.reach(3, generation)
    record.reach(2, generation)
    assert record.next == (3, 0, 4, 0)
    record.move((1, 0, 2, 0))
    record.reach(9, generation)
    assert record.next == (1, 0, 2, 0)


def test_concurrent_claims_are_distinct() -> None:
    record = EpochRecord.create((0, 0, 1, 0))
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            for _ in range(500):
                record.claim(None)
            os._exit(0)
        children.append(child)
    for child in children:
        assert os.waitpid(child, 0)[1] == 0
    assert record.next == (2000, 0, 2001, 0)


def test_a_forked_copy_starts_where_the_original_stood() -> None:
    records = EpochRecords((2, 0, 3, 0))

    def child() -> bool:
        assert records.parent is not None
        own, _ = records.own.claim(None)
        return own == (2, 0, 3, 0) and records.parent.next == (2, 0, 3, 0)

    in_child(child)
    assert records.own.next == (2, 0, 3, 0)
