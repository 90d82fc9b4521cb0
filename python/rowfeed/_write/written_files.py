# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files of writers: how they are written, completed, named, hidden and removed.

A file is written under a name that listings of a data set skip, and is locked as long
as its writer lives. When it is complete, it is flushed to the disk and renamed. The new
name begins with the time of the renaming in UTC, so that names sort by age. It ends
with random digits, so that no two writers choose the same name.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import stat
import time
from datetime import MAXYEAR, UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

# This key in the footer marks files of writers, which an eviction may remove.
WRITER_KEY: Final = "rowfeed.writer"

_COMPLETE: Final = re.compile(r"rows-\d{8}T\d{6}\.\d{6}Z-[0-9a-f]{16}\.parquet")
_INCOMPLETE: Final = re.compile(
    r"\.rows-(?P<boot>[0-9a-f-]{36})-[0-9a-f]{16}\.parquet\.tmp"
)
_RETIRED: Final = re.compile(rf"\.(?P<name>{_COMPLETE.pattern})\.retired")
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
# The errors of locking on file systems that have no locks. There it cannot be known
# whether the writer of an incomplete file is dead.
_NO_LOCKS: Final = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


class WrittenFile(NamedTuple):
    """A complete file that a writer wrote.

    Attributes:
        name: Name of the file in its directory, which begins with its time.
        size: Size of the file in bytes.
        is_retired: Whether listings skip the file, because it is about to be removed.
    """

    name: str
    size: int
    is_retired: bool = False


class IncompleteFile:
    """A file that is being written; pyarrow writes to it as to any Python file.

    After `discard`, and in a forked child, writing has no effect. Parquet's writer
    still writes a footer then, when it is destroyed.
    """

    def __init__(self, directory: Path) -> None:
        """Makes and locks the file, under a name that readers do not list.

        Raises:
            OSError: The directory is missing or may not be written.
        """
        self._directory = directory
        self._pid = os.getpid()
        self.size = 0  # The number of bytes written.
        self.closed = False
        self._fd, self._path = _create(directory)

    def write(self, data: Any) -> int:
        """Appends bytes."""
        view = memoryview(data).cast("B")
        if self.closed or os.getpid() != self._pid:
            return len(view)
        written = 0
        while written < len(view):
            written += os.write(self._fd, view[written:])
        self.size += written
        return written

    def tell(self) -> int:
        """Returns the position of the next byte."""
        return self.size

    def flush(self) -> None:
        """Does nothing, as `write` holds no bytes back."""

    def close(self) -> None:
        """Does nothing when Parquet's writer calls it.

        `complete` or `discard` closes the file.
        """

    def sync(self) -> None:
        """Waits until the bytes are on the disk."""
        os.fsync(self._fd)

    def complete(self, name: str) -> None:
        """Renames the synced file, closes it, and syncs the new name to the disk."""
        self._path.rename(self._directory / name)
        self._end()
        with contextlib.suppress(OSError):  # Some file systems cannot sync names.
            sync_directory(self._directory)

    def discard(self) -> None:
        """Removes the file."""
        if self.closed or os.getpid() != self._pid:
            return
        # If the file cannot be removed, a later writer does so: `_end` frees its lock.
        with contextlib.suppress(OSError):
            self._path.unlink()
        self._end()

    def _end(self) -> None:
        self.closed = True
        os.close(self._fd)


def sync_directory(directory: Path) -> None:
    """Waits until the names of the files in a directory are on the disk.

    Raises:
        OSError: `directory` is no directory, or its file system cannot sync names.
    """
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _create(directory: Path) -> tuple[int, Path]:
    while True:
        name = f".rows-{_boot_id()}-{os.urandom(8).hex()}.parquet.tmp"
        path = directory / name
        fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o666)
        try:
            locked = _lock(fd)
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return fd, path
            os.close(fd)
            raise
        # Another writer may have taken the file for a leftover, and locked or removed
        # it, before we locked it. Then a new name is tried.
        if locked and os.fstat(fd).st_nlink > 0:
            return fd, path
        os.close(fd)


