# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the plot and the table of docs/performance.md from peers.csv.

    python benchmarks/peers_report.py       # Needs matplotlib

A test holds the page to the figures: run it after every benchmarks/peers.py.
"""

from __future__ import annotations

from pathlib import Path

from hardware import HARDWARE
from report import FACES, ROOT, WHAT, Rows, marked, read, replaced
from tables import Cell, Row, number, rate, spread, table, text

PAGE = ROOT / "docs" / "performance.md"
PLOT = ROOT / "docs" / "images" / "peers.png"


def part() -> str:
    """Returns the part of the page that the figures make."""
    origin, rows = read("peers")
    return marked("peers", f"{origin}\n\n{table(rows, COLUMNS)}")


def title(row: Row) -> str:
    """Returns what the page calls a candidate, with the versions that it adds."""
    name = FACES.get(row["candidate"], row["candidate"])
    return f"{name} ({row['versions']})" if row["versions"] else name


def first_batch(row: Row) -> str:
    """Returns the seconds to the first batch, which the machine itself has not."""
    return "" if row["candidate"] in HARDWARE else f"{_digits(row['first_batch_s'])} s"


def write_plot(rows: Rows, path: Path = PLOT) -> None:
    """Plots rows per second, a panel for each data set."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    names = list(dict.fromkeys(row["data"] for row in rows))
    columns = min(2, len(names))
    lines = -(-len(names) // columns)
    figure, axes = plt.subplots(
        lines, columns, figsize=(14, 5 * lines), layout="constrained", squeeze=False
    )
    for axis in axes.flat[len(names) :]:
        axis.remove()
    for axis, data in zip(axes.flat, names, strict=False):
        mine = [row for row in rows if row["data"] == data]
        mine.sort(key=lambda row: (_kind(row), -float(row["rows_per_s"])))
        rates = [float(row["rows_per_s"]) for row in mine]
        errors = [
            [r - float(row["low"]) for r, row in zip(rates, mine, strict=True)],
            [float(row["high"]) - r for r, row in zip(rates, mine, strict=True)],
        ]
        labels = [FACES.get(row["candidate"], row["candidate"]) for row in mine]
        colors = [("C0", "C1", "0.7")[_kind(row)] for row in mine]
        bars = axis.barh(labels, rates, xerr=errors, color=colors, ecolor="0.3")
        notes = [f"  {rate('rows_per_s').show(row)}{_times(row)}" for row in mine]
        axis.bar_label(bars, notes, fontsize=8)
        axis.set(xscale="log", xlabel="rows/s, shuffled")
        axis.set_title(WHAT[data], fontsize="medium")
        axis.set_xlim(min(rates) / 3, max(rates) * 12)
        axis.invert_yaxis()
        axis.grid(axis="x", alpha=0.3)
    figure.savefig(path, dpi=75)


def _kind(row: Row) -> int:
    """Returns 0 for rowfeed, 1 for a peer, 2 for the machine."""
    if row["candidate"] in HARDWARE:
        return 2
    return 0 if row["candidate"] in FACES else 1


def _times(row: Row) -> str:
    return f", {_slower(row)} slower" if _slower(row) else ""


def _slower(row: Row) -> str:
    if _kind(row) != 1 or not row["times_slower"]:
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
    write_plot(rows)
    PAGE.write_text(replaced(PAGE.read_text(), part()))


if __name__ == "__main__":
    main()
