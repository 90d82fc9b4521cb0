# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Sheet`: what an object is, as a title and labelled lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from rowfeed._sheet.text import line, lines, printable, width_of

# A line of text, or a table: rows of cells.
Content: TypeAlias = "str | Sequence[tuple[str, ...]]"

_MOST_ROWS: Final = 12  # The number of rows of a table that are shown.


@dataclass(frozen=True)
class Sheet:
    """A description of an object in a few lines.

    Attributes:
        title: Public name of the object's class.
        entries: Pairs of a label and what it stands for.
        has_all: Name of the public attribute that has all rows of the tables, of which
            only the first are shown; "" for none.
    """

    title: str
    entries: Sequence[tuple[str, Content]]
    has_all: str = ""

    def __str__(self) -> str:
        """Returns the title and an indented line for each entry, without a last break.

        A table has a line for each row.
        """
        label_width = max((width_of(label) for label, _ in self.entries), default=0)
        found = [self.title]
        for label, content in self.entries:
            if isinstance(content, str):
                shown = [printable(content)]
            else:
                shown = _of(content, self.has_all)
            labels = [label, *[""] * (len(shown) - 1)]
            found += [
                line(("", *pair), (0, label_width, 0))
                for pair in zip(labels, shown, strict=True)
            ]
        return "\n".join(found)


def shown_rows(rows: Sequence[tuple[str, ...]], has_all: str) -> list[tuple[str, ...]]:
    """Returns the first rows of a table, and a row that says how many are left out.

    Args:
        rows: All rows.
        has_all: Name of the attribute that has all of them; "" for none.
    """
    if len(rows) <= _MOST_ROWS:
        return list(rows)
    more = f"… and {len(rows) - _MOST_ROWS + 1:,} more"
    if has_all:
        more += f"; {has_all} has all of them"
    return [*rows[: _MOST_ROWS - 1], (more,)]


def _of(rows: Sequence[tuple[str, ...]], has_all: str) -> list[str]:
    shown = [tuple(map(printable, row)) for row in shown_rows(rows, has_all)]
    return lines(shown) or ["none"]
