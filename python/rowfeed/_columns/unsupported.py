# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The error of a dataset of all columns for columns that it cannot read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rowfeed._native import core

_MOST_NAMES: Final = 40
_MOST_REASONS: Final = 5


def refusal(columns: Sequence[core.Column], apart: Collection[str]) -> str:
    """Returns a text: which columns cannot be read, why, and what to give instead.

    Args:
        columns: Columns of the catalog, at least one of them unsupported.
        apart: Names of the columns that are delivered as label or sample weight.
    """
    reasons = [
        f"column {column.name!r} ({column.logical_type}): {column.unsupported}"
        for column in columns
        if column.unsupported
    ]
    count = len(reasons)
    if count > _MOST_REASONS:
        reasons[_MOST_REASONS:] = [f"and {count - _MOST_REASONS} more columns"]
    nulls = next((c.name for c in columns if c.unsupported and _is_null(c)), None)
    if nulls is not None:
        given = f"name it in columns= with a fill or a mask: Column({nulls!r}, fill=…)"
        reasons.append(f"if another file has {nulls!r} with a type, {given}")
    names = _readable(columns, apart)
    if not names:
        return "; ".join([*reasons, "there is no other column to read"])
    them = "it" if count == 1 else "them"
    return "; ".join([*reasons, f"read the others without {them}: {_line(names)}"])


def _is_null(column: core.Column) -> bool:
    return column.logical_type == "null"


def _readable(columns: Iterable[core.Column], apart: Collection[str]) -> list[str]:
    """Returns names for `columns=` that give all supported columns, as they nest."""
    leaves: dict[str, list[core.Column]] = {}
    for column in columns:
        leaves.setdefault(column.path[0], []).append(column)
    names: list[str] = []
    for field, below in leaves.items():
        readable = [c.name for c in below if not c.unsupported and c.name not in apart]
        names.extend([field] if len(readable) == len(below) else readable)
    return names


def _line(names: list[str]) -> str:
    if len(names) <= _MOST_NAMES:
        return f"columns={names!r}"
    schema = "rowfeed.Catalog.open(...).schema"
    return f"columns=[c.name for c in {schema} if not c.unsupported]"
