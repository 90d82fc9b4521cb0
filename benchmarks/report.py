# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the measured tables of the pages of docs/ from results/.

    python -m benchmarks.report

A test compares the pages with the figures: run this after every benchmark of TABLES.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from benchmarks.floors import FLOORS, IN_THREADS
from benchmarks.tables import number, rate, shown_rate, spread, table, text

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

SCAN = {
    "data": text("data"),
    "candidate": text("candidate"),
    "rows/s": rate("rows_per_s"),
    "least to most": spread(rate),
    "GB/s": number("gb_per_s", ".2f"),
    "CPU ns/row": number("cpu_ns_per_row", ",.0f"),
    "ratio": number("ratio", ".2f"),
    "first epoch": number("first_ratio", ".2f"),
    "entropy": number("entropy_bits", ".2f"),
}
RESUME = {
    "position": number("position", unit=" %"),
    "num_lanes": number("num_lanes"),
    "world_size": number("world_size"),
    "state, bytes": number("state_bytes"),
    "`state_dict()`, µs": number("state_us", ".1f"),
    "resumed, s": number("resumed_s", ".3f"),
    "least to most": spread(lambda key: number(key, ".3f")),
    "fresh, s": number("fresh_s", ".3f"),
    "ratio": number("ratio", ".2f"),
}
FLOOR = {
    "data": text("data"),
    "loop": text("loop"),
    "candidate": text("candidate"),
    "rows/s": rate("rows_per_s"),
    "least to most": spread(rate),
    "CPU ns/row": number("cpu_ns_per_row", ",.0f"),
    "ratio": number("ratio", ".2f"),
}
FILTERS = {
    "rows that pass": number("percent", unit=" %"),
    "candidate": text("candidate"),
    "rows/s": rate("rows_per_s"),
    "least to most": spread(rate),
    "CPU ns/row": number("cpu_ns_per_row", ",.0f"),
    "ratio": number("ratio", ".2f"),
    "first epoch": number("first_ratio", ".2f"),
}
TAKE = {
    "data": text("data"),
    "order": text("order"),
    "candidate": text("candidate"),
    "first take, ms": number("first_ms", ",.0f"),
    "later, ms": number("take_ms", ",.1f"),
    "least to most": spread(lambda key: number(key, ",.1f")),
    "times slower": number("times_slower", ",.1f"),
}
REMOTE = {
    "distance": text("distance"),
    "candidate": text("candidate"),
    "rows/s": rate("rows_per_s"),
    "least to most": spread(rate),
    "ratio": number("ratio", ".2f"),
    "ratio to local": number("of_local", ".2f"),
    "first epoch, rows/s": rate("first_rows_per_s"),
}
SCALING = {
    "measure": text("measure"),
    "subject": number("subject"),
    "cost": number("cost", ",.1f"),
    "unit": text("unit"),
    "cost ratio": number("cost_ratio", ".2f"),
    "per second": number("per_s", ".3g"),
    "rate ratio": number("rate_ratio", ".2f"),
}
THREADS = {
    "data": text("data"),
    "candidate": text("candidate"),
    "threads": number("threads"),
    "rows/s": rate("rows_per_s"),
    "CPU ns/row": number("cpu_ns_per_row", ",.0f"),
    "rate ratio": number("rate_ratio", ".2f"),
    "cost ratio": number("cost_ratio", ".2f"),
}
TRANSFER = {
    "data": text("data"),
    "candidate": text("candidate"),
    "rows/s": rate("rows_per_s"),
    "least to most": spread(rate),
    "GB/s": number("gb_per_s", ".2f"),
    "a batch": number("batch_us", ",.0f"),
    "a step": number("step_us", ",.0f"),
    "added": number("added_us", ",.0f"),
}
MICRO = {
    "benchmark": text("benchmark"),
    "CPU ns/row": number("cpu_ns_per_row", ",.2f"),
    "Arrow's reader": number("arrow_ns_per_row", ",.2f"),
    "ratio": number("ratio", ".2f"),
}
GIL = {
    "threads": number("threads"),
    "the process": text("beside"),
    "alone, 1/s": rate("alone_per_s"),
    "beside the process, 1/s": rate("beside_process_per_s"),
    "beside rowfeed, 1/s": rate("beside_stream_per_s"),
    "ratio": number("ratio", ".2f"),
    "least to most": spread(lambda key: number(key, ".2f")),
    "its threads that ran": number("kernel_threads", ".2f"),
}
WAITS = {
    "data": text("data"),
    "threads": number("threads"),
    "candidate": text("candidate"),
    "step": number("step_us", ",.0f"),
    "median": number("median_us", ",.1f"),
    "a tensor": number("us_per_tensor", ",.2f"),
    "p99": number("p99_us", ",.0f"),
    "p99.9": number("p999_us", ",.0f"),
    "longest": number("max_us", ",.0f"),
    "least to most": spread(lambda key: number(key, ",.0f")),
    "a window's first": number("window_start_us", ",.1f"),
    "an epoch's first": number("epoch_start_us", ",.1f"),
    "ratio": number("epoch_ratio", ",.2f"),
}
MEMORY = {
    "measure": text("measure"),
    "subject": text("subject"),
    "value": number("value", ".4g"),
    "beside": number("reference", ".4g"),
}
BUDGET = {
    "pictures": text("pictures"),
    "face": text("face"),
    "budget, MB": number("budget_mb", ",.0f"),
    "first batch, MB": number("first_mb", ",.0f"),
    "peak, MB": number("peak_mb", ",.0f"),
    "peak to budget": number("ratio", ".2f"),
}
BOUNDS = {
    "file": text("file"),
    "read": text("mode"),
    "budget, MB": number("budget_mb", ",.1f"),
    "held, MB": number("held_mb", ",.1f"),
    "grown, MB": number("grown_mb", ",.1f"),
    "over, MB": number("over_mb", ",.1f"),
}
INSTALL = {
    "dataset": text("face"),
    "install, s": number("install_s", ".1f"),
    "without rowfeed, s": number("others_s", ".1f"),
    "first batch, s": number("first_batch_s", ".2f"),
    "imports alone, s": number("import_s", ".2f"),
    "both, s": number("whole_s", ".1f"),
}
VERIFY = {
    "pages": text("layout"),
    "verify_checksums": text("verify_checksums"),
    "rows/s": rate("rows_per_s"),
    "CPU ns/row": number("cpu_ns_per_row", ",.0f"),
    "slower": number("slower", ".2f"),
}
WIDE = {
    "columns": number("columns", ",.0f"),
    "asked": text("asked"),
    "candidate": text("candidate"),
    "opened, s": number("open_s", ".3g"),
    "read, s": number("read_s", ".3g"),
    "µs per column": number("us_per_column", ",.1f"),
    "ratio": number("ratio", ".2f"),
}
PICTURES = {
    "candidate": text("candidate"),
    "pictures/s": rate("pictures_per_s"),
    "least to most": spread(rate),
    "ratio": number("ratio", ".2f"),
}
LAYOUTS = {
    "tensors of": text("dtype"),
    "stored as": text("layout"),
    "written, MB/s": number("write_mb_per_s", ",.0f"),
    "read, MB/s": number("read_mb_per_s", ",.0f"),
    "bytes of the file": number("file_bytes", ".2f", "x"),
}
BLOCKS = {
    "data": text("data"),
    "blocks of a row group": number("blocks_per_row_group", ",.0f"),
    "CPU time of a row, ns": number("cpu_ns_per_row", ",.0f"),
    "beside whole row groups": number("cost_ratio", ".2f", "x"),
    "an epoch reads the data": number("read_ratio", ".2f", "x"),
}
# For each CSV file: the page, the name of the marks in it, and the table's columns.
TABLES = {
    "scan": ("measurements", "measured", SCAN),
    "resume": ("measurements", "resuming", RESUME),
    "tensorflow_floor": ("measurements", "floor", FLOOR),
    "filters": ("measurements", "filters", FILTERS),
    "take": ("measurements", "take", TAKE),
    "remote": ("measurements", "remote", REMOTE),
    "scaling": ("measurements", "scaling", SCALING),
    "threads": ("measurements", "threads", THREADS),
    "transfer": ("measurements", "transfer", TRANSFER),
    "micro": ("measurements", "micro", MICRO),
    "gil": ("measurements", "gil", GIL),
    "waits": ("measurements", "waits", WAITS),
    "memory": ("measurements", "memory", MEMORY),
    "budget": ("measurements", "budget", BUDGET),
    "bounds": ("measurements", "bounds", BOUNDS),
    "install": ("measurements", "install", INSTALL),
    "wide": ("measurements", "wide", WIDE),
    "verify": ("measurements", "verify", VERIFY),
    "pictures": ("pictures", "pictures", PICTURES),
    "layouts": ("growing", "layouts", LAYOUTS),
    "blocks": ("shuffle", "blocks", BLOCKS),
}


