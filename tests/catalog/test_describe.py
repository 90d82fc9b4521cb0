# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Catalog.describe: what it says of columns and of the values that footers know."""

from __future__ import annotations

import os
import shutil
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from numbered_rows import NUM_ROWS
from rowfeed import Catalog, Column, ParquetDataset
from rowfeed._catalog.column_description import ColumnDescription


def described(*tables: pa.Table, folder: Path, **writer: Any) -> dict[str, Any]:
    """Writes a file for each table and describes them, by column."""
    for i, table in enumerate(tables):
        pq.write_table(table, folder / f"{i}.parquet", row_group_size=2, **writer)
    columns = Catalog.open(folder).describe().columns
    return {column.field.name: column for column in columns}


def known(column: ColumnDescription) -> tuple[Any, Any, Any]:
    return column.null_count, column.minimum, column.maximum


def test_columns_of_many_files_and_row_groups(numbers: Path) -> None:
    catalog = Catalog.open(numbers)
    description = catalog.describe()
    assert [column.field for column in description.columns] == catalog.schema
    assert {c.field.name: known(c) for c in description.columns} == {
        "id": (0, 0, NUM_ROWS - 1),
        "half": (0, 0.0, (NUM_ROWS - 1) / 2),
        "even": (0, False, True),
        "name": (0, "row 0", "row 99"),
        "parts": (0, 1, NUM_ROWS - 1),
    }
    columns, _, row_groups = repr(description).partition("\n\n")
    lines = columns.splitlines()
    assert len(lines) == 6
    assert lines[0].split() == [
        *("column", "type", "NumPy,", "torch", "TensorFlow"),
        *("nulls", "min", "max", "stored"),
    ]
    cells = " ".join(lines[1].split())
    assert cells.startswith(f"id int64 int64 [b] int64 [b] 0 0 {NUM_ROWS - 1} ")
    assert len(row_groups.splitlines()) == 5
    assert "Ragged int32 [b, None]" in lines[5]
    assert not any(line.endswith(" ") for line in lines)


TYPES: list[tuple[pa.Array, Any, Any]] = [
    (pa.array([200, 1], pa.uint8()), 1, 200),
    (pa.array([2**64 - 1, 1], pa.uint64()), 1, 2**64 - 1),
    (pa.array(np.array([-3, 2], np.float16)), -3.0, 2.0),
    (pa.array([1.5, float("nan")]), 1.5, 1.5),
    (pa.array([-1, 3], pa.date32()), -1, 3),
    (pa.array([2**62, 1], pa.timestamp("us", "UTC")), 1, 2**62),  # Beyond datetime.
    (pa.array([7, 8], pa.time64("ns")), 7, 8),
    (pa.array([b"\xff", b""]), b"", b"\xff"),
    (pa.array([1, -2]).cast(pa.decimal128(20, 1)), -2.0, 1.0),
    (pa.array([5, 3], pa.duration("s")), 3, 5),
    (pa.array([b"cd", b"ab"], pa.binary(2)), b"ab", b"cd"),
    (pa.array(["z", "ü"]).dictionary_encode(), "z", "ü"),
    (pa.array([[4, 5], [6, 7]], pa.list_(pa.int16(), 2)), 4, 7),
]


@pytest.mark.parametrize(("values", "least", "most"), TYPES, ids=lambda x: str(x)[:20])
def test_bounds_are_what_is_delivered(
    values: pa.Array, least: Any, most: Any, tmp_path: Path
) -> None:
    # A struct before it: leaves have other numbers than columns.
    struct = pa.array([{"a": 1, "b": [2]}, None])
    found = described(pa.table({"s": struct, "x": values}), folder=tmp_path)
    assert known(found["x"])[1:] == (least, most)
    assert found["x"].null_count == 0
    assert known(found["s.a"]) == (1, 1, 1)
    assert known(found["s.b"]) == (1, 2, 2)


def test_leaves_of_any_nesting(tmp_path: Path) -> None:
    table = pa.table(
        {
            "list": [[{"a": 1, "b": [["x"]]}, {"a": 3, "b": [["y", "z"]]}]],
            "map": pa.array([[("k", 5)]], pa.map_(pa.string(), pa.int32())),
            "dates": pa.array([[1, 2]], pa.list_(pa.date32())),
            "s.a": [7],
        }
    )
    found = described(table, folder=tmp_path)
    assert {name: known(column) for name, column in found.items()} == {
        "list.a": (0, 1, 3),
        "list.b": (0, "x", "z"),
        "map.key": (0, "k", "k"),
        "map.value": (0, 5, 5),
        "dates": (0, 1, 2),
        "s.a": (0, 7, 7),
    }
    column = found["list.b"]
    assert column.numpy == "Ragged uint8 [b, None, None, None, None]"
    assert column.tensorflow == "Ragged string [b, None, None, None]"


def test_nulls_and_places_that_know_less(tmp_path: Path) -> None:
    one = pa.table({"x": [None, None, 5], "y": pa.nulls(3, pa.int64())})
    two = pa.table({"x": [None, 2, 9], "y": pa.nulls(3, pa.int64())})
    found = described(one, two, folder=tmp_path)
    assert known(found["x"]) == (3, 2, 9)
    assert known(found["y"]) == (6, None, None)
    # One file without statistics: no bounds, as what they leave out is not known.
    pq.write_table(one, tmp_path / "1.parquet", write_statistics=False)
    x, y = Catalog.open(tmp_path).describe().columns
    assert known(x) == known(y) == (None, None, None)
    required = pa.schema([pa.field("z", pa.int64(), nullable=False)])
    table = pa.table({"z": [1]}, required)
    (tmp_path / "z").mkdir()
    found = described(table, folder=tmp_path / "z", write_statistics=False)
    assert known(found["z"]) == (0, None, None)


