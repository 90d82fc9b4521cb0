# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Markdown tables of the rows of a CSV file: a title and a cell for each column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Row: TypeAlias = Mapping[str, str]


@dataclass(frozen=True)
class Cell:
    """The content of a column's cells: how it is made from a line of results."""

    show: Callable[[Row], str]
    is_text: bool = False


def table(rows: Iterable[Row], columns: Mapping[str, Cell]) -> str:
    """Returns the table, with text aligned to the left and numbers to the right."""
    rules = ("---" if cell.is_text else "---:" for cell in columns.values())
    lines = [f"| {' | '.join(columns)} |", f"|{'|'.join(rules)}|"]
    for row in rows:
        cells = (cell.show(row) for cell in columns.values())
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def text(key: str) -> Cell:
    """Returns a cell with the text of the file's field `key`."""
    return Cell(lambda row: row[key], is_text=True)


def number(key: str, form: str = "", unit: str = "") -> Cell:
    """Returns a cell with a formatted number, empty where the field is empty."""
    return Cell(
        lambda row: (
            f"{float(row[key]) if form else row[key]:{form}}{unit}" if row[key] else ""
        )
    )


def rate(key: str) -> Cell:
    """Returns a cell with a number per second."""
    return Cell(lambda row: shown_rate(float(row[key])))


def spread(show: Callable[[str], Cell]) -> Cell:
    """Returns a cell with the least and the greatest over rounds."""
    low, high = show("low"), show("high")
    return Cell(lambda row: f"{low.show(row)} to {high.show(row)}")


def shown_rate(per_s: float) -> str:
    """Returns a rate as text: "1.23 M" or "123,456"."""
    return f"{per_s / 1e6:.2f} M" if per_s >= 1e6 else f"{per_s:,.0f}"
