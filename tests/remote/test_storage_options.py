# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`storage_options` and `filesystem`: what other libraries say of a store."""

from __future__ import annotations

import itertools
import json
import os
import pickle
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.fs as pafs
import pytest

import rowfeed
from numbered_rows import GROUP_ROWS, write_numbers
from reading import FACES, module_of
from rowfeed import Catalog, ParquetDataset, ParquetMapDataset
from rowfeed._catalog.paths import DataPaths
from s3_server import S3Server

fsspec = pytest.importorskip("fsspec")

BUCKETS = (f"options-{i}" for i in itertools.count())
SECRET = "very/HIDDEN+part"


class S3Alike(fsspec.AbstractFileSystem):  # type: ignore[misc, name-defined]
    """A file system of fsspec with the protocol and the options of s3fs."""

    protocol = ("s3", "s3a")

    def __init__(
        self, anon: bool = False, endpoint_url: str | None = None, **options: Any
    ) -> None:
        super().__init__(anon=anon, endpoint_url=endpoint_url, **options)


class AzureAlike(fsspec.AbstractFileSystem):  # type: ignore[misc, name-defined]
    protocol = "abfs"


class HttpAlike(fsspec.AbstractFileSystem):  # type: ignore[misc, name-defined]
    protocol = ("http", "https")


@pytest.fixture(scope="module")
def bucket(s3: S3Server, tmp_path_factory: pytest.TempPathFactory) -> str:
    root = tmp_path_factory.mktemp("local")
    write_numbers(root / "data/year=2023", GROUP_ROWS)
    name = next(BUCKETS)
    s3.put_tree(name, root)
    return name


def uris(paths: Any, **given: Any) -> list[str]:
    """Returns the URIs that paths and options become."""
    options, filesystem = given.get("storage_options"), given.get("filesystem")
    found = DataPaths.of(paths, True, options, filesystem)
    return [os.fsdecode(path) for path in found.encoded]


def options_of(s3: S3Server) -> dict[str, dict[str, Any]]:
    """Returns the options of one store, in the words of different libraries."""
    address = f"127.0.0.1:{s3.port}"
    return {
        "fsspec": {
            "key": "tests",
            "secret": SECRET,
            "endpoint_url": f"http://{address}",
            "client_kwargs": {"region_name": "us-east-1"},
            "use_listings_cache": False,
        },
        "Polars": {
            "aws_access_key_id": "tests",
            "aws_secret_access_key": SECRET,
            "aws_endpoint_url": f"http://{address}",
            "aws_region": "us-east-1",
            "aws_allow_http": "true",
        },
        "pyarrow": {
            "access_key": "tests",
            "secret_key": SECRET,
            "endpoint_override": address,
            "scheme": "http",
            "region": "us-east-1",
        },
    }


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("words", ["fsspec", "Polars", "pyarrow"])
def test_the_same_rows_come_whichever_words_are_used(
    words: str, face: str, s3: S3Server, bucket: str
) -> None:
    module = module_of(face)
    read = module.ParquetDataset(
        f"s3://{bucket}/data", 1000, storage_options=options_of(s3)[words]
    )
    (batch,) = list(read)
    (expected,) = list(ParquetDataset(s3.uri(f"{bucket}/data"), 1000))
    assert np.array_equal(np.asarray(batch["id"]), expected["id"])
    assert np.array_equal(np.asarray(batch["year"]), expected["year"])