def read(name: str, folder: Path = RESULTS) -> tuple[str, Rows]:
    """Returns the origin of a benchmark's figures, and the figures."""
    lines = (folder / f"{name}.csv").read_text().splitlines()
    origin = [line.removeprefix("# ") for line in lines if line.startswith("#")]
    rows = [line for line in lines if not line.startswith("#")]
    return "```\n{}\n```".format("\n".join(origin)), list(csv.DictReader(rows))


def short_table(rows: Rows) -> str:
    """Returns the short table: rowfeed's rates beside those of pyarrow's scans."""
    faces = [name for name in _candidates(rows) if name in FACES]
    scans = ["pyarrow, scan only", "the same, threads by hand"]
    titles = ["rows/s", *scans, *(FACES[face] for face in faces)]
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for data in dict.fromkeys(row["data"] for row in rows):
        of_data = {row["candidate"]: row for row in rows if row["data"] == data}
        rates = {name: float(row["rows_per_s"]) for name, row in of_data.items()}
        cells = [
            WHAT[data],
            shown_rate(max(rates[name] for name in FLOORS)),
            shown_rate(rates[IN_THREADS]),
            *(
                f"{shown_rate(rates[face])} ({float(of_data[face]['ratio']):.2f}x)"
                for face in faces
            ),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def pages() -> Iterator[tuple[Path, str]]:
    """Yields each page with the text that a marked part of it must have."""
    _, rows = read("scan")
    yield ROOT / "docs" / "performance.md", marked("rates", short_table(rows))
    for name, (page, mark, columns) in TABLES.items():
        origin, rows = read(name)
        part = f"{origin}\n\n{table(rows, columns)}"
        yield ROOT / "docs" / f"{page}.md", marked(mark, part)


def marked(name: str, text: str) -> str:
    """Returns a text between the marks that enclose it in a page."""
    return f"<!-- begin {name} -->\n{text}\n<!-- end {name} -->"


def replaced(page: str, part: str) -> str:
    """Returns the page with `part` in the place of the part with the same marks."""
    begin, *_, end = part.splitlines()
    marks = f"{re.escape(begin)}.*?{re.escape(end)}"
    return re.sub(marks, lambda _: part, page, flags=re.DOTALL)


def _candidates(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["candidate"] for row in rows))


def main() -> None:
    """Rewrites the pages."""
    for path, part in pages():
        path.write_text(replaced(path.read_text(), part))


if __name__ == "__main__":
    main()
