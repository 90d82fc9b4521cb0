# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Compares rows by index: rowfeed's take, full scans, pyarrow's take and Lance's.

Each candidate takes batches of 256 rows, drawn at random from all of data set N
(numbers) or C (lists and strings), in one call each: `random` as they were drawn,
`sorted` in the order of the data.

* rowfeed: ParquetMapDataset, with room for all rows that were decoded.
* rowfeed-small: the same with room for a sixteenth of the rows.
* rowfeed-paged: rowfeed-small of files that were written for it: no dictionaries, pages
  of 64 KiB.
* rowfeed-unindexed: as rowfeed, of files without a page index.
* skip: ParquetDataset, which decodes all rows in order, and the wanted ones are picked:
  a take is one epoch.
* pyarrow: pyarrow.dataset's take.
* lance: Lance's take, of the same rows in its own format.

first_ms is the first take of a process, with the opening of the data set; take_ms the
median of those after it, ten at least and for a second, but no more than fit four
seconds; late_ms that of the last tenth of them. times_slower is take_ms over that of
rowfeed. Rounds interleave the candidates; figures are medians over rounds.

    python -m benchmarks.take --data DIR
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from benchmarks.datasets import DATASETS, DEFAULT_FOLDER, prepare
from benchmarks.harness import (
    Row,
    print_result,
    print_table,
    run_child,
    warm_memory,
    write_csv,
)
from benchmarks.peers.environments import Unavailable, python_of
from numpy.typing import NDArray

BATCH = 256
SECONDS = 1.0
PATIENCE_S = 4.0
CANDIDATES = (
    "rowfeed",
    "rowfeed-small",
    "rowfeed-paged",
    "rowfeed-unindexed",
    "skip",
    "pyarrow",
    "lance",
)
KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "indexed": {"write_page_index": True},
    "paged": {
        "write_page_index": True,
        "use_dictionary": False,
        "data_page_size": 1 << 16,
        "write_batch_size": 256,
    },
}
LANCE = ("pylance>=4",)

# A function that takes the rows of some indices, and returns them.
Take = Callable[[NDArray[np.int64]], Any]


@dataclass(frozen=True)
class Takes:
    """Result of one process, in milliseconds."""

    num_rows: int
    num_takes: int
    first_ms: float
    take_ms: float
    late_ms: float


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--bytes", type=int, default=3 * 10**8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, candidate, order = options.child
        folder = options.data / f"take-{name}-{options.bytes}"
        print_result(measure(folder, candidate, order))
    else:
        report(options)


def report(options: argparse.Namespace) -> None:
    """Runs every candidate in every round and writes the medians."""
    pythons = {name: python_of((), options.data) for name in CANDIDATES}
    try:
        pythons["lance"] = python_of(LANCE, options.data)
    except Unavailable as reason:
        print(f"lance is left out: {reason}")
        del pythons["lance"]
    found: dict[tuple[str, str, str], list[Takes]] = defaultdict(list)
    for name in ("N", "C"):
        folder = options.data / f"take-{name}-{options.bytes}"
        write(prepare(name, options.data, options.bytes), name, folder)
        for _ in range(options.rounds):
            for order in ("sorted", "random"):
                for candidate, python in pythons.items():
                    data = [f"--data={options.data}", f"--bytes={options.bytes}"]
                    child = run_child([name, candidate, order, *data], python)
                    found[name, order, candidate].append(Takes(**child))
    rows = []
    for key, takes in found.items():
        base = found[*key[:2], "rowfeed"]
        rows.append(row(*key, takes, median("take_ms", base)))
    print_table(rows)
    print(f"wrote {write_csv('take', rows)}")


def row(name: str, order: str, candidate: str, takes: list[Takes], base: float) -> Row:
    """Returns the medians of a candidate."""
    take_ms = median("take_ms", takes)
    return {
        "data": name,
        "order": order,
        "candidate": candidate,
        "rows": takes[0].num_rows,
        "first_ms": median("first_ms", takes),
        "take_ms": take_ms,
        "low": min(taken.take_ms for taken in takes),
        "high": max(taken.take_ms for taken in takes),
        "late_ms": median("late_ms", takes),
        "times_slower": take_ms / base,
    }


