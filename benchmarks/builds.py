# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Compares two builds of rowfeed, pair by pair, by the CPU time of a row.

Rounds are pairs: each runs both builds, one after the other, and gives one ratio of CPU
time per row; `cpu_ratio` is the median of the new build by the old one, `low` and
`high` are the quartiles. A ratio below 1 says that the new build takes less. "rows" is
the data set N in batches of one row, of its first column.

    pip install --target BEFORE --no-deps .       # in a checkout of the older sources
    python -m benchmarks.builds --before BEFORE   # N, A, B, C, D and rows

`--result stats` measures what counting costs. The older sources are then these with
an empty `Counters::Add` (counters.h) and a `Stopwatch` that never asks for the time
(stopwatch.h).
"""

from __future__ import annotations

import argparse
import statistics
from functools import partial
from itertools import islice
from pathlib import Path

import pyarrow.parquet as pq
from benchmarks.batches import arrays
from benchmarks.command import command_line, forwarded, publish
from benchmarks.datasets import DATASETS, DEFAULT_BYTES, prepare
from benchmarks.faces import FACES, keywords
from benchmarks.harness import (
    Epoch,
    Row,
    Sample,
    count,
    print_result,
    run_child,
    time_epochs,
)
from benchmarks.touch import touch_function

import rowfeed


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    options = parse()
    if options.child:
        print_result(run(options, *options.names))
        return
    names = options.names or (*DATASETS, "rows")
    publish(options.result, [compare(name, options) for name in names])


def parse() -> argparse.Namespace:
    """Reads the command line."""
    parser = command_line(
        __doc__, bytes=DEFAULT_BYTES, threads=2, rounds=15, epochs=3, seconds=1.0
    )
    parser.add_argument("--before", type=Path, required=True, help="the older build")
    parser.add_argument("--face", choices=FACES, default="rowfeed")
    parser.add_argument("--result", default="builds", help="the name of the CSV file")
    return parser.parse_args()


def compare(data: str, options: argparse.Namespace) -> Row:
    """Runs both builds in turn and compares them pair by pair."""
    numbers = forwarded(options, "bytes", "threads", "epochs", "seconds", "face")
    after = Path(rowfeed.__file__).parents[1]
    ratios: list[float] = []
    for _ in range(options.rounds):
        pair = [
            Sample(**run_child([data, f"--before={build}", *numbers], packages=build))
            for build in (options.before.resolve(), after)
        ]
        ratios.append(pair[1].cpu_s / pair[0].cpu_s)
        print(f"  {data}: {ratios[-1]:.3f}")
    low, median, high = statistics.quantiles(ratios, n=4)
    return {
        "data": data,
        "face": options.face,
        "rounds": options.rounds,
        "cpu_ns_per_row": pair[1].cpu_s / pair[1].rows * 1e9,
        "cpu_ratio": f"{median:.4f}",
        "low": f"{low:.4f}",
        "high": f"{high:.4f}",
    }


def run(options: argparse.Namespace, data: str) -> Sample:
    """Measures in this process the build in the folder that --before names."""
    if not Path(rowfeed.__file__).is_relative_to(options.before):
        raise RuntimeError(f"{rowfeed.__file__} is not in {options.before}")
    if data == "rows":
        start = partial(single_rows, options)
    else:
        dataset = DATASETS[data]
        path = prepare(data, options.data, options.bytes)
        face = FACES[options.face].load(options.data)
        start = partial(face, path, dataset, options.threads)
    return time_epochs(start, options.epochs, options.seconds)


def single_rows(options: argparse.Namespace) -> Epoch:
    """Opens N's first column; returns a function that consumes an epoch of its rows."""
    path = prepare("N", options.data, options.bytes)
    file = pq.read_metadata(path)
    column = file.schema.names[0]
    shared = keywords(DATASETS["N"], options.threads)
    shared |= {"batch_size": None, "columns": [column]}
    touch = touch_function(options.data)
    iterator = iter(rowfeed.ParquetDataset(path, **shared))
    return lambda: count(
        (1, touch(arrays({column: row[column].reshape(1)})))
        for row in islice(iterator, file.num_rows)
    )


if __name__ == "__main__":
    main()
