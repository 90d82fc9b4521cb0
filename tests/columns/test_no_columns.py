# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A projection to no column: rows are counted, shuffled and resumed, not read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rowfeed
from numbered_rows import NUM_ROWS

SHUFFLED: dict[str, Any] = {"columns": [], "shuffle": True, "shuffle_window": 150}


def test_elements_are_empty_and_as_many_as_ever(numbers: Path) -> None:
    dataset = rowfeed.ParquetDataset(numbers, 20, num_epochs=2, **SHUFFLED)
    assert list(dataset) == [{}] * len(dataset) == [{}] * (2 * -(-NUM_ROWS // 20))
    assert list(rowfeed.ParquetDataset(numbers, None, columns=[])) == [{}] * NUM_ROWS


def test_a_state_within_goes_on(numbers: Path) -> None:
    batches = iter(rowfeed.ParquetDataset(numbers, 20, **SHUFFLED))
    for _ in range(5):
        next(batches)
    resumed = rowfeed.ParquetDataset(numbers, 20, **SHUFFLED)
    resumed.load_state_dict(batches.state_dict())
    assert len(list(resumed)) == len(list(batches)) == -(-NUM_ROWS // 20) - 5


def test_padded_batches_say_which_rows_are_there(numbers: Path) -> None:
    dataset = rowfeed.ParquetDataset(numbers, 20, remainder="pad", **SHUFFLED)
    assert sum(batch["__valid"].sum() for batch in dataset) == NUM_ROWS


def test_rows_by_index_are_empty_too(numbers: Path) -> None:
    assert rowfeed.Catalog.open(numbers).take([5, 1], columns=[]) == {}
    with pytest.raises(IndexError):
        rowfeed.Catalog.open(numbers).take([NUM_ROWS], columns=[])


def test_torch_has_them_and_tensorflow_says_that_it_cannot(numbers: Path) -> None:
    torch = pytest.importorskip("rowfeed.torch")
    assert list(torch.ParquetDataset(numbers, 100, columns=[])) == [{}, {}, {}]
    tensorflow = pytest.importorskip("rowfeed.tensorflow")
    with pytest.raises(ValueError, match="have a tensor at least"):
        tensorflow.ParquetDataset(numbers, 100, columns=[])
