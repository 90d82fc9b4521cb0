# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Dates, times, masks and nulls that a SampleWriter is given: kept or refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowfeed import SampleWriter

DAYS = np.array(["2024-01-01", "2024-01-02", "1969-12-31"], "M8[D]")
NULLABLE = pa.schema(
    [
        ("id", pa.int64()),
        ("half", pa.float16()),
        ("flag", pa.bool_()),
        ("name", pa.string()),
        ("day", pa.date32()),
        ("time", pa.timestamp("us")),
        ("wait", pa.duration("ms")),
    ]
)


def written(directory: Path, schema: Any, *rows: Any) -> pa.Table:
    """Returns what is in the file of rows that are given one after the other."""
    with SampleWriter(directory, schema) as writer:
        for each in rows:
            writer.write(each)
    return pq.read_table(directory)


def refuse(
    directory: Path, dtype: Any, values: Any, error: type[Exception], message: str
) -> None:
    """Checks that values of a column x are an error, and nothing of them is written."""
    with SampleWriter(directory, {"x": dtype}) as writer:
        with pytest.raises(error, match=f"column 'x': expected {message}"):
            writer.write({"x": values})
        with pytest.raises(error, match=f"column 'x': expected {message}"):
            writer.write([{"x": value} for value in values])
    assert not [*directory.iterdir()]


_REQUIRED = pa.field("element", pa.int64(), nullable=False)


@pytest.mark.parametrize(
    ("dtype", "rows", "where"),
    [
        (pa.list_(_REQUIRED), [[1, 2], [3, None]], "element"),
        (pa.large_list(_REQUIRED), [None, [None]], "element"),
        (pa.list_(_REQUIRED, 2), [[1, 2], [3, None]], "element"),
        (pa.struct([_REQUIRED]), [{"element": 1}, {}], "element"),
        (pa.list_(pa.struct([_REQUIRED])), [[{"element": None}]], "item in element"),
        (pa.fixed_shape_tensor(pa.int64(), [2]), [[1, None]], "element"),
    ],
)
def test_a_null_below_the_rows_loses_no_rows_before_it(
    dtype: pa.DataType, rows: Any, where: str, tmp_path: Path
) -> None:
    """Parquet finds it when the row group is written, and then all of it is lost."""
    column: Any = pa.array(rows, getattr(dtype, "storage_type", dtype))
    if isinstance(dtype, pa.FixedShapeTensorType):
        column = pa.ExtensionArray.from_storage(dtype, column)
    with SampleWriter(tmp_path, pa.schema([("x", dtype)])) as writer:
        writer.write({"x": column[:0]})
        with pytest.raises(ValueError, match=f"no nulls in {where}, found 1"):
            writer.write({"x": column})


def test_nulls_where_fields_may_have_them_are_kept(tmp_path: Path) -> None:
    dtype = pa.list_(pa.struct([pa.field("a", pa.int64(), nullable=False)]))
    schema = pa.schema([("x", dtype)])
    rows: Any = pa.array([None, [], [None, {"a": 1}]], dtype)
    table = written(tmp_path, schema, {"x": rows}, {"x": rows[1:]})
    assert table["x"].to_pylist() == [*rows.to_pylist(), *rows[1:].to_pylist()]


@pytest.mark.parametrize("dtype", [pa.date32(), "datetime64[D]"])
def test_days_of_numpy_are_not_written_as_every_second_one(
    dtype: Any, tmp_path: Path
) -> None:
    twice = np.repeat(DAYS, 2)[::2]  # Not end to end.
    table = written(
        tmp_path,
        {"day": dtype},
        {"day": DAYS},
        {"day": twice},
        {"day": DAYS.astype(">M8[D]")},
        {"day": DAYS.tolist()},
        [{"day": day} for day in DAYS.tolist()],
    )
    assert table["day"].to_pylist() == DAYS.tolist() * 5


@pytest.mark.parametrize("dtype", ["M8[D]", "M8[s]", "M8[us]", "m8[ms]", ">M8[ns]"])
@pytest.mark.parametrize("shape", [(), (2,), (2, 3)])
def test_tensors_of_times_come_back_as_they_were(
    dtype: str, shape: tuple[int, ...], tmp_path: Path
) -> None:
    random = np.random.default_rng(0)
    values = random.integers(-(10**4), 10**4, (20, *shape)).astype(dtype)
    with SampleWriter(tmp_path, {"x": (dtype, shape)}) as writer:
        writer.write({"x": values[:10]})
        writer.write({"x": [*values[10:15]] if shape else values[10:15]})
        writer.write({"x": values[15:].tolist() if "ns" not in dtype else values[15:]})
    column = pq.read_table(tmp_path)["x"].combine_chunks()
    while not pa.types.is_temporal(column.type):
        column = column.storage if hasattr(column, "storage") else column.flatten()
    found = column.to_numpy(zero_copy_only=False).reshape(values.shape)
    np.testing.assert_array_equal(found, values)


def test_days_beyond_those_of_arrow_are_refused(tmp_path: Path) -> None:
    for beyond in 2**31, -(2**31) - 1, 2**40:
        days = np.array([0, beyond], "M8[D]")
        refuse(tmp_path, "M8[D]", days, TypeError, "date32")


