# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Every type that is delivered equals what pyarrow reads; every other is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowfeed import Catalog, Column, ParquetDataset, Ragged

RNG = np.random.default_rng(7)
N = 500


def integers(name: str) -> pa.Array:
    limits = np.iinfo(name)
    values = RNG.integers(limits.min, limits.max, N, dtype=name, endpoint=True)
    values[:2] = limits.min, limits.max
    return pa.array(values)


def floats(name: str) -> pa.Array:
    values = RNG.standard_normal(N).astype(name)
    values[:5] = np.nan, -0.0, np.inf, -np.inf, np.finfo(name).tiny
    return pa.array(values)


def times(kind: pa.DataType, bits: int) -> pa.Array:
    dtype = np.dtype(f"i{bits // 8}")
    low = 0 if pa.types.is_time(kind) else -(10**6)
    return pa.array(RNG.integers(low, 10**6, N).astype(dtype)).cast(kind)


def texts() -> list[str]:
    return ["", "a\0b", "ünï"] + [f"text {i % 40}" * (i % 7) for i in range(N - 3)]


def lists(length: int | None) -> list[list[int]]:
    return [
        [i + j for j in range(i % 6 if length is None else length)] for i in range(N)
    ]


INTS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
SCALARS: dict[str, pa.Array] = {
    "bool": pa.array(RNG.integers(0, 2, N).astype(bool)),
    **{name: integers(name) for name in INTS},
    **{name: floats(name) for name in ("float16", "float32", "float64")},
}
BYTES: dict[str, pa.Array] = {
    "string": pa.array(texts(), pa.string()),
    "large_string": pa.array(texts(), pa.large_string()),
    "binary": pa.array([t.encode() + b"\xff" for t in texts()], pa.binary()),
    "large_binary": pa.array([t.encode() for t in texts()], pa.large_binary()),
}
TIMES: dict[str, tuple[pa.Array, str]] = {
    "date32": (times(pa.date32(), 32), "days"),
    "timestamp_ms": (times(pa.timestamp("ms"), 64), "ms"),
    "timestamp_us": (times(pa.timestamp("us"), 64), "us"),
    "timestamp_ns": (times(pa.timestamp("ns"), 64), "ns"),
    "time32": (times(pa.time32("ms"), 32), "ms"),
    "time64": (times(pa.time64("us"), 64), "us"),
    "timestamp_tz": (times(pa.timestamp("us", tz="Europe/Paris"), 64), "us"),
}
LISTS: dict[str, pa.Array] = {
    "list": pa.array(lists(None), pa.list_(pa.int32())),
    "large_list": pa.array(lists(None), pa.large_list(pa.int64())),
    "list_of_float": pa.array(lists(None), pa.list_(pa.float32())),
}
DENSE: dict[str, tuple[pa.Array, Any]] = {
    "fixed_list": (pa.array(lists(3), pa.list_(pa.float32(), 3)), np.float32),
    "fixed_list_8": (
        pa.array([[i % 7] * 4 for i in range(N)], pa.list_(pa.uint8(), 4)),
        np.uint8,
    ),
}
WRITING = [
    {"compression": "none", "use_dictionary": False},
    {"compression": "zstd", "use_dictionary": True, "data_page_version": "2.0"},
    {"compression": "snappy", "use_dictionary": True, "data_page_size": 600},
]


def read(array: pa.Array, path: Path, fill: Any = None, **writing: Any) -> Any:
    """Writes one column, reads it shuffled, and returns it in the order of the file."""
    table = pa.table({"id": np.arange(len(array)), "x": array})
    pq.write_table(table, path / "x.parquet", row_group_size=120, **writing)
    dataset = ParquetDataset(
        path, N, columns=["id", Column("x", fill=fill)], shuffle=True
    )
    (batch,) = list(dataset)
    order = np.argsort(batch["id"])
    if isinstance(batch["x"], Ragged):
        rows = batch["x"].tolist()
        return [rows[i] for i in order], batch["x"]
    return batch["x"][order]


@pytest.mark.parametrize("writing", WRITING)
@pytest.mark.parametrize("name", SCALARS)
def test_scalars(name: str, writing: dict[str, Any], tmp_path: Path) -> None:
    got = read(SCALARS[name], tmp_path, **writing)
    expected = SCALARS[name].to_numpy(zero_copy_only=False)
    assert got.dtype == expected.dtype == name
    assert got.tobytes() == expected.tobytes()  # NaN and -0.0 to the bit.


@pytest.mark.parametrize("writing", WRITING)
@pytest.mark.parametrize("name", BYTES)
def test_strings_and_binaries(
    name: str, writing: dict[str, Any], tmp_path: Path
) -> None:
    got, ragged = read(BYTES[name], tmp_path, **writing)
    assert got == BYTES[name].to_pylist()
    assert ragged.kind == name.removeprefix("large_")
    assert ragged.values.dtype == np.uint8
    assert ragged.offsets.dtype == np.int64
    arrow = ragged.to_pyarrow()
    arrow.validate(full=True)
    assert arrow.to_pylist() == ragged.tolist()
    assert arrow.buffers()[2].address == ragged.values.ctypes.data


@pytest.mark.parametrize("writing", WRITING)
@pytest.mark.parametrize("name", LISTS)
def test_lists(name: str, writing: dict[str, Any], tmp_path: Path) -> None:
    got, ragged = read(LISTS[name], tmp_path, **writing)
    assert got == LISTS[name].to_pylist()
    arrow = ragged.to_pyarrow()
    arrow.validate(full=True)
    assert arrow.to_pylist() == ragged.tolist()
    assert arrow.values.buffers()[1].address == ragged.values.ctypes.data


