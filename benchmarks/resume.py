# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the size of a state, and how long a training waits after loading one.

Data set N in the NumPy face, in global batches of 1024 rows, against the position in
the epoch, then num_lanes, then world_size. The last rank is measured: lanes' first
windows are staggered, and it has the longest, for which the others wait.

* state_bytes: of state_dict() as JSON, behind the first batch after the position.
* state_us: of a call of it, while the kernel reads ahead: the fastest of five loops.
* resumed_s: from load_state_dict to the first batch.
* fresh_s: from the beginning of an epoch to the first batch, with the same options.

Both begin with a new dataset over a catalog that was opened before, so they time the
decoding of the windows that the batch lies in. Each start has a process of its own, as
a second one would find memory that the first has touched; figures are medians of five
rounds.

   python -m benchmarks.resume --data DIR
"""

from __future__ import annotations

import argparse
import json
import time
import timeit
from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.datasets import DATASETS, DEFAULT_BYTES, DEFAULT_FOLDER, prepare
from benchmarks.faces import NUM_EPOCHS, keywords
from benchmarks.harness import (
    Row,
    print_result,
    print_table,
    run_child,
    warm_memory,
    write_csv,
)

NAME = "N"
ROUNDS = 5
CALLS = 1000


@dataclass(frozen=True)
class Case:
    """A position, in percent of an epoch, with numbers of lanes and of ranks."""

    position: int
    num_lanes: int = 1
    world_size: int = 1


CASES = (
    *(Case(position) for position in (0, 10, 50, 90, 99)),
    *(Case(50, num_lanes) for num_lanes in (2, 4, 8, 16)),
    *(Case(50, 8, world_size) for world_size in (2, 4, 8)),
)


@dataclass(frozen=True)
class Start:
    """Result of one process."""

    state_bytes: int
    state_us: float
    first_batch_s: float


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--bytes", type=int, default=DEFAULT_BYTES)
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    path = prepare(NAME, options.data, options.bytes)
    if options.child:
        begin, *case = options.child
        print_result(start(path, begin, Case(*map(int, case))))
    else:
        report([f"--data={options.data}", f"--bytes={options.bytes}"])


def report(data: list[str]) -> None:
    """Runs every case in every round and writes the medians."""
    resumed: dict[Case, list[Start]] = defaultdict(list)
    fresh: dict[Case, list[Start]] = defaultdict(list)  # Starts at position 0.
    for _ in range(ROUNDS):
        for case in CASES:
            numbers = [*map(str, asdict(case).values()), *data]
            resumed[case].append(Start(**run_child(["resumed", *numbers])))
            found = Start(**run_child(["fresh", *numbers]))
            fresh[replace(case, position=0)].append(found)
    rows = [row(c, resumed[c], fresh[replace(c, position=0)]) for c in CASES]
    print_table(rows)
    print(f"wrote {write_csv('resume', rows)}")


def row(case: Case, resumed: list[Start], fresh: list[Start]) -> Row:
    """Returns the medians of a case, and the spread of its resumed starts."""
    resumed_s = [found.first_batch_s for found in resumed]
    fresh_s = median(found.first_batch_s for found in fresh)
    return {
        **asdict(case),
        "state_bytes": max(found.state_bytes for found in resumed),
        "state_us": median(found.state_us for found in resumed),
        "resumed_s": median(resumed_s),
        "low": min(resumed_s),
        "high": max(resumed_s),
        "fresh_s": fresh_s,
        "ratio": median(resumed_s) / fresh_s,
    }


def start(path: Path, begin: str, case: Case) -> Start:
    """Measures a start in this process, at the case's position or the beginning."""
    import rowfeed

    catalog = rowfeed.Catalog.open(path)
    options: dict[str, Any] = keywords(DATASETS[NAME], 2)
    options |= {
        "batch_size": options["batch_size"] // case.world_size,
        "num_lanes": case.num_lanes,
        "rank": case.world_size - 1,
        "world_size": case.world_size,
    }
    with rowfeed.ParquetDataset(catalog, **options) as stopped:
        steps = len(stopped) // NUM_EPOCHS
        saved = json.dumps(stopped.state_at(0, steps * case.position // 100))
    with rowfeed.ParquetDataset(catalog, **options) as dataset:
        state = json.loads(saved)
        warm_memory()
        clock = time.perf_counter()
        if begin == "resumed":
            dataset.load_state_dict(state)
        batches = iter(dataset)
        next(batches)
        first_batch_s = time.perf_counter() - clock
        calls_s = min(timeit.repeat(batches.state_dict, number=CALLS, repeat=5))
        state_bytes = len(json.dumps(batches.state_dict()))
        return Start(state_bytes, calls_s / CALLS * 1e6, first_batch_s)


if __name__ == "__main__":
    main()
