# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Each dataset can be split: order, ranks, resumption, growth and counts."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading import FACES, module_of
from rowfeed import (
    Catalog,
    Column,
    ParquetDataset,
    ParquetMapDataset,
    Split,
    mix,
)
from splitting import FILE_ROWS, ids_of, write, write_files

pytestmark = [
    pytest.mark.filterwarnings("ignore:shuffle_window="),
    pytest.mark.filterwarnings("ignore:world_size="),
    pytest.mark.filterwarnings("ignore:no row is left"),
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("data"))


@pytest.mark.parametrize("by", [None, "user"])
@pytest.mark.parametrize("face", FACES)
def test_all_datasets_have_the_same_rows_in_the_same_order(
    data: Path, face: str, by: str | None
) -> None:
    options: dict[str, Any] = {
        "columns": ["id"],
        "split": Split(0.2, 0.7, seed=5, by=by),
        "filter": [("id", ">=", 300)],
        "shuffle": True,
        "seed": 4,
    }
    expected = ids_of(data, **options)
    dataset = module_of(face).ParquetDataset(data, 64, **options)
    assert [i for b in dataset for i in np.asarray(b["id"]).tolist()] == expected
    inside = set(ids_of(data, split=options["split"]))
    assert set(expected) == {i for i in inside if i >= 300}


def test_rows_by_index_can_be_split(data: Path) -> None:
    split = Split(0, 0.25, seed=1)
    rows = ParquetMapDataset(data, columns=["id"], split=split)
    expected = ids_of(data, split=split)
    assert len(rows) == len(expected)
    assert rows.take(np.arange(len(rows)))["id"].tolist() == expected


@pytest.mark.parametrize("world_size", [2, 3])
def test_ranks_share_the_rows_of_a_split_and_take_equal_steps(
    data: Path, world_size: int
) -> None:
    split = Split(0, 0.6, by="user")
    options: dict[str, Any] = {"split": split, "shuffle": True, "columns": ["id"]}
    ranks = [
        ParquetDataset(
            data, 32, rank=rank, world_size=world_size, remainder="pad", **options
        )
        for rank in range(world_size)
    ]
    batches = [list(dataset) for dataset in ranks]
    assert len({len(of_rank) for of_rank in batches}) == 1
    assert len(ranks[0]) == len(batches[0])
    rows = Counter(
        i
        for of_rank in batches
        for batch in of_rank
        for i in batch["id"][batch["__valid"]].tolist()
    )
    assert sorted(rows.elements()) == sorted(ids_of(data, split=split))


@given(steps=st.integers(0, 12))
def test_a_split_resumes_in_mid_epoch(data: Path, steps: int) -> None:
    options: dict[str, Any] = {
        "columns": ["id"],
        "split": Split(0, 0.5, seed=1),
        "shuffle": True,
        "seed": 3,
    }
    expected = ids_of(data, **options)
    dataset = ParquetDataset(data, 64, **options)
    iterator = iter(dataset)
    before = [i for _ in range(steps) for i in next(iterator)["id"].tolist()]
    state = dataset.state_dict()
    again = ParquetDataset(data, 64, **options)
    again.load_state_dict(state)
    after = [i for batch in again for i in batch["id"].tolist()]
    assert before + after == expected


def test_a_state_of_another_split_is_refused(data: Path) -> None:
    parts = Split.parts({"train": 0.9, "test": 0.1}, seed=7)
    state = ParquetDataset(data, 64, split=parts["train"]).state_dict()
    with pytest.raises(ValueError, match=r"Split\(0.0, 0.9, seed=7\)"):
        ParquetDataset(data, 64, split=parts["test"]).load_state_dict(state)


def test_a_growing_data_set_can_be_split(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    write(folder / "5.parquet", 5 * FILE_ROWS, pa.int64())
    split = Split(0, 0.5, seed=1)
    dataset = ParquetDataset(
        folder,
        64,
        columns=["id"],
        split=split,
        refresh="epoch",
        snapshot_dir=tmp_path / "snapshots",
    )
    first = {i for b in dataset for i in b["id"][b["__valid"]].tolist()}
    write(folder / "1.parquet", FILE_ROWS, pa.int64())
    second = {i for b in dataset for i in b["id"][b["__valid"]].tolist()}
    assert first < second
    assert second == set(ids_of(folder, split=split))


def test_the_sources_of_a_mixture_have_splits_of_their_own(data: Path) -> None:
    parts = Split.parts({"a": 0.5, "b": 0.5})
    sources = [
        ParquetDataset(data, 30, columns=["id"], split=part) for part in parts.values()
    ]
    rows = [i for batch in mix(sources, [1, 1]) for i in batch["id"].tolist()]
    assert len(set(rows)) > 1000


def test_counts_of_a_split_are_kept(data: Path, tmp_path: Path) -> None:
    split = Split(0, 0.5, by="name")
    options: dict[str, Any] = {"split": split, "cache_dir": tmp_path}
    expected = len(ids_of(data, **options))
    assert list(tmp_path.iterdir())
    assert len(ids_of(data, **options)) == expected


def test_a_dataset_with_a_split_tells_it(data: Path) -> None:
    split = Split(0, 0.9, seed=7, by="user")
    dataset = ParquetDataset(data, 64, split=split, filter=[("id", ">", 3)])
    assert "Split(0, 0.9, seed=7, by='user')" in repr(dataset)
    assert dataset.settings["split"] == split
    again = ParquetDataset(data, **dataset.settings)
    again.load_state_dict(dataset.state_dict())
    assert pickle.loads(pickle.dumps(split)) == split
    assert eval(repr(split)) == split


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("it", "split: there is no column 'it'"),
        ("__row", "split: no column is called '__row'; .*give unit='row' in its place"),
        ("__file", "give unit='file'"),
    ],
)
def test_a_column_that_is_missing_is_not_said_to_be_of_a_filter(
    data: Path, by: str, said: str
) -> None:
    """The split becomes a filter, which the user has not given."""
    catalog, split = Catalog.open(data), Split(0, 0.5, by=by)
    with pytest.raises(KeyError, match=said):
        ParquetDataset(catalog, 2, split=split)
    with pytest.raises(KeyError, match=said):
        ParquetDataset(catalog, 2, split=split, filter=[("id", ">", 3)])
    with pytest.raises(KeyError, match=said):
        catalog.count(split=split)


def test_a_column_that_is_no_key_is_not_said_to_be_of_a_filter(tmp_path: Path) -> None:
    table = pa.table({"id": range(3), "tags": [[1], [2], []]})
    pq.write_table(table, tmp_path / "a.parquet")
    pq.write_table(table.drop_columns("id"), tmp_path / "b.parquet")
    columns: list[str | Column] = [Column("id", fill=0), "tags"]
    catalog = Catalog.open(tmp_path, columns)
    said = "split: column 'tags' is list.*; a split takes columns of numbers"
    with pytest.raises(NotImplementedError, match=said):
        catalog.count(split=Split(0, 0.5, by="tags"))
    said = r"split: 'id' is int64 in .*missing in .*b\.parquet: a split sees null"
    with pytest.raises(ValueError, match=said):
        ParquetDataset(catalog, 2, columns=["tags"], split=Split(0, 0.5, by="id"))
    with pytest.raises(TypeError, match=r"^filter: [^_]*\(column 'id' is int64\)$"):
        catalog.count([("id", "==", "x")], split=Split(0, 0.5))
