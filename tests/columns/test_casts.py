# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What one stored value becomes: other numbers, by dtype=."""

from __future__ import annotations

import math
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import ml_dtypes
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading import FACES, WRITING, examples, read, same, write
from rowfeed import Column, ParquetDataset
from rowfeed._columns.dtypes import NAMES, to_bytes

Array = np.ndarray[Any, Any]


def fits(value: float, dtype: str) -> bool:
    """Whether the dtype, of integers or bool, has exactly this value."""
    if not math.isfinite(value) or value != int(value):
        return False
    limits = np.iinfo("uint8" if dtype == "bool" else dtype)
    return limits.min <= int(value) <= (1 if dtype == "bool" else limits.max)


INTEGERS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
SOURCES = ["bool", *INTEGERS, "float16", "float32", "float64"]


def of(dtype: str) -> st.SearchStrategy[Any]:
    if dtype == "bool":
        return st.booleans()
    if dtype.startswith("float"):
        widths: dict[str, Literal[16, 32, 64]] = {"float16": 16, "float32": 32}
        whole = st.integers(-2000, 2000).map(float)
        return st.floats(width=widths.get(dtype, 64)) | whole
    limits = np.iinfo(dtype)
    small = st.integers(max(limits.min, -2), 2)
    return st.integers(int(limits.min), int(limits.max)) | small


@st.composite
def numbers(draw: st.DrawFn) -> Array:
    dtype = draw(st.sampled_from(SOURCES))
    return np.array(draw(st.lists(of(dtype), min_size=1, max_size=40)), dtype)


@settings(examples, max_examples=150)
@given(
    values=numbers(),
    dtype=st.sampled_from(["float16", "float32", "float64"]),
    writing=st.sampled_from(WRITING),
)
def test_casts_to_floats_round_as_numpy_does(
    values: Array, dtype: str, writing: dict[str, Any], tmp_path: Path
) -> None:
    write(tmp_path, pa.array(values), **writing)
    with np.errstate(all="ignore"):
        same(read(tmp_path, dtype=dtype), values.astype(dtype))


@settings(examples, max_examples=150)
@given(
    values=numbers(),
    dtype=st.sampled_from(["bool", *INTEGERS]),
    writing=st.sampled_from(WRITING),
)
def test_casts_to_integers_are_exact_or_name_the_row(
    values: Array, dtype: str, writing: dict[str, Any], tmp_path: Path
) -> None:
    write(tmp_path, pa.array(values), **writing)
    good = np.array([fits(value, dtype) for value in values.tolist()])
    if not good.all():
        row = int(np.argmin(good))
        with pytest.raises(ValueError, match=rf"'x': row {row} .*as {dtype}$"):
            read(tmp_path, dtype=dtype)
    kept = values[good]
    if len(kept):
        write(tmp_path, pa.array(kept), **writing)
        same(read(tmp_path, dtype=dtype), kept.astype(dtype))


@examples
@given(values=st.lists(st.floats(width=32), min_size=1))
def test_bfloat16_of_float32(values: list[float], tmp_path: Path) -> None:
    array = np.array(values, np.float32)
    write(tmp_path, pa.array(array))
    same(read(tmp_path, dtype="bfloat16"), array.astype(ml_dtypes.bfloat16))


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("dtype", sorted(NAMES))
def test_every_dtype_in_every_face(face: str, dtype: str, tmp_path: Path) -> None:
    write(tmp_path, pa.array([0, None, 1], pa.int64()))
    fill = {"b": True, "f": -1.5, "V": -1.5}.get(np.dtype(dtype).kind, 7)
    expected = np.array([0, fill, 1], np.dtype(dtype))
    same(read(tmp_path, face, dtype=dtype, fill=fill), expected)
    write(tmp_path, pa.array([[0, 1], [], [None]], pa.list_(pa.float64())))
    got = read(tmp_path, face, dtype=dtype, fill=fill)
    same(got.values, np.array([0, 1, fill], np.dtype(dtype)))


def test_specs_have_the_dtype(tmp_path: Path) -> None:
    tf = pytest.importorskip("tensorflow")
    from rowfeed.tensorflow import ParquetDataset as TensorFlowDataset

    write(tmp_path, pa.array([[1, 2]], pa.list_(pa.int8(), 2)))
    columns = [Column("x", dtype="bfloat16")]
    spec = ParquetDataset(tmp_path, 1, columns=columns).element_spec["x"]
    assert (spec.dtype, spec.shape) == (ml_dtypes.bfloat16, (None, 2))
    spec = TensorFlowDataset(tmp_path, 1, columns=columns).element_spec["x"]
    assert spec == tf.TensorSpec([None, 2], tf.bfloat16)


