# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Plain HTML of tables and sheets, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from rowfeed._sheet.sheet import Content, Sheet, shown_rows
from rowfeed._sheet.text import printable

_LEFT: Final = ' style="text-align: left"'  # Notebooks align cells to the right.


def html_of_sheet(sheet: Sheet) -> str:
    """Returns a table with a row for each entry of a sheet; tables lie in its cells."""
    rows = [
        f"<tr><th{_LEFT}>{_text(label)}</th><td{_LEFT}>{cell}</td></tr>"
        for label, content in sheet.entries
        for cell in (_cell(content, sheet.has_all),)
    ]
    title = f"<caption>{_text(sheet.title)}</caption>"
    return "\n".join(["<table>", title, *rows, "</table>"])


def html_of_table(rows: Sequence[tuple[str, ...]], titles: tuple[str, ...] = ()) -> str:
    """Returns a table; the last cell of a row that has fewer cells spans the rest."""
    num_columns = max(map(len, [titles, *rows]))
    head = f"<tr>{''.join(f'<th{_LEFT}>{_text(title)}</th>' for title in titles)}</tr>"
    lines = [_row(row, num_columns) for row in rows]
    return "\n".join(["<table>", *([head] if titles else []), *lines, "</table>"])


def _row(row: tuple[str, ...], num_columns: int) -> str:
    cells = [f"<td{_LEFT}>{_text(text)}</td>" for text in row[:-1]]
    missing = num_columns - len(row)
    span = f' colspan="{missing + 1}"' if missing else ""
    return f"<tr>{''.join(cells)}<td{span}{_LEFT}>{_text(row[-1])}</td></tr>"


def _cell(content: Content, has_all: str) -> str:
    if isinstance(content, str):
        return _text(content)
    return html_of_table(shown_rows(content, has_all)) if content else "none"


def _text(text: str) -> str:
    return escape(printable(text))
