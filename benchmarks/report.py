# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the measured tables of README.md and docs/performance.md from results/.

    python benchmarks/report.py

A test holds the pages to the figures: run it after every scan.py, resume.py, take.py,
filters.py, layouts.py, micro.py, remote.py.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"

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


def read(name: str) -> tuple[str, Rows]:
    """Returns where the figures of a benchmark come from, and the figures."""
    lines = (RESULTS / f"{name}.csv").read_text().splitlines()
    origin = [line.removeprefix("# ") for line in lines if line.startswith("#")]
    rows = [line for line in lines if not line.startswith("#")]
    return "```\n{}\n```".format("\n".join(origin)), list(csv.DictReader(rows))


def readme_table(rows: Rows) -> str:
    """Returns the short table: what each face reaches of the better of the scans."""
    faces = [name for name in _candidates(rows) if name in FACES]
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


def resume_table(rows: Rows) -> str:
    """Returns a state's size and a resumed start's time beside those of a fresh one."""
    lines = [
        "| position | num_lanes | world_size | state, bytes | `state_dict()`, µs "
        "| resumed, s | least to most | fresh, s | ratio |",
        "|" + "---:|" * 9,
    ]
    for row in rows:
        cells = [
            *(f"{row['position']} %", row["num_lanes"], row["world_size"]),
            *(row["state_bytes"], f"{float(row['state_us']):.1f}"),
            f"{float(row['resumed_s']):.3f}",
            f"{float(row['low']):.3f} to {float(row['high']):.3f}",
            *(f"{float(row['fresh_s']):.3f}", f"{float(row['ratio']):.2f}"),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def pictures_table(rows: Rows) -> str:
    """Returns pictures decoded per second, and how many times a DataLoader's."""
    lines = [
        "| candidate | pictures/s | least to most | ratio |",
        "|---|---:|---:|---:|",
    ]
    for row in rows:
        low, high = (_rate(float(row[key])) for key in ("low", "high"))
        cells = [
            *(row["candidate"], _rate(float(row["pictures_per_s"]))),
            f"{low} to {high}",
            f"{float(row['ratio']):.2f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def take_table(rows: Rows) -> str:
    """Returns what a take costs, and how many times that of rowfeed it is."""
    lines = [
        "| data | order | candidate | first take, ms | later, ms | least to most "
        "| times slower |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for row in rows:
        cells = [
            *(row["data"], row["order"], row["candidate"]),
            *(f"{float(row['first_ms']):,.0f}", f"{float(row['take_ms']):,.1f}"),
            f"{float(row['low']):,.1f} to {float(row['high']):,.1f}",
            f"{float(row['times_slower']):,.1f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def filters_table(rows: Rows) -> str:
    """Returns rows per second under filters, beside pyarrow's scan with the same."""
    lines = [
        "| rows that pass | candidate | rows/s | least to most | CPU ns/row | ratio "
        "| first epoch |",
        "|---:|---|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        low, high = (_rate(float(row[key])) for key in ("low", "high"))
        cells = [
            *(f"{row['percent']} %", row["candidate"]),
            *(_rate(float(row["rows_per_s"])), f"{low} to {high}"),
            f"{float(row['cpu_ns_per_row']):,.0f}",
            *(f"{float(row['ratio']):.2f}", f"{float(row['first_ratio']):.2f}"),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def remote_table(rows: Rows) -> str:
    """Returns rows per second over distances, beside those of scans and of the disk."""
    lines = [
        "| distance | candidate | rows/s | least to most | ratio | of local "
        "| first epoch, rows/s |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        low, high = (_rate(float(row[key])) for key in ("low", "high"))
        cells = [
            *(row["distance"], row["candidate"], _rate(float(row["rows_per_s"]))),
            f"{low} to {high}",
            *(f"{float(row[key]):.2f}" for key in ("ratio", "of_local")),
            _rate(float(row["first_rows_per_s"])),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def layouts_table(rows: Rows) -> str:
    """Returns how fast each way to store tensors is."""
    lines = [
        "| tensors of | stored as | written, MB/s | read, MB/s | bytes of the file |",
        "|---|---|---:|---:|---:|",
    ]
    for row in rows:
        cells = [
            *(row["dtype"], row["layout"]),
            *(f"{float(row[f'{way}_mb_per_s']):,.0f}" for way in ("write", "read")),
            f"{float(row['file_bytes']):.2f}x",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def micro_table(rows: Rows) -> str:
    """Returns what a value costs, decoded or gathered, beside Arrow's reader."""
    lines = [
        "| benchmark | CPU ns/row | Arrow's reader | ratio |",
        "|---|---:|---:|---:|",
    ]
    costs = {row["benchmark"]: float(row["cpu_ns_per_row"]) for row in rows}
    for row in rows:
        kind, _, data = row["benchmark"].partition("/")
        if kind == "arrow":
            continue
        floor = f"{costs[f'arrow/{data}']:,.2f}" if kind == "decode" else ""
        ratio = f"{float(row['ratio']):.2f}" if row["ratio"] else ""
        name = data if kind == "decode" else row["benchmark"]
        lines.append(f"| {name} | {costs[row['benchmark']]:,.2f} | {floor} | {ratio} |")
    return "\n".join(lines)


def pages() -> Iterator[tuple[Path, str]]:
    """Yields each page with a marked part as it must stand there."""
    performance = ROOT / "docs" / "performance.md"
    origin, rows = read("scan")
    yield ROOT / "README.md", marked("measured", readme_table(rows))
    yield performance, marked("measured", f"{origin}\n\n{full_table(rows)}")
    origin, rows = read("resume")
    yield performance, marked("resuming", f"{origin}\n\n{resume_table(rows)}")
    origin, rows = read("filters")
    yield performance, marked("filters", f"{origin}\n\n{filters_table(rows)}")
    origin, rows = read("take")
    yield performance, marked("take", f"{origin}\n\n{take_table(rows)}")
    origin, rows = read("micro")
    yield performance, marked("micro", f"{origin}\n\n{micro_table(rows)}")
    origin, rows = read("remote")
    yield performance, marked("remote", f"{origin}\n\n{remote_table(rows)}")
    origin, rows = read("pictures")
    page = ROOT / "docs" / "pictures.md"
    yield page, marked("pictures", f"{origin}\n\n{pictures_table(rows)}")
    origin, rows = read("layouts")
    page = ROOT / "docs" / "growing.md"
    yield page, marked("layouts", f"{origin}\n\n{layouts_table(rows)}")


def marked(name: str, text: str) -> str:
    """Returns a part of a page between its marks."""
    return f"<!-- begin {name} -->\n{text}\n<!-- end {name} -->"


def replaced(page: str, part: str) -> str:
    """Returns the page with a part in the place of the one with the same marks."""
    begin, *_, end = part.splitlines()
    marks = f"{re.escape(begin)}.*?{re.escape(end)}"
    return re.sub(marks, lambda _: part, page, flags=re.DOTALL)


def _candidates(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["candidate"] for row in rows))


def _rate(rows_per_s: float) -> str:
    return f"{rows_per_s / 1e6:.2f} M" if rows_per_s >= 1e6 else f"{rows_per_s:,.0f}"


def main() -> None:
    """Rewrites the pages."""
    for path, part in pages():
        path.write_text(replaced(path.read_text(), part))


if __name__ == "__main__":
    main()
