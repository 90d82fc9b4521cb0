# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Directories on the way to a file that are columns, and options that say otherwise."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from reading import FACES, module_of
from rowfeed import Catalog, Column, ParquetDataset, ParquetMapDataset

PARTS = {"year=2023/city=Oslo": [0, 1], "year=2024/city=Bergen": [2, 3, 4]}


def put(path: Path, ids: list[int]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"id": ids}), path)
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of two partitions, in a directory that has a key above it."""
    root = tmp_path / "run=3" / "files"
    for part, ids in PARTS.items():
        put(root / part / "x.parquet", ids)
    return root


def dataset_class(face: str) -> Any:
    return module_of(face).ParquetDataset


def names(paths: Any, **options: Any) -> list[str]:
    return [field.name for field in Catalog.open(paths, **options).schema]


def rows(dataset: Any, *columns: str) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for batch in dataset:
        found += zip(*(plain(batch[name]) for name in columns), strict=True)
    return found


def plain(values: Any) -> list[Any]:
    listed = values.tolist() if hasattr(values, "tolist") else values.numpy().tolist()
    return [v.decode() if isinstance(v, bytes) else v for v in listed]


@pytest.mark.parametrize("face", FACES)
def test_keys_were_lost_when_files_are_listed_one_by_one(
    face: str, table: Path
) -> None:
    files = sorted(table.rglob("*.parquet"), reverse=True)
    dataset = dataset_class(face)(files, 10, columns=["id", "year", "city"])
    assert rows(dataset, "id", "year", "city") == [
        (2, 2024, "Bergen"),
        (3, 2024, "Bergen"),
        (4, 2024, "Bergen"),
        (0, 2023, "Oslo"),
        (1, 2023, "Oslo"),
    ]
    filtered = dataset_class(face)(
        files, 10, columns=["id"], filter=pc.field("city") == "Oslo"
    )
    assert rows(filtered, "id") == [(0,), (1,)]


@pytest.mark.parametrize("face", FACES)
def test_keys_were_lost_when_partitions_are_listed_one_by_one(
    face: str, table: Path
) -> None:
    dataset = dataset_class(face)([table / "year=2024", table / "year=2023"], 10)
    assert rows(dataset, "id", "year", "city") == [
        (2, 2024, "Bergen"),
        (3, 2024, "Bergen"),
        (4, 2024, "Bergen"),
        (0, 2023, "Oslo"),
        (1, 2023, "Oslo"),
    ]
    leaves = [str(table / part) for part in PARTS]
    assert rows(dataset_class(face)(leaves, 10), "year", "city") == [
        (2023, "Oslo"),
        (2023, "Oslo"),
        *[(2024, "Bergen")] * 3,
    ]


def test_which_directories_count(table: Path) -> None:
    file = table / "year=2023/city=Oslo/x.parquet"
    assert names(table) == ["id", "year", "city"]
    assert names(table / "year=2023") == ["id", "city"]
    assert names([table]) == ["id", "year", "city"]
    assert names([table / "year=2023"]) == ["id", "year", "city"]
    assert names(f"{table}/*") == ["id", "run", "year", "city"]
    assert names(file) == ["id", "run", "year", "city"]
    assert names([file]) == ["id", "run", "year", "city"]
    assert names(table.rglob("*.parquet")) == ["id", "run", "year", "city"]


def test_files_have_the_keys_that_pyarrow_finds(table: Path) -> None:
    files = [str(path) for path in sorted(table.rglob("*.parquet"))]
    expected = ds.dataset(files, partitioning="hive").to_table().to_pydict()
    (batch,) = ParquetDataset(files, 10)
    assert {name: batch[name].tolist() for name in batch} == expected
    folder = ds.dataset(table, partitioning="hive").schema.names
    assert names(table) == folder


def test_a_relative_path_has_the_keys_that_it_names(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table / "year=2023")
    assert names("city=Oslo/x.parquet") == ["id", "city"]
    assert names(["city=Oslo"]) == ["id", "city"]
    assert names(".") == ["id", "city"]


def test_a_base_says_from_which_directory_on(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = list(table.rglob("*.parquet"))
    for paths in (files, table, [table / "year=2023"], f"{table}/**"):
        assert names(paths, partitions=table) == ["id", "year", "city"]
        assert names(paths, partitions=table.parent.parent)[1] == "run"
        assert names(paths, partitions=False) == ["id"]
    monkeypatch.chdir(table.parent.parent)
    assert names(files, partitions="run=3") == ["id", "year", "city"]
    assert names("run=3/files", partitions=table.as_uri()) == ["id", "year", "city"]
    with pytest.raises(ValueError, match=r"x\.parquet is not below .*year=2024"):
        Catalog.open(files, partitions=table / "year=2024")
    with pytest.raises(
        TypeError, match="partitions must be True, False or a directory"
    ):
        Catalog.open(files, partitions=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("face", FACES)
def test_every_dataset_takes_the_option(face: str, table: Path, tmp_path: Path) -> None:
    files = sorted(table.rglob("*.parquet"))
    made = dataset_class(face)
    assert list(next(iter(made(files, 10, partitions=table)))) == ["id", "year", "city"]
    assert list(next(iter(made(files, 10, partitions=False)))) == ["id"]
    with pytest.raises(TypeError, match=r"give it to rowfeed\.Catalog\.open"):
        made(Catalog.open(files), 10, partitions=False)
    growing = made(
        files,
        10,
        partitions=table,
        refresh="epoch",
        snapshot_dir=tmp_path / "epochs",
    )
    for _ in range(2):
        assert rows(growing, "id", "year")[0] == (0, 2023)
    assert ParquetMapDataset(files, partitions=table)[4]["year"] == 2024
    assert "year" not in ParquetMapDataset(files, partitions=False)[4]


def test_names_and_fingerprints_do_not_know_partitions(
    table: Path, tmp_path: Path
) -> None:
    files = sorted(table.rglob("*.parquet"))
    listed = Catalog.open(files)
    assert [file.name for file in listed.files] == ["x.parquet", "x.parquet"]
    plain_files = [
        put(tmp_path / str(i) / "x.parquet", ids)
        for i, ids in enumerate(PARTS.values())
    ]
    assert listed.fingerprint == Catalog.open(plain_files).fingerprint
    assert listed.fingerprint == Catalog.open(files, partitions=False).fingerprint


def test_a_state_of_files_without_keys_goes_on_with_them(table: Path) -> None:
    files = sorted(table.rglob("*.parquet"))
    before = ParquetDataset(files, 2, partitions=False, shuffle=True, seed=5)
    batches = iter(before)
    next(batches)
    after = ParquetDataset(files, 2, shuffle=True, seed=5)
    after.load_state_dict(batches.state_dict())
    assert [b["id"].tolist() for b in after] == [b["id"].tolist() for b in batches]


def test_a_catalog_keeps_its_partitions(table: Path, tmp_path: Path) -> None:
    catalog = Catalog.open(sorted(table.rglob("*.parquet")))
    catalog.save(tmp_path / "catalog")
    for again in (
        Catalog.load(tmp_path / "catalog"),
        pickle.loads(pickle.dumps(catalog)),
    ):
        assert rows(ParquetDataset(again, 10), "id", "year")[-1] == (4, 2024)


def test_rows_kept_by_a_filter_are_not_those_of_other_directories(
    tmp_path: Path,
) -> None:
    """Names and sizes are the same, and so is the fingerprint."""
    options: dict[str, Any] = {
        "columns": ["id"],
        "filter": [("k", "==", 1)],
        "cache_dir": tmp_path / "cache",
    }
    file = put(tmp_path / "k=1" / "x.parquet", [0, 1])
    assert len(ParquetDataset([file], 1, **options)) == 2
    (tmp_path / "k=2").mkdir()
    moved = file.rename(tmp_path / "k=2" / "x.parquet")
    assert len(ParquetDataset([moved], 1, **options)) == 0


def test_keys_in_any_order_and_at_any_depth(tmp_path: Path) -> None:
    put(tmp_path / "a=1" / "b=x" / "f.parquet", [0])
    put(tmp_path / "b=y" / "deep" / "a=2" / "f.parquet", [1])
    put(tmp_path / "_a=3" / "f.parquet", [2])
    put(tmp_path / "f.parquet", [3])
    columns: list[str | Column] = [
        "id",
        Column("a", fill=-1),
        Column("b", fill="-"),
        Column("_a", fill=-1),
    ]
    for paths in (tmp_path, sorted(tmp_path.rglob("*.parquet"))):
        found = rows(ParquetDataset(paths, 10, columns=columns), "id", "a", "b", "_a")
        assert sorted(found) == [
            (0, 1, "x", -1),
            (1, 2, "y", -1),
            (2, -1, "-", 3),
            (3, -1, "-", -1),
        ]


def test_a_column_of_the_file_comes_before_a_key_of_a_listed_path(
    tmp_path: Path,
) -> None:
    file = put(tmp_path / "id=9" / "k=1" / "x.parquet", [4])
    assert rows(ParquetDataset([file], 1), "id", "k") == [(4, 1)]
