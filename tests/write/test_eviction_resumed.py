# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Epochs that run keep their files, also beside those of a run that crashed later."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import rowfeed
from evicted_files import save_snapshot, write_files
from rowfeed._write.eviction import Eviction
from rowfeed._write.written_files import retire, written_files


def begin(folder: Path, epoch: int) -> str:
    """Begins an epoch of a new file, which no later one has; returns its name."""
    time.sleep(0.02)  # Times of file systems are coarse.
    write_files(folder / "data", 1)
    (name,) = save_snapshot(folder / "data", folder / "epochs", epoch)
    retire(folder / "data", name)
    return name


def left(folder: Path, keep_epochs: int) -> set[str]:
    """Returns the files that stay when those of old epochs are removed."""
    eviction = Eviction(folder / "data", 10**9, [folder / "epochs"], keep_epochs)
    assert eviction.make_room(0) == ""
    return {file.name for file in written_files(folder / "data")}


def test_the_epoch_that_runs_after_a_resume_keeps_its_files_beside_later_ones(
    tmp_path: Path,
) -> None:
    names = [begin(tmp_path, epoch) for epoch in (0, 1, 2, 3, 4, 5, 2, 3)]
    assert left(tmp_path, 2) == {*names[-4:]}


def test_an_epoch_that_is_a_link_to_an_earlier_one_is_as_new_as_the_link(
    tmp_path: Path,
) -> None:
    first = begin(tmp_path, 1)
    (path,) = (tmp_path / "epochs").iterdir()
    last = [begin(tmp_path, epoch) for epoch in (6, 7)][-1]
    time.sleep(0.02)
    path.with_name(path.name.replace("-00000001-", "-00000002-")).hardlink_to(path)
    assert left(tmp_path, 1) == {first, last}


def test_rows_of_epochs_after_a_resume_are_not_lost(tmp_path: Path) -> None:
    data, snapshots = tmp_path / "data", tmp_path / "snapshots"
    write_files(data, 20)
    limit = sum(file.size for file in written_files(data))

    def dataset() -> rowfeed.ParquetDataset:
        return rowfeed.ParquetDataset(
            data, 100, refresh="epoch", snapshot_dir=snapshots, num_threads=1
        )

    crashed = dataset()
    for epoch in range(6):
        if epoch == 2:
            state = crashed.state_dict()
        list(crashed)
        write_files(data, 1, max_bytes=limit, snapshot_dir=snapshots)
        time.sleep(0.02)
    resumed = dataset()
    resumed.load_state_dict(state)
    for _ in range(2):
        batches = iter(resumed)
        next(batches)
        write_files(data, 30, max_bytes=limit, snapshot_dir=snapshots)
        assert all(batch["__valid"].all() for batch in batches)


def test_an_epoch_that_goes_on_in_its_middle_keeps_its_files(tmp_path: Path) -> None:
    data, snapshots = tmp_path / "data", tmp_path / "snapshots"
    write_files(data, 20)
    limit = sum(file.size for file in written_files(data))
    options: dict[str, Any] = {
        "refresh": "epoch",
        "snapshot_dir": snapshots,
        "num_threads": 1,
    }
    crashed = rowfeed.ParquetDataset(data, 100, **options)
    batches = iter(crashed)
    next(batches)
    state = crashed.state_dict()
    list(batches)
    for _ in range(3):
        time.sleep(0.02)
        list(crashed)
    resumed = rowfeed.ParquetDataset(data, 100, **options)
    resumed.load_state_dict(state)
    time.sleep(0.02)
    write_files(data, 30, max_bytes=limit, snapshot_dir=snapshots, keep_epochs=1)
    assert all(batch["__valid"].all() for batch in resumed)
