# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the measured tables of README.md and docs/performance.md from scan.csv.

    python benchmarks/scan_report.py

A test holds the pages to the figures: run it after every benchmarks/scan.py.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "scan.csv"

Rows: TypeAlias = list[dict[str, str]]

WHAT = {
    "A": "A: 40 float32, 10 int64, 5 category strings; snappy",
    "N": "N: the 50 numeric columns of A",
    "B": "B: 1024 float32 a row, uncompressed",
    "C": "C: tokens and text; zstd",
    "D": "D: images of 20 to 100 KB",
}
FACES = {
    "rowfeed": "rowfeed, NumPy",
    "rowfeed.torch": "rowfeed, PyTorch",
    "rowfeed.tensorflow": "rowfeed, TensorFlow",
}


def read(path: Path = RESULTS) -> tuple[str, Rows]:
    """Returns where the figures come from, and the figures."""
    lines = path.read_text().splitlines()
    origin = [line.removeprefix("# ") for line in lines if line.startswith("#")]
    rows = [line for line in lines if not line.startswith("#")]
    return "\n".join(origin), list(csv.DictReader(rows))


def readme_table(rows: Rows) -> str:
    """Returns the short table: what each face reaches of the better of the scans."""
    faces = [name for name in _candidates(rows) if not name.startswith("pyarrow")]
    titles = ["rows/s", "pyarrow, scan only", *(FACES[face] for face in faces)]
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for data in dict.fromkeys(row["data"] for row in rows):
        of_data = {row["candidate"]: row for row in rows if row["data"] == data}
        scan = max(
            float(row["rows_per_s"])
            for name, row in of_data.items()
            if name.startswith("pyarrow")
        )
        cells = [
            f"{_rate(float(of_data[face]['rows_per_s']))} "
            f"({float(of_data[face]['ratio']):.2f}x)"
            for face in faces
        ]
        lines.append(f"| {WHAT[data]} | {_rate(scan)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def full_table(rows: Rows) -> str:
    """Returns the long table: every candidate, with the spread over rounds."""
    lines = [
        "| data | candidate | rows/s | least to most | GB/s | CPU ns/row | ratio "
        "| first epoch |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        low, high = (_rate(float(row[key])) for key in ("low", "high"))
        cells = [
            *(row["data"], row["candidate"], _rate(float(row["rows_per_s"]))),
            f"{low} to {high}",
            f"{float(row['gb_per_s']):.2f}",
            f"{float(row['cpu_ns_per_row']):,.0f}",
            f"{float(row['ratio']):.2f}",
            f"{float(row['first_ratio']):.2f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def pages(origin: str, rows: Rows) -> dict[Path, str]:
    """Returns what must stand between the marks of each page."""
    return {
        ROOT / "README.md": readme_table(rows),
        ROOT / "docs" / "performance.md": f"```\n{origin}\n```\n\n{full_table(rows)}",
    }


def replaced(page: str, text: str) -> str:
    """Returns the page with `text` between its marks."""
    marks = r"(<!-- begin measured -->\n).*?(<!-- end measured -->)"
    return re.sub(marks, lambda m: f"{m[1]}{text}\n{m[2]}", page, flags=re.DOTALL)


def _candidates(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["candidate"] for row in rows))


def _rate(rows_per_s: float) -> str:
    return f"{rows_per_s / 1e6:.2f} M" if rows_per_s >= 1e6 else f"{rows_per_s:,.0f}"


def main() -> None:
    """Rewrites the pages."""
    for path, text in pages(*read()).items():
        path.write_text(replaced(path.read_text(), text))


if __name__ == "__main__":
    main()
