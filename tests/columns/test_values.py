# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What one stored value becomes: decimals, INT96 timestamps, units of time."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading import FACES, WRITING, examples, read, same, write
from rowfeed import Catalog, Column, ParquetDataset


@pytest.mark.parametrize("face", FACES)
def test_decimals_are_float64(face: str, tmp_path: Path) -> None:
    values = [Decimal("0.10"), None, Decimal("-79.99")]
    write(tmp_path, pa.array(values, pa.decimal128(10, 2)))
    same(read(tmp_path, face, fill=float("nan")), [0.1, np.nan, -79.99])


@st.composite
def decimals(draw: st.DrawFn) -> pa.Array:
    precision = draw(st.integers(1, 76))
    scale = draw(st.integers(0, precision))
    bits = next(
        b for b, p in ((32, 9), (64, 18), (128, 38), (256, 76)) if precision <= p
    )
    # Integers have any number of digits, so that short ones are not rare.
    integers = st.integers(0, precision).flatmap(
        lambda digits: st.integers(-(10**digits) + 1, 10**digits - 1)
    )
    # Made of digits, as decimal's arithmetic rounds to 28 of them.
    values = [
        Decimal((int(integer < 0), tuple(map(int, str(abs(integer)))), -scale))
        for integer in draw(st.lists(integers, min_size=1, max_size=30))
    ]
    return pa.array(values, getattr(pa, f"decimal{bits}")(precision, scale))


@examples
@given(array=decimals(), writing=st.sampled_from(WRITING), as_integer=st.booleans())
def test_decimals_are_correctly_rounded(
    array: pa.Array, writing: dict[str, Any], as_integer: bool, tmp_path: Path
) -> None:
    write(tmp_path, array, store_decimal_as_integer=as_integer, **writing)
    same(read(tmp_path), [float(value) for value in array.to_pylist()])


def test_files_may_differ_in_how_they_store_decimals(tmp_path: Path) -> None:
    for name, kind in (("a", pa.decimal32(4, 1)), ("b", pa.decimal256(60, 20))):
        table = pa.table({"x": pa.array([Decimal("1.5")], kind)})
        pq.write_table(table, tmp_path / f"{name}.parquet")
    same(read(tmp_path), [1.5, 1.5])


def test_lists_of_decimals(tmp_path: Path) -> None:
    values = [[Decimal("0.3")], [], None, [None, Decimal(7)]]
    write(tmp_path, pa.array(values, pa.list_(pa.decimal128(3, 1))))
    got = read(tmp_path, fill=-1.0)
    assert got.tolist() == [[0.3], [], [], [-1.0, 7.0]]


def timestamps(*values: str) -> pa.Array:
    return pa.array(np.array(values, "datetime64[ns]"))


@pytest.mark.parametrize("writing", WRITING)
@pytest.mark.parametrize("unit", [None, "s", "ms", "us", "ns"])
def test_int96_timestamps(
    unit: str | None, writing: dict[str, Any], tmp_path: Path
) -> None:
    array = timestamps(
        "1677-09-21T00:12:43.145224193",
        "1969-12-31T23:59:59.999999999",
        "1970-01-01",
        "2262-04-11T23:47:16.854775807",
    )
    write(tmp_path, array, use_deprecated_int96_timestamps=True, **writing)
    stored = pq.ParquetFile(tmp_path / "x.parquet").schema.column(0)
    assert stored.physical_type == "INT96"
    (field,) = Catalog.open(tmp_path).schema
    assert (field.dtype, field.unit) == ("int64", "ns")
    nanos = {"s": 10**9, "ms": 10**6, "us": 1000}.get(unit or "ns", 1)
    same(read(tmp_path, unit=unit), array.cast(pa.int64()).to_numpy() // nanos)


def test_int96_beyond_nanoseconds(tmp_path: Path) -> None:
    last = datetime.datetime(9999, 12, 31, 23, 59, 59)
    array = pa.array([datetime.datetime(2000, 1, 1), last], pa.timestamp("us"))
    write(tmp_path, array, use_deprecated_int96_timestamps=True)
    with pytest.raises(
        ValueError, match=r"'x': row 1 .*9999-12-31 does not fit .* \"us\""
    ):
        read(tmp_path)
    same(read(tmp_path, unit="us"), array.cast(pa.int64()).to_numpy())


@pytest.mark.parametrize("face", FACES)
def test_a_coarser_unit_rounds_down_as_numpy_does(face: str, tmp_path: Path) -> None:
    array = timestamps("1969-12-31T23:59:58.500", "2026-11-22T06:45:00.999999999")
    write(tmp_path, array)
    expected = array.to_numpy().astype("datetime64[s]").astype("int64")
    assert expected[0] == -2
    same(read(tmp_path, face, unit="s"), expected)


def test_a_finer_unit(tmp_path: Path) -> None:
    write(tmp_path, pa.array([-1, 86_399_999], pa.int32()).cast(pa.time32("ms")))
    same(read(tmp_path, unit="us"), np.array([-1000, 86_399_999_000]))
    write(tmp_path, pa.array([1, 2**60], pa.duration("ms")))
    with pytest.raises(ValueError, match=r"'x': row 1 .*int64 ns"):
        read(tmp_path, unit="ns")


@pytest.mark.parametrize("kind", [pa.int64(), pa.date32(), pa.string(), pa.float32()])
def test_a_unit_is_for_times(kind: pa.DataType, tmp_path: Path) -> None:
    write(tmp_path, pa.array([None], kind))
    with pytest.raises(ValueError, match="'x': unit is for timestamps"):
        ParquetDataset(tmp_path, 1, columns=[Column("x", unit="s")])
    with pytest.raises(ValueError, match=r"unit must be .* not 'days'"):
        Column("x", unit="days")


def test_where_rows_come_from_has_no_unit(tmp_path: Path) -> None:
    write(tmp_path, pa.array([1]))
    with pytest.raises(ValueError, match="'__row' says where rows come from"):
        ParquetDataset(tmp_path, 1, columns=[Column("__row", unit="s")])


def test_the_mask_of_binaries_of_one_byte_has_no_dimension_of_bytes(
    tmp_path: Path,
) -> None:
    write(tmp_path, pa.array([b"a", None], pa.binary(1)))
    (batch,) = ParquetDataset(tmp_path, 2, columns=[Column("x", mask=True)])
    assert batch["x__mask"].tolist() == [True, False]


ODD_FLOATS = {
    # A NaN with a payload, a negative one, minus zero, a signalling NaN, a denormal.
    "uint16": [0x7E01, 0xFD01, 0x8000, 0x7C01, 0x0001],
    "uint32": [0x7FC00001, 0xFFA0DEAD, 0x80000000, 0x7F800001, 0x00000001],
    "uint64": [
        *(0x7FF8000000000001, 0xFFF0DEAD00000001, 0x8000000000000000),
        *(0x7FF0000000000001, 0x0000000000000001),
    ],
}


@pytest.mark.fault(7)
@pytest.mark.parametrize("writing", WRITING, ids=str)
@pytest.mark.parametrize("bits", ODD_FLOATS)
@pytest.mark.parametrize("face", FACES)
def test_all_bits_of_nan_and_of_minus_zero_stay(
    face: str, bits: str, writing: dict[str, Any], tmp_path: Path
) -> None:
    expected = np.array(ODD_FLOATS[bits] * 40, bits)
    floats = expected.view(bits.replace("uint", "float"))
    write(tmp_path, pa.array(floats), **writing)
    found = np.asarray(read(tmp_path, face)).view(bits)
    np.testing.assert_array_equal(found, expected)
