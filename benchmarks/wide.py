# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files of 1,000 to 50,000 columns: seconds to open one and get its rows.

A file has 100 rows of float32, in one row group. Either all of its columns are asked
for or 100 of them by name, evenly spread.

* open_s: the constructor of a dataset; of pyarrow, `read_schema`.
* read_s: from there to the first batch, which has all rows; of pyarrow, `read_table`.
* us_per_column: both, of each column of the file, in microseconds.
* ratio: both, beside pyarrow's in the same round.

Each candidate runs in a fresh process, once per round; figures are medians of rounds.

    python -m benchmarks.wide --data DIR
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.command import command_line, forwarded, publish
from benchmarks.harness import Row, print_result, run_child, warm_memory

ROWS = 100
NAMED = 100
COLUMNS = (1_000, 5_000, 20_000, 50_000)
PYARROW = "pyarrow"
CANDIDATES = (PYARROW, "rowfeed", "rowfeed.torch", "rowfeed.tensorflow")


@dataclass(frozen=True)
class Opened:
    """Result of one process, in seconds."""

    open_s: float
    read_s: float

    @property
    def seconds(self) -> float:
        """Time of opening and reading together, in seconds."""
        return self.open_s + self.read_s


def main() -> None:
    """Runs the benchmark or, with --child, one measurement; names are column counts."""
    options = command_line(__doc__, rounds=3).parse_args()
    if options.child:
        columns, asked, candidate = options.names
        print_result(opened(options.data, int(columns), asked, candidate))
        return
    rows: list[Row] = []
    for columns in map(int, options.names or COLUMNS):
        written(options.data, columns)
        for asked in ("all", str(NAMED)):
            rows += measured(columns, asked, options.rounds, forwarded(options))
    publish("wide", rows)


def measured(columns: int, asked: str, rounds: int, data: list[str]) -> list[Row]:
    """Returns a line of results for each candidate."""
    results: dict[str, list[Opened]] = {name: [] for name in CANDIDATES}
    for _ in range(rounds):
        for name, of_name in results.items():
            of_name.append(Opened(**run_child([str(columns), asked, name, *data])))
            print(f"  {columns} {asked} {name}: {of_name[-1]}", file=sys.stderr)
    return [
        {
            "columns": columns,
            "asked": asked,
            "candidate": name,
            "open_s": median(r.open_s for r in of_name),
            "read_s": median(r.read_s for r in of_name),
            "us_per_column": median(r.seconds for r in of_name) / columns * 1e6,
            "ratio": median(
                ours.seconds / theirs.seconds
                for ours, theirs in zip(of_name, results[PYARROW], strict=True)
            ),
        }
        for name, of_name in results.items()
    ]


def opened(data: Path, columns: int, asked: str, candidate: str) -> Opened:
    """Times the opening of a file and the reading of its rows, in this process."""
    path = written(data, columns)
    step = columns // NAMED
    names = None if asked == "all" else [f"c{i}" for i in range(0, columns, step)]
    open_file, read = (pyarrow if candidate == PYARROW else face)(candidate)
    warm_memory()
    begin = time.perf_counter()
    dataset = open_file(path, names)
    between = time.perf_counter()
    read(dataset)
    return Opened(between - begin, time.perf_counter() - between)


Candidate = tuple[Callable[[Path, list[str] | None], Any], Callable[[Any], Any]]


def pyarrow(_: str) -> Candidate:
    """Returns functions that open a file by pyarrow and read its rows."""
    import pyarrow.dataset  # noqa: F401  (read_table would import it within the timing)
    import pyarrow.parquet as pq

    def open_file(path: Path, names: list[str] | None) -> tuple[Path, Any]:
        pq.read_schema(path)
        return path, names

    return open_file, lambda asked: pq.read_table(asked[0], columns=asked[1])


def face(module: str) -> Candidate:
    """Returns functions that open a file by a module of rowfeed and read its rows."""
    loaded = importlib.import_module(module)
    return (
        lambda path, names: loaded.ParquetDataset(path, ROWS, columns=names),
        lambda dataset: next(iter(dataset)),
    )


def written(data: Path, columns: int) -> Path:
    """Returns the file of `columns` columns, and makes it if it is missing."""
    path = data / f"wide-{columns}.parquet"
    if not path.exists():
        import numpy as np
        import pyarrow as pa
        import pyarrow.parquet as pq

        numbers = np.random.default_rng(0)
        table = pa.table(
            {f"c{i}": numbers.random(ROWS, np.float32) for i in range(columns)}
        )
        data.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        pq.write_table(table, unfinished)
        unfinished.replace(path)
    return path


if __name__ == "__main__":
    main()
