# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Data that grows: each epoch is what was there when it began."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rowfeed
from growing import FILE_ROWS, SHUFFLED, Folder, dataset_of, ids_of, rows_of, table


def test_new_files_join_and_vanished_ones_leave_when_an_epoch_begins(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path, 0, 1)
    dataset = dataset_of(folder)
    assert sorted(rows_of(dataset)) == ids_of(0, 1).tolist()
    folder.write(2)
    assert sorted(rows_of(dataset)) == ids_of(0, 1, 2).tolist()
    folder.remove(0)
    assert sorted(rows_of(dataset)) == ids_of(1, 2).tolist()


def test_files_that_come_or_go_within_an_epoch_do_not_change_it(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    dataset = dataset_of(folder)
    batches = iter(dataset)
    rows = next(batches)["id"].tolist()
    folder.write(2)
    rows += rows_of(batches)
    assert sorted(rows) == ids_of(0, 1).tolist()


def test_several_epochs_of_one_iteration_are_each_listed(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    batches = iter(dataset_of(folder, num_epochs=2, batch_size=FILE_ROWS))
    assert len(next(batches)["id"]) == FILE_ROWS
    folder.write(1)
    assert sorted(rows_of(batches)) == ids_of(0, 1).tolist()


def test_the_order_of_an_epoch_is_that_of_its_files_alone(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    grown = dataset_of(folder, shuffle_window=500)
    list(grown)
    folder.write(1)
    fixed = rowfeed.ParquetDataset(
        folder.path,
        16,
        columns=["id"],
        first_epoch=1,
        **{**SHUFFLED, "shuffle_window": 500},
    )
    assert rows_of(grown) == rows_of(fixed)


def test_a_replaced_file_is_new(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    dataset = dataset_of(folder)
    list(dataset)
    pq.write_table(table(7), folder.path / "new.tmp")
    (folder.path / "new.tmp").rename(folder.path / "0.parquet")
    assert sorted(rows_of(dataset)) == ids_of(1, 7).tolist()


@pytest.mark.parametrize("content", [b"", b"PAR1 and then some of it", b"text"])
def test_a_file_that_is_not_complete_joins_when_it_is(
    tmp_path: Path, content: bytes
) -> None:
    folder = Folder(tmp_path, 1)
    (folder.path / "0.parquet").write_bytes(content)
    dataset = dataset_of(folder)
    assert sorted(rows_of(dataset)) == ids_of(1).tolist()
    folder.write(0)
    assert sorted(rows_of(dataset)) == ids_of(0, 1).tolist()


def test_footers_are_read_once(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    dataset = dataset_of(folder)
    list(dataset)
    # What is known is not looked at: a footer that has become nonsense, size and mtime
    # being the same, would be an error.
    path = folder.path / "1.parquet"
    stamp, content = path.stat(), path.read_bytes()
    with path.open("r+b") as file:
        file.seek(len(content) - 30)
        file.write(b"\xff" * 20)
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    folder.write(2)
    assert sorted(rows_of(dataset)) == ids_of(0, 1, 2).tolist()


def test_a_damaged_new_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder)
    list(dataset)
    (folder.path / "1.parquet").write_bytes(b"PAR1" + b"\xff" * 60 + b"PAR1")
    with pytest.raises((OSError, ValueError), match=r"1\.parquet"):
        list(dataset)
    (folder.path / "1.parquet").unlink()
    assert sorted(rows_of(dataset)) == ids_of(0).tolist()


def test_a_new_file_with_other_columns_is_an_error_that_names_both(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder)
    list(dataset)
    pq.write_table(pa.table({"id": ["text"]}), folder.path / "1.parquet")
    with pytest.raises(
        ValueError, match=r"'id' is int64 in .*0\.p.*, string in .*1\.pa"
    ):
        list(dataset)
    folder.remove(0)  # Nor may the type change with all files.
    with pytest.raises(ValueError, match=r"'id' is string in .*1\.parquet, int64 in "):
        list(dataset)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    data=st.data(),
    batch_size=st.integers(1, 50),
    num_lanes=st.integers(1, 3),
)
def test_no_row_comes_twice_however_files_come_and_go(
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
    batch_size: int,
    num_lanes: int,
) -> None:
    folder = Folder(tmp_path_factory.mktemp("growing"), 0)
    dataset = dataset_of(folder, batch_size=batch_size, num_lanes=num_lanes)
    there, following = {0}, 1
    for _ in range(4):
        expected = ids_of(*there).tolist()
        batches = iter(dataset)
        rows = next(batches)["id"].tolist()
        for _ in range(data.draw(st.integers(0, 2))):
            folder.write(following)
            there.add(following)
            following += 1
        if data.draw(
            st.booleans()
        ):  # Stops and goes on in another process, as it were.
            state = batches.state_dict()
            dataset = dataset_of(folder, batch_size=batch_size, num_lanes=num_lanes)
            dataset.load_state_dict(state)
            batches = iter(dataset)
        rows += rows_of(batches)
        assert sorted(rows) == expected
        if len(there) > 1 and data.draw(st.booleans()):
            gone = data.draw(st.sampled_from(sorted(there)))
            folder.remove(gone)
            there.remove(gone)


def test_a_filter_holds_in_files_that_join(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder, filter=[("id", "in", list(range(0, 900, 7)))])
    expected = [row for row in ids_of(0) if row % 7 == 0]
    assert sorted(rows_of(dataset)) == expected
    folder.write(1)
    assert sorted(rows_of(dataset)) == [row for row in ids_of(0, 1) if row % 7 == 0]
    batches = iter(dataset)
    rows = next(batches)["id"].tolist()
    folder.remove(0)
    rows += rows_of(batches)
    assert sorted(rows) == [row for row in ids_of(0, 1) if row % 7 == 0]


def test_begin_epoch_tells_the_batches_of_the_epoch_that_comes(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder, batch_size=FILE_ROWS)
    assert dataset.begin_epoch() == 1
    folder.write(1)  # Too late for this epoch.
    assert len(list(dataset)) == 1
    assert dataset.begin_epoch() == 2
    with pytest.raises(TypeError, match="begin_epoch"):
        len(dataset)


def test_transform_sees_the_epochs_as_they_are(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder, transform=lambda batch: batch["id"] * 2, num_epochs=2)
    batches = iter(dataset)
    rows = next(batches).tolist()
    folder.write(1)
    rows += [row for batch in batches for row in batch.tolist()]
    expected = [*ids_of(0), *ids_of(0, 1)]
    assert sorted(rows) == sorted(2 * np.array(expected))


def test_fixed_lists_and_labels_have_fill(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    parts = rowfeed.Column("parts", pad=rowfeed.Padded(2))
    spec = {"parts": parts, "__valid": "__valid"}
    dataset = dataset_of(folder, columns=spec, label="half")
    features, label = next(iter(dataset))[:2]
    assert features["parts"].shape == (16, 2)
    assert label.shape == features["__valid"].shape == (16,)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"refresh": "batch"}, ValueError, "refresh must be 'epoch' or None"),
        ({"refresh": None}, ValueError, "go together"),
        ({"snapshot_dir": None}, ValueError, "go together"),
        ({"rank": 0, "world_size": 2}, ValueError, "world_size=2: files may come"),
        ({"columns": ["id", "_valid"]}, KeyError, "_valid"),
    ],
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, keywords: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        dataset_of(Folder(tmp_path, 0), **keywords)


def test_a_catalog_cannot_be_listed_anew(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    with pytest.raises(TypeError, match="give paths, not a Catalog"):
        rowfeed.ParquetDataset(
            rowfeed.Catalog.open(folder.path), 16, **folder.keywords()
        )


def test_an_empty_directory_is_an_error_and_not_an_end(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder)
    list(dataset)
    folder.remove(0)
    with pytest.raises(FileNotFoundError, match="data"):
        list(dataset)
    folder.write(1)
    assert sorted(rows_of(dataset)) == ids_of(1).tolist()


def test_a_file_that_goes_while_a_filter_is_counted_is_not_of_the_epoch(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path, *range(300))
    ids = list(range(0, 300 * FILE_ROWS, 7))
    dataset = dataset_of(folder, filter=[("id", "in", ids)], num_threads=1)

    def remove() -> None:
        for number in range(150):
            folder.remove(number)

    removing = threading.Timer(0.01, remove)
    removing.start()
    dataset.begin_epoch()
    removing.join()
    rows = rows_of(dataset)
    assert {*rows} - {0} <= {*ids}
    assert {id for id in ids if id >= 150 * FILE_ROWS} <= {*rows}


def test_what_was_listed_and_counted_needs_no_files_on_another_rank(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path, 0, 1)
    passes = [("id", "in", [3, 5, FILE_ROWS + 1])]
    first, second = (dataset_of(folder, filter=passes) for _ in range(2))
    assert first._parameters.epochs.snapshots is not None
    assert second._parameters.epochs.snapshots is not None
    assert first._parameters.epochs.snapshots.begin(0) == 3
    listing = first._parameters.epochs.snapshots.save(0)
    folder.remove(1)
    second._parameters.epochs.snapshots.load(0, listing)
    assert second._parameters.epochs.snapshots.begin(0) == 3
    assert sorted(rows_of(second)) == [0, 3, 5]
    with pytest.raises(ValueError, match="not an epoch's listing"):
        second._parameters.epochs.snapshots.load(1, listing[:-1])
