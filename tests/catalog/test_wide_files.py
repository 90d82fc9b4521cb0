# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files with thousands of columns: the work grows as they do, and names stay right."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
import rowfeed.tensorflow
import rowfeed.torch
from rowfeed import Catalog, Column, ParquetMapDataset, Stack

FACES = (rowfeed, rowfeed.torch, rowfeed.tensorflow)
FEW = 200
ROWS = 6


def write_wide(path: Path, columns: int) -> Path:
    """Writes a file of so many columns of numbers, each with values of its own."""
    names = (f"c{i}" for i in range(columns))
    arrays = (np.arange(ROWS, dtype=np.float32) + 10 * i for i in range(columns))
    pq.write_table(pa.table(dict(zip(names, arrays, strict=True))), path)
    return path


def names_of(columns: int) -> list[str]:
    return [f"c{i}" for i in range(columns)]


COLUMNS: dict[str, Callable[[int], dict[str, Any]]] = {
    "all": lambda _: {},
    "all and a label": lambda _: {"label": "c7"},
    "names": lambda n: {"columns": names_of(n)},
    "specs": lambda n: {"columns": [Column(name, fill=0) for name in names_of(n)]},
    "renamed": lambda n: {"columns": {f"x{name}": name for name in names_of(n)}},
    "a stack": lambda n: {"columns": {"x": Stack(names_of(n))}},
    "a pattern": lambda _: {"columns": {"x": Stack(["c*"])}, "label": "c7"},
    "many stacks": lambda n: {
        "columns": {f"x{i}": Stack(names_of(n)[i : i + 10]) for i in range(0, n, 10)}
    },
    "half": lambda n: {"columns": names_of(n)[::2]},
}


