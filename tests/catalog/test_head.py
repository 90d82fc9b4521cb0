# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Catalog.head: the first rows, as they are stored."""

from __future__ import annotations

import datetime
import io
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from numbered_rows import NUM_ROWS
from rowfeed import Catalog, Column
from rowfeed._catalog import first_rows


def test_rows_come_in_the_order_of_the_catalog(numbers: Path) -> None:
    catalog = Catalog.open(numbers)
    stored = pa.concat_tables(pq.read_table(file.path) for file in catalog.files)
    for num_rows in (0, 1, 5, 100, NUM_ROWS, NUM_ROWS + 9):
        assert catalog.head(num_rows).equals(stored.slice(0, num_rows))
    assert catalog.head().num_rows == 5


def test_the_columns_are_those_of_the_catalog(numbers: Path) -> None:
    catalog = Catalog.open(numbers, columns=["name", "id"])
    assert sorted(catalog.head(2).column_names) == ["id", "name"]


def test_values_are_as_stored(tmp_path: Path) -> None:
    """Also nulls, which no batch can hold, and types that rowfeed does not have."""
    table = pa.table(
        {
            "day": pa.array([datetime.date(2026, 1, 2), None], pa.date32()),
            "tags": [["a", None], None],
            "user": [{"age": 3, "city": "Oslo"}, None],
            "items": [[{"price": 1.5}], []],
            "a.b": [1, None],
            "nothing": pa.nulls(2),
            "kind": pa.array(["x", None]).dictionary_encode(),
        }
    )
    pq.write_table(table, tmp_path / "x.parquet")
    assert Catalog.open(tmp_path).head().to_pylist() == table.to_pylist()


def test_an_index_of_pandas_does_not_hide_the_columns(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [1, 2]}, index=pandas.Index([7, 8], name="key"))
    frame.to_parquet(tmp_path / "x.parquet")
    head = Catalog.open(tmp_path, columns=["x"]).head()
    assert head.to_pylist() == [{"x": 1}, {"x": 2}]
    assert head.to_pandas()["x"].tolist() == [1, 2]


def test_directories_are_columns(tmp_path: Path) -> None:
    table = pa.table(
        {"row": range(6), "year": [1, 1, 2, 2, 3, 3], "city": ["ö", None] * 3}
    )
    ds.write_dataset(
        table,
        tmp_path,
        format="parquet",
        partitioning=["year", "city"],
        partitioning_flavor="hive",
    )
    catalog = Catalog.open(tmp_path)
    rows: list[dict[str, Any]] = catalog.head(4).to_pylist()
    assert len(rows) == 4
    stored = {row["row"]: row for row in table.to_pylist()}
    assert rows == [stored[row["row"]] for row in rows]
    only = Catalog.open(tmp_path, columns=["year"]).head(4)
    assert only.to_pylist() == [{"year": row["year"]} for row in rows]
    assert catalog.head(0).column_names == ["row", "year", "city"]


def test_what_a_file_lacks_is_null(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1], "y": [2.5]}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"x": pa.array([], pa.int64())}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"x": [3]}), tmp_path / "2.parquet")
    columns: list[str | Column] = ["x", Column("y", fill=0.0)]
    head = Catalog.open(tmp_path, columns).head()
    assert head.to_pylist() == [{"x": 1, "y": 2.5}, {"x": 3, "y": None}]


def test_only_files_that_are_needed_are_opened(numbers: Path, tmp_path: Path) -> None:
    for source in numbers.iterdir():
        (tmp_path / source.name).write_bytes(source.read_bytes())
    catalog = Catalog.open(tmp_path)
    for file in catalog.files[1:]:
        Path(file.path).unlink()
    assert catalog.head(3).num_rows == 3
    with pytest.raises(FileNotFoundError):
        catalog.head(NUM_ROWS)


def test_of_a_large_row_group_little_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = np.random.default_rng(0).random(1 << 20)
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": values}), path, use_dictionary=False)
    read = []

    class Counting(io.FileIO):
        def read(self, size: int | None = -1) -> Any:
            found = super().read(size)
            read.append(len(found))
            return found

    def opened(*_: Any) -> Any:
        return pa.PythonFile(Counting(path))

    monkeypatch.setattr(first_rows, "open_file", opened)
    assert Catalog.open(tmp_path).head(3)["x"].to_pylist() == values[:3].tolist()
    assert sum(read) < path.stat().st_size / 4


def test_a_file_that_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": [1]}), path)
    catalog = Catalog.open(tmp_path)
    pq.write_table(pa.table({"x": [1, 2]}), path)
    with pytest.raises(OSError, match=r"x\.parquet changed since it was catalogued"):
        catalog.head()


def test_a_number_of_rows_is_needed(numbers: Path) -> None:
    catalog = Catalog.open(numbers)
    with pytest.raises(ValueError, match="num_rows must be >= 0, not -1"):
        catalog.head(-1)
    wrong: Any
    for wrong in (2.5, "3", None, True):
        with pytest.raises(TypeError, match=f"num_rows must be an int, not {wrong!r}"):
            catalog.head(wrong)


def test_an_empty_data_set_has_its_columns(tmp_path: Path) -> None:
    table = pa.table({"x": pa.array([], pa.int32())})
    pq.write_table(table, tmp_path / "x.parquet")
    assert Catalog.open(tmp_path).head().equals(table)
