# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Batches of the rows that a filter lets pass, against pyarrow's scan with the filter.

Data set N and a filter of one column of random numbers, which lets pass 0.1, 1, 10 and
100 % of the rows of every row group. The floor is the dataset scanner with the same
filter: no shuffle, no tensors. rowfeed runs in catalog order and shuffled in windows of
the rows that are left of four row groups. Figures count the rows that pass; `ratio` is
to the floor, `first_ratio` that of first epochs, in which rowfeed counts what passes.

    python -m benchmarks.filters --data DIR
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
from benchmarks.batches import arrays
from benchmarks.command import command_line, forwarded, publish
from benchmarks.datasets import DATASETS, DEFAULT_BYTES, prepare
from benchmarks.faces import epochs, keywords
from benchmarks.floors import scan_dataset
from benchmarks.harness import Row, Sample, measure, print_result, summary, time_epochs
from benchmarks.touch import touch_function

NAME = "N"
PERMILLE = (1, 10, 100, 1000)  # How many of 1000 rows pass.
FLOOR = "pyarrow scanner"
CANDIDATES = (FLOOR, "rowfeed in order", "rowfeed shuffled")
MOST = 10**9  # An upper bound of the values of the column.


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    options = command_line(
        __doc__, bytes=DEFAULT_BYTES, threads=2, rounds=5
    ).parse_args()
    path = prepare(NAME, options.data, options.bytes)
    if options.child:
        permille, candidate = options.names
        print_result(run(options, path, int(permille), candidate))
        return
    rows: list[Row] = []
    for permille in PERMILLE:
        rows += compare(options, permille)
    publish("filters", rows)


def compare(options: argparse.Namespace, permille: int) -> list[Row]:
    """Measures the candidates at one selectivity."""
    numbers = forwarded(options, "bytes", "threads")
    candidates = {name: [str(permille), name, *numbers] for name in CANDIDATES}
    print(f"{permille / 10} % pass")
    results = {n: summary(s) for n, s in measure(candidates, options.rounds)}
    floor = results[FLOOR]["rows_per_s"]
    first_floor = results[FLOOR]["first_rows_per_s"]
    return [
        {"data": NAME, "percent": permille / 10, "candidate": name}
        | result
        | {
            "ratio": result["rows_per_s"] / floor,
            "first_ratio": result["first_rows_per_s"] / first_floor,
        }
        for name, result in results.items()
    ]


def run(
    options: argparse.Namespace, path: Path, permille: int, candidate: str
) -> Sample:
    """Measures one candidate in this process."""
    touch = touch_function(options.data)
    passes = pc.field("i8") < MOST * permille // 1000
    if candidate == FLOOR:
        return time_epochs(
            lambda: scan_dataset(path, touch, options.threads, passes), 5, 3.0
        )
    import rowfeed

    wanted: dict[str, Any] = keywords(DATASETS[NAME], options.threads)
    wanted["filter"] = passes
    wanted["shuffle"] = candidate.endswith("shuffled")
    wanted["shuffle_window"] = max(1, wanted["shuffle_window"] * permille // 1000)
    return time_epochs(
        lambda: epochs(
            rowfeed.ParquetDataset(path, **wanted), lambda batch: touch(arrays(batch))
        ),
        *(5, 3.0),
    )


if __name__ == "__main__":
    main()
