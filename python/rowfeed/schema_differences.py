# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How the files of one data set differ in their columns: for the error that says so."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from rowfeed._native import core
from rowfeed.cpus import usable_cpus

_MOST_COLUMNS: Final = 10
_MOST_FILES: Final = 3


@dataclass
class _Kind:
    """What a column is in some files; `type` None: they lack it."""

    type: str | None
    files: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.type or 'missing'} in {_named(self.files)}"


def report(paths: Sequence[bytes], columns: Sequence[str] | None) -> str:
    """Returns each column that differs, with its types and their files.

    Args:
        paths: As the kernel takes them.
        columns: Those that are asked for; None: those of the first file.

    Returns:
        Lines for people, the most common type of a column first; "" if nothing differs.

    Raises:
        OSError: A file cannot be read.
        ValueError: A file is not Parquet.
    """
    num_threads = usable_cpus()
    files = [path for path, *_ in core.Catalog.open(paths, [], num_threads).files]
    with ThreadPoolExecutor(num_threads) as threads:
        schemas = list(threads.map(_schema_of, files))
    if columns is None:  # What nobody can read in the first may be anything elsewhere.
        columns = [c.name for c in schemas[0].values() if not c.unsupported]
    lines = []
    for name in columns:
        kinds = _kinds_of(name, files, [schema.get(name) for schema in schemas])
        if len(kinds) > 1:
            lines.append(f"{name!r} is {', '.join(map(str, kinds))}")
    if not lines:
        return ""
    if len(lines) > _MOST_COLUMNS:
        lines[_MOST_COLUMNS:] = [f"and {len(lines) - _MOST_COLUMNS} more"]
    return "\n  ".join(["the files differ in their columns:", *lines])


def _schema_of(file: str) -> dict[str, core.Column]:
    columns = core.Catalog.open([os.fsencode(file)], None, 1).columns
    return {column.name: column for column in columns}


def _kinds_of(
    name: str, files: list[str], found: list[core.Column | None]
) -> list[_Kind]:
    """Returns what a column is, by kinds that the kernel tells apart, and in how many.

    The most common comes first.
    """
    types = [None if column is None else column.logical_type for column in found]
    of_type: dict[str | None, _Kind] = {}
    kinds: list[_Kind] = []
    for file, type_ in zip(files, types, strict=True):
        if type_ not in of_type:
            alike = (k for k in kinds if _is_same(name, file, type_, k))
            kind = next(alike, None)
            if kind is None:
                kind = _Kind(type_)
                kinds.append(kind)
            of_type[type_] = kind
        of_type[type_].files.append(file)
    return sorted(kinds, key=lambda kind: -len(kind.files))


def _is_same(name: str, file: str, type_: str | None, kind: _Kind) -> bool:
    if type_ is None or kind.type is None:
        return False
    try:
        core.Catalog.open([os.fsencode(kind.files[0]), os.fsencode(file)], [name], 1)
    except (NotImplementedError, ValueError):
        return False
    return True


def _named(files: list[str]) -> str:
    if len(files) > _MOST_FILES:
        first = ", ".join(files[:_MOST_FILES])
        return f"{first} and {len(files) - _MOST_FILES:,} more"
    return ", ".join(files)
