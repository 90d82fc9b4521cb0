# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Blocks of a row group that are in one window are read and decoded together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowfeed
from rowfeed import Column, ParquetDataset

NUM_ROWS = 100_000
GROUPS = [700, 1, 300, 64]


@pytest.fixture(scope="module")
def group(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One row group of many pages, in chunks that are not read whole."""
    path = tmp_path_factory.mktemp("group") / "x.parquet"
    random = np.random.default_rng(0)
    columns = {
        "number": random.random(NUM_ROWS),
        "text": [f"text {i:012}" for i in range(NUM_ROWS)],
    }
    pq.write_table(pa.table(columns), path, row_group_size=NUM_ROWS, compression="none")
    return path


@pytest.mark.parametrize("block_rows", [1000, 32, 1])
@pytest.mark.parametrize("of_filter", [None, [("number", "<", 0.5)]])
def test_pages_that_small_blocks_share_are_read_once_for_a_window(
    block_rows: int, of_filter: Any, group: Path
) -> None:
    dataset = ParquetDataset(
        group, 100, shuffle=True, block_rows=block_rows, filter=of_filter
    )
    len(dataset)  # The count has reads of its own.
    before = dataset.stats().read_bytes
    for _ in dataset:
        pass
    read = dataset.stats().read_bytes - before
    assert read < 3 * group.stat().st_size


def test_explain_foresees_what_small_blocks_read(group: Path) -> None:
    dataset = ParquetDataset(group, 100, shuffle=True, block_rows=32)
    foreseen = dataset.explain()
    for _ in dataset:
        pass
    read = dataset.stats().read_bytes
    assert foreseen.read_bytes == pytest.approx(read, rel=0.1)
    assert not [said for said in foreseen.advice if "whole pages" in said]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, pa.Table]:
    """Two files of row groups of other sizes, with each kind of column."""
    folder = tmp_path_factory.mktemp("table")
    random = np.random.default_rng(1)
    num_rows = sum(GROUPS)
    wide = random.random(100 * num_rows, np.float32)
    rows = pa.table(
        {
            "id": np.arange(num_rows),
            "half": pa.array(
                np.arange(num_rows) / 2, mask=random.random(num_rows) < 0.1
            ),
            "name": [None if i % 7 == 0 else f"row {i % 90}" for i in range(num_rows)],
            "list": [list(range(i % 5)) for i in range(num_rows)],
            "wide": pa.FixedSizeListArray.from_arrays(wide, 100),
        }
    )
    begin = 0
    for k, size in enumerate(GROUPS):
        part = rows.slice(begin, size)
        pq.write_table(part, folder / f"{k}.parquet", data_page_size=400)
        begin += size
    return folder, rows


MASKED, FILLED = Column("half", mask=True), Column("name", fill="-")
COLUMNS: list[str | Column] = ["id", MASKED, FILLED, "list", "wide"]


@pytest.mark.filterwarnings("ignore:shuffle_window")
@given(
    block_rows=st.integers(1, 200),
    shuffle_window=st.integers(1, 1500),
    num_lanes=st.integers(1, 3),
    of_filter=st.sampled_from([None, [("half", ">", 100.0)], [("id", "!=", 7)]]),
    mixes=st.booleans(),
)
def test_small_blocks_deliver_the_values_of_their_rows(
    block_rows: int,
    shuffle_window: int,
    num_lanes: int,
    of_filter: Any,
    mixes: bool,
    table: tuple[Path, pa.Table],
) -> None:
    folder, rows = table
    dataset = ParquetDataset(
        folder,
        64,
        columns=COLUMNS,
        shuffle=True,
        block_rows=block_rows,
        shuffle_window=shuffle_window,
        num_lanes=num_lanes,
        filter=of_filter,
    )
    expected = len(ids_that_pass(rows, of_filter))
    if mixes:
        dataset = rowfeed.mix([dataset, dataset], stop="all_exhausted")
    seen: set[int] = set()
    for batch in dataset:
        ids = batch["id"]
        seen.update(ids.tolist())
        same = rows.take(pa.array(ids))
        np.testing.assert_array_equal(
            batch["half"], same["half"].fill_null(0).to_numpy()
        )
        np.testing.assert_array_equal(
            batch["half__mask"], same["half"].is_valid().to_numpy()
        )
        assert batch["name"].tolist() == same["name"].fill_null("-").to_pylist()
        assert batch["list"].tolist() == same["list"].to_pylist()
        wide = same["wide"].combine_chunks().flatten().to_numpy()
        np.testing.assert_array_equal(batch["wide"].ravel(), wide)
    assert len(seen) == expected


def ids_that_pass(rows: pa.Table, of_filter: Any) -> list[int]:
    if of_filter is not None:
        rows = rows.filter(pq.filters_to_expression(of_filter))
    passing: list[int] = rows["id"].to_pylist()
    return passing
