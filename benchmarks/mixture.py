# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A mixture of two halves of a data set against the data set, in NumPy.

Both deliver the same rows, shuffled in windows of as many row groups, and touch every
64 bytes of all tensors. `ratio` is of rows per second, `cpu_ratio` of CPU time per row.

    python -m benchmarks.mixture            # N, B and C
"""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

import pyarrow.parquet as pq
from benchmarks.batches import arrays, num_rows
from benchmarks.command import command_line, forwarded, publish
from benchmarks.datasets import DATASETS, DEFAULT_BYTES, VERSION, prepare
from benchmarks.faces import keywords
from benchmarks.harness import (
    Epoch,
    Row,
    Sample,
    count,
    measure,
    print_result,
    summary,
    time_epochs,
)
from benchmarks.touch import touch_function

CANDIDATES = ("plain", "halves")


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    options = command_line(
        __doc__, bytes=DEFAULT_BYTES, threads=2, rounds=5, epochs=5, seconds=3.0
    ).parse_args()
    if options.child:
        print_result(run(options, *options.names))
        return
    rows: list[Row] = []
    for data in options.names or ("N", "B", "C"):
        halves(data, options.data, options.bytes)
        numbers = forwarded(options, "bytes", "threads", "epochs", "seconds")
        candidates = {name: [data, name, *numbers] for name in CANDIDATES}
        results = {
            name: summary(samples)
            for name, samples in measure(candidates, options.rounds)
        }
        plain = results["plain"]
        rows += [
            {"data": data, "candidate": name}
            | result
            | {
                "ratio": result["rows_per_s"] / plain["rows_per_s"],
                "cpu_ratio": result["cpu_ns_per_row"] / plain["cpu_ns_per_row"],
            }
            for name, result in results.items()
        ]
    publish("mixture", rows)


def halves(name: str, folder: Path, num_bytes: int) -> list[Path]:
    """Returns the two halves of a data set, as many row groups in each."""
    paths = [folder / f"{name}-v{VERSION}-{num_bytes}-half-{i}.parquet" for i in (0, 1)]
    if paths[1].exists():
        return paths
    whole = pq.ParquetFile(prepare(name, folder, num_bytes))
    size = whole.num_row_groups // 2
    for i, path in enumerate(paths):
        unfinished = path.with_suffix(".unfinished")
        schema, writer = whole.schema_arrow, DATASETS[name].writer
        with pq.ParquetWriter(unfinished, schema, **writer) as file:
            for group in range(i * size, (i + 1) * size):
                table = whole.read_row_group(group)
                file.write_table(table, row_group_size=len(table))
        unfinished.rename(path)
    return paths


def run(options: argparse.Namespace, data: str, candidate: str) -> Sample:
    """Measures one candidate in this process."""
    import rowfeed

    paths = halves(data, options.data, options.bytes)
    shared = keywords(DATASETS[data], options.threads)
    touch = touch_function(options.data)

    def start() -> Epoch:
        if candidate == "plain":
            batches = rowfeed.ParquetDataset(paths, **shared)
        else:
            sources = [rowfeed.ParquetDataset(path, **shared) for path in paths]
            batches = rowfeed.mix(sources)
        stream, steps = iter(batches), batches._parameters.steps_in(0)
        return lambda: count(
            (num_rows(b), touch(arrays(b))) for b in islice(stream, steps)
        )

    return time_epochs(start, options.epochs, options.seconds)


if __name__ == "__main__":
    main()
