# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Catalogs, snapshots and states that others have made open no files of elsewhere."""

from __future__ import annotations

import os
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from growing import FILE_ROWS, Folder, dataset_of, rows_of
from numbered_rows import write_numbers
from rowfeed import Catalog


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """A catalog that names files of a directory which is not the user's data."""
    write_numbers(tmp_path / "elsewhere", [7], num_files=1)
    Catalog.open(tmp_path / "elsewhere").save(tmp_path / "theirs.catalog")
    return tmp_path / "theirs.catalog"


def test_a_catalog_with_files_of_elsewhere_is_refused_if_it_is_said_where_they_are(
    theirs: Path,
) -> None:
    (theirs.parent / "data").mkdir()
    for within in (
        theirs.parent / "data",
        [theirs.parent / "data", theirs.parent / "else"],
        f"{theirs.parent}/data/../data",
        "s3://bucket/elsewhere",
        "",
    ):
        with pytest.raises(ValueError, match=r"names .*elsewhere/0\.parquet|blank"):
            Catalog.load(theirs, within=within)
    for within in (
        theirs.parent,
        theirs.parent / "elsewhere",
        theirs.parent / "elsewhere" / "0.parquet",
        f"{theirs.parent}/data/../elsewhere",
        f"{theirs.parent}/else*/*.parquet",
        [theirs.parent / "data", theirs.parent / "elsewhere"],
    ):
        assert Catalog.load(theirs, within=within).num_rows == 7


def test_a_catalog_cannot_leave_its_directory_by_dots_or_by_a_scheme(
    theirs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = theirs.parent / "data"
    data.mkdir()
    monkeypatch.chdir(data)
    Catalog.open("../elsewhere").save(theirs)
    for within in (".", data, "*.parquet"):
        with pytest.raises(ValueError, match=r"names \.\./elsewhere/0\.parquet"):
            Catalog.load(theirs, within=within)
    Catalog.open(f"file://{theirs.parent}/elsewhere").save(theirs)
    with pytest.raises(ValueError, match="which is not in the paths of the data"):
        Catalog.load(theirs, within="s3://bucket?endpoint_override=evil")


def test_loading_a_catalog_opens_none_of_its_files(theirs: Path) -> None:
    catalog = Catalog.load(theirs)
    (path,) = (Path(file.path) for file in catalog.files)
    path.unlink()
    os.mkfifo(path)  # Who opens it waits for ever.
    assert Catalog.load(theirs).num_rows == 7
    assert "0.parquet" in repr(Catalog.load(theirs).files)
    with pytest.raises((OSError, ValueError), match="regular file"):
        list(rowfeed.ParquetDataset(Catalog.load(theirs), 2))


def planted(folder: Folder, dataset: Any) -> tuple[dict[str, Any], Path]:
    """Returns a state within epoch 0, and its snapshot, which names other files.

    The files are equal but for their place, so that the fingerprint is the same.
    """
    batches = iter(dataset)
    next(batches)
    state = batches.state_dict()
    elsewhere = folder.path.parent / "elsewhere"
    shutil.copytree(folder.path, elsewhere)
    (snapshot,) = folder.snapshots.iterdir()
    Catalog.open(elsewhere, columns=["id"]).save(snapshot)
    return state, snapshot


def test_a_snapshot_that_named_files_of_elsewhere_was_read(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    state, snapshot = planted(folder, dataset_of(folder))
    assert Catalog.load(snapshot).fingerprint == state["fingerprint"]
    resumed = dataset_of(folder)
    with pytest.raises(ValueError, match=r"names .*elsewhere/.*not in the paths"):
        resumed.load_state_dict(state)
    # The files of the data are listed anew. They are the same, so the epoch goes on.
    resumed.load_state_dict(state, strict=False)
    assert all(str(folder.path) in file.path for file in resumed.catalog.files)
    assert len(rows_of(resumed)) == 2 * FILE_ROWS - 16


def test_a_copy_does_not_read_a_snapshot_of_files_of_elsewhere(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    dataset = dataset_of(folder)
    dataset.begin_epoch()
    pickled = pickle.dumps(dataset)
    planted(folder, dataset)
    with pytest.raises(ValueError, match=r"copy cannot go on.*not in the paths"):
        pickle.loads(pickled)


def test_an_epoch_goes_on_through_another_name_of_its_directory(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    batches = iter(dataset_of(folder))
    next(batches)
    state, rest = batches.state_dict(), rows_of(batches)
    (tmp_path / "link").symlink_to(folder.path)
    folder.path = tmp_path / "link"
    resumed = dataset_of(folder)
    resumed.load_state_dict(state)
    assert rows_of(resumed) == rest


@pytest.mark.parametrize(
    "fingerprint",
    ["../../../../etc/passwd", "/etc/passwd", "a" * 31 + "/", "\0" * 32, "A" * 32, ""],
)
def test_a_fingerprint_is_no_part_of_a_path_unless_it_is_digits(
    tmp_path: Path, fingerprint: str
) -> None:
    dataset = dataset_of(Folder(tmp_path, 0))
    list(dataset)
    state = {**dataset.state_dict(), "epoch": 0, "fingerprint": fingerprint}
    with pytest.raises(ValueError, match="32 hexadecimal digits"):
        dataset.load_state_dict(state)
    snapshots = dataset._parameters.epochs.snapshots
    assert snapshots is not None
    with pytest.raises(ValueError, match="32 hexadecimal digits"):
        snapshots.resume(0, fingerprint, may_be_gone=True)
