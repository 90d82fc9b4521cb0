# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Text in columns for a terminal: widths, clipping and control characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

WIDEST: Final = 32  # The greatest width of a name, a type or a value in a table.


def line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Returns cells side by side, each padded to its width but for the last."""
    padded = (
        text + " " * (width - width_of(text))
        for text, width in zip(cells, widths, strict=False)
    )
    return "  ".join(padded).rstrip()


def lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns the lines of a table; rows may have fewer cells than others."""
    widths = [
        max(width_of(row[i]) for row in rows if i < len(row))
        for i in range(max(map(len, rows), default=0))
    ]
    return [line(row, widths) for row in rows]


def clipped(text: str, widest: int = WIDEST) -> str:
    """Returns `text` on one line and no wider than `widest`.

    A letter is never parted from the combining accents after it.
    """
    shown = printable(text[: 4 * widest])
    if len(text) <= 4 * widest and width_of(shown) <= widest:
        return shown
    end, width = 0, 1  # The sign "…" for the text left out is one wide.
    while end < len(shown) and (width := width + width_of(shown[end])) <= widest:
        end += 1
    while 0 < end < len(shown) and unicodedata.combining(shown[end]):
        end -= 1  # A combining accent belongs to the letter before it.
    return shown[:end] + "…"


def printable(text: str) -> str:
    """Returns `text` with control characters as Python escapes them."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in text
    )


def width_of(text: str) -> int:
    """Returns the width of the text in a terminal, in columns of one letter."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def counted(number: int, noun: str) -> str:
    """Returns a number with its noun, such as "1 file" or "2,048 files"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def sized(num_bytes: int) -> str:
    """Returns a number of bytes with three digits or so, such as "1.25 MB"."""
    if num_bytes < 1000:
        return f"{num_bytes} B"
    size, units = num_bytes / 1000, ["kB", "MB", "GB", "TB", "PB"]
    while size >= 999.5 and len(units) > 1:
        size /= 1000
        del units[0]
    return f"{size:,.{max(0, 3 - len(str(round(size))))}f} {units[0]}"
