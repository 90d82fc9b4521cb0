# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Catalog.select() makes the catalog of some files and row groups."""

from __future__ import annotations

import importlib
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from numbered_rows import NUM_ROWS
from rowfeed import Catalog, ParquetDataset, Split

FACES = pytest.mark.parametrize("face", ["", ".torch", ".tensorflow"])


def ids_of(catalog: Catalog, **options: Any) -> list[int]:
    dataset = ParquetDataset(catalog, 16, columns=["id"], **options)
    return [int(i) for batch in dataset for i in batch["id"]]


def rows_of(catalog: Catalog, groups: list[int]) -> list[int]:
    """Returns the ids of row groups of the catalog of all files."""
    begins = np.cumsum([0, *(group.rows for group in catalog.row_groups)])
    return [i for g in groups for i in range(begins[g], begins[g + 1])]


@pytest.mark.parametrize(
    ("how", "groups"),
    [
        ({"files": "1.parquet"}, [3, 4, 5]),
        ({"files": 1}, [3, 4, 5]),
        ({"files": -1}, [6, 7, 8]),
        ({"files": ["2.parquet", 0]}, [0, 1, 2, 6, 7, 8]),
        ({"files": "[01].*"}, [0, 1, 2, 3, 4, 5]),
        ({"row_groups": range(2)}, [0, 1]),
        ({"row_groups": [8, 1, 1, 5]}, [1, 5, 8]),
        ({"row_groups": np.array([4])}, [4]),
        ({"files": 0, "row_groups": [1, 4]}, [1]),
    ],
    ids=str,
)
def test_datasets_have_the_rows_of_the_selection(
    how: dict[str, Any], groups: list[int], numbers: Path
) -> None:
    catalog = Catalog.open(numbers)
    selected = catalog.select(**how)
    expected = rows_of(catalog, groups)
    assert ids_of(selected) == expected
    assert sorted(ids_of(selected, shuffle=True, seed=3)) == expected
    assert selected.num_rows == len(expected)
    names = {catalog.files[catalog.row_groups[g].file].name for g in groups}
    assert [file.name for file in selected.files] == sorted(names)
    indices = [catalog.row_groups[g].index for g in groups]
    assert [group.index for group in selected.row_groups] == indices
    assert selected.take([-1], ["id"])["id"] == expected[-1]


@FACES
def test_all_faces_read_it(face: str, numbers: Path) -> None:
    if face:
        pytest.importorskip(face[1:])
    dataset_class = importlib.import_module(f"rowfeed{face}").ParquetDataset
    catalog = Catalog.open(numbers)
    selected = catalog.select(row_groups=[1, 4, 7])
    dataset = dataset_class(selected, 8, columns=["id", "__row_group"], shuffle=True)
    found = [
        (int(i), int(g))
        for batch in dataset
        for i, g in zip(batch["id"], batch["__row_group"], strict=True)
    ]
    assert sorted(found) == [(i, 1) for i in rows_of(catalog, [1, 4, 7])]


@pytest.mark.parametrize("groups", [[0, 1], [1], [2, 4, 8]], ids=str)
def test_filters_and_splits_keep_their_rows(groups: list[int], numbers: Path) -> None:
    catalog = Catalog.open(numbers)
    selected = catalog.select(row_groups=groups)
    expected = set(rows_of(catalog, groups))
    some = [("id", ">=", 20), ("half", "<", 60.0)]
    assert set(ids_of(selected, filter=some)) == {i for i in expected if 20 <= i < 120}
    for unit in ("row", "row_group", "file"):
        split = Split(0.0, 0.5, seed=4, unit=unit)
        of_all = set(ids_of(catalog, split=split))
        assert set(ids_of(selected, split=split)) == of_all & expected