def _lock(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _boot_id() -> str:
    return _BOOT_ID.read_text().strip()


def remove_leftovers(directory: Path) -> None:
    """Removes what dead writers left: incomplete files, and markers without a file.

    An incomplete file is removed if it can be locked, as its writer is dead then, and
    if the writer ran since the last boot of this machine. The locks of writers on other
    machines may be invisible here, so their files stay.
    """
    with os.scandir(directory) as entries:
        names = [entry.name for entry in entries]
    for name in names:
        retired = _RETIRED.fullmatch(name)
        if retired is not None and not (directory / retired["name"]).exists():
            with contextlib.suppress(OSError):
                (directory / name).unlink()
        match = _INCOMPLETE.fullmatch(name)
        if match is None or match["boot"] != _boot_id():
            continue
        with contextlib.suppress(OSError):  # It was just completed or removed.
            fd = os.open(directory / name, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                if _lock(fd):
                    (directory / name).unlink()
            finally:
                os.close(fd)


class Names:
    """Makes names for complete files, each with a later time than all before it.

    Each name is also later than those in the directory, which a clock that was ahead
    may have given. This is a class and no generator, since an exception in a generator,
    such as one from a signal handler, ends it for good.
    """

    def __init__(self, directory: Path) -> None:
        names = sorted((file.name for file in written_files(directory)), reverse=True)
        self._last_us = next(filter(None, map(_time_us, names)), 0)

    def next(self) -> str:
        """Returns a name with the time of now, or just after the last name's time."""
        self._last_us = max(time.time_ns() // 1000, self._last_us + 1)
        seconds, us = divmod(self._last_us, 10**6)
        at = datetime.fromtimestamp(seconds, UTC)
        return f"rows-{at:%Y%m%dT%H%M%S}.{us:06}Z-{os.urandom(8).hex()}.parquet"


def _time_us(name: str) -> int:
    """Returns the time in a name, in microseconds since 1970.

    Returns 0 if the name has no valid time, or if no later time can be written.
    """
    try:
        at = datetime.strptime(f"{name[5:27]}+0000", "%Y%m%dT%H%M%S.%f%z")
    except ValueError:
        return 0
    return 0 if at.year == MAXYEAR else (at - _EPOCH) // timedelta(microseconds=1)


def written_files(directory: Path) -> list[WrittenFile]:
    """Returns the files of all writers in a directory, the oldest first.

    Links and pipes are no files of writers, whatever their names are.
    """
    found = []
    with os.scandir(directory) as scan:
        entries = {entry.name: entry for entry in scan}
    for name, entry in entries.items():
        if _COMPLETE.fullmatch(name):
            with contextlib.suppress(FileNotFoundError):  # It was just removed.
                status = entry.stat(follow_symlinks=False)
                if not stat.S_ISREG(status.st_mode):
                    continue
                is_retired = _marker(name) in entries
                found.append(WrittenFile(name, status.st_size, is_retired))
    return sorted(found)


def retire(directory: Path, name: str) -> None:
    """Makes listings skip a file, by a marker beside it.

    Readers that have listed the file before can still read it. The kernel's listing
    (cc/core/catalog/listing/listing.h) knows these markers.
    """
    # A link that somebody made under the marker's name is not followed.
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC
    with contextlib.suppress(FileExistsError):
        os.close(os.open(directory / _marker(name), flags, 0o666))


def remove(directory: Path, name: str) -> None:
    """Removes a file and its marker; either may be missing."""
    (directory / name).unlink(missing_ok=True)
    (directory / _marker(name)).unlink(missing_ok=True)


def _marker(name: str) -> str:
    return f".{name}.retired"


def has_key(path: Path) -> bool:
    """Returns whether a file has a writer's key in its footer; False if it is gone."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with path.open("rb") as file:  # pyarrow cannot open names that are not UTF-8.
            metadata = parquet.read_metadata(file).metadata
    except (OSError, pa.ArrowInvalid):
        return False
    return metadata is not None and WRITER_KEY.encode() in metadata