@pytest.mark.parametrize("writing", WRITING)
@pytest.mark.parametrize("name", DENSE)
def test_fixed_size_lists(name: str, writing: dict[str, Any], tmp_path: Path) -> None:
    array, dtype = DENSE[name]
    got = read(array, tmp_path, **writing)
    assert got.dtype == dtype
    assert got.tolist() == array.to_pylist()


@pytest.mark.parametrize("writing", WRITING)
def test_fixed_size_binary(writing: dict[str, Any], tmp_path: Path) -> None:
    values = [bytes([i % 256, i % 7, 0]) for i in range(N)]
    got = read(pa.array(values, pa.binary(3)), tmp_path, **writing)
    assert got.dtype == np.uint8
    assert got.shape == (N, 3)
    assert [row.tobytes() for row in got] == values


@pytest.mark.parametrize("name", TIMES)
def test_dates_and_timestamps_are_integers_of_a_unit(name: str, tmp_path: Path) -> None:
    array, unit = TIMES[name]
    got = read(array, tmp_path)
    expected = array.cast(pa.int32() if array.type.bit_width == 32 else pa.int64())
    assert got.dtype.name == str(expected.type)
    assert got.tolist() == expected.to_pylist()
    (field,) = [f for f in Catalog.open(tmp_path).schema if f.name == "x"]
    assert field.unit == unit


def test_dictionary_encoded_columns(tmp_path: Path) -> None:
    words = pa.array([f"w{i % 9}" for i in range(N)]).dictionary_encode()
    got, ragged = read(words, tmp_path)
    assert ragged.kind == "string"
    assert got == words.to_pylist()


NULLS: list[tuple[pa.Array, Any, Any]] = [
    (pa.array([1, None, 3], pa.int16()), -7, [1, -7, 3]),
    (pa.array([1.5, None], pa.float64()), 0, [1.5, 0.0]),
    (pa.array([np.float16(1.5), None], pa.float16()), 0.5, [1.5, 0.5]),
    (pa.array([None, True], pa.bool_()), False, [False, True]),
    (pa.array(["a", None], pa.string()), "none", ["a", "none"]),
    (pa.array([b"a", None], pa.binary()), b"", [b"a", b""]),
    (pa.array([None, 5], pa.timestamp("us")), -1, [-1, 5]),
    (pa.array([[1, None], None, []], pa.list_(pa.int8())), 9, [[1, 9], [], []]),
    (pa.array([[1, None], None], pa.list_(pa.int8(), 2)), 9, [[1, 9], [9, 9]]),
    (pa.array([None] * 3, pa.int32()), np.int64(4), [4, 4, 4]),
    (pa.array([None], pa.float32()), np.float64(0.5), [0.5]),
    (pa.array([None], pa.bool_()), np.True_, [True]),
]


@pytest.mark.fault(7)
@pytest.mark.parametrize(("array", "fill", "expected"), NULLS)
def test_nulls_take_the_fill(
    array: pa.Array, fill: Any, expected: Any, tmp_path: Path
) -> None:
    got = read(array, tmp_path, fill=fill)
    assert (got[0] if isinstance(got, tuple) else got.tolist()) == expected


@pytest.mark.fault(7)
@pytest.mark.parametrize("array", [array for array, _, _ in NULLS])
def test_nulls_are_refused_by_column_and_row(array: pa.Array, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"x\.parquet.*'x'.*null"):
        read(array, tmp_path)


@pytest.mark.parametrize(
    ("array", "fill", "error"),
    [
        (pa.array([1], pa.int8()), 128, ValueError),
        (pa.array([1], pa.uint8()), -1, ValueError),
        (pa.array([1], pa.int8()), 1.0, TypeError),
        (pa.array([1], pa.int8()), True, TypeError),
        (pa.array([1], pa.int8()), "1", TypeError),
        (pa.array([1], pa.int8()), np.int64(300), ValueError),
        (pa.array([1.0], pa.float32()), "1", TypeError),
        (pa.array([1.0], pa.float32()), 1e300, ValueError),
        (pa.array([1.0], pa.float64()), 10**400, ValueError),
        (pa.array([True], pa.bool_()), 1, TypeError),
        (pa.array(["a"], pa.string()), b"a", TypeError),
        (pa.array([b"a"], pa.binary()), "a", TypeError),
    ],
)
def test_a_fill_that_does_not_fit(
    array: pa.Array, fill: Any, error: type[Exception], tmp_path: Path
) -> None:
    with pytest.raises(error, match=r"'x'.*fill"):
        read(array, tmp_path, fill=fill)


REFUSED: list[pa.Array] = [
    pa.nulls(1),
]


@pytest.mark.fault(37)
@pytest.mark.parametrize("array", REFUSED, ids=lambda a: str(a.type))
def test_other_types_are_refused_by_name_at_construction(
    array: pa.Array, tmp_path: Path
) -> None:
    pq.write_table(pa.table({"id": [1], "x": array}), tmp_path / "x.parquet")
    kind = str(array.type).split("[")[0].split("(")[0].split("<")[0]
    for columns in (["x"], None):
        with pytest.raises(NotImplementedError, match=rf"'x'.*{kind}"):
            ParquetDataset(tmp_path, 1, columns=columns)
    assert len(ParquetDataset(tmp_path, 1, columns=["id"])) == 1
