# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Paths that are blank, hidden, twice partitioned or without a readable file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reading import FACES, module_of
from rowfeed import Catalog

TABLE = pa.table({"x": [1, 2, 3]})


def write(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(TABLE, path)
    return path


def unreadable(root: Path) -> Path:
    write(root / "a.parquet").chmod(0)
    return root


def folders(root: Path) -> Path:
    (root / "a/b").mkdir(parents=True)
    return root


def folder_of(*names: str) -> Callable[[Path], Path]:
    """Returns a function that writes files that are no data, and returns their root."""

    def make(root: Path) -> Path:
        for name in names:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"")
        return root

    return make


REFUSED: dict[str, tuple[Callable[[Path], Any], type[Exception], str]] = {
    "an empty list": (lambda _: [], ValueError, "paths is empty: .*found nothing"),
    "an iterator of nothing": (lambda _: iter(()), ValueError, "paths is empty"),
    "an empty string": (lambda _: "", ValueError, "a path is blank: ''"),
    "a space": (lambda _: " ", ValueError, "a path is blank: ' '"),
    "a blank among paths": (lambda p: [p, ""], ValueError, "a path is blank: ''"),
    "nothing": (
        lambda p: p,
        FileNotFoundError,
        r"no \*\.parquet.*a directory that has",
    ),
    "empty folders": (
        folders,
        FileNotFoundError,
        "give a directory that has such files",
    ),
    "hidden files": (
        folder_of(".a.parquet", "_b.parquet"),
        FileNotFoundError,
        r"names that begin with '\.' or '_' are skipped, such as [._][ab]\.parquet",
    ),
    "a hidden folder": (
        folder_of(".tmp/a.parquet"),
        FileNotFoundError,
        r"are skipped, such as \.tmp/a\.parquet",
    ),
    "no data": (
        folder_of("readme.txt"),
        FileNotFoundError,
        r"it has other files, such as readme\.txt",
    ),
    "an empty file": (
        folder_of("a.parquet"),
        ValueError,
        r"a\.parquet is not a Parquet file: its 0 bytes",
    ),
    "a key with two values": (
        lambda p: write(p / "k=1/k=2/a.parquet").parents[2],
        ValueError,
        r"k=1/k=2/a\.parquet: the directories k=1 and k=2 .* partitions=",
    ),
}
if os.geteuid():  # Root may read all files.
    REFUSED["a file that may not be read"] = (
        unreadable,
        PermissionError,
        r"a\.parquet",
    )


@pytest.mark.fault(34)
@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("name", REFUSED)
def test_a_path_that_leads_to_no_data_is_an_error_that_says_why(
    name: str, face: str, tmp_path: Path
) -> None:
    make, kind, said = REFUSED[name]
    with pytest.raises(kind, match=said):
        module_of(face).ParquetDataset(make(tmp_path), 2)


READ: dict[str, tuple[str, list[str]]] = {
    "a directory without a key": ("=1/a.parquet", ["x"]),
    "a directory of a sign": ("=/a.parquet", ["x"]),
    "an empty value": ("k=/a.parquet", ["x", "k"]),
    "a space as a value": ("k= /a.parquet", ["x", "k"]),
    "a space as a name": (" /a.parquet", ["x"]),
    "a key twice with one value": ("k=1/k=1/a.parquet", ["x", "k"]),
    "a key that is a column": ("x=7/a.parquet", ["x"]),
}


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("name", READ)
def test_an_odd_directory_is_read_as_what_it_is(
    name: str, face: str, tmp_path: Path
) -> None:
    path, columns = READ[name]
    write(tmp_path / path)
    dataset = module_of(face).ParquetDataset(tmp_path, 3)
    (batch,) = list(dataset)
    assert list(batch) == columns
    assert [int(x) for x in batch["x"]] == [1, 2, 3]


def test_a_key_with_two_values_is_read_if_the_user_says_where_keys_begin(
    tmp_path: Path,
) -> None:
    write(tmp_path / "k=1/k=2/a.parquet")
    below = Catalog.open(tmp_path, partitions=tmp_path / "k=1")
    assert [field.name for field in below.schema] == ["x", "k"]
    assert [f.name for f in Catalog.open(tmp_path, partitions=False).schema] == ["x"]


def test_a_directory_that_is_called_a_space_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / " /a.parquet")
    monkeypatch.chdir(tmp_path)
    assert Catalog.open(" ").num_rows == 3