@pytest.mark.parametrize("words", ["fsspec", "pyarrow", "filesystem"])
def test_descriptions_did_not_use_the_options_of_the_store(
    words: str, s3: S3Server, bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    given: dict[str, Any] = {"filesystem": s3_of_pyarrow(s3)}
    if words != "filesystem":
        given = {"storage_options": options_of(s3)[words]}
    path = f"{bucket}/data" if words == "filesystem" else f"s3://{bucket}/data"
    catalog = Catalog.open(path, **given)
    assert catalog.head(2)["id"].to_pylist() == [0, 1]
    assert catalog.describe().columns[0].minimum == 0
    # Secrets leave the process neither in a file nor in a pickle.
    assert SECRET.encode() not in pickle.dumps(catalog)
    again = pickle.loads(pickle.dumps(catalog))
    for look in (again.head, again.describe):
        with pytest.raises(OSError, match=r"secrets that Catalog\.open was given"):
            look()


def s3_of_pyarrow(s3: S3Server) -> Any:
    return pafs.S3FileSystem(**options_of(s3)["pyarrow"])


def s3_alike(s3: S3Server) -> Any:
    options = options_of(s3)["fsspec"]
    return S3Alike(False, options.pop("endpoint_url"), **options)


def s3_of_s3fs(s3: S3Server) -> Any:
    return pytest.importorskip("s3fs").S3FileSystem(**options_of(s3)["fsspec"])


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("make", [s3_of_pyarrow, s3_alike, s3_of_s3fs])
def test_a_file_system_says_where_paths_without_a_scheme_are(
    make: Any, face: str, s3: S3Server, bucket: str
) -> None:
    filesystem = make(s3)
    for path in (f"{bucket}/data", f"s3://{bucket}/data", f"{bucket}/d*/*/*.parquet"):
        dataset = module_of(face).ParquetDataset(path, 1000, filesystem=filesystem)
        (batch,) = list(dataset)
        assert len(batch["id"]) == dataset.catalog.num_rows == sum(GROUP_ROWS)


def test_all_that_opens_paths_takes_a_file_system(s3: S3Server, bucket: str) -> None:
    filesystem = s3_of_pyarrow(s3)
    below = pafs.SubTreeFileSystem(f"{bucket}/data", filesystem)
    catalog = Catalog.open("year=2023", filesystem=below)
    assert catalog.files[0].path.startswith(f"s3://{bucket}/data/year=")
    assert len(ParquetMapDataset("year=2023", filesystem=below)) == catalog.num_rows
    base = Catalog.open(
        f"{bucket}/data/year=2023", partitions=bucket, filesystem=filesystem
    )
    assert "year" in [field.name for field in base.schema]


def test_secrets_are_in_nothing_that_is_shown_or_kept(
    s3: S3Server, bucket: str, tmp_path: Path
) -> None:
    for given in (
        {"storage_options": options_of(s3)["fsspec"]},
        {"filesystem": s3_of_pyarrow(s3)},
    ):
        dataset = ParquetDataset(f"s3://{bucket}/data", 10, **given)
        next(iter(dataset))
        dataset.catalog.save(tmp_path / "saved")
        growing = ParquetDataset(
            f"s3://{bucket}/data",
            10,
            refresh="epoch",
            snapshot_dir=tmp_path / "snapshots",
            **given,
        )
        next(iter(growing))
        with pytest.raises(FileNotFoundError) as caught:
            ParquetDataset(f"s3://{bucket}/none", 10, **given)
        shown = [
            *(repr(dataset), dataset._repr_html_(), str(dataset.settings)),
            *(json.dumps(dataset.state_dict()), repr(growing), repr(dataset.catalog)),
            *traceback.format_exception_only(caught.value),
            *(str(file.path) for file in dataset.catalog.files),
        ]
        kept = [p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()]
        assert len(kept) >= 2
        assert not any("HIDDEN" in text for text in shown)
        assert not any(b"HIDDEN" in data for data in kept)


CARRIED: dict[str, tuple[str, dict[str, Any], str]] = {
    "gcsfs": (
        "gs://b/x",
        {"token": "anon", "project": "p", "endpoint_url": "http://localhost:9"},
        "gs://anonymous@b/x?project_id=p&endpoint_override=localhost:9&scheme=http",
    ),
    "adlfs": (
        "az://container/x",
        {"account_name": "acc", "account_key": "S/=="},
        "abfs://acc:S%2F%3D%3D@container/x",
    ),
    "adlfs with a host": (
        "abfss://container@acc.dfs.core.windows.net/x",
        {"account_name": "acc", "account_key": "S/=="},
        "abfss://container:S%2F%3D%3D@acc.dfs.core.windows.net/x",
    ),
    "a signature": (
        "abfs://container/x",
        {"account_name": "acc", "sas_token": "?sv=1&sig=a%2Bb%3D"},
        "abfs://acc@container/x?sv=1&sig=a%2Bb%3D",
    ),
    "Polars for Azure": (
        "abfs://container/x",
        {"azure_storage_account_name": "acc", "azure_client_id": "i"},
        "abfs://acc@container/x?client_id=i",
    ),
    "hdfs": ("hdfs://host:8020/x", {"user": "me"}, "hdfs://host:8020/x?user=me"),
    "a URI with options": (
        "s3://b/x?region=r",
        {"endpoint_url": "localhost:9", "use_ssl": False, "anon": False},
        "s3://b/x?region=r&endpoint_override=localhost:9&scheme=http",
    ),
    "certificates": (
        "s3://b/x",
        {"verify": "/etc/ca.pem", "profile": None, "token": ""},
        "s3://b/x?tls_ca_file_path=/etc/ca.pem",
    ),
    "nothing": ("s3://b/x", {}, "s3://b/x"),
}


@pytest.mark.parametrize(("path", "options", "uri"), CARRIED.values(), ids=CARRIED)
def test_options_become_a_uri(path: str, options: dict[str, Any], uri: str) -> None:
    assert uris(path, storage_options=options) == [uri]


def test_file_systems_become_uris(tmp_path: Path) -> None:
    here = str(tmp_path)
    azure = pafs.AzureFileSystem("acc", account_key="S2V5")
    google = pafs.GcsFileSystem(anonymous=True, scheme="http", endpoint_override="h:1")
    alike = AzureAlike(account_name="acc", account_key="k")
    wrapped = pafs.PyFileSystem(pafs.FSSpecHandler(alike))
    for filesystem, path, expected in (
        (azure, "c/a?b%c", "abfs://acc:S2V5@c/a%3Fb%25c"),
        (google, "b/x", "gs://anonymous@b/x?scheme=http&endpoint_override=h:1"),
        (alike, "c/x", "abfs://acc:k@c/x"),
        (wrapped, "c/x", "abfs://acc:k@c/x"),
        (fsspec.filesystem("dir", path="c/d", fs=alike), "x", "abfs://acc:k@c/d/x"),
        (fsspec.filesystem("file"), here, here),
        (fsspec.filesystem("file"), f"file://{here}", here),
        (fsspec.filesystem("local"), "relative", "relative"),
        (pafs.LocalFileSystem(), here, here),
        (pafs.SubTreeFileSystem(here, pafs.LocalFileSystem()), "x", f"{here}/x"),
    ):
        assert uris(path, filesystem=filesystem) == [expected]


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "token": ("s3://b/x", {"token": SECRET}, "'token'.*AWS_SESSION_TOKEN"),
    "anon": ("s3://b/x", {"anon": True}, "'anon'.*leave it out"),
    "profile": ("s3://b/x", {"profile": "p"}, "'profile'.*AWS_PROFILE"),
    "role": ("s3://b/x", {"role_arn": "p"}, "'role_arn'.*AWS_PROFILE"),
    "nested": (
        "s3://b/x",
        {"client_kwargs": {"aws_session_token": SECRET}},
        r"storage_options\['client_kwargs'\] has 'aws_session_token'",
    ),
    "endpoint": (
        "s3://b/x",
        {"endpoint_url": f"http://k:{SECRET}@host"},
        "'endpoint_url'.*the host and port alone",
    ),
    "a key alone": ("s3://b/x", {"key": "k"}, "key and secret go together"),
    "unknown": (
        "s3://b/x",
        {"sekret": SECRET},
        "'sekret', which rowfeed does not know for s3; it knows key, secret, region",
    ),
    "google's token": (
        "gs://b/x",
        {"token": {"private_key": SECRET}},
        "'token'.*GOOGLE_APPLICATION_CREDENTIALS",
    ),
    "connection string": (
        "az://c/x",
        {"connection_string": f"AccountKey={SECRET}"},
        "'connection_string'.*account_key",
    ),
    "no account": ("az://c/x", {"anon": True}, "no account_name"),
    "other account": (
        "abfs://c@other.dfs.core.windows.net/x",
        {"account_name": "acc"},
        "different accounts",
    ),
    "twice": ("s3://b/x?region=r", {"region": "s"}, "both have region"),
    "keys twice": (
        f"s3://AK:{SECRET.replace('/', '%2F')}@b/x",
        {"key": "k", "secret": SECRET},
        "both have credentials",
    ),
    "local": ("data", {"anon": True}, "no path is one: leave them out"),
    "scheme": ("http://h/x", {"anon": True}, "not for paths of the scheme 'http'"),
}


