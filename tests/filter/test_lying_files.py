# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Filters find what they find in memory, though statistics and indexes lie."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import lying_files
from lies import LIES
from lying_files import NUM_ROWS, Lie, column_of
from rowfeed import Catalog, Column, ParquetDataset, ParquetMapDataset

VALUE_ROWS = [
    0,
    101,
    250,
    408,
    560,
    755,
    905,
    1199,
]  # The rows whose values are asked for.
Make = Callable[[pc.Expression, list[pa.Scalar]], list[pc.Expression]]
PREDICATES: dict[str, Make] = {
    "==": lambda field, values: [field == v for v in values],
    "<": lambda field, values: [field < v for v in values],
    ">=": lambda field, values: [field >= v for v in values],
    "isin": lambda field, values: [
        field.isin(pa.array(v)) for v in (values[2:4], values[6:7])
    ],
    "is_null": lambda field, _: [field.is_null()],
    "is_valid": lambda field, _: [field.is_valid()],
}


def filters(column: str, predicate: str) -> list[pc.Expression]:
    values = [column_of(column)[row] for row in VALUE_ROWS]
    return PREDICATES[predicate](pc.field(*column.split(".")), values)


def delivered(
    catalog: Catalog, column: str, expression: pc.Expression | None = None
) -> tuple[list[int], list[Any]]:
    """Returns rows, by number, and values of a dataset; None where they are null."""
    columns = {"row": Column("row"), "x": Column(column, mask=True)}
    dataset = ParquetDataset(catalog, 7, columns=columns, filter=expression)
    rows, values = [], []
    batches = list(dataset)
    assert len(dataset) == len(batches)
    for batch in batches:
        rows += batch["row"].tolist()
        values += masked(batch)
    return rows, values


def masked(batch: Any) -> list[Any]:
    pairs = zip(batch["x"].tolist(), batch["x__mask"].tolist(), strict=True)
    return [value if valid else None for value, valid in pairs]


@functools.cache
def right_values(lie: Lie, column: str) -> list[Any]:
    """Returns all values of a column as the file without the lie delivers them."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "x.parquet"
        lying_files.write(path, replace(lie, columns=(), footer=None, created_by=None))
        return delivered(Catalog.open(path), column)[1]


@pytest.fixture(scope="module", params=LIES)
def lying(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Lie, Path, pa.Table]:
    lie = LIES[request.param]
    path = tmp_path_factory.mktemp("lie") / "x.parquet"
    return lie, path, lying_files.write(path, lie)


@pytest.mark.filterwarnings("ignore:.*use_statistics=False")
@pytest.mark.parametrize("predicate", PREDICATES)
def test_a_lie_changes_no_count_and_no_row(
    lying: tuple[Lie, Path, pa.Table], predicate: str
) -> None:
    lie, path, table = lying
    catalog = Catalog.open(path)
    for column in lie.columns:
        values = right_values(lie, column)
        for expression in filters(column, predicate):
            right = table.filter(expression)["row"].to_pylist()
            rows, got = delivered(catalog, column, expression)
            if lie.is_detectable:
                assert rows == right, expression
            else:  # Rows are lost where all of a page is outside of its bounds.
                assert set(rows) <= set(right), expression
            assert got == [values[row] for row in rows], expression


def test_a_read_without_a_filter_believes_nothing(
    lying: tuple[Lie, Path, pa.Table],
) -> None:
    lie, path, _ = lying
    rows = [700, 3, 1199, 250, 101]
    for column in lie.columns:
        right = right_values(lie, column)
        assert delivered(Catalog.open(path), column) == ([*range(NUM_ROWS)], right)
        taken = ParquetMapDataset(path, columns={"x": Column(column, mask=True)})
        assert masked(taken.take(rows)) == [right[row] for row in rows]
