# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the plot and the table of docs/growing.md from growing.csv.

    python -m benchmarks.studies.growing_report  # Needs matplotlib

A test compares the page with the figures: run this after every
benchmarks.studies.growing.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import median

from benchmarks.report import ROOT, Rows, marked, read, replaced

PAGE = ROOT / "docs" / "growing.md"
PLOT = ROOT / "docs" / "images" / "growing.png"
NAMES = {"keras": "Keras", "torch": "PyTorch"}


def part() -> str:
    """Returns the part of the page that is made from the figures."""
    origin, rows = read("growing")
    return marked("growing", f"{origin}\n\n{table(rows)}")


def table(rows: Rows) -> str:
    """Returns a line for the samplers of each phase, and one for each training."""
    lines = [
        "| who | MB/s | CPU s/GB | epochs | rows of an epoch, least to most "
        "| waits for batches | share of the GIL | rows gone |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for phase, name in (
        ("alone", "samplers, as fast as they can, alone"),
        ("both", "samplers, at their rate, beside the trainings"),
    ):
        mine = [r for r in rows if r["phase"] == phase and "in all" in r["who"]]
        rate = sum(float(row["mb_per_s"]) for row in mine)
        cpu = median(float(row["cpu_s_per_gb"]) for row in mine)
        lines.append(f"| {len(mine)} {name} | {rate:.0f} | {cpu:.1f} | | | | | |")
    for who, title in NAMES.items():
        epochs = [row for row in rows if row["who"] == who]
        keys = "mb_per_s", "cpu_s_per_gb", "wait", "gil", "gone"
        of = {key: [float(epoch[key]) for epoch in epochs] for key in keys}
        sizes = [int(row["rows"]) for row in epochs]
        cells = [
            *(title, f"{median(of['mb_per_s']):.0f}"),
            *(f"{median(of['cpu_s_per_gb']):.1f}", str(len(epochs))),
            f"{min(sizes):,} to {max(sizes):,}",
            *(f"{median(of[key]):.0%}" for key in ("wait", "gil")),
            f"{sum(of['gone']):,.0f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def write_plot(rows: Rows, path: Path = PLOT) -> None:
    """Plots over time how the data grows, how fast, and how long trainings wait."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(14, 4), layout="constrained")
    both = [row for row in rows if row["phase"] == "both"]
    written: dict[int, float] = defaultdict(float)
    for row in both:
        if row["who"] == "sampler":
            written[round(float(row["second"]))] += float(row["mb_per_s"])
    seconds = sorted(written)
    rates = [written[second] for second in seconds]
    axes[1].plot(seconds, rates, ":", color="C2", label="written")
    for who, color in (("keras", "C1"), ("torch", "C0")):
        mine = [row for row in both if row["who"] == who]
        at = [float(row["second"]) for row in mine]
        style = {"color": color, "marker": "o", "markersize": 3}
        axes[0].plot(at, [int(r["rows"]) for r in mine], label=NAMES[who], **style)
        rate = [float(row["mb_per_s"]) for row in mine]
        axes[1].plot(at, rate, label=f"read, {NAMES[who]}", **style)
        for key, line in (("wait", "-"), ("gil", "--")):
            label = f"{NAMES[who]}: {'waits' if key == 'wait' else 'of the GIL'}"
            shares = [float(row[key]) for row in mine]
            axes[2].plot(at, shares, line, label=label, **style)
    titles = "rows of the epoch", "MB/s", "share of the training thread's time"
    for axis, title in zip(axes, titles, strict=True):
        axis.set(title=title, xlabel="seconds", ylim=(0, None))
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    figure.savefig(path, dpi=75)


def main() -> None:
    """Rewrites the plot and the page."""
    _, rows = read("growing")
    write_plot(rows)
    PAGE.write_text(replaced(PAGE.read_text(), part()))


if __name__ == "__main__":
    main()
