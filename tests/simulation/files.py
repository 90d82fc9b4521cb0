# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The files of a case on the disk: written once, and what happens to them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from tests.simulation.rows import File, key_of, write

# What may happen to a file while ranks read, until it is restored.
FAULTS = ("vanished", "cut", "overwritten", "flipped")


class Library:
    """Data sets that cases share: each is written once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders: dict[str, Path] = {}

    def folder_of(self, source: dict[str, Any]) -> Path:
        """Returns the folder that has the files of a source, and nothing else."""
        key = key_of(source["files"], source["stored"], source["writing"])
        if key not in self._folders:
            folder = self._root / f"data-{len(self._folders)}"
            folder.mkdir(parents=True)
            for file in source["files"]:
                write(folder / file["name"], file, source["stored"], source["writing"])
            self._folders[key] = folder
        return self._folders[key]


class Files:
    """The files of one source, which come, go and suffer faults.

    Attributes:
        folder: Folder that they stand in.
        present: Files that a listing finds now.
        gone: Numbers of files that were removed or replaced.
        faulty: What is kept of each file that suffers a fault, by its name.
    """

    def __init__(
        self, source: dict[str, Any], original: Path, own: Path | None
    ) -> None:
        self._source, self.folder = source, original
        self.present: list[File] = list(source["files"])
        self.gone: set[int] = set()
        self.faulty: dict[str, Path | tuple[bytes, os.stat_result]] = {}
        self._unfinished: dict[str, File] = {}
        if own is not None:
            shutil.copytree(original, own)
            self.folder = own

    def add(self, file: File, *, is_whole: bool) -> None:
        """Adds a file, or the beginning of one that `complete` completes."""
        path = self.folder / file["name"]
        self._write(file, path)
        if is_whole:
            self.present.append(file)
            return
        os.truncate(path, path.stat().st_size // 2)
        self._unfinished[file["name"]] = file

    def complete(self) -> None:
        """Completes the files of which there is only the beginning."""
        for name, file in self._unfinished.items():
            self._write(file, self.folder / name)
            self.present.append(file)
        self._unfinished.clear()

    def remove(self, index: int) -> None:
        """Removes a file, unless it is the last one."""
        if len(self.present) > 1:
            file = self.present.pop(index % len(self.present))
            (self.folder / file["name"]).unlink()
            self.gone.add(file["number"])

    def replace(self, index: int, number: int, groups: list[int]) -> None:
        """Replaces a file by another one of the same name."""
        index %= len(self.present)
        file = self.present[index]
        self.gone.add(file["number"])
        self.present[index] = {**file, "number": number, "groups": groups}
        self._write(self.present[index], self.folder / file["name"])

    def _write(self, file: File, path: Path) -> None:
        write(path, file, self._source["stored"], self._source["writing"])

    def suffer(self, kind: str, index: int) -> None:
        """Lets a file suffer a fault, until `restore`."""
        file = self.present[index % len(self.present)]
        path = self.folder / file["name"]
        if file["name"] in self.faulty:
            return
        if kind in ("cut", "flipped"):  # Who has opened the file sees this, too.
            self.faulty[file["name"]] = path.read_bytes(), path.stat()
            if kind == "cut":
                os.truncate(path, path.stat().st_size * 2 // 3)
            else:
                self._flip(path)
            return
        aside = path.with_name(f".{path.name}.aside")
        path.rename(aside)
        self.faulty[file["name"]] = aside
        if kind == "overwritten":  # Rows of another file take the place.
            self._write({**file, "number": file["number"] + 500}, path)

    def _flip(self, path: Path) -> None:
        """Changes a byte of the first page without a trace: size and time stay."""
        stamp = path.stat()
        with path.open("r+b") as opened:
            opened.seek(stamp.st_size // 4)
            byte = opened.read(1)[0]
            opened.seek(stamp.st_size // 4)
            opened.write(bytes([byte ^ 0x10]))
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    def restore(self) -> None:
        """Ends all faults: files have their contents and times again."""
        for name, before in self.faulty.items():
            path = self.folder / name
            if isinstance(before, Path):
                before.rename(path)
                continue
            content, stamp = before
            with path.open("r+b") as opened:
                opened.write(content)
            os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        self.faulty.clear()
