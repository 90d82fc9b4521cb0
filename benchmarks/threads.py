# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the gain of more threads, up to the number of CPUs, beside pyarrow's scans.

The candidates and their consumer, which is one thread, are those of scan.py. Beside
them, as many processes of one thread and one consumer each, which share nothing but the
machine: what they lose is its doing. `rate_ratio` and `cost_ratio` are to the same
candidate with one thread.

    python -m benchmarks.threads N A B C D
"""

from __future__ import annotations

import os
import statistics
from argparse import Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product, takewhile

from benchmarks.command import command_line, forwarded
from benchmarks.datasets import DATASETS, DEFAULT_BYTES, prepare
from benchmarks.floors import IN_THREADS
from benchmarks.harness import (
    Row,
    Sample,
    measure,
    print_result,
    print_table,
    run_child,
    summary,
    write_csv,
)
from benchmarks.scan import run

APART = "rowfeed, processes of one thread"
SCANS = ("pyarrow scanner", IN_THREADS)


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    parser = command_line(
        __doc__, bytes=DEFAULT_BYTES, threads=0, rounds=3, epochs=3, seconds=1.0
    )
    options = parser.parse_args()
    if options.child:
        data, candidate = options.names
        measured = run_apart if candidate == APART else run
        print_result(measured(options, data, candidate))
        return
    numbers = forwarded(options, "bytes", "epochs", "seconds")
    rows: list[Row] = []
    for data in options.names or DATASETS:
        prepare(data, options.data, options.bytes)
        candidates = {
            f"{data}, {name}, {threads}": [data, name, *numbers, f"--threads={threads}"]
            for name, threads in points(os.cpu_count() or 1)
        }
        found = dict(measure(candidates, options.rounds))
        rows += table({name: summary(samples) for name, samples in found.items()})
        write_csv("threads", rows)  # Keeps the results if the run is stopped.
    print_table(rows)


def points(most: int) -> Iterator[tuple[str, int]]:
    """Yields candidates with threads: rowfeed with 1, 2, 4, …, scans with 1 and all."""
    powers = takewhile(lambda power: power <= most, (1 << i for i in range(64)))
    yield from product(("rowfeed", APART), powers)
    yield from product(SCANS, (1, most))


def run_apart(options: Namespace, data: str, _: str) -> Sample:
    """Measures processes of one thread each at the same time; returns them as one."""
    numbers = forwarded(options, "bytes", "epochs", "seconds")
    child = [data, "rowfeed", *numbers, "--threads=1"]
    with ThreadPoolExecutor(options.threads) as pool:
        found = list(pool.map(run_child, [child] * options.threads))
    return together([Sample(**each) for each in found])


def together(samples: Sequence[Sample]) -> Sample:
    """Returns samples of processes that ran at once as one: their rates are added."""
    rows = sum(each.rows for each in samples)
    rate = sum(each.rows / statistics.median(each.epoch_s) for each in samples)
    return Sample(
        rows,
        sum(each.bytes for each in samples),
        max(each.first_s for each in samples),
        [rows / rate],
        sum(each.cpu_s for each in samples),
    )


def table(found: dict[str, Row]) -> Iterator[Row]:
    """Yields each result with its ratio to the same candidate with one thread."""
    first: dict[str, Row] = {}
    for name, result in found.items():
        subject, _, threads = name.rpartition(", ")
        data, _, candidate = subject.partition(", ")
        one = first.setdefault(subject, result)
        yield {
            "data": data,
            "candidate": candidate,
            "threads": threads,
            "rows_per_s": result["rows_per_s"],
            "low": result["low"],
            "high": result["high"],
            "cpu_ns_per_row": result["cpu_ns_per_row"],
            "rate_ratio": result["rows_per_s"] / one["rows_per_s"],
            "cost_ratio": result["cpu_ns_per_row"] / one["cpu_ns_per_row"],
        }


if __name__ == "__main__":
    main()
