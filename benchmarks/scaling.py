# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Measures how costs grow with the data, its layout, threads and lanes.

* columns: CPU time of a value, as a table gets wider.
* files: CPU time of a row, as the same rows lie in more files; opening apart.
* rows: CPU time of a row, as a data set grows a hundredfold; opening apart, as many
  rows of each.
* groups: CPU time of a value, as row groups grow to as many rows as pyarrow writes, and
  windows, eight row groups, with them.
* batches: CPU time of a row of one column, as batches of so many rows get smaller.
* threads, lanes: CPU time of a row of N and A, and rows per second.
* plan: time and memory to plan an epoch of 10^9 rows in 10^4 row groups.

`cost_ratio` and `rate_ratio` are to the first of a measure: CPU time, and rows (for
columns: values) per second.

    python -m benchmarks.scaling
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.batches import arrays, num_rows
from benchmarks.command import command_line, forwarded, publish
from benchmarks.datasets import DATASETS, prepare
from benchmarks.faces import NUM_EPOCHS, keywords
from benchmarks.harness import (
    Epoch,
    Row,
    Sample,
    count,
    measure,
    print_result,
    resident_kb,
    run_child,
    summary,
    time_epochs,
)
from benchmarks.touch import touch_function

GROUP_ROWS = 10_000
FILE_ROWS = 10**8
ROWS = 10**7
DEFAULT_GROUP_ROWS = 2**20  # The default of pyarrow.parquet.write_table.


@dataclass(frozen=True)
class Case:
    """One point of a measure.

    Attributes:
        make: Function that returns the data, and makes it if the folder has none.
        options: Options of ParquetDataset that differ from the defaults here.
        values: Number of values in a row, to get the cost of a value; 1 for the cost of
            a row.
        steps: Number of batches that count as an epoch; 0 for all.
    """

    make: Callable[[Path], Path]
    options: dict[str, Any]
    values: int = 1
    steps: int = 0


