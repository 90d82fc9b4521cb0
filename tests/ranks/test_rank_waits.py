# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ranks that wait for each other say where they wait, and where the others are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from process_groups import processes

pytest.importorskip("torch")

import waiting_ranks

# New processes import torch, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)


def waited(said: str, rank: int, other: int, action: str) -> bool:
    begin = rf"rank {rank} has waited \d+ s for rank {other} to {action} the dataset\. "
    return re.match(begin, said) is not None


def said(data: Path, store: Path, program: str, num_ranks: int = 2) -> list[str]:
    """Returns what the first ranks say when they have waited."""
    with processes(waiting_ranks.run, 2, data, program, store=store) as ranks:
        return [str(rank.receive()) for rank in ranks[:num_ranks]]


def test_ranks_that_iterate_two_datasets_in_another_order_say_so(
    numbers: Path, tmp_path: Path
) -> None:
    first, second = said(numbers, tmp_path / "store", "other_order")
    assert waited(first, 0, 1, "begin to iterate")
    assert waited(second, 1, 0, "begin to iterate")
    data = f"('{numbers}/0.parquet' and 2 more files)"
    places = [f"epoch 4 of dataset 1 {data}", f"epoch 0 of dataset 2 {data}"]
    assert f"Rank 0 waits at {places[0]}" in first
    assert f"rank 1 waits at {places[1]}" in first
    assert f"Rank 1 waits at {places[1]}" in second
    assert f"rank 0 waits at {places[0]}" in second
    for each in (first, second):
        assert "in the same order" in each
        assert "rank=0, world_size=1" in each


def test_an_evaluation_on_one_rank_of_a_dataset_of_all_says_where_all_wait(
    numbers: Path, tmp_path: Path
) -> None:
    first, second = said(numbers, tmp_path / "store", "evaluate_on_one")
    assert "Rank 0 waits at epoch 0 of dataset 2 (" in first
    assert "rank 1 waits at epoch 1 of dataset 1 (" in first
    assert "Rank 1 waits at epoch 1 of dataset 1 (" in second
    assert "rank=0, world_size=1" in first


def test_a_rank_that_waits_in_no_dataset_is_said_to_be_elsewhere(
    numbers: Path, tmp_path: Path
) -> None:
    program = "evaluate_on_one_and_meet"
    (first,) = said(numbers, tmp_path / "store", program, num_ranks=1)
    assert waited(first, 0, 1, "begin to iterate")
    assert "Rank 0 waits at epoch 0 of dataset 1 (" in first
    assert "rank 1 waits in no dataset" in first


def test_a_dataset_that_one_rank_alone_makes_says_that_the_other_has_not_made_it(
    numbers: Path, tmp_path: Path
) -> None:
    first, second = said(numbers, tmp_path / "store", "make_on_one")
    assert waited(first, 0, 1, "make")
    assert "Rank 0 waits at epoch 0 of dataset 2 (" in first
    assert "rank 1 waits at epoch 0 of dataset 1 (" in first
    assert waited(second, 1, 0, "begin to iterate")
