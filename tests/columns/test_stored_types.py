# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Types by other names: what other writers, old ones among them, call a column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hand_made
from hand_made import BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY, INT32, INT64, Stored
from reading import FACES, read, same, write
from rowfeed import Catalog, ParquetDataset, Ragged


def little(values: list[int], size: int) -> list[bytes]:
    return [value.to_bytes(size, "little", signed=True) for value in values]


# By name: how it is stored, the values, as they are delivered, and of which dtype.
INTEGERS = [-1, 0, 5, -128]
HAND_MADE: dict[str, tuple[Stored, list[bytes], list[Any], str]] = {
    "ENUM": (Stored(BYTE_ARRAY, 4), [b"RED", b""], [b"RED", b""], "binary"),
    "ENUM, logical": (Stored(BYTE_ARRAY, 4, logical=4), [b"RED"], [b"RED"], "binary"),
    "JSON": (Stored(BYTE_ARRAY, 19), [b"{}", b"[1]"], ["{}", "[1]"], "string"),
    "JSON, logical": (Stored(BYTE_ARRAY, 19, logical=12), [b"{}"], ["{}"], "string"),
    "BSON": (Stored(BYTE_ARRAY, 20), [b"\5\0\0\0\0"], [b"\5\0\0\0\0"], "binary"),
    "BSON, logical": (Stored(BYTE_ARRAY, 20, logical=13), [b"\5"], [b"\5"], "binary"),
    "UTF8": (Stored(BYTE_ARRAY, 0), ["ü".encode()], ["ü"], "string"),
    "UUID": (
        Stored(FIXED_LEN_BYTE_ARRAY, logical=14, length=16),
        [bytes(range(16)), b"\xff" * 16],
        [list(range(16)), [255] * 16],
        "uint8",
    ),
    "INT_8": (Stored(INT32, 15), little(INTEGERS, 4), INTEGERS, "int8"),
    "INT_16": (Stored(INT32, 16), little(INTEGERS, 4), INTEGERS, "int16"),
    "INT_32": (Stored(INT32, 17), little(INTEGERS, 4), INTEGERS, "int32"),
    "INT_64": (Stored(INT64, 18), little(INTEGERS, 8), INTEGERS, "int64"),
    "UINT_8": (Stored(INT32, 11), little([255, 0], 4), [255, 0], "uint8"),
    "UINT_16": (Stored(INT32, 12), little([2**16 - 1], 4), [2**16 - 1], "uint16"),
    "UINT_32": (Stored(INT32, 13), little([-1, 7], 4), [2**32 - 1, 7], "uint32"),
    "UINT_64": (Stored(INT64, 14), little([-1, 7], 8), [2**64 - 1, 7], "uint64"),
    "DATE": (Stored(INT32, 6), little([-3], 4), [-3], "int32"),
    "TIME_MILLIS": (Stored(INT32, 7), little([3], 4), [3], "int32"),
    "TIME_MICROS": (Stored(INT64, 8), little([3], 8), [3], "int64"),
    "TIMESTAMP_MILLIS": (Stored(INT64, 9), little([-3], 8), [-3], "int64"),
    "TIMESTAMP_MICROS": (Stored(INT64, 10), little([-3], 8), [-3], "int64"),
    "DECIMAL": (
        Stored(BYTE_ARRAY, 5, scale=2, precision=20),
        [b"\x01", b"\xff\x9c", b"\x00\x00\x01\x00"],
        [0.01, -1.0, 2.56],
        "float64",
    ),
}


@pytest.mark.fault(37)
@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("name", HAND_MADE)
def test_names_of_old_writers(name: str, face: str, tmp_path: Path) -> None:
    stored, values, expected, dtype = HAND_MADE[name]
    hand_made.write(tmp_path / "x.parquet", stored, values)
    (field,) = Catalog.open(tmp_path).schema
    assert (field.dtype, field.unsupported) == (dtype, "")
    if dtype not in ("string", "binary"):
        same(read(tmp_path, face), np.array(expected, dtype))
        return
    got = read(tmp_path, face)
    if face == "tensorflow":
        as_bytes = [v.encode() if isinstance(v, str) else v for v in expected]
        assert got.numpy().tolist() == as_bytes
    else:
        assert isinstance(got, Ragged)
        assert got.tolist() == expected


@pytest.mark.parametrize("name", HAND_MADE)
def test_pyarrow_reads_them_alike(name: str, tmp_path: Path) -> None:
    stored, values, expected, _ = HAND_MADE[name]
    hand_made.write(tmp_path / "x.parquet", stored, values)
    column = pq.read_table(tmp_path / "x.parquet")["x"].combine_chunks()
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    elif pa.types.is_temporal(column.type):
        column = column.cast(f"int{column.type.bit_width}")
    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    rows = column.to_pylist()
    assert [list(v) if name == "UUID" else v for v in rows] == expected


VIEWS: dict[str, pa.Array] = {
    "string_view": pa.array(["a", "", "long" * 9], pa.string_view()),
    "binary_view": pa.array([b"a", b"\xff" * 30], pa.binary_view()),
    "list_view": pa.array([[1, 2], [], [3]], pa.list_view(pa.int64())),
    "large_list_view": pa.array([["a"], ["b", "c"]], pa.large_list_view(pa.string())),
    "list of list_view": pa.array([[[1], []], []], pa.list_(pa.list_view(pa.int8()))),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_are_what_they_view(name: str, tmp_path: Path) -> None:
    got = read(write(tmp_path, VIEWS[name]))
    assert isinstance(got, Ragged)
    assert got.tolist() == VIEWS[name].to_pylist()


def test_files_may_call_lists_views_or_not(tmp_path: Path) -> None:
    for i, kind in enumerate((pa.list_, pa.list_view, pa.large_list)):
        table = pa.table({"x": pa.array([[i]], kind(pa.int32()))})
        pq.write_table(table, tmp_path / f"{i}.parquet")
    (batch,) = ParquetDataset(tmp_path, 3)
    assert batch["x"].tolist() == [[0], [1], [2]]


def extension(kind: pa.DataType, storage: pa.Array) -> pa.Array:
    return pa.ExtensionArray.from_storage(kind, storage)


EXTENSIONS: dict[str, tuple[pa.Array, Any]] = {
    "bool8": (
        extension(pa.bool8(), pa.array([1, 0, -7], pa.int8())),
        np.array([1, 0, -7], np.int8),
    ),
    "uuid": (
        extension(pa.uuid(), pa.array([bytes(range(16))], pa.binary(16))),
        np.arange(16, dtype=np.uint8)[None],
    ),
    "json": (extension(pa.json_(), pa.array(["{}", "[]"])), ["{}", "[]"]),
}


@pytest.mark.fault(37)
@pytest.mark.parametrize("name", EXTENSIONS)
def test_extensions_are_what_they_are_stored_as(name: str, tmp_path: Path) -> None:
    array, expected = EXTENSIONS[name]
    got = read(write(tmp_path, array))
    if isinstance(expected, list):
        assert got.tolist() == expected
    else:
        same(got, expected)


def test_a_bool8_is_a_bool_if_asked(tmp_path: Path) -> None:
    array = extension(pa.bool8(), pa.array([1, 0], pa.int8()))
    same(read(write(tmp_path, array), dtype="bool"), np.array([True, False]))


def test_decimals_of_any_length_are_cast_too(tmp_path: Path) -> None:
    stored, values, _, _ = HAND_MADE["DECIMAL"]
    hand_made.write(tmp_path / "x.parquet", stored, values)
    same(read(tmp_path, dtype="float32"), np.array([0.01, -1.0, 2.56], np.float32))
