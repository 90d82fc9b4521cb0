# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Nulls that footers know of are named at construction, all in one warning."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from reading import module_of
from rowfeed import (
    Catalog,
    Column,
    DataWarning,
    HashBuckets,
    ParquetDataset,
    Split,
    Stack,
)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Two files of two row groups; the nulls are in the second row groups."""
    for name in ("a", "b"):
        table = pa.table(
            {
                "id": pa.array([0, 1, 2, 3], pa.int64()),
                "age": pa.array([1, 2, None, 4], pa.int32()),
                "city": pa.array(["x", "y", "z", None]),
                "on": pa.array([True, False, True, None]),
                "where": pa.array([{"x": 1.5}, {"x": 2.5}, None, {"x": None}]),
                "ids": pa.array([[1], [], [None], None], pa.list_(pa.int64())),
            }
        )
        pq.write_table(table, tmp_path / f"{name}.parquet", row_group_size=2)
    return tmp_path


def said(paths: object, face: str = "numpy", **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        module_of(face).ParquetDataset(paths, 2, **options)
    return [str(w.message) for w in found if w.category is DataWarning]


@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
def test_all_columns_with_nulls_are_named_at_once(people: Path, face: str) -> None:
    (message,) = said(people, face)
    assert message.startswith("'age', 'city', 'on', 'where.x', 'ids': ")
    assert "'age' has nulls in 2 of 4 row groups" in message
    assert f"{people / 'a.parquet'}, row group 1" in message
    line = (
        "columns=['*', Column('age', fill=0), Column('city', fill=\"\"), "
        "Column('on', fill=False), Column('where.x', fill=0.0), Column('ids', fill=0)]"
    )
    assert line in message
    columns = eval(line.partition("=")[2], {"Column": Column})
    assert said(people, face, columns=columns) == []
    dataset = module_of(face).ParquetDataset(people, 2, columns=columns)
    assert sum(1 for _ in dataset) == 4


def test_only_what_is_asked_for_without_fill_or_mask_is_named(people: Path) -> None:
    assert said(people, columns=["id"]) == []
    filled = [Column("age", fill=0), Column("city", mask=True)]
    assert said(people, columns=filled) == []
    (message,) = said(people, columns=[*filled, "on"])
    assert message.startswith("'on': ")
    assert "Give Column('on', fill=False) in columns= (mask=True instead" in message
    (message,) = said(people, columns={"x": Stack(["id", "age"], dtype="int64")})
    assert "Give a fill for Column('age', ...) in the Stack 'x', or a filter" in message
    (message,) = said(people, columns=["id"], label="age")
    assert "Give label=Column('age', fill=0), or a filter" in message
    assert "mask=True" not in message  # A label has no place for a mask.


def test_a_column_of_the_filter_is_not_named(people: Path) -> None:
    passes = pc.field("age").is_valid()
    assert said(people, columns=["age"], filter=passes) == []
    assert len(said(people, columns=["age", "city"], filter=passes)) == 1


def test_a_split_by_a_column_with_nulls_does_not_leave_them_out(people: Path) -> None:
    found = [
        said(people, columns=["age"], split=split)
        for split in (Split(0, 0.5, by="age"), Split(0.5, 1, by="age"))
    ]
    for (message,) in found:
        assert "unless the filter or split leaves it out" in message


@pytest.mark.parametrize("options", [{"dtype": "float32"}, {"dtype": "bool"}])
def test_no_fill_is_advised_that_drops_other_options(
    people: Path, options: dict[str, Any]
) -> None:
    (message,) = said(people, columns=[Column("age", **options)])
    assert "Give a fill for Column('age', ...) in columns=" in message


def test_no_index_is_advised_for_an_encoded_column(people: Path) -> None:
    column = Column("city", encode=HashBuckets(9))
    (message,) = said(people, columns=[column])
    assert "Give a fill for Column('city', ...) in columns=" in message


def test_a_saved_catalog_knows_the_nulls(people: Path, tmp_path: Path) -> None:
    opened = Catalog.open(people)
    opened.save(tmp_path / "catalog")
    for catalog in (Catalog.load(tmp_path / "catalog"), opened):
        (message,) = said(catalog, columns=["age"])
        assert message.startswith("'age': ")


def test_pickling_and_states_do_not_warn_again(people: Path) -> None:
    with pytest.warns(DataWarning, match="footers say"):
        dataset = ParquetDataset(people, 1, columns=["age"], shuffle=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = pickle.loads(pickle.dumps(dataset))
        again.load_state_dict(dataset.state_dict())


def test_very_many_columns_are_cut_short(tmp_path: Path) -> None:
    table = pa.table({f"x{i}": pa.array([None, 1]) for i in range(43)})
    pq.write_table(table, tmp_path / "x.parquet")
    (message,) = said(tmp_path)
    assert "'x39', and 3 more: " in message


def test_a_file_without_statistics_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": [None, 1]}), path, write_statistics=False)
    assert said(path) == []


def test_the_read_goes_on_if_footers_are_wrong(people: Path) -> None:
    """The warning is no error: rows without nulls come before the first null."""
    with pytest.warns(DataWarning):
        dataset = ParquetDataset(people, 2, columns=["age"])
    batches = iter(dataset)
    assert next(batches)["age"].tolist() == [1, 2]
    with pytest.raises(ValueError, match="age"):
        next(batches)


def test_lists_were_left_out_of_the_warning(people: Path) -> None:
    (message,) = said(people, columns=["ids"])
    assert message == (
        "'ids': footers say that there are nulls, and no fill or mask is given ('ids' "
        f"has nulls in 2 of 4 row groups, first in {people / 'a.parquet'}, row group "
        "1). A null is an error when its row comes. Give Column('ids', fill=0) in "
        "columns= (mask=True instead of a fill adds a mask)"
    )
    (of_catalog,) = said(Catalog.open(people, ["ids"]))
    assert "Give columns=['*', Column('ids', fill=0)]" in of_catalog
    for column in (Column("ids", fill=0), Column("ids", mask=True)):
        assert said(people, columns=[column]) == []


# Lists, and whether they have a null list or a null element.
LISTS: dict[str, tuple[list[Any], Any, bool]] = {
    "whole": ([[1], [2, 3]], None, False),
    "empty": ([[1], [], []], None, False),
    "null-list": ([[1], None], None, True),
    "null-element": ([[1, None]], None, True),
    "empty-and-null": ([[1], [], None], None, True),
    "empty-within": ([[[], [], []]], pa.list_(pa.list_(pa.int64())), False),
    "null-within": ([[None, [1]]], pa.list_(pa.list_(pa.int64())), True),
    "null-inside": ([[[None], [1]]], pa.list_(pa.list_(pa.int64())), True),
    "fixed": ([[1, 2], None], pa.list_(pa.int64(), 2), True),
    "fixed-whole": ([[1, 2]], pa.list_(pa.int64(), 2), False),
    "strings": ([["a"], [None]], pa.list_(pa.string()), True),
    "required": ([[], [1]], pa.list_(pa.field("e", pa.int64(), False)), False),
}


@pytest.mark.parametrize(("values", "type_", "has_null"), LISTS.values(), ids=LISTS)
def test_empty_lists_are_told_from_nulls(
    values: list[Any], type_: Any, *, has_null: bool, tmp_path: Path
) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": pa.array(values, type_)}), path)
    assert len(said(path)) == has_null
    if has_null:
        with pytest.raises(ValueError, match="null at row"):
            Catalog.open(path).take(range(len(values)))
