# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Memory under a budget, for row groups of all sizes, outliers and compressed bombs.

The files of `benchmarks/bound_files.py` are read by NumPy's face with two threads:

* "default": shuffled, with the budget that the dataset chooses.
* "least": shuffled, with the least budget that is accepted.
* "in order": not shuffled, with the least budget that is accepted.
* "advised": shuffled, with a quarter of the least budget, and the options that the
  error for this budget advises. A case without such options has no line.

A line of results has, in MB:

* budget: the memory budget in force.
* held: the two largest batches, which the consumer has beside the budget: the one that
  it works on, and the one that it gets next.
* grown: peak of resident memory above what the process has before its first batch.
* over: what `grown` has above `held` and 1.1 times `budget`; 0 if it is less.

Each candidate runs in a fresh process, once per round; figures are the greatest of
rounds.

    python -m benchmarks.bounds --data DIR
"""

from __future__ import annotations

import argparse
import re
import warnings
from collections import deque
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.bound_files import FILES, Case
from benchmarks.budget import least_budget
from benchmarks.command import publish
from benchmarks.datasets import DEFAULT_FOLDER
from benchmarks.harness import Row, print_result, resident_kb, run_child

MODES = ("default", "least", "in order", "advised")


@dataclass(frozen=True)
class Bounded:
    """Result of one process, in MB; all 0 if the case has no such mode."""

    budget_mb: float = 0
    held_mb: float = 0
    grown_mb: float = 0

    @property
    def over_mb(self) -> float:
        """Memory beyond what the budget allows."""
        return max(0.0, self.grown_mb - self.held_mb - 1.1 * self.budget_mb)


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--files", nargs="*", default=[*FILES], choices=[*FILES])
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, mode = options.child
        print_result(bounded(options.data / f"bounds-{name}.parquet", name, mode))
        return
    rows: list[Row] = []
    for name in options.files:
        path = options.data / f"bounds-{name}.parquet"
        FILES[name].make(path)
        rows += [row for mode in MODES if (row := measured(options, name, mode))]
        if FILES[name].is_large:
            path.unlink()
    publish("bounds", rows)


def measured(options: argparse.Namespace, name: str, mode: str) -> Row | None:
    """Returns a line of results with the greatest figures of all rounds."""
    arguments = [name, mode, f"--data={options.data}"]
    found = [Bounded(**run_child(arguments)) for _ in range(options.rounds)]
    row: dict[str, Any] = {"file": name, "mode": mode}
    for field in (*asdict(found[0]), "over_mb"):
        row[field] = max(getattr(result, field) for result in found)
    return row if row["budget_mb"] else None


def bounded(path: Path, name: str, mode: str) -> Bounded:
    """Reads an epoch in this process."""
    warnings.simplefilter("ignore")
    options = options_of(path, FILES[name], mode)
    return read(path, FILES[name], options) if options is not None else Bounded()


def options_of(path: Path, case: Case, mode: str) -> dict[str, Any] | None:
    """Returns the options of a mode; None if the case has no such mode."""
    from rowfeed import ParquetDataset

    options: dict[str, Any] = {"shuffle": mode != "in order", "num_threads": 2}
    if mode == "default":
        return options
    least = least_budget(
        lambda: ParquetDataset(path, case.batch, memory_budget_bytes=1, **options)
    )
    if mode != "advised":
        return options | {"memory_budget_bytes": least}
    try:
        ParquetDataset(path, case.batch, memory_budget_bytes=least // 4, **options)
    except ValueError as error:
        said = str(error)
    advised = dict(re.findall(r"(block_rows|shuffle_window)=(\d+)", said))
    suffices = re.search(r"with which (\d+) bytes suffice", said)
    if suffices is None:
        return None
    options |= {option: int(value) for option, value in advised.items()}
    return options | {"memory_budget_bytes": int(suffices[1])}


def read(path: Path, case: Case, options: dict[str, Any]) -> Bounded:
    """Reads an epoch, and holds each batch until the next one is there."""
    from rowfeed import ParquetDataset

    dataset = ParquetDataset(path, case.batch, **options)
    budget = dataset._parameters.stream.memory_budget_bytes
    batches = iter(dataset)
    Path("/proc/self/clear_refs").write_text("5")  # The peak begins anew.
    before = resident_kb("VmRSS")
    largest: deque[int] = deque([0, 0], 2)
    num_rows = 0
    for batch in batches:
        sizes = [_touched(value) for value in batch.values()]
        largest = deque(sorted([*largest, sum(sizes)])[-2:], 2)
        num_rows += len(next(iter(batch.values())))
    if num_rows != case.rows:
        raise RuntimeError(f"{num_rows} rows were read of {case.rows}")
    grown = resident_kb("VmHWM") - before
    return Bounded(budget / 1e6, sum(largest) / 1e6, grown * 1024 / 1e6)


def _touched(value: Any) -> int:
    """Reads what a consumer gets, and returns its size in bytes."""
    if hasattr(value, "offsets"):
        return _touched(value.values) + int(value.offsets.nbytes)
    flat = value.reshape(-1)
    flat[:: max(1, 64 // flat.itemsize)].max(initial=0)
    return int(value.nbytes)


if __name__ == "__main__":
    main()
