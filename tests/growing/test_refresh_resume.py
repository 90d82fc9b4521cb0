# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Data that grows, and an epoch of it that goes on, or whose files have gone."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rowfeed
from growing import FILE_ROWS, Folder, dataset_of, ids_of, rows_of


def test_a_state_goes_on_in_the_epoch_that_was_and_then_with_what_is_there(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path, 0, 1)
    batches = iter(dataset_of(folder))
    for _ in range(3):
        next(batches)
    state = json.loads(json.dumps(batches.state_dict()))
    rest = rows_of(batches)
    folder.write(2)
    resumed = dataset_of(folder)
    resumed.load_state_dict(state)
    assert rows_of(resumed) == rest
    assert sorted(rows_of(resumed)) == ids_of(0, 1, 2).tolist()


def test_a_state_before_an_epoch_lists_it_anew(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder)
    list(dataset)
    state = dataset.state_dict()
    assert (state["epoch"], state["row"], state["fingerprint"]) == (1, 0, None)
    folder.write(1)
    resumed = dataset_of(folder)
    resumed.load_state_dict(state)
    assert sorted(rows_of(resumed)) == ids_of(0, 1).tolist()


def test_a_resume_with_other_columns_and_batches_is_exact(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    batches = iter(dataset_of(folder, batch_size=20))
    for _ in range(3):
        next(batches)
    state, rest = batches.state_dict(), rows_of(batches)
    folder.write(2)
    resumed = dataset_of(folder, columns=["half", "name"], batch_size=20)
    resumed.load_state_dict(state)
    halves = [half for batch in resumed for half in batch["half"].tolist()]
    assert halves == [row / 2 for row in rest]


def test_rows_whose_file_vanishes_are_fill_and_never_fewer(tmp_path: Path) -> None:
    folder = Folder(tmp_path, *range(40))
    columns = ["id", "half", "name", "parts", "__row"]
    keywords = {"columns": columns, "num_threads": 1, "shuffle_window": 80}
    expected = list(dataset_of(folder, **keywords))
    dataset = dataset_of(folder, **keywords)
    batches = iter(dataset)
    found = [next(batches)]
    for number in range(40):
        folder.remove(number)
    found += list(batches)
    lost = 0
    for batch, whole in zip(found, expected, strict=True):
        valid = batch["__valid"]
        lost += int(np.count_nonzero(~valid))
        np.testing.assert_array_equal(batch["id"], np.where(valid, whole["id"], 0))
        np.testing.assert_array_equal(batch["half"], np.where(valid, whole["half"], 0))
        for name in ("name", "parts"):
            kept = np.where(valid, np.diff(whole[name].offsets), 0)
            np.testing.assert_array_equal(np.diff(batch[name].offsets), kept)
    assert lost  # Not all: the first windows were open when the files went.
    assert dataset.stats().lost_rows == lost


def test_a_resume_whose_files_are_gone_says_so(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    batches = iter(dataset_of(folder))
    next(batches)
    state, rest = batches.state_dict(), rows_of(batches)
    folder.remove(0)
    resumed = dataset_of(folder)
    with pytest.raises(ValueError, match=r"0\.parquet is gone.*strict=False"):
        resumed.load_state_dict(state)
    resumed.load_state_dict(state, strict=False)
    found = list(resumed)
    kept = [row if row >= FILE_ROWS else 0 for row in rest]
    assert rows_of(found) == kept
    valid = np.concatenate([batch["__valid"] for batch in found])
    assert valid.tolist() == [row >= FILE_ROWS for row in rest]


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_filter_that_cannot_count_rows_of_files_that_are_gone_lists_anew(
    tmp_path: Path, how: str
) -> None:
    ids = list(range(0, 10 * FILE_ROWS, 7))
    folder = Folder(tmp_path, 0, 1, 2)
    passing = {"filter": [("id", "in", ids)], "batch_size": 5}
    batches = iter(dataset_of(folder, **passing))
    next(batches)
    state = batches.state_dict()
    folder.remove(1)
    there = {0, 2}
    if how == "replaced":
        folder.write(5)
        (folder.path / "5.parquet").rename(folder.path / "1.parquet")
        there.add(5)
    resumed = dataset_of(folder, **passing)
    gone = r"1\.parquet.*needed to count the rows that the filter lets pass"
    with pytest.raises(ValueError, match=gone):
        resumed.load_state_dict(state)
    with pytest.warns(UserWarning, match="rows of this epoch may come twice"):
        resumed.load_state_dict(state, strict=False)
    expected = [row for row in ids_of(*there).tolist() if row in ids]
    assert len(rows_of(resumed)) == len(expected) - 5
    assert sorted(rows_of(resumed)) == expected


def test_a_split_by_places_needs_no_files_that_are_gone(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1, 2)
    part = {"split": rowfeed.Split(0, 0.5), "batch_size": 5}
    batches = iter(dataset_of(folder, **part))
    next(batches)
    state, rest = batches.state_dict(), rows_of(batches)
    folder.remove(1)
    resumed = dataset_of(folder, **part)
    resumed.load_state_dict(state, strict=False)
    gone = range(FILE_ROWS, 2 * FILE_ROWS)
    assert rows_of(resumed) == [0 if row in gone else row for row in rest]


def test_a_resume_without_its_snapshot_says_so(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    batches = iter(dataset_of(folder))
    next(batches)
    state = batches.state_dict()
    for path in folder.snapshots.iterdir():
        path.unlink()
    resumed = dataset_of(folder)
    with pytest.raises(ValueError, match=state["fingerprint"]):
        resumed.load_state_dict(state)
    folder.write(2)
    with pytest.warns(UserWarning, match="rows of this epoch may come twice"):
        resumed.load_state_dict(state, strict=False)
    assert len(rows_of(resumed)) == 3 * FILE_ROWS - 16


def test_an_epoch_is_replayed_as_it_was(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder)
    epochs = []
    for number in range(1, 8):
        epochs.append(rows_of(dataset))
        folder.write(number)
    for epoch, rows in enumerate(epochs):
        dataset.set_epoch(epoch)
        assert rows_of(dataset) == rows


def test_a_snapshot_of_the_same_files_is_another_name_of_the_one_before(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path, 0, 1)
    dataset = dataset_of(folder)
    for _ in range(3):
        list(dataset)
    folder.write(2)
    list(dataset)
    *same, last = sorted(folder.snapshots.iterdir())
    assert {path.stat().st_nlink for path in same} == {3}
    assert len({path.stat().st_ino for path in same}) == 1
    assert last.stat().st_nlink == 1


def test_a_snapshot_is_written_where_the_one_before_is_no_more(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder)
    list(dataset)
    for path in folder.snapshots.iterdir():
        path.unlink()
    list(dataset)
    (path,) = folder.snapshots.iterdir()
    assert rowfeed.Catalog.load(path).num_rows == FILE_ROWS


def test_an_unusable_snapshot_dir_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    dataset = dataset_of(Folder(tmp_path, 0), snapshot_dir=tmp_path / "file" / "x")
    with pytest.raises(OSError, match="file"):
        list(dataset)


def test_a_place_in_an_epoch_that_has_not_begun_is_not_known(tmp_path: Path) -> None:
    dataset = dataset_of(Folder(tmp_path, 0))
    list(dataset)
    assert dataset.state_at(0, 1)["fingerprint"] is not None
    with pytest.raises(ValueError, match="epoch 1 has not begun"):
        dataset.state_at(1, 0)


def test_a_copy_has_an_epoch_that_has_begun_as_it_was(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder)
    before = pickle.dumps(dataset)
    assert dataset.begin_epoch() == -(-FILE_ROWS // 16)
    pickled = pickle.dumps(dataset)
    folder.write(1)
    assert sorted(rows_of(pickle.loads(before))) == ids_of(0, 1).tolist()
    for duplicate in pickle.loads(pickled), copy.copy(dataset), copy.deepcopy(dataset):
        assert sorted(rows_of(duplicate)) == ids_of(0).tolist()
        assert sorted(rows_of(duplicate)) == ids_of(0, 1).tolist()
    assert sorted(rows_of(dataset)) == ids_of(0).tolist()
    for snapshot in folder.snapshots.iterdir():
        snapshot.unlink()
    with pytest.raises(ValueError, match="copy cannot go on in epoch 0"):
        pickle.loads(pickled)


def test_a_copy_of_what_was_resumed_goes_on_in_the_same_epoch(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    batches = iter(dataset_of(folder))
    for _ in range(3):
        next(batches)
    state, rest = batches.state_dict(), rows_of(batches)
    resumed = dataset_of(folder)
    resumed.load_state_dict(state)
    folder.write(2)
    pickled = pickle.dumps(resumed)
    assert rows_of(pickle.loads(pickled)) == rest
    for snapshot in folder.snapshots.iterdir():
        snapshot.unlink()
    assert rows_of(copy.copy(resumed)) == rest  # It knows the files of its epoch.
    with pytest.raises(ValueError, match="copy cannot go on in epoch 0"):
        pickle.loads(pickled)


@pytest.mark.parametrize("how", ["pickled", "deep", "shallow"])
def test_a_copy_counted_the_rows_of_files_that_are_gone_anew(
    tmp_path: Path, how: str
) -> None:
    """It raised an error that named the file; the dataset itself delivers fill rows."""
    folder = Folder(tmp_path, 0, 1, 2)
    passing = [("id", "in", list(range(0, 10 * FILE_ROWS, 7)))]
    columns = ["id", "__valid"]
    dataset = dataset_of(folder, columns=columns, filter=passing, batch_size=5)
    steps = dataset.begin_epoch()
    folder.remove(1)
    copies: dict[str, Callable[[], Any]] = {
        "pickled": lambda: pickle.loads(pickle.dumps(dataset)),
        "deep": lambda: copy.deepcopy(dataset),
        "shallow": lambda: copy.copy(dataset),
    }
    made = copies[how]()
    ours, theirs = list(dataset), list(made)
    assert len(theirs) == len(ours) == steps
    assert rows_of(theirs) == rows_of(ours)
    valid = [batch["__valid"].tolist() for batch in theirs]
    assert valid == [batch["__valid"].tolist() for batch in ours]
    assert not all(map(all, valid))
    assert dataset.stats().lost_rows == made.stats().lost_rows > 0


def test_a_copy_within_an_epoch_whose_files_are_gone_goes_on(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1, 2)
    passing = {"filter": [("id", "in", [*range(0, 500, 3)])], "batch_size": 5}
    dataset = dataset_of(folder, **passing)
    batches = iter(dataset)
    for _ in range(2):
        next(batches)
    resumed = dataset_of(folder, **passing)
    resumed.load_state_dict(batches.state_dict())
    resumed.begin_epoch()
    folder.remove(2)
    rest = rows_of(pickle.loads(pickle.dumps(resumed)))
    assert rest == rows_of(resumed)
    assert len(rest) == len(list(range(0, 180, 3))) - 10


def test_a_pickle_of_an_earlier_version_has_no_counts(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder, filter=[("id", "<", 30)])
    dataset.begin_epoch()
    state = dataset.__getstate__()
    assert state.pop("counts")
    earlier: rowfeed.ParquetDataset = object.__new__(rowfeed.ParquetDataset)
    earlier.__setstate__(state)
    assert rows_of(earlier) == rows_of(dataset)
