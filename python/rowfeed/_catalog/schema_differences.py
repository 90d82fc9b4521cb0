# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files of one data set that differ in their columns: whether that is settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from rowfeed._columns.column import Column
from rowfeed._native import core


def check(native: core.Catalog, columns: Sequence[Column] | None) -> None:
    """Refuses columns in which the files differ, unless it is said what to make of it.

    Args:
        native: The catalog.
        columns: Those that were asked for; None: all, and nothing was said of them.

    Raises:
        ValueError: The message has each column that differs, its types, their files
            and what to give.
    """
    differ = sorted({column for _, column, _ in native.differences})
    features = []
    for index in differ:
        found = native.columns[index]
        if columns is None and found.is_added_index:
            continue  # It is among the columns of a dataset only if it is named.
        above = [".".join(found.path[: depth + 1]) for depth in range(len(found.path))]
        spec = next(
            (c for c in columns or () if c.name in above or _matches(c, found.name)),
            Column(found.name),
        )
        features.append(replace(spec, name=found.name).feature(native))
    core.check_settled(features, native)


def _matches(column: Column, name: str) -> bool:
    return fnmatchcase(name, column.name)
