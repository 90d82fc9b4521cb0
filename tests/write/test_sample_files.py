# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files of writers that are killed, forked or out of space: whole ones or none."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rowfeed
from rowfeed import SampleWriter
from rowfeed._write import written_files

SCHEMA = {"x": ("float32", (16,))}
# Writes complete files of 100 rows, and more rows into one that is not, until killed.
KILLED = """
import sys, numpy as np, rowfeed
x = np.zeros((10, 16), np.float32)
schema = {"x": ("float32", (16,))}
with rowfeed.SampleWriter(sys.argv[1], schema, rows_per_group=10) as writer:
    for i in range(1000):
        writer.write({"x": x})
        if i % 10 == 9 and i < 30:
            writer.flush()
        if i == 35:
            print(flush=True)
"""


def rows(num_rows: int) -> dict[str, Any]:
    return {"x": np.zeros((num_rows, 16), np.float32)}


def incomplete(directory: Path) -> list[Path]:
    return [path for path in directory.iterdir() if path.name.endswith(".tmp")]


def num_rows_in(directory: Path) -> int:
    return rowfeed.Catalog.open(directory).num_rows


def in_fork(work: Callable[[], str]) -> str:
    """Returns what `work` returns in a forked child, which then ends as Python does."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(theirs, work().encode())
        except BaseException as error:
            os.write(theirs, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


def test_kill_leaves_whole_files_and_a_leftover_that_the_next_writer_removes(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert num_rows_in(tmp_path) == 300
        SampleWriter(tmp_path, SCHEMA).close()  # The file of the living stays.
        assert len(incomplete(tmp_path)) == 1
        process.send_signal(signal.SIGKILL)
    assert num_rows_in(tmp_path) == 300
    assert len(incomplete(tmp_path)) == 1
    SampleWriter(tmp_path, SCHEMA).close()
    assert incomplete(tmp_path) == []
    assert num_rows_in(tmp_path) == 300


def test_files_of_other_boots_and_of_nobody_stay(tmp_path: Path) -> None:
    boot = "01234567-89ab-cdef-0123-456789abcdef"
    (tmp_path / f".rows-{boot}-0123456789abcdef.parquet.tmp").touch()
    (tmp_path / ".mine.parquet.tmp").touch()
    SampleWriter(tmp_path, SCHEMA).close()
    assert len(incomplete(tmp_path)) == 2


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_fork_that_ends_does_not_take_the_lock_with_it(tmp_path: Path) -> None:
    file = written_files.IncompleteFile(tmp_path)
    assert in_fork(lambda: "ended") == "ended"
    written_files.remove_leftovers(tmp_path)
    assert len(incomplete(tmp_path)) == 1
    file.discard()


def test_without_locks_files_are_written_and_leftovers_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    leftover = written_files.IncompleteFile(tmp_path)
    os.close(leftover._fd)
    with SampleWriter(tmp_path, SCHEMA) as writer:
        writer.write(rows(3))
    assert len(incomplete(tmp_path)) == 1
    assert num_rows_in(tmp_path) == 3


def test_file_that_a_sweeper_has_locked_first_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = written_files._lock
    taken: list[int] = []

    def slow_lock(fd: int) -> bool:
        if not taken:  # Another writer begins just now, and finds an unlocked file.
            taken.append(fd)
            for path in incomplete(tmp_path):
                path.unlink()
        return lock(fd)

    monkeypatch.setattr(written_files, "_lock", slow_lock)
    with SampleWriter(tmp_path, SCHEMA) as writer:
        writer.write(rows(3))
    assert taken
    assert num_rows_in(tmp_path) == 3


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_fork_is_told_to_make_its_own_and_harms_nothing(tmp_path: Path) -> None:
    with SampleWriter(tmp_path, SCHEMA, rows_per_group=2) as writer:
        writer.write(rows(3))

        def use() -> str:
            said = []
            calls: list[Callable[[], None]] = [
                lambda: writer.write(rows(2)),
                writer.flush,
                writer.close,
            ]
            for call in calls:
                try:
                    call()
                except RuntimeError as error:
                    said.append(str(error))
            writer._drop()  # The end of the interpreter does so too.
            return "\n".join(said)

        said = in_fork(use).splitlines()
        assert len(said) == 3
        assert f"belongs to process {os.getpid()}" in said[0]
        assert "make a writer in each process" in said[0]
        writer.write(rows(4))
    assert num_rows_in(tmp_path) == 7


def write_much(writer: SampleWriter) -> None:
    for _ in range(20):
        writer.write(rows(50))
    writer.flush()


def full_disk(monkeypatch: pytest.MonkeyPatch, after_bytes: int) -> None:
    """Makes `os.write` fail as on a full disk, after so many bytes."""
    write, left = os.write, [after_bytes]

    def limited(fd: int, data: Any) -> int:
        left[0] -= len(data)
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(fd, data)

    monkeypatch.setattr(os, "write", limited)


@pytest.mark.fault(22)
@pytest.mark.parametrize("after_bytes", [0, 100, 1000, 7000])
def test_full_disk_loses_the_incomplete_file_alone(
    after_bytes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = SampleWriter(tmp_path, SCHEMA, rows_per_group=100)
    writer.write(rows(50))
    writer.flush()
    with monkeypatch.context() as full:
        full_disk(full, after_bytes)
        with pytest.raises(OSError, match="No space left") as caught:
            write_much(writer)
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.filename == str(tmp_path)
    assert "rows that were in no complete file are lost" in str(caught.value)
    assert incomplete(tmp_path) == []
    writer.write(rows(7))  # Somebody has made room.
    writer.close()
    assert num_rows_in(tmp_path) == 57


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_limit_on_the_size_of_files(tmp_path: Path) -> None:
    def work() -> str:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
        with SampleWriter(tmp_path, SCHEMA) as writer:
            writer.write(rows(100_000))
        return "written"

    assert in_fork(work).startswith("OSError: [Errno 27] File too large; 100000 rows")
    assert not [*tmp_path.iterdir()]


def test_failing_sync_or_rename_loses_the_file_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise OSError(errno.EIO, "Input/output error")

    for owner, name in ((os, "fsync"), (Path, "rename")):
        writer = SampleWriter(tmp_path, SCHEMA)
        writer.write(rows(9))
        with monkeypatch.context() as broken:
            broken.setattr(owner, name, fail)
            with pytest.raises(OSError, match="Input/output error; 9 rows"):
                writer.close()
        assert not [*tmp_path.iterdir()]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_directory_that_may_not_be_written() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)

        def work() -> str:
            if os.getuid() == 0:
                os.setuid(65534)  # Root may write anywhere.
            return str(SampleWriter(folder, SCHEMA))

        said = in_fork(work)
        folder.chmod(0o755)
    assert said == f"PermissionError: [Errno 13] may not be written: '{folder}'"


def test_directory_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        SampleWriter(tmp_path / "file", SCHEMA)
    with pytest.raises(NotADirectoryError):
        SampleWriter(tmp_path / "file" / "samples", SCHEMA)


def test_uris_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotImplementedError, match="directory must be a local"):
        SampleWriter("s3://bucket/x", SCHEMA)
    assert not [*tmp_path.iterdir()]


def test_directory_that_is_removed_meanwhile(tmp_path: Path) -> None:
    writer = SampleWriter(tmp_path / "samples", SCHEMA)
    (tmp_path / "samples").rmdir()
    writer.write(rows(3))
    with pytest.raises(FileNotFoundError, match="3 rows"):
        writer.close()