def test_other_selections_are_other_data(numbers: Path) -> None:
    catalog = Catalog.open(numbers)
    everything = catalog.select(row_groups=range(9))
    assert everything.fingerprint == catalog.fingerprint
    assert catalog.changes(everything) == []
    prints = {
        catalog.select(row_groups=groups).fingerprint
        for groups in ([0, 1], [0], [1], [1, 2], [3, 4], [0, 1, 3, 4], [0, 3, 4])
    }
    assert len(prints) == 7
    assert catalog.fingerprint not in prints
    state = ParquetDataset(catalog, 16, shuffle=True).state_at(0, 3)
    few = ParquetDataset(catalog.select(row_groups=[0]), 16, shuffle=True)
    with pytest.raises(ValueError, match="data"):
        few.load_state_dict(state)


def test_two_row_groups_of_one_size_are_told_apart(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"id": np.arange(100)}), tmp_path / "0.parquet", row_group_size=50
    )
    catalog = Catalog.open(tmp_path)
    first, second = (catalog.select(row_groups=g) for g in (0, 1))
    assert first.fingerprint != second.fingerprint
    (change,) = second.changes(since=first)
    assert str(change) == "'0.parquet' has row groups 1 (was 0)"
    assert catalog.changes(since=second)
    state = ParquetDataset(first, 8).state_at(0, 2)
    with pytest.raises(ValueError, match=r"row groups 1 \(was 0\)"):
        ParquetDataset(second, 8).load_state_dict(state, catalog=first)


def test_a_selection_is_saved_and_pickled(numbers: Path, tmp_path: Path) -> None:
    selected = Catalog.open(numbers).select(row_groups=[1, 4, 8])
    selected.save(tmp_path / "saved")
    for copy in (
        Catalog.load(tmp_path / "saved"),
        pickle.loads(pickle.dumps(selected)),
        selected.select(row_groups=range(3)),
    ):
        assert copy.fingerprint == selected.fingerprint
        assert copy.row_groups == selected.row_groups
        assert ids_of(copy) == ids_of(selected)
    again = selected.select(files=-1)
    assert [(g.file, g.index) for g in again.row_groups] == [(0, 2)]


def test_describe_and_head_show_the_selected_rows(numbers: Path) -> None:
    catalog = Catalog.open(numbers, ["id", "name"])
    selected = catalog.select(row_groups=[1, 7])
    expected = rows_of(catalog, [1, 7])
    described = {column.field.name: column for column in selected.describe().columns}
    assert (described["id"].minimum, described["id"].maximum) == (
        expected[0],
        expected[-1],
    )
    rows = selected.describe().row_group_rows
    assert rows is not None
    assert rows.most == max(catalog.row_groups[g].rows for g in (1, 7))
    assert selected.head(NUM_ROWS)["id"].to_pylist() == expected


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"files": "9.parquet"}, ValueError, "'0.parquet'"),
        ({"files": "a*"}, ValueError, "Catalog.files"),
        ({"files": 3}, IndexError, "files has 3, but the catalog has 3"),
        ({"files": [1.5]}, TypeError, "files must be names, patterns or numbers"),
        ({"files": [None]}, TypeError, "files must be names, patterns or numbers"),
        ({"files": np.array(1.5)}, TypeError, "files must be names, patterns or"),
        ({"files": 1.5}, TypeError, "files must be names, patterns or numbers"),
        ({"files": Path("a.parquet")}, TypeError, "files must be names"),
        ({"files": b"a"}, TypeError, "files must be names"),
        ({"files": True}, TypeError, "files must be names, patterns or numbers"),
        ({"row_groups": 1.5}, TypeError, "row_groups must be numbers, not 1.5"),
        ({"row_groups": slice(2)}, TypeError, "row_groups must .*; give a range"),
        ({"row_groups": -10}, IndexError, "row_groups has -10"),
        ({"row_groups": "1"}, TypeError, "row_groups must be numbers"),
        ({"row_groups": []}, ValueError, "no row group"),
        ({"files": 0, "row_groups": [8]}, ValueError, "none in common"),
    ],
    ids=str,
)
def test_a_wrong_choice_is_named(
    how: dict[str, Any], error: type[Exception], message: str, numbers: Path
) -> None:
    with pytest.raises(error, match=message):
        rowfeed.Catalog.open(numbers).select(**how)
