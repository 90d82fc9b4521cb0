# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Lists that go on in the next page, where the format forbids it: some writers do so.

arrow-go did until 2026, ClickHouse until 2025, parquet-rs until 2023.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hand_made import write_lists
from rowfeed import Column, Padded, ParquetDataset, ParquetMapDataset

# Chunks are larger than what is read whole anyway.
LISTS = [[*range(500 * i, 500 * i + 90 + i % 20)] for i in range(400)]


@pytest.fixture(params=[1, 2], ids=["v1", "v2"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    file = tmp_path / "x.parquet"
    write_lists(file, LISTS, 1013, request.param)
    assert pq.read_table(file)["x"].to_pylist() == LISTS
    return file


def test_parts_of_row_groups_have_whole_lists(path: Path) -> None:
    for rows in (1, 10, 37):
        dataset = ParquetDataset(path, rows, block_rows=rows, shuffle=True)
        found = sorted(row for batch in dataset for row in batch["x"].tolist())
        assert found == LISTS


def test_rows_taken_by_index_have_whole_lists(path: Path) -> None:
    rows = ParquetMapDataset(path)
    for index in range(0, len(LISTS), 3):
        assert rows.take([index])["x"].tolist() == [LISTS[index]]
    some = [7, 9, 10, 11, 200, 399]
    assert rows.take(some)["x"].tolist() == [LISTS[index] for index in some]


def test_padded_rows_are_not_padded_where_their_list_goes_on(path: Path) -> None:
    column = Column("x", pad=Padded(120, value=-1))
    rows = ParquetMapDataset(path, columns=[column])
    for index in range(0, len(LISTS), 7):
        expected = LISTS[index] + [-1] * (120 - len(LISTS[index]))
        assert rows.take([index])["x"][0].tolist() == expected
