# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ranks that drift apart are told: neither silence nor a hang will do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from numbered_rows import NUM_ROWS
from process_groups import processes

pytest.importorskip("torch")

import drifting_ranks

# New processes import torch, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)

STEPS = NUM_ROWS // 20  # Steps of an epoch.


def told(data: Path, store: Path, *programs: Any) -> list[list[Any]]:
    """Returns what becomes of programs of two ranks: of each, for both ranks."""
    given = [p if isinstance(p, tuple) else (p, {}) for p in programs]
    with processes(drifting_ranks.run, 2, data, given, store=store) as ranks:
        return [[rank.receive() for rank in ranks] for _ in given]


def test_ranks_in_different_places_are_all_told_so(
    numbers: Path, tmp_path: Path
) -> None:
    apart = {
        "peek_before": "epoch is 1 on rank 0 and 0 on rank 1",
        "peek_between": "epoch is 1 on rank 0 and 2 on rank 1",
        "peek_in_collectives": "epoch is 1 on rank 0 and 0 on rank 1",
        "peek_within": "epoch is 2 on rank 0 and 1 on rank 1",
        "peek_of_two_batches": "the last iteration is 'left early' on rank 0 and",
        "one_step": "epoch is 1 on rank 0 and 0 on rank 1",
        "set_epoch": "epoch is 0 on rank 0 and 3 on rank 1",
        "load_state": "row is 0 on rank 0 and 40 on rank 1",
        "load_within": "epoch is 1 on rank 0 and 0 on rank 1",
        "mixture": "epoch is 1 on rank 0 and 0 on rank 1",
    }
    found = told(numbers, tmp_path / "store", *apart)
    for (name, expected), both in zip(apart.items(), found, strict=True):
        for said in both:
            assert str(said).startswith("ValueError: the ranks have dif"), (name, said)
            assert expected in said, name
            assert "batch_at(epoch, step)" in said


def test_ranks_in_the_same_places_are_not_stopped(
    numbers: Path, tmp_path: Path
) -> None:
    together: dict[str, Any] = {
        "peek_on_both": [STEPS] * 2,
        "peek_and_return": [STEPS] * 2,
        "batch_at": [STEPS] * 2,
        "leave_both": "no error",
        "single_batches": [STEPS],
        "mixture_on_both": [True] * 3,
        "set_right": ([STEPS] * 2, 7),
    }
    found = told(numbers, tmp_path / "store", *together, "uneven")
    for (name, expected), both in zip(together.items(), found, strict=False):
        assert both == [expected] * 2, name
    assert found[-1] == [[2] * 3, [1] * 3]


def test_an_error_of_one_rank_is_told_to_those_that_come_to_meet_it(
    numbers: Path, tmp_path: Path
) -> None:
    ((first, second),) = told(numbers, tmp_path / "store", "an_error")
    assert second == "OSError: a bad batch"
    assert first == "RuntimeError: rank 1: OSError: a bad batch"


def test_ranks_that_have_counted_together_are_told_that_they_are_apart(
    numbers: Path, tmp_path: Path
) -> None:
    (both,) = told(numbers, tmp_path / "store", "filtered")
    for steps, said in both:
        assert steps == [10]
        assert "epoch is 1 on rank 0 and 2 on rank 1" in said


@pytest.mark.parametrize("num_workers", [1, 2, 3])
def test_a_peek_through_a_loader_with_workers_is_told_to_all(
    num_workers: int, numbers: Path, tmp_path: Path
) -> None:
    (both,) = told(
        numbers, tmp_path / "store", ("workers", {"num_workers": num_workers})
    )
    for said in both:
        assert "epoch is 1 on rank 0 and 0 on rank 1" in said
        assert "batch_at(epoch, step)" in said


def test_a_peek_through_persistent_workers_is_told_to_all(
    numbers: Path, tmp_path: Path
) -> None:
    arguments = {"num_workers": 2, "persistent_workers": True}
    (both,) = told(numbers, tmp_path / "store", ("workers", arguments))
    for said in both:
        assert "epoch is 1 on rank 0 and 0 on rank 1" in said


def test_ranks_with_other_numbers_of_workers_meet(
    numbers: Path, tmp_path: Path
) -> None:
    (both,) = told(numbers, tmp_path / "store", "equal_workers")
    assert both == [([[STEPS]] * 2, STEPS)] * 2
