# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Secrets in the URIs that are refused are in no error, whatever they were given as."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from numbered_rows import write_numbers
from rowfeed import Catalog, SampleWriter
from sampling import SCHEMA

SECRET = "SECRETPART"
URI = f"s3://AK:{SECRET}@bucket/x?secret_key={SECRET}&region=r"
GROWING: dict[str, Any] = {"refresh": "epoch", "snapshot_dir": URI}
SAMPLES: dict[str, Any] = {"max_bytes": 9, "snapshot_dir": [URI]}


def error_of(attempt: Callable[[], Any], kind: type[Exception]) -> str:
    """Returns what is said of an attempt; the secret is not in it."""
    with pytest.raises(kind) as caught:
        attempt()
    assert SECRET not in "".join(traceback.format_exception_only(caught.value))
    assert SECRET not in "".join(map(str, (caught.value.__cause__, caught.value.args)))
    return str(caught.value)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_numbers(tmp_path / "data", [7], num_files=1)


REFUSED: dict[str, Callable[[Path], Any]] = {
    "directory": lambda _: SampleWriter(URI, SCHEMA),
    "snapshot_dir": lambda data: rowfeed.ParquetDataset(data, 2, **GROWING),
    "snapshot_dir of a writer": lambda data: SampleWriter(data, SCHEMA, **SAMPLES),
    "cache_dir": lambda data: Catalog.open(data).count([("id", "<", 2)], cache_dir=URI),
    "load": lambda _: Catalog.load(URI),
    "save": lambda data: Catalog.open(data).save(URI),
}


@pytest.mark.parametrize("attempt", REFUSED.values(), ids=REFUSED.keys())
def test_a_uri_that_must_be_local_is_named_without_secrets(
    attempt: Callable[[Path], Any], data: Path
) -> None:
    said = error_of(lambda: attempt(data), NotImplementedError)
    assert "not a URI: 's3://bucket/x?region=r'" in said
    assert [path.name for path in data.parent.iterdir()] == ["data"]


@pytest.mark.parametrize("wrong", [{URI}, [URI.encode()], URI.encode(), {URI: 1}])
def test_what_is_no_path_is_named_by_its_type_alone(wrong: Any) -> None:
    assert "path" in error_of(lambda: Catalog.open(wrong), TypeError)


@pytest.mark.parametrize("uri", [f"s3://AK:{SECRET}@/x", f"s3:///{SECRET}"])
def test_a_uri_without_a_bucket_is_refused_without_secrets(uri: str) -> None:
    said = error_of(lambda: SampleWriter(uri, SCHEMA), NotImplementedError)
    assert "not a URI: 's3://…'" in said


AS_PATHS: dict[str, Callable[[Path], Any]] = {
    "open": lambda _: Catalog.open(Path(URI)),
    "open of a list": lambda data: Catalog.open([data, Path(URI)]),
    "load": lambda _: Catalog.load(Path(URI)),
    "save": lambda data: Catalog.open(data).save(Path(URI)),
    "directory": lambda _: SampleWriter(Path(URI), SCHEMA),
}


@pytest.mark.parametrize("attempt", AS_PATHS.values(), ids=AS_PATHS.keys())
def test_a_uri_in_a_path_of_pathlib_is_said_to_be_one(
    attempt: Callable[[Path], Any], data: Path
) -> None:
    said = error_of(lambda: attempt(data), TypeError)
    assert "a URI must be given as a str, not as a PosixPath: 's3://bucket/x" in said
    assert [path.name for path in data.parent.iterdir()] == ["data"]


def test_a_directory_that_is_called_like_a_scheme_can_be_read(data: Path) -> None:
    data.rename(Path("s3:"))
    Path("s3:/0.parquet").rename(Path("s3:/x.parquet"))
    assert Catalog.open(Path("s3:/x.parquet")).num_rows == 7
    catalog = Catalog.open("s3:/*.parquet")
    catalog.save(Path("s3:/catalog"))
    assert Catalog.load(Path("s3:/catalog")).num_rows == 7
