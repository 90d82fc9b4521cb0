# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A column whose type Arrow refuses spoils neither its file nor its data set."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hand_made import I32
from lying_files import put, rewrite_footer
from reading import FACES, module_of
from rowfeed import Catalog, ParquetDataset

# The fields type, type_length, converted_type and precision of a SchemaElement, by the
# format's parquet.thrift.
TYPE, TYPE_LENGTH, CONVERTED, PRECISION = 1, 2, 6, 8


def without_logical_type(element: Any) -> None:
    element.pop(10, None)


def unknown(element: Any) -> None:
    without_logical_type(element)
    put(element, CONVERTED, I32, 99)


def text_of_numbers(element: Any) -> None:
    without_logical_type(element)
    put(element, CONVERTED, I32, 0)


def no_digits(element: Any) -> None:
    without_logical_type(element)
    put(element, PRECISION, I32, 0)


def no_bytes(element: Any) -> None:
    put(element, TYPE_LENGTH, I32, 0)


# How the type of a column is spoiled: the name of the element of the schema, and how.
SPOILED: dict[str, tuple[str, Callable[[Any], None]]] = {
    "unknown converted type": ("n", unknown),
    "text of numbers": ("n", text_of_numbers),
    "decimal without digits": ("d", no_digits),
    "binary of no bytes": ("f", no_bytes),
    "unknown kind of list": ("l", unknown),
    "unknown type in a struct": ("inner", unknown),
}


def write(path: Path, *spoiled: str) -> Path:
    """Writes a file of six columns with the types of `spoiled` spoiled."""
    pq.write_table(
        pa.table(
            {
                "a": np.arange(5),
                "n": np.arange(5, dtype="i4"),
                "d": pa.array(range(5)).cast(pa.decimal128(22, 2)),
                "f": pa.array([b"abc"] * 5, pa.binary(3)),
                "l": pa.array([[1], [2, 3], [], [4], [5]]),
                "s": pa.array([{"inner": i, "other": -i} for i in range(5)]),
                "z": ["x"] * 5,
            }
        ),
        path,
        store_schema=False,
    )
    for name in spoiled:
        of, spoil = SPOILED[name]

        def change(
            footer: Any, of: str = of, spoil: Callable[[Any], None] = spoil
        ) -> None:
            (element,) = [e for e in footer[2][1][1] if e[4][1] == of.encode()]
            spoil(element)

        rewrite_footer(path, change)
    return path


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("spoiled", SPOILED)
def test_other_columns_of_a_file_with_a_refused_type_are_read(
    tmp_path: Path, face: str, spoiled: str
) -> None:
    path = write(tmp_path / "x.parquet", spoiled)
    dataset = module_of(face).ParquetDataset(path, 5, columns=["a", "z", "s.other"])
    (batch,) = dataset
    assert np.asarray(batch["a"]).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("spoiled", SPOILED)
def test_a_column_of_a_refused_type_is_refused_by_name(
    tmp_path: Path, spoiled: str
) -> None:
    path = write(tmp_path / "x.parquet", spoiled)
    # pyarrow reads no column of such a file.
    with pytest.raises(OSError, match=r"[Ii]nvalid|can|[Pp]recision"):
        pq.read_schema(path)
    of, _ = SPOILED[spoiled]
    named = "s.inner" if of == "inner" else of
    for columns in (None, [named]):
        with pytest.raises(NotImplementedError, match=f"'{named}.*cannot be read: "):
            ParquetDataset(path, 5, columns=columns)


def test_all_columns_of_refused_types_are_named_together(tmp_path: Path) -> None:
    path = write(tmp_path / "x.parquet", *SPOILED)
    catalog = Catalog.open(path)
    refused = [column.name for column in catalog.schema if column.unsupported]
    assert len(refused) == 5
    (batch,) = ParquetDataset(path, 5, columns=["a", "z", "s.other"])
    assert batch["s.other"].tolist() == [0, -1, -2, -3, -4]


@pytest.mark.parametrize("first", [False, True])
def test_a_refused_type_in_one_of_two_files_is_not_read_as_another(
    tmp_path: Path, *, first: bool
) -> None:
    for name, is_bad in (("a", first), ("b", not first)):
        write(tmp_path / f"{name}.parquet", *["text of numbers"] * is_bad)
    (batch,) = ParquetDataset(tmp_path, 10, columns=["a"])
    assert batch["a"].tolist() == [*range(5)] * 2
    with pytest.raises(NotImplementedError, match="'n'"):
        ParquetDataset(tmp_path, 10, columns=["n"])


def test_a_filter_and_rows_by_index_pass_a_refused_type(tmp_path: Path) -> None:
    path = write(tmp_path / "x.parquet", "decimal without digits")
    dataset = ParquetDataset(path, 5, columns=["a"], filter=[("a", ">", 2)])
    assert [batch["a"].tolist() for batch in dataset] == [[3, 4]]
    taken = Catalog.open(path).take([4, 0], columns=["a", "z"])
    assert taken["a"].tolist() == [4, 0]


def test_a_catalog_with_a_refused_type_is_described_and_saved(tmp_path: Path) -> None:
    path = write(tmp_path / "x.parquet", "unknown converted type")
    catalog = Catalog.open(path)
    assert "its type cannot be read" in str(catalog.describe())
    with pytest.raises(NotImplementedError, match=r"pyarrow.* refuses the footer"):
        catalog.head(2)
    catalog.save(tmp_path / "saved")
    assert Catalog.load(tmp_path / "saved").schema == catalog.schema
