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
    """What a column shows of a row."""

    show: Callable[[Row], str]
    is_text: bool = False


def table(rows: Iterable[Row], columns: Mapping[str, Cell]) -> str:
    """Returns the table: text to the left, numbers to the right."""
    rules = ("---" if cell.is_text else "---:" for cell in columns.values())
    lines = [f"| {' | '.join(columns)} |", f"|{'|'.join(rules)}|"]
    for row in rows:
        cells = (cell.show(row) for cell in columns.values())
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def text(key: str) -> Cell:
    """Returns a cell with what the file says."""
    return Cell(lambda row: row[key], is_text=True)


def number(key: str, form: str = "", unit: str = "") -> Cell:
    """Returns a cell with a number in this form, or nothing where there is none."""
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
    """Returns 1.23 M, or 123,456."""
    return f"{per_s / 1e6:.2f} M" if per_s >= 1e6 else f"{per_s:,.0f}"