def test_times_in_units_of_several_are_not_taken_for_single_ones(
    tmp_path: Path,
) -> None:
    with pytest.raises(TypeError, match=r"column 'x': 'M8\[2us\]' is no dtype"):
        SampleWriter(tmp_path / "none", {"x": "M8[2us]"})
    with (
        SampleWriter(tmp_path, {"x": "M8[us]"}) as writer,
        pytest.raises(TypeError, match=r"'x': expected timestamp\[us\], found .*2us"),
    ):
        writer.write({"x": np.array([1, 2], "M8[2us]")})


@pytest.mark.parametrize("dtype", ["M8[D]", "M8[us]", "m8[s]"])
def test_a_time_that_is_none_is_a_null_and_no_number(
    dtype: str, tmp_path: Path
) -> None:
    values = np.array([1, "NaT", 3], dtype)
    with (
        SampleWriter(tmp_path / "one", {"x": dtype}) as writer,
        pytest.raises(ValueError, match="column 'x': expected no nulls, found 1"),
    ):
        writer.write({"x": values})
    element = pa.from_numpy_dtype(values.dtype)
    table = written(tmp_path / "two", pa.schema([("x", element)]), {"x": values})
    assert table["x"].is_null().to_pylist() == [False, True, False]
    for shape in (3,), (3, 1):
        tensors = values.reshape(1, *shape)
        message = "no nulls in rows of shape .*found NaT"
        refuse(tmp_path / f"{shape}", (dtype, shape), tensors, ValueError, message)


@given(masked=st.lists(st.booleans(), min_size=1, max_size=20))
def test_what_a_mask_hides_is_not_written(
    masked: list[bool], tmp_path_factory: pytest.TempPathFactory
) -> None:
    n = len(masked)
    numbers = np.arange(n)
    values = {
        "id": numbers,
        "half": numbers.astype(np.float16),
        "flag": numbers % 2 == 0,
        "name": np.array([f"row {i}" for i in numbers]),
        "day": numbers.astype("M8[D]"),
        "time": numbers.astype("M8[us]"),
        "wait": numbers.astype(">m8[ms]"),
    }
    hiding = {name: np.ma.array(each, mask=masked) for name, each in values.items()}
    directory = tmp_path_factory.mktemp("samples")
    with SampleWriter(directory, NULLABLE) as writer:
        writer.write(hiding)
        for array in hiding.values():  # They may be used again.
            array.data[:] = array.data[::-1].copy()
    table = pq.read_table(directory)
    for name in NULLABLE.names:
        assert table[name].is_null().to_pylist() == masked
    kept = [None if hidden else int(i) for i, hidden in enumerate(masked)]
    assert table["id"].to_pylist() == kept
    assert table["half"].to_pylist() == kept
    names = [None if i is None else f"row {i}" for i in kept]
    assert table["name"].to_pylist() == names
    epoch = date(1970, 1, 1).toordinal()
    days = [None if i is None else date.fromordinal(epoch + i) for i in kept]
    assert table["day"].to_pylist() == days


def test_masked_values_are_refused_where_the_schema_has_no_nulls(
    tmp_path: Path,
) -> None:
    masked = np.ma.array([1, 2, 3], mask=[False, True, False])
    with SampleWriter(tmp_path, {"x": "int64", "y": ("int64", (3,))}) as writer:
        tensor = np.ones((1, 3), np.int64)
        with pytest.raises(ValueError, match="'x': expected no nulls, found 1"):
            writer.write({"x": masked, "y": np.ones((3, 3), np.int64)})
        with pytest.raises(TypeError, match="'x': expected int64, found float64"):
            writer.write({"x": masked.astype(float), "y": np.ones((3, 3), np.int64)})
        for hidden in (masked.reshape(1, 3), [masked], [[*masked]]):
            with pytest.raises(
                ValueError, match=r"'y': expected .*found masked values"
            ):
                writer.write({"x": [1], "y": hidden})
        with pytest.raises(ValueError, match=r"'x': expected .*found masked values"):
            writer.write({"x": [np.ma.masked], "y": tensor})
        shown = np.ma.array([1, 2, 3])
        writer.write({"x": shown[:1], "y": shown.reshape(1, 3)})
        writer.write({"x": [1], "y": [shown]})
    table = pq.read_table(tmp_path)
    assert table["y"].to_pylist() == [[1, 2, 3]] * 2


def test_masked_rows_of_lists_of_any_length_are_refused(tmp_path: Path) -> None:
    rows = [np.ma.array([1.0, 2.0], mask=[False, True])]
    refuse(tmp_path, pa.list_(pa.float64()), rows, ValueError, ".*found masked values")


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint8", "bool"])
@pytest.mark.parametrize(
    ("shape", "rows"),
    [
        ((2,), [[1, None]]),
        ((2,), [(0, 1), (None, 1)]),
        ((1, 2), [[[1, None]]]),
        ((2,), [[1, 1], None]),
        ((2,), [None, [1, 1]]),
    ],
)
def test_none_within_a_tensor_is_an_error_and_no_nan(
    dtype: str, shape: tuple[int, ...], rows: Any, tmp_path: Path
) -> None:
    message = "no nulls in rows of shape .*, found None"
    refuse(tmp_path, (dtype, shape), rows, ValueError, message)


def test_rows_that_are_none_are_counted(tmp_path: Path) -> None:
    for name, dtype in {"tensor": ("float32", (2,)), "bytes": pa.binary(2)}.items():
        rows = [None, None]
        refuse(tmp_path / name, dtype, rows, ValueError, "no nulls, found 2")
    schema = pa.schema([("x", pa.binary(2))])
    table = written(tmp_path / "nulls", schema, {"x": [None, b"ab"]})
    assert table["x"].to_pylist() == [None, b"ab"]
