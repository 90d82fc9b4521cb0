# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Row groups that `Catalog.select` is asked for."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from rowfeed._native import core


def selected_groups(
    catalog: core.Catalog,
    files: str | int | Iterable[str | int] | None,
    row_groups: int | Iterable[int] | None,
) -> list[int]:
    """Returns the numbers of the row groups that both choices have.

    Args:
        catalog: Catalog that is chosen from.
        files: Names, patterns or numbers of files; None for all files.
        row_groups: Numbers of row groups in the catalog; None for all row groups.

    Raises:
        IndexError: A number is not that of a file or row group.
        TypeError: A choice has another type.
        ValueError: A name or pattern matches no file, or no row group is left.
    """
    file_of = [file for file, _, _ in catalog.row_groups]
    chosen = set(range(len(file_of)))
    if row_groups is not None:
        chosen = set(_numbers("row_groups", row_groups, len(file_of)))
    if files is not None:
        names = [name for _, name, _, _ in catalog.files]
        of_files = _file_numbers(names, files)
        chosen = {group for group in chosen if file_of[group] in of_files}
    if not chosen:
        raise ValueError(
            "select: no row group is left: the files and row groups that were chosen "
            f"have none in common (files={files!r}, row_groups={row_groups!r})"
        )
    return sorted(chosen)


def _file_numbers(
    names: Sequence[str], files: str | int | Iterable[str | int]
) -> set[int]:
    found: set[int] = set()
    expected = "names, patterns or numbers of files"
    for wanted in _listed("files", files, expected):
        if not isinstance(wanted, str):
            found.update(_numbers("files", [wanted], len(names), expected))
            continue
        matching = [
            i
            for i, name in enumerate(names)
            if name == wanted or core.match_pattern(wanted, name)
        ]
        if not matching:
            near = get_close_matches(wanted, names, 3) or names[:3]
            raise ValueError(
                f"files: no file is called {wanted!r}, or matches it; names such as "
                f"{', '.join(map(repr, near))} are in Catalog.files"
            )
        found.update(matching)
    return found


def _numbers(
    option: str, wanted: int | Iterable[int], end: int, expected: str = "numbers"
) -> list[int]:
    """Returns numbers from 0 on; those below 0 count from the end."""
    found = []
    for number in _listed(option, wanted, expected):
        if isinstance(number, (bool, np.bool_)) or not hasattr(number, "__index__"):
            raise TypeError(f"{option} must be {expected}, not {number!r}")
        index = operator.index(number)
        if not -end <= index < end:
            raise IndexError(f"{option} has {index}, but the catalog has {end}")
        found.append(index % end)
    return found


def _listed(option: str, wanted: Any, expected: str) -> Iterable[Any]:
    """Returns one choice as a list, and several as they are."""
    if isinstance(wanted, str):
        return [wanted]
    if isinstance(wanted, np.ndarray) and wanted.ndim == 0:
        return [wanted.item()]
    if hasattr(wanted, "__index__") and not isinstance(wanted, Iterable):
        return [wanted]
    if isinstance(wanted, (bytes, os.PathLike)) or not isinstance(wanted, Iterable):
        advice = "; give a range" if isinstance(wanted, slice) else ""
        raise TypeError(f"{option} must be {expected}, not {wanted!r}{advice}")
    return wanted
