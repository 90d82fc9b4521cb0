# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Memory used under the smallest accepted budget, for pictures with a dictionary.

4,096 pictures of 16,384 uint8, which pyarrow codes by a dictionary, in four row groups:
as lists of a fixed size, as lists with `shape=`, with `pad=`, and with `pad=` and a
mask ("mask"); and 13,500 of them in one row group, which are read in order, in all and
in blocks of 256 rows. The consumer waits 20 ms after each batch, so that the stream
fills its budget.

* budget_mb: the least budget that is accepted.
* first_mb, peak_mb: growth of resident memory by the first batch, and over an epoch.
* ratio: peak_mb to budget_mb.

Each candidate runs in a fresh process, once per round; figures are the greatest of
rounds.

    python -m benchmarks.budget --data DIR
"""

from __future__ import annotations

import argparse
import importlib
import re
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.command import publish
from benchmarks.datasets import DEFAULT_FOLDER
from benchmarks.harness import Row, print_result, resident_kb, run_child

PIXELS = 16_384
GROUP = 1024
BATCH = 64
FACES = ("rowfeed", "rowfeed.torch", "rowfeed.tensorflow")
KINDS = ("fixed", "shape", "pad", "mask")
# The order options for the pictures in one row group.
WHOLE: dict[str, dict[str, Any]] = {
    "one row group": {},
    "in blocks of 256": {"block_rows": 256},
}


@dataclass(frozen=True)
class Grown:
    """Result of one process, in MB."""

    budget_mb: float
    first_mb: float
    peak_mb: float


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print_result(grown(options.data, *options.child))
        return
    subjects = [(kind, face) for kind in KINDS for face in FACES]
    subjects += [(kind, FACES[0]) for kind in WHOLE]
    for kind, _ in subjects:
        written(options.data, kind)
    publish("budget", [measured(options, *subject) for subject in subjects])


def measured(options: argparse.Namespace, kind: str, face: str) -> Row:
    """Returns a line of results with the greatest figures of all rounds."""
    arguments = [kind, face, f"--data={options.data}"]
    found = [Grown(**run_child(arguments)) for _ in range(options.rounds)]
    row: dict[str, Any] = {"pictures": kind, "face": face}
    for name in asdict(found[0]):
        row[name] = max(getattr(result, name) for result in found)
    row["ratio"] = row["peak_mb"] / row["budget_mb"]
    return row


def grown(data: Path, kind: str, face: str) -> Grown:
    """Reads an epoch with the smallest accepted budget, in this process."""
    from rowfeed import Column, Padded

    warnings.simplefilter("ignore")
    dataset = importlib.import_module(face).ParquetDataset
    path = written(data, kind)
    shuffled = {"shuffle": True, "shuffle_window": GROUP}
    options: dict[str, Any] = {**WHOLE.get(kind, shuffled)}
    column = {
        "shape": Column("x", shape=(PIXELS,)),
        "pad": Column("x", pad=Padded(PIXELS)),
        "mask": Column("x", pad=Padded(PIXELS), mask=True),
    }.get(kind, Column("x"))
    options |= {"columns": [column], "num_threads": 2}
    budget = least_budget(
        lambda: dataset(path, BATCH, memory_budget_bytes=1, **options)
    )
    batches = iter(dataset(path, BATCH, memory_budget_bytes=budget, **options))
    before = resident_kb("VmRSS")
    next(batches)
    first = resident_kb("VmHWM") - before
    for _ in batches:
        time.sleep(0.02)
    peak = resident_kb("VmHWM") - before
    return Grown(budget / 1e6, first * 1024 / 1e6, peak * 1024 / 1e6)


def least_budget(open_with_one_byte: Callable[[], object]) -> int:
    """Returns the budget that the error for a budget of one byte names as enough."""
    try:
        open_with_one_byte()
    except ValueError as error:
        needed = re.search(r"less than the (\d+) needed", str(error))
        if needed is not None:
            return int(needed[1])
    raise RuntimeError("a budget of one byte was not refused")


def written(data: Path, kind: str) -> Path:
    """Returns the file of pictures, and makes it if it is missing."""
    is_whole = kind in WHOLE
    is_fixed = is_whole or kind == "fixed"
    path = data / f"budget-{'whole' if is_whole else 'fixed' if is_fixed else 'lists'}"
    path = path.with_suffix(".parquet")
    if not path.exists():
        import numpy as np
        import pyarrow as pa
        import pyarrow.parquet as pq

        count = 13_500 if is_whole else 4096
        pixels = pa.array(
            np.random.default_rng(0).integers(0, 256, count * PIXELS, np.uint8)
        )
        if is_fixed:
            pictures = pa.FixedSizeListArray.from_arrays(pixels, PIXELS)
        else:
            offsets = np.arange(count + 1, dtype=np.int32) * PIXELS
            pictures = pa.ListArray.from_arrays(offsets, pixels)
        data.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        rows = count if is_whole else GROUP
        pq.write_table(pa.table({"x": pictures}), unfinished, row_group_size=rows)
        unfinished.replace(path)
    return path


if __name__ == "__main__":
    main()
