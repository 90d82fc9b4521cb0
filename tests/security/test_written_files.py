# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What is written has the permissions that the user asked for, and follows no links."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from growing import Folder, dataset_of
from numbered_rows import write_numbers
from rowfeed import Catalog, SampleWriter
from rowfeed._write.written_files import remove_leftovers, retire, written_files
from sampling import SCHEMA
from sampling import rows_of as samples

FILTER = [("id", "<", 5)]


def save_catalog(folder: Path) -> None:
    data = write_numbers(folder.parent / "numbers", [7], num_files=1)
    folder.mkdir(parents=True)
    Catalog.open(data).save(folder / "saved.catalog")


def count(folder: Path) -> None:
    data = write_numbers(folder.parent / "numbers", [7], num_files=1)
    assert Catalog.open(data).count(FILTER, cache_dir=folder) == 5


def snapshot(folder: Path) -> None:
    list(dataset_of(Folder(folder.parent, 0), snapshot_dir=folder))


def write_samples(folder: Path) -> None:
    with SampleWriter(folder, SCHEMA) as writer:
        writer.write(samples(0, 3))


def back_up(folder: Path) -> None:
    # ml_dtypes, which the backups need, comes with a framework.
    pytest.importorskip("ml_dtypes")
    from saved_backups import saved

    saved(folder)


WRITERS: dict[str, Callable[[Path], None]] = {
    "catalog": save_catalog,
    "counts": count,
    "snapshots": snapshot,
    "samples": write_samples,
    "backups": back_up,
}


@pytest.fixture
def umask() -> Iterator[Callable[[int], None]]:
    before = os.umask(0o022)
    yield lambda mask: void(os.umask(mask))
    os.umask(before)


def void(_: object) -> None:
    """Returns nothing."""


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o027])
@pytest.mark.parametrize("what", WRITERS)
def test_files_and_directories_have_the_permissions_of_the_umask(
    what: str, mask: int, tmp_path: Path, umask: Callable[[int], None]
) -> None:
    umask(mask)
    folder = tmp_path / "made" / what
    (tmp_path / "made").mkdir()
    WRITERS[what](folder)
    made = [folder, *folder.rglob("*")]
    assert any(path.is_file() for path in made)
    for path in made:
        full = 0o777 if path.is_dir() else 0o666
        mode = stat.S_IMODE(path.lstat().st_mode)
        assert mode == full & ~mask, path


@pytest.mark.parametrize("what", ["catalog", "counts", "snapshots"])
def test_a_link_in_the_place_of_a_file_is_replaced_and_not_followed(
    what: str, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
    WRITERS[what](first / what)
    (made,) = (first / what).iterdir()
    content = made.read_bytes()
    victim = tmp_path / "victim"
    victim.write_text("mine")
    made.unlink()
    made.symlink_to(victim)
    if what == "catalog":
        Catalog.open(first / "numbers").save(made)
    elif what == "counts":
        Catalog.open(first / "numbers").count(FILTER, cache_dir=first / what)
    else:
        again = Folder.__new__(Folder)
        again.path, again.snapshots = first / "data", first / what
        list(dataset_of(again))
    assert victim.read_text() == "mine"
    there = first / what / made.name
    assert not there.is_symlink()
    assert len(there.read_bytes()) == len(content)
    assert {path.name for path in (first / what).iterdir()} == {made.name}


def test_a_marker_that_is_a_link_was_followed(tmp_path: Path) -> None:
    write_samples(tmp_path / "data")
    (file,) = written_files(tmp_path / "data")
    marker = tmp_path / "data" / f".{file.name}.retired"
    marker.symlink_to(tmp_path / "made_by_others")
    retire(tmp_path / "data", file.name)
    assert not (tmp_path / "made_by_others").exists()


def test_pipes_and_links_that_are_called_like_samples_are_left_alone(
    tmp_path: Path,
) -> None:
    """A writer that looked into the pipe for its own mark would wait for ever."""
    data = tmp_path / "data"
    write_samples(data)
    (file,) = written_files(data)
    pipe = file.name.replace("rows-2", "rows-1")
    time, _, digits = file.name.partition("Z-")
    link = f"{time}Z-{'1' if digits[0] == '0' else '0'}{digits[1:]}"
    os.mkfifo(data / pipe)
    outside = tmp_path / "outside.parquet"
    outside.write_bytes((data / file.name).read_bytes())
    (data / link).symlink_to(outside)
    os.mkfifo(data / f".rows-{'0' * 36}-{'0' * 16}.parquet.tmp")
    with SampleWriter(data, SCHEMA, max_bytes=1) as writer:
        writer.write(samples(3, 6))
    assert outside.exists()
    assert stat.S_ISFIFO((data / pipe).lstat().st_mode)
    remove_leftovers(data)
    (left,) = written_files(data)
    assert left.name > file.name


@pytest.mark.parametrize("size", [1 << 20, 1 << 42])
def test_a_sparse_file_among_the_counts_took_all_memory(
    tmp_path: Path, size: int
) -> None:
    count(tmp_path / "counts")
    (kept,) = (tmp_path / "counts").iterdir()
    os.truncate(kept, size)
    catalog: Any = Catalog.open(tmp_path / "numbers")
    assert catalog.count(FILTER, cache_dir=tmp_path / "counts") == 5
    (kept,) = (tmp_path / "counts").iterdir()
    assert kept.stat().st_size < 1 << 20


@pytest.mark.parametrize("size", [100, 1 << 42])
def test_a_sparse_snapshot_takes_no_memory(tmp_path: Path, size: int) -> None:
    folder = Folder(tmp_path, 0)
    batches = iter(dataset_of(folder))
    next(batches)
    (kept,) = folder.snapshots.iterdir()
    os.truncate(kept, size)
    with pytest.raises(ValueError, match=f"{kept.name}|not a saved catalog"):
        dataset_of(folder).load_state_dict(batches.state_dict())


def test_counts_that_are_noise_are_counted_anew(tmp_path: Path) -> None:
    count(tmp_path / "counts")
    (kept,) = (tmp_path / "counts").iterdir()
    honest = kept.read_bytes()
    random = np.random.default_rng(0)
    for _ in range(50):
        damaged = bytearray(honest)
        for at in random.integers(0, len(honest), 4):
            damaged[at] = random.integers(0, 256)
        kept.write_bytes(damaged)
        catalog = Catalog.open(tmp_path / "numbers")
        assert catalog.count(FILTER, cache_dir=tmp_path / "counts") == 5
        assert kept.read_bytes() == honest
