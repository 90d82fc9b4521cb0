# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a catalog lists: files, row groups and columns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class File:
    """A file of a data set: `name` is relative to its root, `size` is in bytes."""

    path: str
    name: str
    size: int
    rows: int


@dataclass(frozen=True, slots=True)
class RowGroup:
    """A row group: `file` is an index into `files`, `index` its place in the file."""

    file: int
    index: int
    rows: int


@dataclass(frozen=True, slots=True)
class Field:
    """A column as the files have it and as it is delivered.

    Attributes:
        name: Its name.
        type: Its type in the files, as Arrow prints it.
        dtype: Of its elements: a NumPy name, "string" or "binary".
        shape: Of one row: (), or a size for each level of lists and dimension; None for
            lists of any length.
        unit: Of dates and timestamps: "days", "s", "ms", "us" or "ns"; else "".
        unsupported: Why rowfeed cannot deliver it (then `dtype`, `shape` and `unit`
            mean nothing); else "".
    """

    name: str
    type: str
    dtype: str
    shape: tuple[int | None, ...]
    unit: str
    unsupported: str
