# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Removes the oldest files of writers when their directory exceeds its limit."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rowfeed._catalog.catalog import Catalog
from rowfeed._write.written_files import (
    WrittenFile,
    has_key,
    remove,
    retire,
    written_files,
)

# The name of the file in which a reader with `snapshot_dir=` saves an epoch's catalog.
_SNAPSHOT: Final = re.compile(r"epoch-\d{8,}-[0-9a-f]{32}\.catalog")


def oldest(
    files: Sequence[WrittenFile], excess: int, is_ours: Callable[[str], bool]
) -> Iterator[WrittenFile]:
    """Yields the oldest files, until they and foreign files make up `excess` bytes.

    Args:
        files: All files that have a name as writers give it, the oldest first.
        excess: Number of bytes by which these files exceed the limit.
        is_ours: Function of a file's name that tells whether a writer wrote the file.
            A foreign file stays, and does not count in the limit: its size is taken off
            `excess`.
    """
    for file in files:
        if excess <= 0:
            return
        if is_ours(file.name):
            yield file
        excess -= file.size


@dataclass
class Eviction:
    """Keeps the files of all writers of a directory under `max_bytes`.

    With `snapshot_dirs` a file is removed in two steps. First it is retired: new
    listings of the directory skip it. Later, when the newest epochs of no reader list
    it any more, it is removed. Without the first step each new epoch would list, and so
    protect, every file that there is.

    Attributes:
        directory: Directory of the files.
        max_bytes: Limit for the size of all files that writers wrote in the directory,
            without retired ones.
        snapshot_dirs: Directories in which readers save the catalogs of their epochs.
        keep_epochs: Number of newest epochs in each of `snapshot_dirs` whose files
            stay. Epochs with the highest numbers and epochs saved last both count as
            newest.
    """

    directory: Path
    max_bytes: int
    snapshot_dirs: Sequence[Path] = ()
    keep_epochs: int = 2
    _named: dict[tuple[str, int, int], frozenset[str]] = field(default_factory=dict)

    def make_room(self, num_bytes: int) -> str:
        """Retires or removes the oldest files, so that `num_bytes` more fit.

        Other writers may do the same at the same time. All begin with the oldest file,
        so together they remove no more than the one that needs most room. A file stays
        if it cannot be removed, or if it is unknown whether it may be.

        Returns:
            Reason why a file stays that should go; "" if there is none.
        """
        files = written_files(self.directory)
        listed = [file for file in files if not file.is_retired]
        excess = sum(file.size for file in listed) + num_bytes - self.max_bytes
        too_old = [file.name for file in oldest(listed, excess, self._is_ours)]
        if not self.snapshot_dirs:
            return self._for_each(too_old, remove)
        # Only files that were retired before this call may be removed: a reader may
        # just have listed the others, and not have saved its catalog yet.
        retired = {file.name for file in files if file.is_retired}
        complaint = self._for_each(too_old, retire)
        try:
            kept = self._kept() if retired else frozenset()
        except (OSError, ValueError) as error:
            return f"nothing is removed while a snapshot cannot be read: {error}"
        return self._for_each(sorted(retired - kept), remove) or complaint

    def _for_each(self, names: list[str], act: Callable[[Path, str], None]) -> str:
        complaint = ""
        for name in names:
            try:
                act(self.directory, name)
            except OSError as error:
                complaint = f"cannot {act.__name__} a file: {error}"
        return complaint

    def _is_ours(self, name: str) -> bool:
        path = self.directory / name
        return has_key(path) or not path.exists()

    def _kept(self) -> frozenset[str]:
        """Returns the names of the files that catalogs of the newest epochs list."""
        snapshots = [s for d in self.snapshot_dirs for s in self._newest(d)]
        named = {self._key(path): path for path in snapshots}
        self._named = {
            key: self._named[key] if key in self._named else _names_in(path)
            for key, path in named.items()
        }
        return frozenset[str]().union(*self._named.values())

    def _newest(self, directory: Path) -> list[Path]:
        """Returns the catalogs of the epochs of highest number, and those saved last.

        Both are kept, since after a resume from an old state the epochs that run have
        lower numbers than those of the run before.
        """
        changed = _snapshots_in(directory)
        epochs = {name: int(name.split("-")[1]) for name in changed}
        highest = sorted({*epochs.values()})[-self.keep_epochs :]
        last = sorted(changed, key=changed.__getitem__)[-self.keep_epochs :]
        kept = (name for name in changed if epochs[name] in highest or name in last)
        return [directory / name for name in kept]

    @staticmethod
    def _key(path: Path) -> tuple[str, int, int]:
        stat = path.stat()
        return str(path), stat.st_mtime_ns, stat.st_size


def _snapshots_in(directory: Path) -> dict[str, int]:
    """Returns the time at which each catalog in a directory was saved or linked."""
    changed = {}
    with contextlib.suppress(FileNotFoundError), os.scandir(directory) as entries:
        for entry in entries:
            if _SNAPSHOT.fullmatch(entry.name):
                with contextlib.suppress(FileNotFoundError):  # It was just removed.
                    changed[entry.name] = entry.stat().st_ctime_ns
    return changed


def _names_in(path: Path) -> frozenset[str]:
    # Names are compared without directories, which differ between processes and mounts.
    # The random digits in a name make it unique.
    return frozenset(Path(file.name).name for file in Catalog.load(path).files)
