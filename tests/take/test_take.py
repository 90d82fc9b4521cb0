# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Rows by index: values as of pyarrow, elements as of datasets, indices as of lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nesting import FILLS, expected, leaf_type, leaves, random_value, types
from numbered_rows import NUM_ROWS
from rowfeed import Catalog, Column, ParquetDataset, ParquetMapDataset, Stack
from rowfeed._columns.array_spec import ArraySpec

# Enough, with these pages, for chunks of many blocks.
NUM_VALUES = 40_000
WRITING = st.fixed_dictionaries(
    {
        "compression": st.sampled_from(["none", "snappy", "zstd"]),
        "use_dictionary": st.booleans(),
        "data_page_version": st.sampled_from(["1.0", "2.0"]),
        "data_page_size": st.sampled_from([4000, 1 << 20]),
        "write_page_index": st.booleans(),
        "row_group_size": st.sampled_from([7_000, NUM_VALUES]),
    }
)
INDICES = st.lists(st.integers(-NUM_VALUES, NUM_VALUES - 1), max_size=40)


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    kind=types(2),
    writing=WRITING,
    seed=st.integers(0, 2**32),
    takes=st.lists(INDICES, min_size=1, max_size=4),
    budget=st.sampled_from([1, 1 << 20, None]),
)
def test_any_rows_of_any_column_are_those_of_pyarrow(
    kind: pa.DataType,
    writing: dict[str, Any],
    seed: int,
    takes: list[list[int]],
    budget: int | None,
    tmp_path: Path,
) -> None:
    rng = np.random.default_rng(seed)
    values = pa.array([random_value(kind, rng, nulls=0.15) for _ in range(400)], kind)
    # Repeated, but out of step with pages and row groups.
    values = pa.concat_arrays([values] * (NUM_VALUES // 400))
    table = pa.table({"id": np.arange(NUM_VALUES), "x": values})
    path = tmp_path / f"{rng.integers(2**62)}.parquet"
    pq.write_table(table, path, **writing)
    read = pq.read_table(path)["x"]
    paths = leaves(read.type, ())
    columns = {"id": Column("id")}
    for i, leaf in enumerate(paths):
        name = ".".join(("x", *leaf))
        columns[f"leaf{i}"] = Column(name, fill=FILLS[leaf_type(read.type, leaf)])
    rows = ParquetMapDataset(
        path, columns=columns, memory_budget_bytes=budget, num_threads=2
    )
    for indices in takes:
        wanted = np.array(indices, np.int64) % NUM_VALUES
        taken = rows.take(indices)
        assert taken["id"].tolist() == wanted.tolist()
        python = read.take(pa.array(wanted)).to_pylist()
        for i, leaf in enumerate(paths):
            delivered = [expected(value, read.type, leaf) for value in python]
            assert taken[f"leaf{i}"].tolist() == delivered
    path.unlink()


# ---- Elements ----


def test_a_batch_is_one_of_the_numpy_dataset(numbers: Path) -> None:
    keywords: dict[str, Any] = {
        "columns": {
            "id": Column("id", mask=True),
            "name": "name",
            "parts": Column("parts", dtype="float32"),
            "__row": "__row",
            "__file": "__file",
        },
        "label": "even",
        "sample_weight": "half",
    }

    features, label, weight = next(iter(ParquetDataset(numbers, NUM_ROWS, **keywords)))
    rows = ParquetMapDataset(numbers, **keywords)
    indices = np.random.default_rng(3).permutation(NUM_ROWS)
    taken, taken_label, taken_weight = rows[indices]
    assert list(taken) == list(features)
    for name, array in features.items():
        assert taken[name].dtype == array.dtype
        whole = array.tolist()
        assert taken[name].tolist() == [whole[i] for i in indices]
    np.testing.assert_array_equal(taken_label, label[indices])
    np.testing.assert_array_equal(taken_weight, weight[indices])


def test_one_row_has_no_batch_dimension(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers)
    singles = list(ParquetDataset(numbers, None))
    assert len(rows) == len(singles) == NUM_ROWS
    for index in (0, 7, 100, NUM_ROWS - 1):
        row, single = rows[index], singles[index]
        assert row.pop("parts").tolist() == single.pop("parts").tolist()
        assert row == single
        assert type(row["half"]) is type(single["half"])


def test_stacks_are_put_together(numbers: Path) -> None:
    columns = {"x": Stack(["id", "half"], dtype="float64")}
    taken = ParquetMapDataset(numbers, columns=columns).take([9, 4])
    assert taken["x"].tolist() == [[9.0, 4.5], [4.0, 2.0]]


def test_the_spec_is_that_of_batches_of_any_size(numbers: Path) -> None:
    spec = ParquetMapDataset(numbers, columns=["id", "name"]).element_spec
    assert spec == {
        "id": ArraySpec(np.dtype("int64"), (None,)),
        "name": ArraySpec(np.dtype("uint8"), (None, None)),
    }


def test_a_catalog_takes_rows(numbers: Path) -> None:
    catalog = Catalog.open(numbers)
    taken = catalog.take([3, -1, 3], columns=["id", "name"])
    assert taken["id"].tolist() == [3, NUM_ROWS - 1, 3]
    assert taken["name"].tolist() == ["row 3", f"row {NUM_ROWS - 1}", "row 3"]
    assert list(catalog.take([])) == ["id", "half", "even", "name", "parts"]


def test_batches_may_be_written_to(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers)
    rows.take([5, 6])["id"][:] = -1
    assert rows.take([5, 6])["id"].tolist() == [5, 6]


# ---- Indices ----


@pytest.mark.parametrize(
    "indices",
    [
        [3, -1, 3],
        (3, NUM_ROWS - 1, 3),
        np.array([3, -1, 3]),
        np.array([3, -1, 3], np.int8),
        np.array([3, NUM_ROWS - 1, 3], np.uint64),
        [np.int32(3), np.int64(-1), 3],
        np.array([[3, 0], [-1, 0], [3, 0]])[:, 0],
    ],
)
def test_indices_are_those_of_lists(numbers: Path, indices: Any) -> None:
    rows = ParquetMapDataset(numbers, columns=["id"])
    assert rows.take(indices)["id"].tolist() == [3, NUM_ROWS - 1, 3]
    assert rows[indices]["id"].tolist() == [3, NUM_ROWS - 1, 3]


def test_slices_and_ranges_are_rows(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers, columns=["id"])
    assert rows[10:20:3]["id"].tolist() == [10, 13, 16, 19]
    assert rows[-2:]["id"].tolist() == [NUM_ROWS - 2, NUM_ROWS - 1]
    assert rows[::-1]["id"].tolist() == list(range(NUM_ROWS))[::-1]
    assert rows[range(60, 0, -20)]["id"].tolist() == [60, 40, 20]
    assert rows.take(i for i in (2, 1))["id"].tolist() == [2, 1]
    assert rows[5:5]["id"].shape == (0,)
    assert rows[np.int16(-1)]["id"] == NUM_ROWS - 1


@pytest.mark.parametrize("index", [NUM_ROWS, -NUM_ROWS - 1, 2**70, -(2**63)])
def test_rows_out_of_range_are_named(numbers: Path, index: int) -> None:
    rows = ParquetMapDataset(numbers)
    message = f"row {index} of a data set of {NUM_ROWS} rows"
    for indices in (index, [0, index]):
        with pytest.raises(IndexError, match=message):
            rows[indices]
    if -(2**63) <= index < 2**63:
        with pytest.raises(IndexError, match=message):
            rows[np.array([0, index])]
    with pytest.raises(IndexError):
        rows.take(np.array([2**64 - 1], np.uint64))


@pytest.mark.parametrize(
    "index", [True, 1.0, "user", None, b"0", np.float64(1), np.bool_(True)]
)
def test_what_is_no_integer_is_refused(numbers: Path, index: Any) -> None:
    rows = ParquetMapDataset(numbers)
    with pytest.raises(TypeError, match="must be an int"):
        rows[index]
    with pytest.raises(TypeError, match="must be an int"):
        rows[[0, index]]
    with pytest.raises(TypeError):
        rows.take(index)


@pytest.mark.parametrize(
    "indices", [np.array([0.0]), np.array([True]), np.array([[0, 1]]), np.array(3)]
)
def test_arrays_of_anything_else_are_refused(
    numbers: Path, indices: np.ndarray[Any, Any]
) -> None:
    with pytest.raises(TypeError, match="integers in one dimension"):
        ParquetMapDataset(numbers).take(indices)


@pytest.mark.parametrize(
    ("keywords", "error"),
    [
        ({"columns": ["none"]}, KeyError),
        ({"memory_budget_bytes": 0}, ValueError),
        ({"memory_budget_bytes": 1.5}, TypeError),
        ({"num_threads": 0}, ValueError),
        ({"sample_weight": "half"}, ValueError),
    ],
)
def test_bad_keywords_are_refused(
    numbers: Path, keywords: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        ParquetMapDataset(numbers, **keywords)
