# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The row of a catalog that a user names by file, row group and row."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rowfeed._native import core
from rowfeed._process.checks import check_integer


def group_of(
    catalog: core.Catalog,
    file: int | str | os.PathLike[str],
    row_group: int,
    row: int,
) -> int:
    """Returns the index in a catalog of the row group that has a row.

    Args:
        catalog: Catalog of the data.
        file: Index of the file in the catalog, its path as the catalog has it, or its
            path relative to the directory that was given.
        row_group: Index of the row group in the file.
        row: Index of the row in the row group.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: The catalog has no such file, the file no such row group, or the row
            group no such row. The message names what there is.
    """
    number = _file(catalog, file)
    path = catalog.files[number][0]
    check_integer("row_group", row_group, 0)
    groups = {
        index: (at, rows)
        for at, (of, index, rows) in enumerate(catalog.row_groups)
        if of == number
    }
    if row_group not in groups:
        raise ValueError(
            f"row_group must be {_among(sorted(groups))}, the row groups that the "
            f"catalog has of {path}, not {row_group}"
        )
    group, rows = groups[row_group]
    check_integer("row", row, 0)
    if row >= rows:
        raise ValueError(
            f"row must be in [0, {rows - 1}], as row group {row_group} of {path} has "
            f"{rows} rows, not {row}"
        )
    return group


def _file(catalog: core.Catalog, file: int | str | os.PathLike[str]) -> int:
    files = catalog.files
    if isinstance(file, (str, os.PathLike)):
        asked = os.fspath(file)
        for place in (0, 1):  # A path, or else a name.
            found = [i for i, entry in enumerate(files) if entry[place] == asked]
            if len(found) == 1:
                return found[0]
            if found:
                raise ValueError(
                    f"file must be the path of one file, and {asked!r} is the name of "
                    f"{len(found)} files of the catalog: "
                    f"{files[found[0]][0]!r} to {files[found[-1]][0]!r}"
                )
        first, last = files[0][1], files[-1][1]
        raise ValueError(
            f"file must be the path or the name of one of the catalog's {len(files)} "
            f"files ({first!r} to {last!r}), or its index, not {asked!r}"
        )
    check_integer("file", file, 0)
    if file >= len(files):
        raise ValueError(
            f"file must be in [0, {len(files) - 1}], as the catalog has {len(files)} "
            f"files, not {file}"
        )
    return int(file)


def _among(numbers: Sequence[int]) -> str:
    """Returns the numbers that are allowed, in words."""
    if not numbers:
        return "none"
    if numbers[-1] - numbers[0] + 1 == len(numbers):
        return f"in [{numbers[0]}, {numbers[-1]}]"
    return f"one of {', '.join(map(str, numbers[:8]))}{', …' * (len(numbers) > 8)}"
