# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the plot and the table of docs/performance.md from peers.csv.

    python -m benchmarks.peers.report  # Needs matplotlib

A test compares the page with the figures: run this after every
benchmarks.peers.compare.
"""

from __future__ import annotations

from benchmarks.bars import MACHINE, OTHER, kind, write_bars
from benchmarks.report import FACES, ROOT, marked, read, replaced
from benchmarks.tables import Cell, Row, number, rate, spread, table, text

PAGE = ROOT / "docs" / "performance.md"
PLOT = ROOT / "docs" / "images" / "peers.png"


def part() -> str:
    """Returns the part of the page that is made from the figures."""
    origin, rows = read("peers")
    return marked("peers", f"{origin}\n\n{table(rows, COLUMNS)}")


def title(row: Row) -> str:
    """Returns the page's name of a candidate, with its own packages' versions."""
    name = FACES.get(row["candidate"], row["candidate"])
    return f"{name} ({row['versions']})" if row["versions"] else name


def first_batch(row: Row) -> str:
    """Returns the seconds to the first batch; "" for the machine, which has none."""
    return "" if kind(row) == MACHINE else f"{_digits(row['first_batch_s'])} s"


def note(row: Row) -> str:
    """Returns the text after a bar's rate: how many times as fast rowfeed is."""
    return f", {_slower(row)} slower" if _slower(row) else ""


def _slower(row: Row) -> str:
    if kind(row) != OTHER or not row["times_slower"]:
        return ""
    return f"{_digits(row['times_slower'])}x"


def _digits(number: str) -> str:
    value = float(number)
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


COLUMNS = {
    "data": text("data"),
    "candidate": Cell(title, is_text=True),
    "rounds": text("rounds"),
    "rows/s": rate("rows_per_s"),
    "least to most": spread(rate),
    "GB/s": number("gb_per_s", ".2f"),
    "first batch": Cell(first_batch),
    "times slower than rowfeed": Cell(_slower),
}


def main() -> None:
    """Rewrites the plot and the page."""
    _, rows = read("peers")
    write_bars(rows, PLOT, note, log=True)
    PAGE.write_text(replaced(PAGE.read_text(), part()))


if __name__ == "__main__":
    main()
