# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Backups of a training on disk: each is there as a whole or not at all.

    folder/backup-000000000007/state.json     the fields, and the place in the data
    folder/backup-000000000007/variables.npz  the arrays, as `numpy.load` reads them
    folder/backup-000000000007/catalog        the data, as `Catalog.load` reads it

`state.json` has `format` (1), `variables` (group, name, shape and dtype of each array,
in the archive's order: `arr_0`, `arr_1`, …) and the fields of the caller. A dtype that
NumPy itself does not have, such as bfloat16, is stored as unsigned integers.

The catalog serves to say which files have changed. It is large, and the same in all
backups of a process, so the backups share one file by hard links where these exist.

A backup is written under another name, synced to the disk with its directory, and then
renamed. Nothing in it is ever unpickled, and no size that it states is believed.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import shutil
import struct
import warnings
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from rowfeed._catalog.catalog import Catalog
from rowfeed._catalog.paths import local_directory
from rowfeed._keras.variables import Array, Variable
from rowfeed._process.caller_warnings import StateWarning
from rowfeed._write.written_files import sync_directory

FORMAT: Final = 1
_NAME: Final = re.compile(r"backup-(\d{12,18})")
_UNFINISHED: Final = ".unfinished-"
_STATE: Final = "state.json"
_VARIABLES: Final = "variables.npz"
_CATALOG: Final = "catalog"
_MAX_STATE_BYTES: Final = 2**26
_MAX_CATALOG_BYTES: Final = 2**31
_MAX_HEADER_BYTES: Final = 10_000
# The errors that reading a truncated, overwritten or half deleted file may raise.
_UNREADABLE: Final = (
    *(OSError, EOFError, ValueError, LookupError, TypeError, ArithmeticError),
    *(RuntimeError, zipfile.BadZipFile, zlib.error, struct.error),
)


@dataclass(frozen=True)
class Backup:
    """A backup that was read.

    Attributes:
        path: Directory of the backup.
        fields: Fields that the caller of `Backups.save` gave.
        variables: Arrays of the model, its optimizer and metrics.
    """

    path: Path
    fields: dict[str, Any]
    variables: list[Variable]

    def catalog(self) -> Catalog | None:
        """Returns the catalog of the data at the backup; None if it cannot be read."""
        path = self.path / _CATALOG
        try:
            if path.stat().st_size > _MAX_CATALOG_BYTES:
                return None
            return Catalog.load(path)
        except (OSError, ValueError):
            return None


class Backups:
    """The backups in a folder, of which the newest `keep` stay.

    Args:
        folder: Directory of the backups, which is made with the first backup.
        keep: Number of newest backups that stay, at least 1.
        catalog: Catalog of the data, which is saved with every backup.
    """

    def __init__(
        self, folder: str | os.PathLike[str], keep: int, catalog: Catalog
    ) -> None:
        self._folder = local_directory("backup_dir", folder)
        self._keep = keep
        self._unreadable: list[Path] = []
        self._catalog = catalog
        self._last: Path | None = None  # The last backup that this object saved.

    def save(self, fields: dict[str, Any], variables: Sequence[Variable]) -> None:
        """Writes a backup and syncs it to the disk, then deletes the oldest.

        Raises:
            OSError: The backup cannot be written. Earlier backups are untouched.
        """
        if not self._folder.is_dir():
            self._folder.mkdir(parents=True, exist_ok=True)
            sync_directory(self._folder.parent)
        self._sweep()
        # The number is higher than those of unreadable backups too, even if somebody
        # has deleted these since.
        taken = [*self._all(), *self._unreadable]
        number = max(map(_number, taken), default=0) + 1
        made = self._folder / f"{_UNFINISHED}{number}"
        made.mkdir()
        _write_catalog(made, self._catalog, self._last)
        _write(made, fields, variables)
        self._last = made.rename(self._folder / f"backup-{number:012}")
        sync_directory(self._folder)
        there = self._all()
        readable = [path for path in there if path not in self._unreadable]
        self._delete([path for path in there if path not in readable[-self._keep :]])
        self._unreadable = []

    def load(self) -> Backup | None:
        """Returns the newest backup that can be read; None if there is no backup.

        Warns of each newer backup that cannot be read.

        Raises:
            ValueError: There are backups, but none of them can be read.
        """
        failures: list[str] = []
        self._unreadable = []
        for path in reversed(self._all()):
            try:
                found = _read(path)
            except _UNREADABLE as error:
                failures.append(f"{path}: {type(error).__name__}: {error}")
                self._unreadable.append(path)
                continue
            for failure in failures:
                warnings.warn(
                    f"an unreadable backup is passed over: {failure}",
                    StateWarning,
                    stacklevel=4,
                )
            return found
        if failures:
            raise ValueError(
                f"no backup can be read; delete them to begin anew: {failures}"
            )
        return None

    def delete(self) -> None:
        """Deletes every backup, and the folder if nothing else is in it."""
        self._delete(self._all())
        self._unreadable = []
        self._sweep()
        if self._folder.is_dir() and not any(self._folder.iterdir()):
            self._folder.rmdir()

    def _all(self) -> list[Path]:
        """Returns the backups, oldest first."""
        if not self._folder.is_dir():
            return []
        found = [p for p in self._folder.iterdir() if _NAME.fullmatch(p.name)]
        return sorted(found, key=_number)

    def _delete(self, paths: Sequence[Path]) -> None:
        for path in paths:
            # It is renamed first, so that a half-deleted one is not taken for a backup.
            gone = path.rename(path.with_name(f"{_UNFINISHED}{path.name}"))
            shutil.rmtree(gone)

    def _sweep(self) -> None:
        """Deletes unfinished backups of killed processes."""
        for path in self._folder.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(path)


def _number(path: Path) -> int:
    return int(path.name.partition("-")[2])


def _write_catalog(made: Path, catalog: Catalog, last: Path | None) -> None:
    if last is not None:
        # Linking fails if the last catalog is gone or has too many links, or if the
        # file system has no links. Then the catalog is written.
        with contextlib.suppress(OSError):
            (made / _CATALOG).hardlink_to(last / _CATALOG)
            return
    catalog.save(made / _CATALOG)


def _write(made: Path, fields: dict[str, Any], variables: Sequence[Variable]) -> None:
    described = [
        {
            "group": variable.group,
            "name": variable.name,
            "shape": list(variable.value.shape),
            "dtype": variable.value.dtype.name,
        }
        for variable in variables
    ]
    with (made / _VARIABLES).open("wb") as file:
        np.savez(file, *(v.value.view(_stored(v.value.dtype)) for v in variables))
        file.flush()
        os.fsync(file.fileno())
    with (made / _STATE).open("w") as file:
        json.dump({"format": FORMAT, **fields, "variables": described}, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    sync_directory(made)


def _read(path: Path) -> Backup:
    with (path / _STATE).open("rb") as file:
        text = file.read(_MAX_STATE_BYTES + 1)
    if len(text) > _MAX_STATE_BYTES:
        raise ValueError(f"{_STATE} has more than {_MAX_STATE_BYTES} bytes")
    fields = json.loads(text)
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise ValueError(f"{_STATE} has not format {FORMAT}, the only one known")
    described = fields.pop("variables")
    with zipfile.ZipFile(path / _VARIABLES) as archive:
        if len(archive.namelist()) != len(described):
            raise ValueError(
                f"{_VARIABLES} has {len(archive.namelist())} arrays, not "
                f"{len(described)}"
            )
        variables = [
            Variable(
                str(entry["group"]), str(entry["name"]), _array(archive, index, entry)
            )
            for index, entry in enumerate(described)
        ]
    return Backup(path, fields, variables)


def _array(archive: zipfile.ZipFile, index: int, entry: dict[str, Any]) -> Array:
    """Reads an array whose shape and dtype are those of `entry` in the state."""
    shape, dtype = tuple(entry["shape"]), _dtype(entry["dtype"])
    if not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(f"not a shape: {shape}")
    num_bytes = math.prod(shape) * dtype.itemsize
    with archive.open(f"arr_{index}.npy") as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError(f"arr_{index} is not of version 1.0 of npy")
        header = np.lib.format.read_array_header_1_0(file, _MAX_HEADER_BYTES)
        if header != (shape, False, _stored(dtype)):
            raise ValueError(f"arr_{index} is not what {_STATE} says: {header}")
        # Sizes in a damaged file may be wrong: memory is taken only for bytes it has.
        data = file.read(min(num_bytes, archive.getinfo(file.name).file_size) + 1)
    if len(data) != num_bytes:
        raise ValueError(f"arr_{index} has {len(data)} bytes, not {num_bytes}")
    return np.frombuffer(data, dtype).reshape(shape)


def _dtype(name: object) -> np.dtype[Any]:
    dtype = np.dtype(name) if isinstance(name, str) else None
    if dtype is None or dtype.hasobject or dtype.name != name:
        raise ValueError(f"not the name of a dtype: {name!r}")
    return dtype


def _stored(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Returns the dtype in which arrays are stored: NumPy's own, or unsigned ints."""
    return dtype if dtype.kind in "biufc" else np.dtype(f"u{dtype.itemsize}")