def median(name: str, takes: list[Takes]) -> float:
    """Returns the median of a figure over rounds."""
    return statistics.median(getattr(taken, name) for taken in takes)


def write(source: Path, name: str, folder: Path) -> None:
    """Writes a data set in files of each kind."""
    if (folder / "written").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    files = sorted(source.glob("*.parquet")) if source.is_dir() else [source]
    for kind, ways in KINDS.items():
        (folder / kind).mkdir(parents=True)
        for path in files:
            file = pq.ParquetFile(path)
            with pq.ParquetWriter(
                folder / kind / path.name,
                file.schema_arrow,
                **{**DATASETS[name].writer, **ways},
            ) as writer:
                for group in range(file.num_row_groups):
                    writer.write_table(file.read_row_group(group))
    (folder / "written").touch()


def measure(folder: Path, candidate: str, order: str) -> Takes:
    """Times the takes of one candidate, in this process."""
    num_rows = ds.dataset(folder / "plain").count_rows()
    prepare_lance(folder, candidate)
    random = np.random.default_rng(0)
    warm_memory()
    begin = time.perf_counter()
    take = open_rows(folder, candidate)

    def timed(begin: float) -> float:
        indices = random.integers(num_rows, size=BATCH)
        if order == "sorted":
            indices.sort()
        taken = take(indices)
        seconds = time.perf_counter() - begin
        if taken is not None and len(taken) != BATCH:
            raise RuntimeError(f"{candidate} took {len(taken)} rows")
        return seconds

    first = timed(begin)
    found: list[float] = []
    while (sum(found) < SECONDS or len(found) < 10) and sum(found) < PATIENCE_S:
        found.append(timed(time.perf_counter()))
    late = found[-max(1, len(found) // 10) :]
    return Takes(
        num_rows,
        len(found),
        first * 1e3,
        statistics.median(found) * 1e3,
        statistics.median(late) * 1e3,
    )


def prepare_lance(folder: Path, candidate: str) -> None:
    """Writes the rows in Lance's format, once."""
    if candidate != "lance" or (folder / "lance").exists():
        return
    import lance

    reader = ds.dataset(folder / "plain").scanner().to_reader()
    lance.write_dataset(reader, folder / "lance")


def open_rows(folder: Path, candidate: str) -> Take:
    """Opens the data set of a candidate."""
    if candidate == "pyarrow":
        return ds.dataset(folder / "plain").take
    if candidate == "lance":
        import lance

        return lance.dataset(folder / "lance").take
    import rowfeed

    if candidate == "skip":
        return Skip(rowfeed.ParquetDataset(folder / "plain", 4096, num_epochs=None))
    kinds = {"rowfeed-unindexed": "plain", "rowfeed-paged": "paged"}
    kind = kinds.get(candidate, "indexed")
    size = sum(path.stat().st_size for path in (folder / kind).iterdir())
    small = candidate in ("rowfeed-small", "rowfeed-paged")
    budget = size // 16 if small else 1 << 32
    rows = rowfeed.ParquetMapDataset(folder / kind, memory_budget_bytes=budget)
    return lambda indices: first_column(rows.take(indices))


def first_column(batch: dict[str, Any]) -> Any:
    """Returns the first column of a batch, to count its rows."""
    return next(iter(batch.values()))


class Skip:
    """Takes rows by reading all of them, in order."""

    def __init__(self, dataset: Any) -> None:
        self._batches = iter(dataset)
        self._num_rows = dataset.catalog.num_rows

    def __call__(self, indices: NDArray[np.int64]) -> Any:
        """Picks rows out of all batches of an epoch."""
        wanted = np.sort(indices)
        begin, taken = 0, 0
        while begin < self._num_rows:
            batch = next(self._batches)
            end = begin + len(first_column(batch))
            here = slice(*np.searchsorted(wanted, [begin, end]))
            rows = wanted[here] - begin
            for column in batch.values():
                if isinstance(column, np.ndarray):
                    column[rows]
                else:
                    [column[int(row)] for row in rows]
            taken += len(rows)
            begin = end
        return range(taken)


if __name__ == "__main__":
    main()
