# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The error of a dataset of all columns for columns that it cannot read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from rowfeed._columns.column import Column
from rowfeed._columns.pasted import line_of
from rowfeed._columns.patterns import excluding

if TYPE_CHECKING:
    from rowfeed._native import core

_MOST_NAMES: Final = 20
_MOST_REASONS: Final = 5


def refusal(
    refused: Sequence[core.Column],
    given: Sequence[Column] | None,
    fixes: Mapping[str, str],
    *,
    are_all: bool,
) -> str:
    """Returns a text: which columns cannot be read, why, and what to give instead.

    Args:
        refused: Columns that cannot be read, at least one.
        given: Columns that the user listed. None if the user listed none.
        fixes: Texts of columns in which files differ; see `pasted.line_of`.
        are_all: Whether there is no other column to read.
    """
    count = len(refused)
    reasons = [
        f"column {column.name!r} ({column.logical_type}): {column.unsupported}"
        for column in refused[:_MOST_REASONS]
    ]
    if count > _MOST_REASONS:
        reasons.append(f"and {count - _MOST_REASONS} more columns")
    nulls = next((c.name for c in refused if c.logical_type == "null"), None)
    if nulls is not None:
        advice = f"name it in columns= with a fill or a mask: Column({nulls!r}, fill=…)"
        reasons.append(f"if another file has {nulls!r} with a type, {advice}")
    if are_all:
        return "; ".join([*reasons, "there is no other column to read"])
    them = "it" if count == 1 else "them"
    line = _line([column.name for column in refused], given, fixes)
    return "; ".join([*reasons, f"read the others without {them}: {line}"])


def _line(
    names: list[str], given: Sequence[Column] | None, fixes: Mapping[str, str]
) -> str:
    if len(names) > _MOST_NAMES:
        schema = "rowfeed.Catalog.open(...).schema"
        return f"columns=[c.name for c in {schema} if not c.unsupported]"
    line = line_of(given, fixes, names)
    return line or f"add {', '.join(repr(excluding(n)) for n in names)} to columns="
