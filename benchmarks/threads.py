# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What more threads bring, up to the CPUs there are, beside pyarrow's scans.

The candidates and their consumer, which is one thread, are those of scan.py.
`rate_ratio` and `cost_ratio` are to the same candidate with one thread.

    python benchmarks/threads.py N A B C D
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product, takewhile

from command import command_line, forwarded, publish
from datasets import DATASETS, DEFAULT_BYTES, prepare
from floors import IN_THREADS
from harness import Row, measure, print_result, summary
from scan import run

SCANS = ("pyarrow scanner", IN_THREADS)


def main() -> None:
    """Runs the parent, or one child."""
    parser = command_line(
        __doc__, bytes=DEFAULT_BYTES, threads=0, rounds=3, epochs=3, seconds=1.0
    )
    options = parser.parse_args()
    if options.child:
        data, candidate = options.names
        print_result(run(options, data, candidate))
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
    publish("threads", rows)


def points(most: int) -> Iterator[tuple[str, int]]:
    """Yields candidates with threads: rowfeed with 1, 2, 4, …, scans with 1 and all."""
    for power in takewhile(lambda power: power <= most, (1 << i for i in range(64))):
        yield "rowfeed", power
    yield from product(SCANS, (1, most))


def table(found: dict[str, Row]) -> Iterator[Row]:
    """Yields each result beside the same candidate's with one thread."""
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
