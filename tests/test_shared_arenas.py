# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Small batches share memory, which nobody sees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rowfeed import ParquetDataset


@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("remainder", ["uneven", "drop", "pad", "wrap"])
def test_small_batches_are_the_same_whatever_shares_their_memory(
    numbers: Path, remainder: str, lanes: int
) -> None:
    keywords: dict[str, Any] = {
        "shuffle": True,
        "num_lanes": lanes,
        "num_epochs": 2,
        "remainder": remainder,
    }
    small = ParquetDataset(numbers, 7, **keywords)
    assert small.resolved.stream.max_batches_per_arena > 100
    alone = ParquetDataset(numbers, 7, **keywords)
    alone.resolved.stream.max_batches_per_arena = 1
    batches, expected = iter(small), iter(alone)
    for step in range(len(small)):
        batch, same = next(batches), next(expected)
        for name in same:
            assert batch[name].dtype == same[name].dtype
            assert batch[name].tolist() == same[name].tolist()
        assert batch["parts"].offsets.tolist() == same["parts"].offsets.tolist()
        assert batches.state_dict() == expected.state_dict()
        if step % 13 == 0:
            state = batches.state_dict()
            batches = iter(small)
            batches.load_state_dict(state)
    assert next(batches, None) is next(expected, None) is None


@pytest.mark.parametrize("remainder", ["uneven", "drop", "pad", "wrap"])
def test_single_rows_are_batches_of_one_whatever_shares_their_memory(
    numbers: Path, remainder: str
) -> None:
    keywords: dict[str, Any] = {
        "shuffle": True,
        "num_epochs": 2,
        "rank": 1,
        "world_size": 3,
        "remainder": remainder,
    }
    ones = iter(ParquetDataset(numbers, 1, **keywords))
    dataset = ParquetDataset(numbers, None, **keywords)
    assert dataset.resolved.stream.max_batches_per_arena > 100
    rows = iter(dataset)
    for step in range(len(dataset)):
        one, row = next(ones), next(rows)
        for name in row:
            value = row[name].tolist() if name == "parts" else row[name]
            assert one[name].tolist() == [value]
        assert rows.state_dict() == ones.state_dict()
        if step % 71 == 0:
            state = rows.state_dict()
            rows = iter(dataset)
            rows.load_state_dict(state)
    assert next(ones, None) is next(rows, None) is None
