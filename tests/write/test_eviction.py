# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A full directory loses its oldest files, and never one that must stay."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowfeed
from evicted_files import ROWS, SCHEMA, save_snapshot, write_and_evict, write_files
from rowfeed import SampleWriter
from rowfeed._write.eviction import Eviction, oldest
from rowfeed._write.written_files import WrittenFile, retire, written_files


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def file_bytes(directory: Path) -> int:
    """Returns the size of a file, about which all have."""
    return max(path.stat().st_size for path in directory.iterdir())


@given(
    sizes=st.lists(st.integers(1, 9), max_size=12),
    excess=st.integers(-5, 60),
    foreign=st.sets(st.integers(0, 11)),
)
def test_oldest_files_go_until_there_is_room(
    sizes: list[int], excess: int, foreign: set[int]
) -> None:
    files = [WrittenFile(f"{i:02}", size) for i, size in enumerate(sizes)]
    going = oldest(files, excess, lambda name: int(name) not in foreign)
    found = [int(file.name) for file in going]
    ours = [i for i in range(len(sizes)) if i not in foreign]
    assert found == ours[: len(found)]  # The oldest, in order.
    if found:  # Without the last one there would not be room.
        assert sum(sizes[: found[-1]]) < excess
    if len(found) < len(ours):  # With it there is.
        assert sum(sizes[: ours[len(found)]]) >= excess