def test_int96(tmp_path: Path) -> None:
    times = pa.table({"x": pa.array([1, None], pa.timestamp("ns"))})
    found = described(times, folder=tmp_path, use_deprecated_int96_timestamps=True)
    assert known(found["x"]) in ((1, None, None), (None, None, None))


def test_an_unsupported_column_has_its_reason(tmp_path: Path) -> None:
    table = pa.table({"odd": pa.nulls(1), "id": [1]})
    pq.write_table(table, tmp_path / "x.parquet")
    lines = repr(Catalog.open(tmp_path).describe()).splitlines()
    assert lines[1] == "odd     null   nulls without a type are not supported"


def test_only_the_columns_of_the_catalog(numbers: Path) -> None:
    columns = Catalog.open(numbers, ["name", "id"]).describe().columns
    assert [c.field.name for c in columns] == ["name", "id"]
    assert known(columns[1]) == (0, 0, NUM_ROWS - 1)


def test_descriptions_say_which_columns_need_a_fill(tmp_path: Path) -> None:
    columns = {
        "hist": [[1], None],
        "items": [[1, None], [2]],
        "x": [1, None],
        "filled": [1, None],
        "masked": [[1], None],
        "whole": [1, 2],
    }
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    asked = [Column("filled", fill=0), Column("masked", mask="rows")]
    description = Catalog.open(tmp_path, ["*", *asked]).describe()
    needing = {c.field.name for c in description.columns if c.needs_fill}
    assert needing == {"hist", "items", "x"}
    assert "needs a fill" in repr(description)
    for name in columns:
        dataset = ParquetDataset(
            tmp_path, 2, columns=[c for c in asked if c.name == name] or [name]
        )
        if name in needing:
            with pytest.raises(ValueError, match=f"'{name}'.*null"):
                list(dataset)
        else:
            list(dataset)


LONG = [
    "x" * 10_000,
    "née " * 100,
    "e\N{COMBINING ACUTE ACCENT}" * 40,  # Letters of two characters.
    "漢字" * 40,  # Twice as wide.
    "\x1b[31mred\n\t\u202e" * 9,
    "👩\N{ZERO WIDTH JOINER}👩" * 40,
    "o" + "\N{COMBINING TILDE}" * 400,  # One letter.
]


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_long_and_odd_values_are_cut_at_characters(text: str, tmp_path: Path) -> None:
    found = described(pa.table({text[:200]: [text]}), folder=tmp_path)
    (column,) = found.values()
    if column.maximum is not None:  # Writers leave out what is very long.
        assert column.maximum == text
    for cell in column.cells():
        assert cell.isprintable()
        assert len(cell) <= 4 * 32 + 1
    name = column.cells()[0]
    assert name.endswith("…")
    if text.isprintable():
        kept = name.removesuffix("…")
        assert text.startswith(kept)
        assert "o" in text or not unicodedata.combining(text[len(kept)])


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    """Some writers cut long strings in the middle of a character."""
    cut = pa.array([b"ab\xc3"]).view(pa.string())
    found = described(pa.table({"x": cut}), folder=tmp_path)
    assert known(found["x"]) == (0, r"ab\xc3", r"ab\xc3")


def test_files_of_names_that_are_not_utf8(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [3, 1]}), tmp_path / "a.parquet")
    odd = tmp_path / os.fsdecode(b"\xff.parquet")
    (tmp_path / "a.parquet").rename(odd)
    catalog = Catalog.open(tmp_path)
    assert known(catalog.describe().columns[0]) == (0, 1, 3)
    odd.unlink()
    with pytest.raises(FileNotFoundError, match=r"\.parquet"):
        catalog.describe()


def test_files_that_changed(numbers: Path, tmp_path: Path) -> None:
    data = shutil.copytree(numbers, tmp_path / "data")
    catalog = Catalog.open(data)
    with (data / "1.parquet").open("r+b") as file:
        content = file.read()
    (data / "1.parquet").write_bytes(content[:4] + b"\0" + content[4:])
    with pytest.raises(OSError, match=r"1\.parquet changed"):
        catalog.describe()
    (data / "1.parquet").unlink()
    with pytest.raises(FileNotFoundError, match=r"1\.parquet"):
        catalog.describe()


def test_an_empty_data_set(tmp_path: Path) -> None:
    found = described(pa.table({"x": pa.array([], pa.int64())}), folder=tmp_path)
    assert known(found["x"]) == (0, None, None)


def test_columns_of_directories_have_their_nulls_and_bounds(tmp_path: Path) -> None:
    for year, city, rows in ((2021, "Oslo", 3), (2024, "Bern", 2)):
        folder = tmp_path / f"year={year}" / f"city={city}"
        folder.mkdir(parents=True)
        table = pa.table({"x": pa.array(range(rows), pa.int64())})
        pq.write_table(table, folder / "a.parquet", row_group_size=1)
    unknown = tmp_path / "year=__HIVE_DEFAULT_PARTITION__" / "city=Riga"
    unknown.mkdir(parents=True)
    pq.write_table(
        pa.table({"x": pa.array(range(4), pa.int64())}), unknown / "a.parquet"
    )
    described: dict[str, Any] = {
        column.field.name: column
        for column in Catalog.open(tmp_path).describe().columns
    }
    year, city = described["year"], described["city"]
    assert (year.null_count, year.minimum, year.maximum) == (4, 2021, 2024)
    assert year.needs_fill
    assert (city.null_count, city.minimum, city.maximum) == (0, "Bern", "Riga")
    assert not city.needs_fill
    assert described["x"].maximum == 3
