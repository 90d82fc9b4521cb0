# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of counting: this rowfeed against one that does not count.

Rounds are pairs: each runs both, one after the other, and gives one ratio of CPU time
per row; `cpu_ratio` is their median, `low` and `high` the quartiles. "rows" is the data
set N in batches of one row, of its first column.

Sources that do not count are these with an empty `Counters::Add` (counters.h) and a
`Stopwatch` that never asks for the time (stopwatch.h).

    pip install --target BEFORE --no-deps .       # of sources that do not count
    python -m benchmarks.stats --before BEFORE    # N, A and rows
"""

from __future__ import annotations

import argparse
import statistics
import sys
from itertools import islice
from pathlib import Path

import pyarrow.parquet as pq
from benchmarks.batches import arrays
from benchmarks.command import command_line, forwarded, publish
from benchmarks.datasets import DATASETS, DEFAULT_BYTES, prepare
from benchmarks.faces import epochs, keywords
from benchmarks.harness import (
    Epoch,
    Row,
    Sample,
    count,
    measure,
    print_result,
    time_epochs,
)
from benchmarks.touch import touch_function


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    options = parse()
    if options.child:
        print_result(run(options, *options.names))
        return
    rows = [compare(name, options) for name in options.names or ("N", "A", "rows")]
    publish("stats", rows)


def parse() -> argparse.Namespace:
    """Reads the command line."""
    parser = command_line(
        __doc__, bytes=DEFAULT_BYTES, threads=2, rounds=15, epochs=3, seconds=1.0
    )
    parser.add_argument("--before", type=Path, required=True)
    return parser.parse_args()


def compare(data: str, options: argparse.Namespace) -> Row:
    """Runs both builds in turn and compares them pair by pair."""
    numbers = forwarded(options, "before", "bytes", "threads", "epochs", "seconds")
    candidates = {name: [data, name, *numbers] for name in ("before", "after")}
    samples = dict(measure(candidates, options.rounds))
    pairs = zip(samples["before"], samples["after"], strict=True)
    ratios = [after.cpu_s / before.cpu_s for before, after in pairs]
    low, median, high = statistics.quantiles(ratios, n=4)
    cpu_s = statistics.median(sample.cpu_s for sample in samples["after"])
    return {
        "data": data,
        "rounds": options.rounds,
        "cpu_ns_per_row": cpu_s / samples["after"][0].rows * 1e9,
        "cpu_ratio": f"{median:.4f}",
        "low": f"{low:.4f}",
        "high": f"{high:.4f}",
    }


def run(options: argparse.Namespace, data: str, candidate: str) -> Sample:
    """Measures one candidate in this process."""
    if candidate == "before":
        sys.path.insert(0, str(options.before))
    import rowfeed

    singles = data == "rows"
    name = "N" if singles else data
    path = prepare(name, options.data, options.bytes)
    shared = keywords(DATASETS[name], options.threads)
    if singles:
        column = pq.read_schema(path).names[0]
        shared |= {"batch_size": None, "columns": [column]}
    touch = touch_function(options.data)

    def start() -> Epoch:
        batches = rowfeed.ParquetDataset(path, **shared)
        if not singles:
            return epochs(batches, lambda batch: touch(arrays(batch)))
        steps, iterator = batches._parameters.steps_in(0), iter(batches)
        return lambda: count((1, row[column].nbytes) for row in islice(iterator, steps))

    return time_epochs(start, options.epochs, options.seconds)


if __name__ == "__main__":
    main()