def _cases() -> Iterator[tuple[str, Case]]:
    window = {"shuffle_window": 4 * GROUP_ROWS}
    for columns in (8, 1, 50, 500, 2000):
        rows = max(8 * GROUP_ROWS, 2 * ROWS // columns)
        make = _table(columns, rows, GROUP_ROWS)
        yield f"columns {columns}", Case(make, window, columns)
    for files in (10, 10_000):
        yield f"files {files}", Case(_files(files), window)
    wide = {"shuffle_window": 400_000, "remainder": "drop"}
    for copies in (1, 100):
        case = Case(_copies(copies), wide, steps=ROWS // 1024)
        yield f"rows {copies * ROWS:.0e}", case
    for rows in (100_000, DEFAULT_GROUP_ROWS):
        make = _table(8, 16 * DEFAULT_GROUP_ROWS, rows)
        # Room for two windows of 12.6 M rows.
        default = {"shuffle_window": None, "memory_budget_bytes": 2**31}
        yield f"groups {rows}", Case(make, default, 8)
    for batch in (1024, 32, 1):
        make = _table(1, 2 * ROWS, GROUP_ROWS)
        small = {**window, "batch_size": batch, "remainder": "drop"}
        yield f"batches {batch}", Case(make, small, steps=ROWS // 10 // batch)
    for name in ("N", "A"):
        make = _prepared(name)
        order = DATASETS[name].order
        for threads in (1, 2):
            options = {**order, "num_threads": threads}
            yield f"threads of {name} {threads}", Case(make, options)
        for lanes in (1, 8):
            yield f"lanes of {name} {lanes}", Case(make, {**order, "num_lanes": lanes})


def _prepared(name: str) -> Callable[[Path], Path]:
    return lambda folder: prepare(name, folder)


def _table(columns: int, rows: int, group_rows: int) -> Callable[[Path], Path]:
    """Returns a maker of a table of random float32 in one file."""

    def make(folder: Path) -> Path:
        path = folder / f"scaling-{columns}-{rows}-{group_rows}.parquet"
        if not path.exists():
            _write(path, columns, rows, group_rows)
        return path

    return make


def _write(path: Path, columns: int, rows: int, group_rows: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    schema = pa.schema([(f"x{i}", pa.float32()) for i in range(columns)])
    random = np.random.default_rng(0)
    with pq.ParquetWriter(unfinished, schema) as writer:
        for _ in range(0, rows, group_rows):
            values = random.standard_normal((columns, group_rows), np.float32)
            writer.write_table(pa.table([*values], schema=schema))
    unfinished.rename(path)


def _files(number: int) -> Callable[[Path], Path]:
    """Returns a maker of the same rows in `number` files."""

    def make(folder: Path) -> Path:
        directory = folder / f"scaling-files-{number}"
        if not directory.exists():
            unfinished = directory.with_suffix(".unfinished")
            for i in range(number):
                path = unfinished / f"{i:05}.parquet"
                _write(path, 1, FILE_ROWS // number, GROUP_ROWS)
            unfinished.rename(directory)
        return directory

    return make


def _copies(number: int) -> Callable[[Path], Path]:
    """Returns a maker of `number` links to one file of 10^7 rows."""

    def make(folder: Path) -> Path:
        file = _table(1, ROWS, 100_000)(folder)
        directory = folder / f"scaling-copies-{number}"
        directory.mkdir(exist_ok=True)
        for i in range(number):
            copy = directory / f"{i:05}.parquet"
            if not copy.exists():
                os.link(file, copy)
        return directory

    return make


CASES = dict(_cases())


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    options = command_line(__doc__, rounds=3).parse_args()
    if options.child:
        print_result(run(*options.names, options.data))
        return
    for case in CASES.values():
        case.make(options.data)
    data = forwarded(options)
    found = dict(measure({name: [name, *data] for name in CASES}, options.rounds))
    publish("scaling", [*table(found), *plan_rows(data, options.rounds)])


def run(name: str, folder: Path) -> Sample | Plan:
    """Measures one case, or the plan, in this process."""
    if name == "plan":
        return plan()
    case = CASES[name]
    path = case.make(folder)
    touch = touch_function(folder)

    def start() -> Epoch:
        import rowfeed

        options = keywords(DATASETS["N"], threads=2) | case.options
        batches = rowfeed.ParquetDataset(path, **options)
        steps = case.steps or len(batches) // NUM_EPOCHS
        iterator = iter(batches)

        def parts() -> Iterator[tuple[int, int]]:
            for batch in islice(iterator, steps):
                yield num_rows(batch), touch(arrays(batch))

        return lambda: count(parts())

    return time_epochs(start, min_epochs=2, min_seconds=2.0)


def table(found: dict[str, list[Sample]]) -> Iterator[Row]:
    """Yields the costs of a row or a value, with ratios to the measure's first case."""
    first: dict[str, tuple[float, float]] = {}
    for name, samples in found.items():
        kind, _, subject = name.rpartition(" ")
        result = summary(samples)
        cpu_ns = result["cpu_ns_per_row"] / CASES[name].values
        rate = result["rows_per_s"] * CASES[name].values
        first_cpu_ns, first_rate = first.setdefault(kind, (cpu_ns, rate))
        yield {
            "measure": kind,
            "subject": subject,
            "cost": cpu_ns,
            "unit": "ns",
            "cost_ratio": cpu_ns / first_cpu_ns,
            "per_s": f"{rate:.4g}",
            "rate_ratio": rate / first_rate,
        }


@dataclass(frozen=True)
class Plan:
    """Time and memory of planning an epoch."""

    milliseconds: float
    megabytes: float


def plan() -> Plan:
    """Plans an epoch of 10^9 rows."""
    from rowfeed._native import core

    order = core.OrderOptions(
        shuffle=True, seed=0, shuffle_window=400_000, block_rows=0, num_lanes=1
    )
    group_rows = [100_000] * 10_000
    core.EpochPlan.make(group_rows[:1], order, 0)
    resident = resident_kb("VmRSS")
    begin = time.perf_counter()
    made = core.EpochPlan.make(group_rows, order, 0)
    milliseconds = (time.perf_counter() - begin) * 1e3
    megabytes = (resident_kb("VmRSS") - resident) / 1e3
    del made
    return Plan(milliseconds, megabytes)


def plan_rows(data: list[str], rounds: int) -> Iterator[Row]:
    """Yields the time and the memory of a plan, the least over rounds."""
    plans = [Plan(**run_child(["plan", *data])) for _ in range(rounds)]
    rest = {"cost_ratio": "", "per_s": "", "rate_ratio": ""}
    costs = {
        "ms": min(plan.milliseconds for plan in plans),
        "MB": min(plan.megabytes for plan in plans),
    }
    for unit, cost in costs.items():
        yield {
            "measure": "plan",
            "subject": "1e+09",
            "cost": cost,
            "unit": unit,
        } | rest


if __name__ == "__main__":
    main()
