# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Small batches share memory, which nobody sees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from rowfeed import ParquetDataset

pytestmark = pytest.mark.filterwarnings("ignore:shuffle_window")
REMAINDERS = ["uneven", "drop", "pad", "wrap"]


def compare(
    shared: ParquetDataset, alone: ParquetDataset, check: Callable[[Any, Any], None]
) -> None:
    """Checks elements, states and resumes beside those that have an arena each."""
    assert shared._parameters.stream.max_batches_per_arena > 100
    alone._parameters.stream.max_batches_per_arena = 1
    elements, expected = iter(shared), iter(alone)
    for step in range(len(shared)):
        check(next(elements), next(expected))
        assert elements.state_dict() == expected.state_dict()
        if step % 13 == 0:
            state = elements.state_dict()
            elements = iter(shared)
            elements.load_state_dict(state)
    assert next(elements, None) is next(expected, None) is None


@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("remainder", REMAINDERS)
def test_small_batches_are_the_same_whatever_shares_their_memory(
    numbers: Path, remainder: str, lanes: int
) -> None:
    keywords: dict[str, Any] = {
        "shuffle": True,
        "shuffle_window": 60,  # Rows of an arena at most.
        "num_lanes": lanes,
        "num_epochs": 2,
        "remainder": remainder,
    }

    def check(batch: Any, same: Any) -> None:
        for name in same:
            assert batch[name].dtype == same[name].dtype
            assert batch[name].tolist() == same[name].tolist()
        assert batch["parts"].offsets.tolist() == same["parts"].offsets.tolist()

    shared, alone = (ParquetDataset(numbers, 7, **keywords) for _ in range(2))
    compare(shared, alone, check)


@pytest.mark.parametrize("remainder", REMAINDERS)
def test_single_rows_are_batches_of_one_whatever_shares_their_memory(
    numbers: Path, remainder: str
) -> None:
    keywords: dict[str, Any] = {
        "shuffle": True,
        "shuffle_window": 60,  # Rows of an arena at most.
        "num_epochs": 2,
        "rank": 1,
        "world_size": 3,
        "remainder": remainder,
    }

    def check(row: Any, one: Any) -> None:
        for name in row:
            value = row[name].tolist() if name == "parts" else row[name]
            assert one[name].tolist() == [value]

    rows, ones = (ParquetDataset(numbers, size, **keywords) for size in (None, 1))
    compare(rows, ones, check)


def test_a_mixture_shares_memory_as_its_longest_rows_do(tmp_path: Path) -> None:
    sizes = {"short": 4, "long": 40_000}
    for name, size in sizes.items():
        texts = pa.array([f"{i:0{size}}" for i in range(100)])
        pq.write_table(pa.table({"text": texts}), tmp_path / f"{name}.parquet")
    for names in ("short", "long"), ("long", "short"):
        sources = [ParquetDataset(tmp_path / f"{name}.parquet", 4) for name in names]
        assert rowfeed.mix(sources)._parameters.stream.max_batches_per_arena == 1
