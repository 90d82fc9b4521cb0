# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Folders of table formats are refused; lists of a table's own files are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reading import FACES, module_of
from rowfeed import Catalog, ParquetDataset
from s3_server import S3Server


def put(path: Path, ids: list[int]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"id": ids}), path)


def commit(table: Path, version: int, *actions: dict[str, Any]) -> None:
    log = table / "_delta_log"
    log.mkdir(parents=True, exist_ok=True)
    lines = "\n".join(json.dumps(action) for action in actions)
    (log / f"{version:020}.json").write_text(lines)


def own_files(table: Path) -> list[str]:
    """The files of the newest version of a Delta table, as its log has them."""
    files: dict[str, None] = {}
    for version in sorted((table / "_delta_log").iterdir()):
        for line in version.read_text().splitlines():
            for action, what in json.loads(line).items():
                if action == "add":
                    files[what["path"]] = None
                else:
                    del files[what["path"]]
    return [str(table / path) for path in files]


@pytest.fixture
def delta(tmp_path: Path) -> Path:
    """Ten of 25 rows were deleted: a file was replaced by a smaller one."""
    table = tmp_path / "lake" / "delta"
    put(table / "day=1" / "a.parquet", list(range(20)))
    put(table / "day=2" / "b.parquet", list(range(20, 25)))
    put(table / "day=1" / "c.parquet", list(range(10)))
    add = [{"add": {"path": f"day={day}/{name}"}} for day, name in DELTA_FILES]
    commit(table, 0, *add[:2])
    commit(table, 1, {"remove": {"path": "day=1/a.parquet"}}, add[2])
    return table


DELTA_FILES = [(1, "a.parquet"), (2, "b.parquet"), (1, "c.parquet")]


def dataset_class(face: str) -> Any:
    return module_of(face).ParquetDataset


@pytest.mark.parametrize("face", FACES)
def test_a_delta_table_delivered_deleted_rows(face: str, delta: Path) -> None:
    made = dataset_class(face)
    with pytest.raises(
        NotImplementedError, match=r"delta: .* table of Delta.*file_uri"
    ):
        made(delta, 100)
    batches = list(made(own_files(delta), 100))
    ids = sorted(int(row) for batch in batches for row in batch["id"])
    assert ids == [*range(10), *range(20, 25)]
    assert [int(day) for batch in batches for day in batch["day"]] == [2] * 5 + [1] * 10


