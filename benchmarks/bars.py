# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Plots of rows per second: a panel for each data set, a bar for each candidate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.hardware import HARDWARE
from benchmarks.report import FACES, WHAT, Rows
from benchmarks.tables import Row, rate

ROWFEED, OTHER, MACHINE = range(3)
COLORS = ("C0", "C1", "0.7")


def kind(row: Row) -> int:
    """Returns the kind of a candidate: rowfeed, a peer, or the machine itself."""
    if row["candidate"] in HARDWARE:
        return MACHINE
    return ROWFEED if row["candidate"].startswith("rowfeed") else OTHER


def write_bars(
    rows: Rows, path: Path, note: Callable[[Row], str], *, log: bool = False
) -> None:
    """Plots the lines of a CSV file.

    Args:
        rows: Lines of the file.
        path: File to write the plot to.
        note: Function that returns the text after a bar's rate.
        log: Whether the axis of rates is logarithmic.
    """
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    panels: dict[str, Rows] = {}
    for row in rows:
        panels.setdefault(row["data"], []).append(row)
    columns = min(2, len(panels))
    lines = -(-len(panels) // columns)
    height = 1 + 0.18 * max(map(len, panels.values()))
    figure, axes = plt.subplots(
        lines,
        columns,
        figsize=(14, height * lines),
        layout="constrained",
        squeeze=False,
    )
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    for axis, (data, mine) in zip(axes.flat, panels.items(), strict=False):
        _panel(axis, mine, note, log=log)
        axis.set_title(WHAT[data], fontsize="medium")
    figure.savefig(path, dpi=75)


def _panel(axis: Any, rows: Rows, note: Callable[[Row], str], *, log: bool) -> None:
    mine = sorted(rows, key=lambda row: (kind(row), -float(row["rows_per_s"])))
    rates = [float(row["rows_per_s"]) for row in mine]
    errors = [
        [r - float(row["low"]) for r, row in zip(rates, mine, strict=True)],
        [float(row["high"]) - r for r, row in zip(rates, mine, strict=True)],
    ]
    labels = [FACES.get(row["candidate"], row["candidate"]) for row in mine]
    colors = [COLORS[kind(row)] for row in mine]
    bars = axis.barh(labels, rates, xerr=errors, color=colors, ecolor="0.3")
    notes = [f"  {rate('rows_per_s').show(row)}{note(row)}" for row in mine]
    axis.bar_label(bars, notes, fontsize=8)
    axis.set(xlabel="rows/s")
    if log:
        axis.set(xscale="log", xlim=(min(rates) / 3, max(rates) * 12))
    else:
        axis.set(xlim=(0, max(rates) * 1.35))
    axis.invert_yaxis()
    axis.grid(axis="x", alpha=0.3)
