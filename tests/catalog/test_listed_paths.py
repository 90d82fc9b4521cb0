# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What paths may be, and the files of them that are left out or come twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reading import FACES, module_of
from rowfeed import Catalog, ParquetDataset, ParquetMapDataset, SampleWriter
from s3_server import S3Server


def put(path: Path, *ids: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"id": ids}), path)
    return path


def dataset_class(face: str) -> Any:
    return module_of(face).ParquetDataset


def ids_of(dataset: Any) -> list[int]:
    return [int(row) for batch in dataset for row in batch["id"]]


@pytest.mark.parametrize("face", FACES)
def test_half_of_a_directory_was_left_out_in_silence(face: str, tmp_path: Path) -> None:
    put(tmp_path / "data" / "a.parquet", *range(6))
    left_out = put(tmp_path / "data" / "x.parquet.gzip", *range(6, 12))
    with pytest.warns(UserWarning, match=r"^1 file is left out.*x\.parquet\.gzip") as w:
        dataset = dataset_class(face)(tmp_path / "data", 100)
    assert w[0].filename == __file__
    assert ids_of(dataset) == [*range(6)]
    both = [tmp_path / "data" / "a.parquet", left_out]
    assert ids_of(dataset_class(face)(both, 100)) == [*range(12)]
    assert len(Catalog.open(f"{tmp_path}/data/*.parquet*").files) == 2


@pytest.mark.fault(34)
@pytest.mark.parametrize(
    "name",
    [
        "x.parquet.gz",
        "x.PARQUET.snappy",
        "x.parquet_1",
        "x.pq.zst",
        "x.parq.0",
        "000000_0",
    ],
)
def test_names_that_are_nearly_those_of_parquet_are_noticed(
    name: str, tmp_path: Path
) -> None:
    put(tmp_path / "d" / "a.parquet", 1)
    put(tmp_path / "d" / "k=1" / name, 1)
    with pytest.warns(UserWarning, match="1 file is left out"):
        Catalog.open(tmp_path / "d")
    (tmp_path / "d" / "a.parquet").unlink()
    with pytest.raises(FileNotFoundError, match="but files of other names"):
        Catalog.open(tmp_path / "d")


@pytest.mark.fault(34)
def test_markers_and_what_lies_beside_files_is_left_out_without_a_word(
    tmp_path: Path,
) -> None:
    put(tmp_path / "A.PARQUET", 1)
    for name in (
        "_SUCCESS",
        "_metadata",
        ".A.PARQUET.crc",
        "A.PARQUET.crc",
        "A.PARQUET.md5",
        "a.parquet.json",
        "a.parquet.tmp",
        "README.md",
        "notes.csv",
        ".hidden.parquet.gz",
        "_part.parquet.gz",
    ):
        (tmp_path / name).touch()
    assert len(Catalog.open(tmp_path).files) == 1


@pytest.mark.parametrize("face", FACES)
def test_a_file_that_is_listed_twice_came_twice_in_silence(
    face: str, tmp_path: Path
) -> None:
    path = put(tmp_path / "d" / "a.parquet", 1, 2)
    put(tmp_path / "d" / "b.parquet", 3)
    said = r"^1 file is listed more than once.*\(1 of 3 files.*a\.parquet;"
    with pytest.warns(UserWarning, match=said) as warned:
        dataset = dataset_class(face)([tmp_path / "d", path], 100)
    assert warned[0].filename == __file__
    assert ids_of(dataset) == [1, 2, 3, 1, 2]


@pytest.mark.parametrize("has_hard_links", [False, True])
def test_a_symbolic_link_to_a_listed_file_is_noticed(
    has_hard_links: bool, tmp_path: Path
) -> None:
    path = put(tmp_path / "d" / "a.parquet", 1, 2)
    (tmp_path / "d" / "b.parquet").symlink_to(path)
    if has_hard_links:
        (tmp_path / "other").hardlink_to(path)
    with pytest.warns(UserWarning, match="1 file is listed more than once"):
        catalog = Catalog.open(tmp_path / "d")
    assert catalog.num_rows == 4
    assert [file.name for file in catalog.files] == ["a.parquet", "b.parquet"]


def test_hard_links_are_files_of_their_own(tmp_path: Path) -> None:
    path = put(tmp_path / "d" / "a.parquet", 1, 2)
    (tmp_path / "d" / "b.parquet").hardlink_to(path)
    assert Catalog.open(tmp_path / "d").num_rows == 4
    with pytest.warns(UserWarning, match="1 file is listed more than once"):
        Catalog.open([tmp_path / "d", path])


def test_files_of_one_name_or_of_one_content_are_not_the_same(tmp_path: Path) -> None:
    paths = [put(tmp_path / d / "a.parquet", 1) for d in ("x", "y")]
    assert Catalog.open([*paths, put(tmp_path / "b.parquet", 1)]).num_rows == 3


