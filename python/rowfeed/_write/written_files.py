# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files that appear when they are complete: their names, and how they come to be.

A file is written under a name that no listing of a data set takes, locked as long as
its writer lives. Complete, it is brought to the disk and renamed. Names begin with the
time of that in UTC, so that their order is that of age, and end with random digits, so
that no two writers ever choose the same.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import time
from datetime import MAXYEAR, UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

# Marks, in the footer, what a writer may evict.
WRITER_KEY: Final = "rowfeed.writer"

_COMPLETE: Final = re.compile(r"rows-\d{8}T\d{6}\.\d{6}Z-[0-9a-f]{16}\.parquet")
_INCOMPLETE: Final = re.compile(
    r"\.rows-(?P<boot>[0-9a-f-]{36})-[0-9a-f]{16}\.parquet\.tmp"
)
_RETIRED: Final = re.compile(rf"\.(?P<name>{_COMPLETE.pattern})\.retired")
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
# Of file systems without locks. Nobody can then know that a writer is dead.
_NO_LOCKS: Final = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


class WrittenFile(NamedTuple):
    """A complete file that a writer wrote.

    Attributes:
        name: Its name in the directory, which begins with its time.
        size: In bytes.
        is_retired: Whether listings pass over it, because it is about to be removed.
    """

    name: str
    size: int
    is_retired: bool = False


class IncompleteFile:
    """A file that is being written; pyarrow writes to it as to any Python file.

    After `discard`, and in a forked child, writing has no effect: Parquet's writer
    writes a footer even as it is destroyed.
    """

    def __init__(self, directory: Path) -> None:
        """Makes and locks the file.

        Raises:
            OSError: The directory is missing or may not be written.
        """
        self._directory = directory
        self._pid = os.getpid()
        self.size = 0  # Bytes.
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
        """Returns the place of the next byte."""
        return self.size

    def flush(self) -> None:
        """Does nothing: nothing is held back."""

    def close(self) -> None:
        """Does nothing: `complete` or `discard` ends the file, not Parquet's writer."""

    def sync(self) -> None:
        """Brings the bytes to the disk."""
        os.fsync(self._fd)

    def complete(self, name: str) -> None:
        """Renames the file, which is synced, and brings the name to the disk."""
        self._path.rename(self._directory / name)
        self._end()
        with contextlib.suppress(OSError):  # Some file systems cannot; it is there.
            sync_directory(self._directory)

    def discard(self) -> None:
        """Removes the file."""
        if self.closed or os.getpid() != self._pid:
            return
        with contextlib.suppress(OSError):  # The lock ends: a later writer removes it.
            self._path.unlink()
        self._end()

    def _end(self) -> None:
        self.closed = True
        os.close(self._fd)


def sync_directory(directory: Path) -> None:
    """Brings the names in a directory to the disk.

    Raises:
        OSError: It is none, or of a file system that cannot.
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
        # Another writer may have looked whether it is a leftover before it was locked.
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
    """Removes what writers that have died left, and that means nothing any more.

    That is markers of files that are gone, and the incomplete files of this machine.

    An incomplete file is one if it can be locked and its writer ran under this very
    boot of the kernel: elsewhere locks may not be seen.
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
        with contextlib.suppress(OSError):  # Completed or removed meanwhile.
            fd = os.open(directory / name, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                if _lock(fd):
                    (directory / name).unlink()
            finally:
                os.close(fd)


class Names:
    """Names for complete files, each later than those before it.

    Also than those that are in the directory, which may be of a clock that was ahead.
    It is no generator, which an exception of a signal handler would end for good.
    """

    def __init__(self, directory: Path) -> None:
        names = sorted((file.name for file in written_files(directory)), reverse=True)
        self._last_us = next(filter(None, map(_time_us, names)), 0)

    def next(self) -> str:
        """Returns a name of now."""
        self._last_us = max(time.time_ns() // 1000, self._last_us + 1)
        seconds, us = divmod(self._last_us, 10**6)
        at = datetime.fromtimestamp(seconds, UTC)
        return f"rows-{at:%Y%m%dT%H%M%S}.{us:06}Z-{os.urandom(8).hex()}.parquet"


def _time_us(name: str) -> int:
    """Returns the time of a name; 0 of one that is none, or that none can follow."""
    try:
        at = datetime.strptime(f"{name[5:27]}+0000", "%Y%m%dT%H%M%S.%f%z")
    except ValueError:
        return 0
    return 0 if at.year == MAXYEAR else (at - _EPOCH) // timedelta(microseconds=1)


def written_files(directory: Path) -> list[WrittenFile]:
    """Returns the files of all writers in a directory, the oldest first."""
    found = []
    with os.scandir(directory) as scan:
        entries = {entry.name: entry for entry in scan}
    for name, entry in entries.items():
        if _COMPLETE.fullmatch(name):
            with contextlib.suppress(FileNotFoundError):  # Removed meanwhile.
                size = entry.stat(follow_symlinks=False).st_size
                found.append(WrittenFile(name, size, _marker(name) in entries))
    return sorted(found)


def retire(directory: Path, name: str) -> None:
    """Makes listings pass over a file, which stays for who knows its name.

    The kernel's listing (cc/core/catalog/listing.h) knows these markers.
    """
    (directory / _marker(name)).touch()


def remove(directory: Path, name: str) -> None:
    """Removes a file, which may be gone, and then its marker, if it is retired."""
    (directory / name).unlink(missing_ok=True)
    (directory / _marker(name)).unlink(missing_ok=True)


def _marker(name: str) -> str:
    return f".{name}.retired"


def has_key(path: Path) -> bool:
    """Whether the footer of a file says that a writer wrote it; False if it is gone."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with path.open("rb") as file:  # pyarrow takes no name that is not UTF-8.
            metadata = parquet.read_metadata(file).metadata
    except (OSError, pa.ArrowInvalid):
        return False
    return metadata is not None and WRITER_KEY.encode() in metadata
