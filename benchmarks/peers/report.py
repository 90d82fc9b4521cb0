# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a plot and two tables from peers.csv.

The long table is in docs/measurements.md, the short one in README.md.

    python -m benchmarks.peers.report  # Needs matplotlib

A test compares the page with the figures: run this after every
benchmarks.peers.compare.
"""

from __future__ import annotations

from benchmarks.bars import MACHINE, OTHER, kind, write_bars
from benchmarks.report import FACES, ROOT, marked, read, replaced
from benchmarks.tables import Cell, Row, number, rate, shown_rate, spread, table, text

PAGE = ROOT / "docs" / "measurements.md"
README = ROOT / "README.md"
PLOT = ROOT / "docs" / "images" / "peers.png"


def part() -> str:
    """Returns the part of the page that is made from the figures."""
    origin, rows = read("peers")
    return marked("peers", f"{origin}\n\n{table(rows, COLUMNS)}")


def readme_part() -> str:
    """Returns the README's table: what each loader can do, and its rate on N."""
    _, rows = read("peers")
    on_n = {row["candidate"]: row for row in rows if row["data"] == "N"}
    heading = "loader", *NEIGHBOURS_HEADING, "rows/s"
    lines = [f"| {' | '.join(heading)} |", "|---" * (len(heading) - 1) + "|---:|"]
    for candidate, (name, *facts) in NEIGHBOURS.items():
        rate_on_n = shown_rate(float(on_n[candidate]["rows_per_s"]))
        lines.append(f"| {' | '.join((name, *facts, rate_on_n))} |")
    return marked("neighbours", "\n".join(lines))


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


# Facts of the versions that were measured, from the loaders' documents and code.
NEIGHBOURS_HEADING = (
    "reads Parquet as it is",
    "shuffles tables by",
    "exact resume within an epoch",
    "with other ranks",
    "frameworks",
)
NEIGHBOURS = {
    "rowfeed.torch": (
        "**rowfeed**",
        "yes",
        "blocks of all files, and rows of a window",
        "yes",
        "yes",
        "PyTorch, TensorFlow, NumPy",
    ),
    "pyarrow + torch": (
        "pyarrow and PyTorch, by hand",
        "yes",
        "what you write",
        "what you write",
        "what you write",
        "what you write",
    ),
    "HF datasets, streaming": (
        "Hugging Face datasets, streaming",
        "yes",
        "shards, and a buffer of rows",
        "no: the buffer is lost",
        "no",
        "PyTorch, TensorFlow, JAX, NumPy",
    ),
    "petastorm": (
        "petastorm",
        "yes",
        "row groups, and a buffer of rows",
        "no",
        "no",
        "PyTorch, TensorFlow",
    ),
    "Ray Data": (
        "Ray Data",
        "yes",
        "files, and a buffer of rows",
        "no",
        "no",
        "PyTorch, TensorFlow, NumPy",
    ),
    "tf.data TFRecord": (
        "TFRecord and tf.data",
        "no",
        "files, and a buffer of rows",
        "yes, with the buffer in the checkpoint",
        "no",
        "TensorFlow",
    ),
    "litData, 2 workers": (
        "LitData",
        "with an index; here its own format",
        "chunks, and the rows of each",
        "yes",
        "yes",
        "PyTorch",
    ),
    "mosaicml-streaming, 2 workers": (
        "MosaicML Streaming",
        "no",
        "shards, and rows of a block",
        "yes",
        "yes",
        "PyTorch",
    ),
    "webdataset, 2 workers": (
        "WebDataset",
        "no",
        "shards, and a buffer of rows",
        "no",
        "no",
        "PyTorch",
    ),
}


def main() -> None:
    """Rewrites the plot and the pages."""
    _, rows = read("peers")
    write_bars(rows, PLOT, note, log=True)
    PAGE.write_text(replaced(PAGE.read_text(), part()))
    README.write_text(replaced(README.read_text(), readme_part()))


if __name__ == "__main__":
    main()