def test_data_that_grows_is_warned_of_once(tmp_path: Path) -> None:
    path = put(tmp_path / "d" / "a.parquet", 1)
    (tmp_path / "d" / "b.parquet").symlink_to(path)
    put(tmp_path / "d" / "c.parquet.gzip", 2)
    with pytest.warns(UserWarning, match="left out|listed more than once") as warned:
        dataset = ParquetDataset(
            tmp_path / "d", 8, refresh="epoch", snapshot_dir=tmp_path / "epochs"
        )
    assert len(warned) == 2
    assert ids_of(dataset) == [1, 1]
    put(tmp_path / "d" / "d.parquet", 3)
    assert ids_of(dataset) == [1, 1, 3]


@pytest.mark.parametrize("face", FACES)
def test_a_home_directory_is_found(
    face: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(put(tmp_path / "data" / "a.parquet", 1).parent)
    for path in ("~/data", Path("~/data"), ["~/data/a.parquet"], "~/da*/*.parquet"):
        assert ids_of(dataset_class(face)(path, 8)) == [1]
    Catalog.open("~/data").save("~/catalog")
    assert Catalog.load("~/catalog").num_rows == 1
    dataset = ParquetDataset(
        "~/data", 8, refresh="epoch", snapshot_dir="~/epochs", filter=[("id", ">", 0)]
    )
    assert ids_of(dataset) == [1]
    assert len(
        ParquetDataset("~/data", 8, filter=[("id", ">", 0)], cache_dir="~/cache")
    )
    SampleWriter("~/samples", pa.schema({"id": pa.int64()})).close()
    made = {path.name for path in tmp_path.iterdir()}
    assert {"catalog", "epochs", "cache", "samples"} <= made
    assert not Path("~").exists()
    put(tmp_path / "data" / "~" / "data" / "x.parquet", 7)
    assert ids_of(ParquetDataset("~/data", 8)) == [7]  # It has that very name.


def test_a_home_directory_that_is_not_there_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="~nobody-of-this-name/data"):
        Catalog.open("~nobody-of-this-name/data")
    with pytest.raises(ValueError, match=r"file://~/data: .* give file:///home"):
        Catalog.open("file://~/data")


@pytest.mark.parametrize("face", FACES)
def test_what_pathlib_finds_is_taken(face: str, tmp_path: Path) -> None:
    for number in range(3):
        put(tmp_path / f"{number}.parquet", number)
    made = dataset_class(face)
    assert sorted(ids_of(made(tmp_path.glob("*.parquet"), 2))) == [0, 1, 2]
    assert ids_of(made(map(str, sorted(tmp_path.iterdir())), 2)) == [0, 1, 2]
    assert len(ParquetMapDataset(tmp_path.rglob("*.parquet"))) == 3
    assert Catalog.open(tmp_path.glob("*.parquet")).num_rows == 3
    growing = made(
        (path for path in sorted(tmp_path.glob("*.parquet"))),
        8,
        refresh="epoch",
        snapshot_dir=tmp_path / "epochs",
    )
    assert ids_of(growing) == ids_of(growing) == [0, 1, 2]
    with pytest.raises(ValueError, match="paths is empty"):
        made(tmp_path.glob("*.csv"), 2)


@pytest.mark.parametrize("wrong", [{"a.parquet"}, {"a.parquet": 1}, b"a.parquet", 7])
def test_paths_without_an_order_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="paths must be a str"):
        Catalog.open(wrong)


def test_zero_bytes_under_the_name_of_a_file_are_an_error(tmp_path: Path) -> None:
    put(tmp_path / "a.parquet", 1)
    (tmp_path / "b.parquet").touch()
    with pytest.raises(ValueError, match=r"b\.parquet"):
        Catalog.open(tmp_path)


@pytest.mark.parametrize("scheme", ["s3a", "s3n", "S3A"])
def test_hadoops_names_of_s3_are_taken(
    scheme: str, s3: S3Server, tmp_path: Path
) -> None:
    put(tmp_path / "d" / "a.parquet", 1)
    bucket = f"bucket-{scheme.lower()}-{scheme.isupper():d}"
    s3.put_tree(bucket, tmp_path)
    catalog = Catalog.open(s3.uri(f"{bucket}/d").replace("s3", scheme, 1))
    assert ids_of(ParquetDataset(catalog, 4)) == [1]
    assert catalog.files[0].path.startswith("s3://")
    assert catalog.fingerprint == Catalog.open(tmp_path / "d").fingerprint
    with pytest.raises(TypeError, match="a URI must be given as a str"):
        Catalog.open(Path(f"{scheme}://{bucket}/d"))


def test_objects_are_noticed_as_files_are(s3: S3Server, tmp_path: Path) -> None:
    put(tmp_path / "a.parquet", 1)
    put(tmp_path / "b.parquet.gz", 1)
    s3.put_tree("noticed", tmp_path)
    with pytest.warns(UserWarning, match=r"s3://noticed/(b\.parquet\.gz|a\.parq)") as w:
        Catalog.open([s3.uri("noticed"), s3.uri("noticed/a.parquet")])
    assert len(w) == 2