def test_dtypes_have_the_names_that_numpy_takes(tmp_path: Path) -> None:
    for dtype in ("float32", np.float32, np.dtype("float32"), "bfloat16"):
        assert Column("x", dtype=dtype).dtype in ("float32", "bfloat16")
    assert Column("x", dtype=ml_dtypes.bfloat16) == Column("x", dtype="bfloat16")
    for wrong in ("text", "int128", "", complex, 3, "f4"):
        with pytest.raises(ValueError, match=r"'x': dtype must be one of bool, int8"):
            Column("x", dtype=wrong)
    write(tmp_path, pa.array(["a"]))
    with pytest.raises(ValueError, match="'x': string cannot become float32"):
        ParquetDataset(tmp_path, 1, columns=[Column("x", dtype="float32")])
    with pytest.raises(ValueError, match="'__row' says where rows come from"):
        ParquetDataset(tmp_path, 1, columns=[Column("__row", dtype="float32")])


def test_bfloat16_arrays_need_ml_dtypes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, pa.array([1.5]))
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(ModuleNotFoundError, match="pip install ml_dtypes"):
        ParquetDataset(tmp_path, 1, columns=[Column("x", dtype="bfloat16")])
    same(read(tmp_path, "torch", dtype="float32"), np.array([1.5], "f4"))


def test_a_null_takes_a_fill_of_the_wanted_dtype(tmp_path: Path) -> None:
    write(tmp_path, pa.array([1, None], pa.int32()))
    same(read(tmp_path, dtype="float32", fill=np.nan), np.array([1, np.nan], "f4"))
    for fill, error in ((0.5, TypeError), (300, ValueError)):
        with pytest.raises(error, match=r"'x': fill=.* does not fit.*uint8"):
            read(tmp_path, dtype="uint8", fill=fill)


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_fills_of_bfloat16_are_rounded_once(value: float) -> None:
    try:
        got = np.frombuffer(to_bytes(value, "bfloat16"), ml_dtypes.bfloat16)[0]
    except OverflowError:
        assert abs(value) >= 2.0**128 * (1 - 2.0**-9)
        return
    size = int(abs(got).view(np.uint16))
    around = np.array([size, max(size - 1, 0), min(size + 1, 0x7F7F)], np.uint16)
    distances = [
        abs(Fraction(float(other)) - abs(Fraction(value)))
        for other in around.view(ml_dtypes.bfloat16)
    ]
    assert distances[0] == min(distances)
    assert np.signbit(float(got)) == np.signbit(value)


def test_decimals_become_other_numbers(tmp_path: Path) -> None:
    values = [Decimal(2**60 + 1), Decimal(-1), Decimal("0.5")]
    write(tmp_path, pa.array(values, pa.decimal128(30, 1)))
    same(read(tmp_path, dtype="float32"), np.array([2**60, -1, 0.5], "f4"))
    with pytest.raises(ValueError, match=r"row 2 .*0\.5 \(decimal\) .* as int64"):
        read(tmp_path, dtype="int64")
    write(tmp_path, pa.array(values[:2], pa.decimal128(30, 1)))
    same(read(tmp_path, dtype="int64"), [2**60 + 1, -1])


def test_a_unit_and_a_dtype(tmp_path: Path) -> None:
    write(tmp_path, pa.array([1_500_000], pa.timestamp("us")))
    same(read(tmp_path, unit="ms", dtype="float32"), np.array([1500], "f4"))


def test_a_unit_that_is_the_stored_one_gives_int64(tmp_path: Path) -> None:
    write(tmp_path, pa.array([1500], pa.time32("ms")))
    for unit, expected in (("ms", 1500), ("us", 1_500_000)):
        same(read(tmp_path, unit=unit), np.array([expected], "i8"))


def test_shuffled_in_windows(tmp_path: Path) -> None:
    table = pa.table({"id": np.arange(5000), "x": np.arange(5000) % 250})
    pq.write_table(table, tmp_path / "x.parquet", row_group_size=300)
    columns: list[str | Column] = ["id", Column("x", dtype="uint8")]
    dataset = ParquetDataset(tmp_path, 64, columns=columns, shuffle=True)
    for batch in dataset:
        assert batch["x"].dtype == np.uint8
        np.testing.assert_array_equal(batch["x"], batch["id"] % 250)
