# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Tensors in wide rows: from large pages straight to the batch that they belong to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import rowfeed
from rowfeed import Column, ParquetDataset

ROWS, GROUP, SIZE = 640, 160, 1000
TENSORS = np.random.default_rng(9).random((ROWS, SIZE), np.float32)

# Chunks of more than 512 KiB in pages of more than 64, in which rows do not end where
# v1 pages do: what uncompressed rows are read straight from to their batch.
WRITERS: dict[str, dict[str, Any]] = {
    "plain": {"compression": "none"},
    "v2": {"compression": "none", "data_page_version": "2.0"},
    "one page": {"compression": "none", "data_page_size": 10_000_000},
    "small pages": {"compression": "none", "data_page_size": 10_000},
    "indexed": {"compression": "none", "write_page_index": True},
    "snappy": {},
    "split": {"compression": "none", "use_byte_stream_split": ["x.list.element"]},
}


def write(folder: Path, tensors: pa.Array, **options: Any) -> Path:
    folder.mkdir(exist_ok=True)
    table = pa.table({"x": tensors, "label": np.arange(len(tensors))})
    options = {"data_page_size": 90_000, "use_dictionary": False} | options
    pq.write_table(table, folder / "a.parquet", row_group_size=GROUP, **options)
    return folder


def fixed(size: int = SIZE) -> pa.Array:
    return pa.FixedSizeListArray.from_arrays(TENSORS[:, :size].ravel(), size)


def labels_of_rows_that_are_right(dataset: Any, size: int = SIZE) -> list[int]:
    """Reads all batches; returns their labels."""
    seen: list[int] = []
    for batch in dataset:
        np.testing.assert_array_equal(batch["x"], TENSORS[batch["label"], :size])
        seen.extend(batch["label"].tolist())
    return seen


@pytest.mark.parametrize("size", [SIZE, 64])
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("block_rows", [None, 50])
def test_wide_tensors_are_those_that_were_written(
    writer: str, block_rows: int | None, size: int, tmp_path: Path
) -> None:
    data = write(tmp_path / "data", fixed(size), **WRITERS[writer])
    dataset = ParquetDataset(
        data, 7, shuffle=True, shuffle_window=4 * GROUP, block_rows=block_rows
    )
    seen = labels_of_rows_that_are_right(dataset, size)
    assert sorted(seen) == list(range(ROWS))
    assert seen != sorted(seen)


@pytest.mark.parametrize("writer", ["plain", "indexed", "snappy"])
def test_wide_tensors_that_pass_a_filter_are_those_that_were_written(
    writer: str, tmp_path: Path
) -> None:
    data = write(tmp_path / "data", fixed(), **WRITERS[writer])
    few = pc.bit_wise_and(pc.field("label"), 7) == 3
    dataset = ParquetDataset(data, 7, shuffle=True, filter=few)
    assert sorted(labels_of_rows_that_are_right(dataset)) == list(range(3, ROWS, 8))


def test_wide_tensors_of_several_lanes_are_those_that_were_written(
    tmp_path: Path,
) -> None:
    data = write(tmp_path / "data", fixed(), **WRITERS["plain"])
    dataset = ParquetDataset(data, 16, shuffle=True, num_lanes=3, block_rows=40)
    assert sorted(labels_of_rows_that_are_right(dataset)) == list(range(ROWS))


def test_wide_tensors_of_a_mixture_are_those_that_were_written(tmp_path: Path) -> None:
    data = write(tmp_path / "data", fixed(), **WRITERS["plain"])
    parts = [ParquetDataset(data, 16, shuffle=True, seed=seed) for seed in (1, 2)]
    seen = labels_of_rows_that_are_right(rowfeed.mix(parts, weights=[1, 1]))
    assert sorted(seen) == sorted([*range(ROWS), *range(ROWS)])


@pytest.mark.parametrize("writer", ["plain", "v2", "snappy"])
def test_nulls_of_wide_tensors_are_filled_and_masked(
    writer: str, tmp_path: Path
) -> None:
    rows: list[list[float] | None] = TENSORS.tolist()
    rows[::50] = [None] * len(rows[::50])
    data = write(
        tmp_path / "data",
        pa.array(rows, pa.list_(pa.float32(), SIZE)),
        **WRITERS[writer],
    )
    column = Column("x", fill=-1, mask=True)
    dataset = ParquetDataset(data, 16, columns=[column, "label"], shuffle=True)
    for batch in dataset:
        is_null = batch["label"] % 50 == 0
        expected = np.where(is_null[:, None], -1, TENSORS[batch["label"]])
        np.testing.assert_array_equal(batch["x"], expected)
        np.testing.assert_array_equal(
            batch["x__mask"], np.broadcast_to(~is_null[:, None], batch["x__mask"].shape)
        )


def test_wide_lists_get_their_shape_and_dtype(tmp_path: Path) -> None:
    data = write(tmp_path / "data", fixed().cast(pa.list_(pa.float32())))
    column = Column("x", shape=(10, 100), dtype="float64")
    for batch in ParquetDataset(data, 16, columns=[column, "label"], shuffle=True):
        assert batch["x"].dtype == np.float64
        np.testing.assert_array_equal(
            batch["x"].reshape(-1, SIZE), TENSORS[batch["label"]]
        )


def test_wide_lists_of_another_size_than_their_shape_are_an_error(
    tmp_path: Path,
) -> None:
    rows = TENSORS.tolist()
    rows[200] = rows[200][:-1]
    data = write(tmp_path / "data", pa.array(rows, pa.list_(pa.float32())))
    dataset = ParquetDataset(
        data, 16, columns=[Column("x", shape=(SIZE,))], shuffle=True
    )
    with pytest.raises(ValueError, match=r"row 40 .* 999 elements, expected 1000"):
        list(dataset)


def test_wide_tensors_of_a_file_that_changed_are_refused_by_name(
    tmp_path: Path,
) -> None:
    data = write(tmp_path / "data", fixed(), **WRITERS["plain"])
    batches = iter(
        ParquetDataset(data, 1, num_threads=1, memory_budget_bytes=2_000_000)
    )
    next(batches)
    os.utime(data / "a.parquet", ns=(0, 0))
    with pytest.raises(OSError, match=r"a\.parquet.*changed since"):
        list(batches)
