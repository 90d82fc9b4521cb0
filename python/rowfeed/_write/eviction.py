# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Which files go when a directory that grows is full: the oldest, within limits."""

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

# As readers with `snapshot_dir=` save the catalog of an epoch.
_SNAPSHOT: Final = re.compile(r"epoch-\d{8,}-[0-9a-f]{32}\.catalog")


def oldest(
    files: Sequence[WrittenFile], excess: int, is_ours: Callable[[str], bool]
) -> Iterator[WrittenFile]:
    """Yields the files that have to go, until `excess` bytes are gone.

    Args:
        files: All files that are called like those of a writer, the oldest first.
        excess: Bytes that are too many.
        is_ours: Whether a writer wrote the file of this name. One that it did not is
            no part of the limit: it stays, and its bytes are none too many.
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

    With `snapshot_dirs` a file goes in two steps. It is retired: whoever lists the
    directory from then on does not see it. When the newest epochs of no reader have it
    any more, it is removed. Without the first step each epoch would have, and protect,
    all that there is, and only what no epoch has seen could ever go.

    Attributes:
        directory: Of the files.
        max_bytes: Of all files that writers have written there and not retired.
        snapshot_dirs: Where readers save the catalogs of their epochs.
        keep_epochs: Files that the newest so many epochs of each of these name stay: by
            their numbers, and by when they began.
    """

    directory: Path
    max_bytes: int
    snapshot_dirs: Sequence[Path] = ()
    keep_epochs: int = 2
    _named: dict[tuple[str, int, int], frozenset[str]] = field(default_factory=dict)

    def make_room(self, num_bytes: int) -> str:
        """Lets the oldest files go, so that `num_bytes` more are within the limit.

        Other writers may do the same at the same time: all begin with the oldest, so
        together they let go what the one that needs most would. What cannot be known or
        removed stays.

        Returns:
            Why something stays that should go; "" if nothing does.
        """
        files = written_files(self.directory)
        listed = [file for file in files if not file.is_retired]
        excess = sum(file.size for file in listed) + num_bytes - self.max_bytes
        too_old = [file.name for file in oldest(listed, excess, self._is_ours)]
        if not self.snapshot_dirs:
            return self._for_each(too_old, remove)
        # Not those of now: a reader may have listed them, and not saved so yet.
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
        """Returns the names in the snapshots of the newest epochs."""
        snapshots = [s for d in self.snapshot_dirs for s in self._newest(d)]
        named = {self._key(path): path for path in snapshots}
        self._named = {
            key: self._named[key] if key in self._named else _names_in(path)
            for key, path in named.items()
        }
        return frozenset[str]().union(*self._named.values())

    def _newest(self, directory: Path) -> list[Path]:
        """Returns the snapshots of the highest epochs, and those saved last.

        After a resume the epochs that run are lower than those of the run before.
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
    """Returns when the snapshots were saved, or made one more name of a file."""
    changed = {}
    with contextlib.suppress(FileNotFoundError), os.scandir(directory) as entries:
        for entry in entries:
            if _SNAPSHOT.fullmatch(entry.name):
                with contextlib.suppress(FileNotFoundError):  # Removed meanwhile.
                    changed[entry.name] = entry.stat().st_ctime_ns
    return changed


def _names_in(path: Path) -> frozenset[str]:
    # Mounts and roots differ between processes; the random digits of names do not.
    return frozenset(Path(file.name).name for file in Catalog.load(path).files)