@pytest.mark.parametrize(
    "given",
    [
        "lake",
        "lake/delta/",
        "lake/*",
        "lake/delta/*/*.parquet",
        "lake/**/*.parquet",
        "lake/delta/day=1",
        "lake/delta/day=*",
        ["lake/delta/day=1", "lake/delta/day=2"],
    ],
)
def test_a_table_is_found_wherever_a_folder_is_read(
    given: str | list[str], delta: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(delta.parent.parent)
    with pytest.raises(NotImplementedError, match=r"lake/delta/?: .* table of Delta"):
        Catalog.open(given)


@pytest.mark.fault(34)
@pytest.mark.parametrize(
    ("marker", "data", "format"),
    [
        ("metadata/v1.metadata.json", "data/k=1/x.parquet", "Iceberg"),
        ("metadata/00000-a.metadata.json", "data/x.parquet", "Iceberg"),
        (".hoodie/hoodie.properties", "2024/x.parquet", "Hudi"),
        ("2024/.hoodie_partition_metadata", "2024/x.parquet", "Hudi"),
        ("schema/schema-0", "bucket-0/x.parquet", "Paimon"),
    ],
)
def test_tables_of_other_formats_are_refused_with_a_way_in(
    marker: str, data: str, format: str, tmp_path: Path
) -> None:
    table = tmp_path / "table"
    put(table / data, [1])
    (table / "snapshot").mkdir()
    (table / marker).parent.mkdir(exist_ok=True)
    (table / marker).touch()
    for given in (table, (table / data).parent if format == "Iceberg" else table):
        with pytest.raises(NotImplementedError, match=f"{format}.* list of") as caught:
            Catalog.open(given)
        assert str(table) in str(caught.value)
    assert Catalog.open([table / data]).num_rows == 1


@pytest.mark.parametrize(
    ("mark", "folder"),
    [
        pytest.param("_delta_log/0.json", "data", id="Delta"),
        pytest.param("_delta_log/0.json", "aB", id="Delta with random prefixes"),
        pytest.param(".hoodie/hoodie.properties", "data", id="Hudi"),
        pytest.param("metadata/v1.metadata.json", "k=1", id="Iceberg from Hive"),
        pytest.param("metadata/v1.metadata.json", "data/k=1", id="Iceberg"),
    ],
)
@pytest.mark.parametrize("glob", ["", "/*.parquet"])
def test_a_folder_within_a_table_was_read_in_silence(
    tmp_path: Path, mark: str, folder: str, glob: str
) -> None:
    table = tmp_path / "table"
    (table / mark).parent.mkdir(parents=True)
    (table / mark).write_text("{}")
    put(table / folder / "a.parquet", [1])
    with pytest.raises(
        NotImplementedError, match=f"{table}: the folder belongs to a table"
    ):
        Catalog.open(f"{table / folder}{glob}")
    assert Catalog.open([table / folder / "a.parquet"]).num_rows == 1


def test_folders_with_metadata_of_parquet_itself_are_no_tables(tmp_path: Path) -> None:
    put(tmp_path / "data" / "x.parquet", [1, 2])
    for name in ("_metadata", "_common_metadata", "_SUCCESS"):
        put(tmp_path / "data" / name, [])
    (tmp_path / "data" / "metadata").mkdir()
    (tmp_path / "data" / "metadata" / "labels.json").touch()
    assert Catalog.open(tmp_path / "data").num_rows == 2


def test_a_folder_that_becomes_a_table_is_refused_when_it_is_listed_anew(
    tmp_path: Path,
) -> None:
    put(tmp_path / "data" / "x.parquet", [1, 2])
    dataset = ParquetDataset(
        tmp_path / "data", 10, refresh="epoch", snapshot_dir=tmp_path / "epochs"
    )
    assert len(list(dataset)) == 1
    commit(tmp_path / "data", 0)
    with pytest.raises(NotImplementedError, match="table of Delta"):
        list(dataset)
    with pytest.raises(NotImplementedError, match="table of Delta"):
        ParquetDataset(
            tmp_path / "data", 10, refresh="epoch", snapshot_dir=tmp_path / "epochs"
        )


def test_tables_in_a_store_are_refused_and_their_files_read(
    delta: Path, s3: S3Server
) -> None:
    put(delta.parent / "ice" / "data" / "x.parquet", [1])
    (delta.parent / "ice" / "metadata").mkdir()
    (delta.parent / "ice" / "metadata" / "v1.metadata.json").write_text("{}")
    s3.put_tree("lake", delta.parent)
    for path, format in {
        "lake": "Delta",
        "lake/delta": "Delta",
        "lake/delta/day=1": "Delta",
        "lake/*/day=*/*.parquet": "Delta",
        "lake/ice": "Iceberg",
        "lake/ice/data": "Iceberg",
        "lake/ice/*/x.parquet": "Iceberg",
    }.items():
        with pytest.raises(NotImplementedError, match=f"s3://lake.*{format}"):
            Catalog.open(s3.uri(path))
    files = [
        s3.uri(f"lake/{Path(f).relative_to(delta.parent)}") for f in own_files(delta)
    ]
    catalog = Catalog.open(files)
    assert catalog.num_rows == 15
    assert [field.name for field in catalog.schema] == ["id", "day"]


def test_keys_of_objects_in_uris_need_not_be_encoded(
    s3: S3Server, tmp_path: Path
) -> None:
    """Writers of Delta encode values in keys, and readers give these as they are."""
    put(tmp_path / "t" / "city=S%C3%A3o%20P" / "x.parquet", [1])
    s3.put_tree("encoded", tmp_path)
    for key in ("city=S%C3%A3o%20P", "city=S%25C3%25A3o%2520P"):
        catalog = Catalog.open([s3.uri(f"encoded/t/{key}/x.parquet")])
        (batch,) = ParquetDataset(catalog, 1)
        assert batch["city"].tolist() == ["São P"]
    local = f"file://{tmp_path}/t/city=S%C3%A3o%20P/x.parquet"
    assert ParquetDataset([local], 1).catalog.num_rows == 1
