# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The entries of a catalog's lists: files, row groups and columns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class File:
    """A file of a data set.

    Attributes:
        path: Path or URI of the file, as the catalog lists it.
        name: Path of the file relative to the directory that was given.
        size: Size of the file in bytes.
        rows: Number of rows in the file.
    """

    path: str
    name: str
    size: int
    rows: int


@dataclass(frozen=True, slots=True)
class RowGroup:
    """A row group of a data set.

    Attributes:
        file: Index of its file in `Catalog.files`.
        index: Index of the row group in that file.
        rows: Number of rows in the row group.
    """

    file: int
    index: int
    rows: int


@dataclass(frozen=True, slots=True)
class Field:
    """A column: its type in the files, and the form in which it is delivered.

    Attributes:
        name: Name of the column; names of fields of structs are joined by dots.
        type: Type of the column in the files, as Arrow prints it.
        dtype: Type of the delivered elements: a NumPy name, "string" or "binary".
        shape: Shape of one delivered row: () for one value, else a size for each level
            of lists and each dimension of tensors; None stands for any length.
        unit: Unit of delivered dates and times: "days", "s", "ms", "us" or "ns"; "" for
            other columns.
        unsupported: Reason why rowfeed cannot deliver the column; then `dtype`, `shape`
            and `unit` mean nothing. "" for columns that it can deliver.
    """

    name: str
    type: str
    dtype: str
    shape: tuple[int | None, ...]
    unit: str
    unsupported: str