@given(
    num_files=st.integers(0, 6),
    max_files=st.integers(1, 6),
    kept=st.sets(st.integers(0, 5)),
)
def test_directory_is_as_a_list_of_files_would_be(
    num_files: int,
    max_files: int,
    kept: set[int],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("samples")
    write_files(folder, num_files)
    before = names(folder)
    snapshots = tmp_path_factory.mktemp("snapshots")
    for i, name in enumerate(before):
        if i not in kept:
            (folder / name).rename(snapshots / name)
    if {*range(num_files)} & kept:
        save_snapshot(folder, snapshots, 3)
    for path in snapshots.glob("*.parquet"):
        path.rename(folder / path.name)
    size = max((path.stat().st_size for path in folder.glob("*.parquet")), default=1)
    too_old = max(0, min(num_files, num_files + 1 - max_files))
    eviction = Eviction(folder, max_files * size, [snapshots])
    for _ in range(2):  # Retired, then removed.
        assert eviction.make_room(size) == ""
        listed = [file.name for file in written_files(folder) if not file.is_retired]
        assert listed == before[too_old:]
    there = sorted(path.name for path in folder.glob("rows-*.parquet"))
    assert there == [before[i] for i in range(num_files) if i >= too_old or i in kept]
    markers = sorted(path.name for path in folder.glob(".rows-*.retired"))
    assert markers == [f".{name}.retired" for name in there if name not in listed]


def test_writer_stays_under_its_limit(tmp_path: Path) -> None:
    write_files(tmp_path / "a", 1)
    size = file_bytes(tmp_path / "a")
    write_files(tmp_path / "b", 20, max_bytes=3 * size + size // 2)
    assert len(names(tmp_path / "b")) == 3
    rows = rowfeed.Catalog.open(tmp_path / "b").take(slice(None))["x"][:, 0]
    assert sorted({*rows.tolist()}) == [17, 18, 19]
    # The limit is that of the writer that comes.
    write_files(tmp_path / "b", 1, max_bytes=size)
    assert len(names(tmp_path / "b")) == 1


def test_what_a_writer_did_not_write_stays_and_does_not_count(tmp_path: Path) -> None:
    foreign = pa.table({"x": [[1.0] * 16] * 10_000})
    looks_like = "rows-20200101T000000.000000Z-0123456789abcdef.parquet"
    stranger = "rows-20200101T000000.000001Z-0123456789abcdef.parquet"
    pq.write_table(foreign, tmp_path / "mine.parquet")
    pq.write_table(foreign, tmp_path / looks_like)
    (tmp_path / stranger).write_bytes(b"no Parquet")
    (tmp_path / "notes").touch()
    write_files(tmp_path / "deeper", 2)
    before = {*names(tmp_path)}
    write_files(tmp_path, 2, max_bytes=1)
    after = {*names(tmp_path)}
    assert before < after
    assert len(after - before) == 1
    assert len(names(tmp_path / "deeper")) == 2


def test_files_of_the_newest_epochs_stay(tmp_path: Path) -> None:
    data, snapshots = tmp_path / "data", tmp_path / "snapshots"
    write_files(data, 2)
    size = file_bytes(data)
    named = []
    for epoch in range(5):
        named.append(save_snapshot(data, snapshots, epoch))
        assert len(named[-1]) == 2  # What is retired is listed no more.
        write_files(data, 1, max_bytes=2 * size, snapshot_dir=snapshots)
        there = {*names(data)}
        for recent in named[-2:]:
            assert recent <= there
        files = [name for name in there if not name.endswith(".retired")]
        assert len(files) <= 5  # The limit, two that epochs keep, and one that is new.
    assert len({name for epoch in named for name in epoch}) == 6  # Data is fresh.


def test_each_reader_has_its_snapshots(tmp_path: Path) -> None:
    data, torch, keras = (tmp_path / name for name in ("data", "torch", "keras"))
    write_files(data, 1)
    first = save_snapshot(data, keras, 2)
    write_files(data, 1)
    for epoch in (6, 7, 8):
        last = save_snapshot(data, torch, epoch)
    write_files(data, 1)
    eviction = Eviction(data, 1, [keras, torch, tmp_path / "none yet"], 1)
    for _ in range(2):
        assert eviction.make_room(1) == ""
    files = {name for name in names(data) if not name.startswith(".")}
    assert files == first | last


@pytest.mark.parametrize("damage", [b"", b"half of a ", None])
def test_nothing_goes_while_a_snapshot_cannot_be_read(
    damage: bytes | None, tmp_path: Path
) -> None:
    data, snapshots = tmp_path / "data", tmp_path / "snapshots"
    write_files(data, 3)
    save_snapshot(data, snapshots, 1)
    path = snapshots / f"epoch-00000002-{32 * '0'}.catalog"
    if damage is None:
        path.mkdir()
    else:
        path.write_bytes(damage)
    with pytest.warns(UserWarning, match="nothing is removed while a snapshot cannot"):
        write_files(data, 2, max_bytes=1, snapshot_dir=snapshots)
    assert len([*data.glob("rows-*")]) == 5
    write_files(data, 1)
    for epoch in (3, 4):  # Newer ones are whole: the damaged one is too old to matter.
        save_snapshot(data, snapshots, epoch)
    write_files(data, 2, max_bytes=1, snapshot_dir=str(snapshots))
    assert len([*data.glob("rows-*")]) <= 4


def test_half_written_snapshots_have_other_names(tmp_path: Path) -> None:
    data, snapshots = tmp_path / "data", tmp_path / "snapshots"
    write_files(data, 3)
    snapshots.mkdir()
    (snapshots / f".epoch-00000002-{32 * '0'}.catalog-0123456789abcdef").touch()
    (snapshots / f"epoch-00000002-{32 * '0'}.catalog.7-1-2.tmp").touch()
    write_files(data, 2, max_bytes=1, snapshot_dir=snapshots)
    assert len([*data.glob("rows-*")]) == 2  # One is retired, one is new.


def test_markers_of_files_that_are_gone_go(tmp_path: Path) -> None:
    write_files(tmp_path, 1)
    (name,) = names(tmp_path)
    retire(tmp_path, name)
    SampleWriter(tmp_path, SCHEMA).close()
    assert len(names(tmp_path)) == 2
    (tmp_path / name).unlink()
    SampleWriter(tmp_path, SCHEMA).close()
    assert names(tmp_path) == []


def test_file_that_cannot_be_removed_does_not_stop_the_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, 2)

    def unlink(self: Path, **_: bool) -> None:
        raise PermissionError(1, "Operation not permitted", str(self))

    monkeypatch.setattr(Path, "unlink", unlink)
    with pytest.warns(UserWarning, match="cannot remove a file.*not permitted"):
        write_files(tmp_path, 1, max_bytes=1)
    assert len(names(tmp_path)) == 3


def bytes_in(directory: Path) -> int:
    total = 0
    for path in directory.glob("rows-*.parquet"):
        try:
            total += path.stat().st_size
        except FileNotFoundError:
            continue
    return total


def test_many_writers_evict_at_once_beside_a_reader(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_files(data, 1)
    size, num_writers = file_bytes(data), 4
    limit = 10 * size
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["rowfeed"])
    writers = [
        context.Process(target=write_and_evict, args=(data, 4, limit))
        for _ in range(num_writers)
    ]
    for writer in writers:
        writer.start()
    opened, vanished, totals = 0, 0, []
    while any(writer.is_alive() for writer in writers):
        totals.append(bytes_in(data))
        try:
            catalog = rowfeed.Catalog.open(data)
            opened += 1
            assert catalog.num_rows % ROWS == 0  # Never a part of a file.
        except FileNotFoundError:
            vanished += 1  # Evicted between its listing and its footer.
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    # One file more for each writer; and a listing sees files that are gone meanwhile.
    assert max(totals) <= limit + 2 * num_writers * size
    assert opened + vanished > 10
    left = names(data)
    # A writer removes no more than it needs: with the last file the limit was reached.
    assert limit - size <= bytes_in(data) <= limit + num_writers * size
    assert not [name for name in left if name.endswith(".tmp")]
    pids = rowfeed.Catalog.open(data).take(slice(None))["x"][:, 0]
    assert len(pids) == ROWS * len(left)


def test_epochs_are_read_beside_writers_that_evict(tmp_path: Path) -> None:
    data, snapshots = tmp_path / "data", tmp_path / "snapshots"
    write_files(data, 1)
    limit = 12 * file_bytes(data)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["rowfeed"])
    writers = [
        context.Process(target=write_and_evict, args=(data, 4, limit, snapshots))
        for _ in range(2)
    ]
    for writer in writers:
        writer.start()
    dataset = rowfeed.ParquetDataset(
        data, 64, shuffle=True, refresh="epoch", snapshot_dir=snapshots, num_threads=2
    )
    num_epochs = num_valid = num_rows = 0
    files: set[str] = set()
    while any(writer.is_alive() for writer in writers):
        for batch in dataset:
            valid = batch["__valid"]
            rows = batch["x"][valid]
            assert (rows == rows[:, :1]).all()  # A row is whole, or fill.
            num_valid += int(valid.sum())
            num_rows += len(valid)
        num_epochs += 1
        files.update(names(data))
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert num_epochs > 3
    assert len(files) > 50  # What is read is fresh.
    assert len([*data.glob("rows-*")]) < 50
    # Only what goes between a listing and its snapshot is lost.
    assert num_valid > num_rows / 2


def test_ages(tmp_path: Path) -> None:
    write_files(tmp_path, 5)
    found: Sequence[str] = names(tmp_path)
    assert all(a[:29] < b[:29] for a, b in pairwise(found))
