# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A filter with casts lets pass what pyarrow's does, and fails where pyarrow's does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from filtering import F, passing, write
from rowfeed import ParquetDataset

INEXACT = 2**53 + 1  # no double


def unsafe(column: str, dtype: str) -> pc.Expression:
    return F(column).cast(dtype, safe=False)


@pytest.mark.parametrize("page_index", [False, True])
def test_rows_pass_by_what_a_cast_that_overflows_makes_of_them(
    tmp_path: Path, page_index: bool
) -> None:
    table = pa.table(
        {
            "row": range(2),
            "u32": pa.array([2**32 - 1, 2**32 - 2], pa.uint32()),
            "u64": pa.array([2**64 - 1, 2**64 - 2], pa.uint64()),
            "i64": [-1, -2],
        }
    )
    path = write(tmp_path / "x.parquet", table, write_page_index=page_index)
    zero, five = pa.scalar(0, pa.int32()), pa.scalar(5, pa.int32())
    for expression in (
        *(unsafe("u32", "int32") >= five, unsafe("u32", "int32") < zero),
        *(unsafe("u64", "int64") >= 5, unsafe("u64", "int64") < 0),
        unsafe("i64", "uint64") > pa.scalar(5, pa.uint64()),
    ):
        rows = table.filter(expression)["row"].to_pylist()
        assert passing(path, expression) == rows, expression


def test_rows_pass_by_what_a_cast_rounds_them_to(tmp_path: Path) -> None:
    table = pa.table({"row": range(2), "n": [2**24 + 1] * 2})
    path = write(tmp_path / "x.parquet", table)
    for expression in (
        unsafe("n", "float32") > 2**24 + 0.5,
        unsafe("n", "float32") <= 2**24 + 0.5,
        unsafe("n", "float64") > 2**24 + 0.5,
        F("n").cast("float64").cast("float32") > 2**24 + 0.5,
        F("n").cast("float64").cast("float32") <= 2**24 + 0.5,
    ):
        rows = table.filter(expression)["row"].to_pylist()
        assert passing(path, expression) == rows, expression


def test_a_bound_that_a_cast_has_no_room_for_is_no_damage(tmp_path: Path) -> None:
    table = pa.table({"row": range(3), "n": [0, 1, INEXACT]})
    path = write(tmp_path / "k=9007199254740993" / "x.parquet", table)
    assert passing(path, unsafe("n", "float64") > 0.5) == [1, 2]
    assert passing(tmp_path, unsafe("k", "float64") > 0.5) == [0, 1, 2]
    assert passing(tmp_path, (unsafe("k", "float64") > 0.5) & (F("n") == 1)) == [1]


@pytest.mark.parametrize("expression", [F("n") > 0.5, F("k") > 0.5])
def test_a_row_that_a_cast_has_no_room_for_is_an_error_of_the_filter(
    tmp_path: Path, expression: Any
) -> None:
    table = pa.table({"row": range(3), "n": [0, 1, INEXACT]})
    write(tmp_path / "k=9007199254740993" / "x.parquet", table)
    dataset = ParquetDataset(tmp_path, 1, columns=["row"], filter=expression)
    with pytest.raises(ValueError, match=r"x\.parquet, row group 0: filter: .*range"):
        len(dataset)