@pytest.mark.parametrize(("path", "options", "said"), REFUSED.values(), ids=REFUSED)
def test_what_no_uri_carries_is_named_with_what_to_write(
    path: str, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        Catalog.open(path, storage_options=options)
    assert "HIDDEN" not in "".join(traceback.format_exception_only(caught.value))


def test_a_file_system_that_no_uri_stands_for_is_refused() -> None:
    token = pafs.S3FileSystem(
        access_key="k", secret_key="s", session_token=SECRET, region="r"
    )
    for filesystem, said in (
        (HttpAlike(), "is a HttpAlike, which no URI"),
        (token, "filesystem has 'session_token'.*AWS_SESSION_TOKEN"),
        (S3Alike(True), "filesystem has 'anon'"),
    ):
        with pytest.raises(ValueError, match=said):
            uris("b/x", filesystem=filesystem)
    with pytest.raises(ValueError, match="does not read paths of the scheme 'gs'"):
        uris("gs://b/x", filesystem=S3Alike())
    with pytest.raises(ValueError, match="does not read paths of the scheme 's3'"):
        uris("s3://b/x", filesystem=pafs.LocalFileSystem())
    with pytest.raises(TypeError, match=r"fsspec or of pyarrow\.fs, not of type str"):
        uris("b/x", filesystem="s3")
    with pytest.raises(TypeError, match="must be a dict, not of type str"):
        uris("s3://b/x", storage_options="anon")
    with pytest.raises(ValueError, match="exclude each other"):
        uris("b/x", storage_options={"anon": False}, filesystem=S3Alike())


def test_a_catalog_brings_its_store(tmp_path: Path) -> None:
    catalog = Catalog.open(write_numbers(tmp_path, [5], num_files=1))
    for name, value in (("storage_options", {}), ("filesystem", S3Alike())):
        with pytest.raises(TypeError, match=f"{name} .*not with a Catalog"):
            rowfeed.ParquetDataset(catalog, 2, **{name: value})  # type: ignore[arg-type]
