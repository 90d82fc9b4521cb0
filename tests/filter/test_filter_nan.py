# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""NaN in columns, bounds and filters: the same rows pass as in pyarrow."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from filtering import NAN, F, passing, write


def expected(path: Path, expression: pc.Expression) -> Any:
    return pq.read_table(path).filter(expression)["row"].to_pylist()


def write_with_bounds(path: Path, least: float, greatest: float, index: bool) -> Path:
    """Writes other bounds than 1.25 and 3.75 into the footer or the page index."""
    table = pa.table({"row": range(4), "x": [1.25, NAN, 2.0, 3.75]})
    writing: dict[str, Any] = {"compression": "none", "use_dictionary": False}
    write(path, table, write_page_index=index, **writing)
    chunk = pq.read_metadata(path).row_group(0).column(1)
    end = chunk.data_page_offset + chunk.total_compressed_size
    raw = path.read_bytes()
    said = raw[end:].replace(struct.pack("<d", 1.25), struct.pack("<d", least))
    said = said.replace(struct.pack("<d", 3.75), struct.pack("<d", greatest))
    assert said != raw[end:]
    path.write_bytes(raw[:end] + said)
    return path


@pytest.mark.parametrize("index", [False, True])
@pytest.mark.parametrize("bounds", [(NAN, NAN), (1.25, NAN), (NAN, 3.75)])
def test_a_bound_that_is_nan_rules_out_no_rows(
    tmp_path: Path, bounds: tuple[float, float], index: bool
) -> None:
    path = write_with_bounds(tmp_path / "x.parquet", *bounds, index)
    x = F("x")
    for expression in (x > 3, x >= 1, x < 2, x <= 1.25, x == 2.0, (x < 2) | (x > 3)):
        assert passing(path, expression) == expected(path, expression)


# 0 / 0 is NaN when constants are folded.
NOTHING = pc.divide(pc.scalar(0.0), pc.scalar(0.0))


@pytest.mark.parametrize("column", ["n", "i", "x", "k"])
@pytest.mark.parametrize("number", [NAN, NOTHING], ids=["nan", "0 / 0"])
def test_nan_is_not_greater_than_the_bounds_of_integers(
    tmp_path: Path, column: str, number: Any
) -> None:
    columns = {
        "row": range(3),
        "n": pa.array([1, 2, 3], pa.int16()),
        "i": [1, 2, 3],
        "x": [1.0, 2.0, 3.0],
    }
    writing: dict[str, Any] = {"write_page_index": True, "max_rows_per_page": 1}
    write(tmp_path / "k=7" / "x.parquet", pa.table(columns), **writing)
    table = pa.table({**columns, "k": [7, 7, 7]})
    field = F(column)
    for expression in (
        *(field <= number, field < number, field >= number, field > number),
        *(field == number, field != number, ~(field <= number), ~(field > number)),
    ):
        rows = table.filter(expression)["row"].to_pylist()
        assert passing(tmp_path, expression) == rows, expression


def test_the_nan_of_a_set_is_none_of_the_integers(tmp_path: Path) -> None:
    table = pa.table({"row": range(3), "x": [1.0, NAN, 3.0], "n": [1, 2, 3]})
    path = write(tmp_path / "x.parquet", table, write_page_index=True)
    for expression in (F("x").isin([NAN]), ~F("x").isin([NAN, 3.0])):
        assert passing(path, expression) == expected(path, expression)


@pytest.mark.parametrize("index", [False, True])
def test_nan_may_pass_a_comparison_of_truth_values(tmp_path: Path, index: bool) -> None:
    columns = {
        "row": range(4),
        "x": [1.0, NAN, 2.0, 3.0],
        "no": [False] * 4,
    }
    path = write(tmp_path / "x.parquet", pa.table(columns), write_page_index=index)
    less = F("x") < 5
    never = pc.scalar(False)
    for expression in (
        *(less == never, less == F("no"), less < pc.scalar(True), less <= never),
        *((F("x") >= 0) == (F("x") > 10), (less == never) & (F("row") < 3)),
        (less | (F("row") > 9)) == never,
    ):
        rows = expected(path, expression)
        assert 1 in rows
        assert passing(path, expression) == rows, expression