def calls(function: Callable[[], object]) -> int:
    """Counts the calls of functions, those of the interpreter's own among them."""
    count = 0

    def see(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(see)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_four_times_the_columns_are_four_times_the_work(
    tmp_path: Path, face: Any, columns: str
) -> None:
    few = write_wide(tmp_path / "few.parquet", FEW)
    many = write_wide(tmp_path / "many.parquet", 4 * FEW)

    def use(path: Path, count: int) -> None:
        dataset = face.ParquetDataset(path, 3, **COLUMNS[columns](count))
        next(iter(dataset))

    use(few, FEW)  # What is imported or compiled at first counts for none.
    once = calls(lambda: use(few, FEW))
    assert calls(lambda: use(many, 4 * FEW)) < 5 * once


def test_four_times_the_columns_are_four_times_the_work_of_a_catalog(
    tmp_path: Path,
) -> None:
    few = write_wide(tmp_path / "few.parquet", FEW)
    many = write_wide(tmp_path / "many.parquet", 4 * FEW)

    def use(path: Path) -> None:
        catalog = pickle.loads(pickle.dumps(Catalog.open(path)))
        repr(catalog.describe())
        rows = ParquetMapDataset(catalog)
        rows.take([1])
        repr(rows.stats())

    use(few)
    once = calls(lambda: use(few))
    assert calls(lambda: use(many)) < 5 * once


@pytest.mark.fault(35)
@pytest.mark.parametrize("columns", COLUMNS)
def test_every_column_of_a_wide_file_is_itself(tmp_path: Path, columns: str) -> None:
    path = write_wide(tmp_path / "wide.parquet", FEW)
    asked = COLUMNS[columns](FEW)
    element = next(iter(rowfeed.ParquetDataset(path, ROWS, **asked)))
    features, label = element if "label" in asked else (element, None)
    if label is not None:
        np.testing.assert_array_equal(label, np.arange(ROWS) + 70)
    found = {}
    for name, value in features.items():
        if value.ndim == 1:
            found[name.lstrip("x")] = value
            continue
        first = int(name[1:] or 0)
        members = [c for c in names_of(FEW)[first:] if label is None or c != "c7"]
        found |= dict(zip(members, value.T, strict=False))
    assert len(found) == FEW // (2 if columns == "half" else 1) - (label is not None)
    for name, value in found.items():
        np.testing.assert_array_equal(value, np.arange(ROWS) + 10 * int(name[1:]))


@pytest.fixture
def tangled(tmp_path: Path) -> Path:
    """A file in which names have dots, and structs names that those make."""
    inner = pa.array([{"d": i, "e": -i} for i in range(ROWS)])
    table = pa.table(
        {
            "a": pa.StructArray.from_arrays([inner], ["b"]),  # a.b.d, a.b.e
            "a.b": pa.array([{"c": 10 * i} for i in range(ROWS)]),  # a.b.c
            "x.y": np.arange(ROWS) * 3,
            "m": pa.array(
                [[("k", i)] for i in range(ROWS)], pa.map_(pa.string(), pa.int64())
            ),
            "": np.arange(ROWS) * 7,
        }
    )
    path = tmp_path / "tangled.parquet"
    pq.write_table(table, path)
    return path


def first_rows(face: Any, path: Path, **asked: Any) -> Any:
    return next(iter(face.ParquetDataset(path, ROWS, **asked)))


def numbers(tree: Any) -> Any:
    if isinstance(tree, Mapping):
        return {name: numbers(branch) for name, branch in tree.items()}
    return np.asarray(tree).tolist()


@pytest.mark.fault(35)
@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_a_name_stands_for_all_that_dots_make_of_it(face: Any, tangled: Path) -> None:
    rows = range(ROWS)
    b = {"d": [*rows], "e": [-i for i in rows], "c": [10 * i for i in rows]}
    for asked in (["a.b"], [Column("a.b")]):
        assert numbers(first_rows(face, tangled, columns=asked)) == {"a.b": b}
    features, label = first_rows(face, tangled, columns=["a", ""], label="x.y")
    inner = {"d": b["d"], "e": b["e"]}
    assert numbers(features) == {"a": {"b": inner}, "": [7 * i for i in rows]}
    assert numbers(label) == [3 * i for i in rows]
    stack = first_rows(face, tangled, columns={"s": Stack(["a.b.c", "x.*", "a.b.d"])})
    assert numbers(stack) == {"s": [[10 * i, 3 * i, i] for i in rows]}


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_a_filter_finds_columns_that_dots_name_alike(face: Any, tangled: Path) -> None:
    asked = {"columns": ["x.y"], "filter": [("a.b.c", ">=", 30)]}
    assert numbers(first_rows(face, tangled, **asked)) == {"x.y": [9, 12, 15]}


def test_names_that_are_there_twice_are_refused_for_each(tmp_path: Path) -> None:
    path = tmp_path / "twice.parquet"
    inner = pa.StructArray.from_arrays([pa.array([1]), pa.array([2])], ["b", "c"])
    pq.write_table(pa.table({"a": inner, "a.b": [3], "z": [4]}), path)
    for columns in (["a.b"], ["a"], {"x": Stack(["a.b"])}):
        with pytest.raises(NotImplementedError, match="2 columns have this name"):
            rowfeed.ParquetDataset(path, 1, columns=columns)
    kept = first_rows(rowfeed, path, columns=["z", "a.c"])
    assert numbers(kept) == {"z": [4], "a.c": [2]}
    catalog = Catalog.open(path)
    with pytest.raises(NotImplementedError, match="2 columns have this name"):
        rowfeed.ParquetDataset(catalog, 1, columns=["a.b"])
    with pytest.raises(KeyError, match=r"there is no column 'a\.d'"):
        rowfeed.ParquetDataset(catalog, 1, columns=["a.d"])


def test_a_name_asked_for_twice_is_refused(tmp_path: Path) -> None:
    path = write_wide(tmp_path / "wide.parquet", FEW)
    with pytest.raises(ValueError, match="'c9' is named twice"):
        rowfeed.ParquetDataset(path, 1, columns=[*names_of(FEW), "c9"])
    with pytest.raises(ValueError, match="'c9' is named twice"):
        rowfeed.ParquetDataset(path, 1, columns=names_of(FEW), label="c9")
