# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Data in an object store: the same rows as from a disk, and errors that say where."""

from __future__ import annotations

import io
import itertools
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from loader_warnings import LOADER_WARNINGS
from numbered_rows import GROUP_ROWS, write_numbers
from reading import FACES, module_of
from rowfeed import Catalog, ParquetDataset, ParquetMapDataset
from s3_server import S3Server

BUCKETS = (f"bucket-{i}" for i in itertools.count())


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files at two levels, of which some are no data, and some in Hive directories."""
    root = tmp_path_factory.mktemp("local")
    write_numbers(root / "year=2023", GROUP_ROWS)
    write_numbers(root / "year=2024", GROUP_ROWS[::-1])
    table = pa.table({"id": [1]})
    for name in ("_temporary/x.parquet", "year=2024/.y.parquet", "z.parquet.tmp"):
        (root / name).parent.mkdir(exist_ok=True)
        pq.write_table(table, root / name)
    (root / "_SUCCESS").touch()
    return root


@pytest.fixture(scope="module")
def bucket(s3: S3Server, local: Path) -> str:
    name = next(BUCKETS)
    s3.put_tree(name, local)
    return name


def elements(face: str, paths: Any, **options: Any) -> list[dict[str, Any]]:
    columns = ["id", "half", "name", "parts", "year"]
    dataset = module_of(face).ParquetDataset(
        paths, 32, columns=columns, seed=3, **options
    )
    return [{k: plain(v) for k, v in batch.items()} for batch in dataset]


def plain(tensor: Any) -> Any:
    values = tensor.to_list() if hasattr(tensor, "to_list") else tensor
    if hasattr(values, "numpy"):
        values = values.numpy()
    return values.tolist() if hasattr(values, "tolist") else values


@pytest.mark.parametrize("face", FACES)
def test_rows_are_those_of_a_disk(
    face: str, s3: S3Server, bucket: str, local: Path
) -> None:
    for options in ({}, {"shuffle": True, "rank": 1, "world_size": 2, "num_lanes": 4}):
        remote = elements(face, s3.uri(bucket), **options)
        assert remote == elements(face, str(local), **options)
        assert remote


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/year=2024",
        "/year=2024/1.parquet",
        "/year=*/1.parquet",
        "/**/[01].parquet",
        "/*",
    ],
)
def test_paths_stand_for_the_same_files_as_on_a_disk(
    path: str, s3: S3Server, bucket: str, local: Path
) -> None:
    remote, near = Catalog.open(s3.uri(bucket + path)), Catalog.open(f"{local}{path}")
    assert [file.name for file in remote.files] == [file.name for file in near.files]
    assert remote.fingerprint == near.fingerprint


def test_roots_of_different_kinds_are_one_data_set(
    s3: S3Server, bucket: str, local: Path
) -> None:
    near = f"file://{local}/year=2023"
    dataset = ParquetDataset(
        [near, s3.uri(bucket + "/year=2024")], 1000, columns=["id"]
    )
    (batch,) = list(dataset)
    assert len(batch["id"]) == 2 * sum(GROUP_ROWS)
    assert dataset.catalog.files[0].path.startswith(str(local))


@pytest.mark.fault(30)
def test_keys_may_have_any_characters(s3: S3Server, local: Path) -> None:
    name = next(BUCKETS)
    s3.request("PUT", f"/{name}")
    body = (local / "year=2023" / "0.parquet").read_bytes()
    for key in ("a b/c?d#.parquet", "a b/50%25.parquet"):
        s3.put(name, key, body)
    catalog = Catalog.open(s3.uri(f"{name}/a b"))
    assert [file.name for file in catalog.files] == ["50%25.parquet", "c?d#.parquet"]
    (batch,) = list(ParquetDataset(catalog, 1000, columns=["id"]))
    assert len(batch["id"]) == catalog.num_rows


def test_filter_and_rows_by_index(s3: S3Server, bucket: str, local: Path) -> None:
    keep = (pc.field("half") < 70) & (pc.field("year") == 2024)
    near, remote = (
        [batch["name"].tolist() for batch in ParquetDataset(paths, 32, filter=keep)]
        for paths in (str(local), s3.uri(bucket))
    )
    assert near == remote
    rows = ParquetMapDataset(s3.uri(bucket), columns=["id", "parts"])
    expected = ParquetMapDataset(str(local), columns=["id", "parts"])
    for taken, wanted in zip(
        rows[[400, 3, 77]].values(), expected[[400, 3, 77]].values(), strict=True
    ):
        assert taken.tolist() == wanted.tolist()


def test_large_strings_are_read_with_their_row_group(
    s3: S3Server, tmp_path: Path
) -> None:
    # On a disk they would be read one by one.
    images = [bytes([i]) * (20_000 + i) for i in range(40)]
    table = pa.table({"image": images})
    pq.write_table(table, tmp_path / "x.parquet", compression="none", row_group_size=20)
    s3.put_tree(name := next(BUCKETS), tmp_path)
    dataset = ParquetDataset(s3.uri(name), 16, shuffle=True)
    read = [image for batch in dataset for image in batch["image"].tolist()]
    assert sorted(read) == sorted(images)


def test_a_state_goes_on_between_disk_and_store(
    s3: S3Server, bucket: str, local: Path
) -> None:
    options: dict[str, Any] = {"columns": ["id"], "shuffle": True, "seed": 5}
    near = ParquetDataset(str(local), 32, **options)
    expected = [batch["id"].tolist() for batch in near]
    remote = ParquetDataset(s3.uri(bucket), 32, **options)
    remote.load_state_dict(near.state_at(epoch=0, step=7))
    assert [batch["id"].tolist() for batch in remote] == expected[7:]


def test_a_saved_catalog_is_read_elsewhere(s3: S3Server, bucket: str) -> None:
    catalog = pickle.loads(pickle.dumps(Catalog.open(s3.uri(bucket))))
    script = (
        "import pickle, rowfeed, sys\n"
        "catalog = pickle.load(sys.stdin.buffer)\n"
        "dataset = rowfeed.ParquetDataset(catalog, 100, columns=['id'])\n"
        "print(sum(len(batch['id']) for batch in dataset))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script],
        input=pickle.dumps(catalog),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert answer.stderr == b""  # Not even a warning of Arrow's when it ends.
    assert (answer.returncode, int(answer.stdout)) == (0, catalog.num_rows)


@pytest.mark.fault(14)
@pytest.mark.parametrize(
    "start",
    [pytest.param(start, marks=LOADER_WARNINGS) for start in ("fork", "spawn")],
)
def test_workers_read_what_their_parent_opened(
    start: str, s3: S3Server, bucket: str
) -> None:
    torch = pytest.importorskip("torch")
    from rowfeed.torch import ParquetDataset

    dataset = ParquetDataset(s3.uri(bucket), 32, columns=["id"])
    alone = [batch["id"].tolist() for batch in dataset]
    loader = torch.utils.data.DataLoader(
        dataset, batch_size=None, num_workers=1, multiprocessing_context=start
    )
    assert [batch["id"].tolist() for batch in loader] == alone


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("no-such-bucket/a.parquet", "s3://no-such-bucket/a.parquet: No such file"),
        ("no-such-bucket", "s3://no-such-bucket: No such file"),
        ("{bucket}/none", "s3://{bucket}/none: No such file"),
        ("{bucket}/none*.parquet", "s3://{bucket}/none*.parquet: no file matches"),
        ("{bucket}/_temporary/../x", "s3://{bucket}/_temporary/../x"),
    ],
)
def test_what_is_not_there_is_named(
    path: str, message: str, s3: S3Server, bucket: str
) -> None:
    with pytest.raises((FileNotFoundError, ValueError)) as error:
        Catalog.open(s3.uri(path.format(bucket=bucket)))
    assert message.format(bucket=bucket) in str(error.value)
    assert "region" not in str(error.value)


def test_unknown_schemes_and_options_are_refused(s3: S3Server, bucket: str) -> None:
    with pytest.raises(NotImplementedError, match="scheme 'ftp' is not read; s3"):
        Catalog.open("ftp://host/a.parquet")
    with pytest.raises(ValueError, match=r"s3://.*speling"):
        Catalog.open(s3.uri(bucket) + "&speling=1")


@pytest.mark.fault(14)
def test_credentials_of_a_uri_are_kept_to_the_client(s3: S3Server, bucket: str) -> None:
    uri = s3.uri(bucket).replace("s3://", "s3://AKIDPUBLIC:hid%2Fden@")
    dataset = ParquetDataset(uri, 32, columns=["id"])
    assert sum(len(batch["id"]) for batch in dataset) == dataset.catalog.num_rows
    kept = pickle.dumps(dataset.catalog) + repr(dataset.catalog.files).encode()
    with pytest.raises(ValueError, match="speling") as error:
        Catalog.open(uri + "&speling=1")
    for text in (kept, str(error.value).encode()):
        assert b"hid" not in text
        assert b"AKIDPUBLIC" not in text


@pytest.mark.fault(4)
def test_an_overwritten_object_is_an_error_and_never_a_mix(s3: S3Server) -> None:
    name = next(BUCKETS)
    s3.request("PUT", f"/{name}")

    def put(first: int) -> None:
        file = io.BytesIO()
        table = pa.table({"x": np.arange(first, first + 1000)})
        pq.write_table(table, file, row_group_size=50, compression="none")
        s3.put(name, "a.parquet", file.getvalue())

    put(0)
    dataset = ParquetDataset(s3.uri(name), 10, memory_budget_bytes=1 << 16)
    batches = iter(dataset)
    assert next(batches)["x"].tolist() == list(range(10))
    put(5000)  # The same size.
    changed = rf"s3://{name}/a.parquet changed since it was catalogued: size was .*etag"
    read: list[Any] = []
    with pytest.raises(OSError, match=changed):
        read.extend(batches)
    assert all(batch["x"].max() < 1000 for batch in read)
    with pytest.raises(OSError, match=changed):
        ParquetMapDataset(dataset.catalog)[[0]]


def test_columns_of_a_store_are_described(s3: S3Server, bucket: str) -> None:
    catalog = Catalog.open(s3.uri(bucket))
    assert catalog.head(2)["id"].to_pylist() == [0, 1]
    columns = catalog.describe().columns
    (ids,) = (column for column in columns if column.field.name == "id")
    assert (ids.null_count, ids.minimum) == (0, 0)


def test_files_of_any_name_in_a_store_are_described(
    s3: S3Server, tmp_path: Path
) -> None:
    name = next(BUCKETS)
    for file in ("a b", "50 %", "ä"):
        pq.write_table(pa.table({"x": [7]}), tmp_path / f"{file}.parquet")
    s3.put_tree(name, tmp_path)
    catalog = Catalog.open(s3.uri(name))
    assert catalog.head().to_pylist() == [{"x": 7}] * 3
    (column,) = catalog.describe().columns
    assert (column.minimum, column.maximum) == (7, 7)
