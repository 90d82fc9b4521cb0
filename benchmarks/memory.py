# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Memory against the budget, times to open, to the first batch and to import, sizes.

* growth: the peak of resident memory over two epochs, above what the process has after
  its imports, beside memory_budget_bytes (the default one); of NumPy's face, and of N
  and D with the others.
* peak: that of NumPy's face in all, imports among it.
* first batch: from the constructor on, beside what pyarrow takes to open the file and
  read the row groups of one window (for B, whose window is cut from many row groups:
  as many rows of the first ones).
* open: a catalog of 1,000 files of 50 columns, beside ensure_complete_metadata() of all
  fragments of a pyarrow.dataset that has listed them before.
* catalog: resident memory that one of 10,000 such files takes.
* import: in a fresh process, beside numpy and pyarrow alone.

Of five fresh processes: the median of what takes time, the greatest of what takes room.

   python -m benchmarks.memory --data DIR
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.batches import arrays
from benchmarks.datasets import DATASETS, DEFAULT_BYTES, DEFAULT_FOLDER, prepare
from benchmarks.faces import FACES, keywords
from benchmarks.harness import (
    Row,
    print_result,
    print_table,
    resident_kb,
    run_child,
    warm_memory,
    write_csv,
)
from benchmarks.touch import touch_function

NAMES = ("N", "A", "B", "C", "D")
ROUNDS = 5


@dataclass(frozen=True)
class Measured:
    """The value of a measure, and one to compare it with (0 if there is none)."""

    value: float
    reference: float = 0


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--bytes", type=int, default=DEFAULT_BYTES)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        measure, subject = options.child
        print_result(MEASURES[measure](options, subject))
    else:
        report(options)


def report(options: argparse.Namespace) -> None:
    """Runs each measure in fresh processes, and writes the results of all."""
    data = [f"--data={options.data}", f"--bytes={options.bytes}"]
    rows: list[Row] = []
    for measure, subjects in SUBJECTS.items():
        for subject in subjects:
            if subject in DATASETS:
                prepare(subject, options.data, options.bytes)
            results = [run_child([measure, subject, *data]) for _ in range(ROUNDS)]
            of_all = median if measure.endswith("_s") else max
            said = {key: of_all(r[key] for r in results) for key in results[0]}
            rows.append({"measure": measure, "subject": subject} | said)
    print_table(rows)
    print(f"wrote {write_csv('memory', rows)}")


def growth_mb(options: argparse.Namespace, subject: str) -> Measured:
    """Returns the peak growth of resident memory, and the memory budget."""
    name, _, face = subject.partition(" ")
    path = prepare(name, options.data, options.bytes)
    start = FACES[face or "rowfeed"].load(options.data)
    batches = open_dataset(path, name)
    budget = batches._parameters.stream.memory_budget_bytes
    batches.close()
    before = resident_kb("VmRSS")
    epoch = start(path, DATASETS[name], 2)
    epoch()
    epoch()
    return Measured((resident_kb("VmHWM") - before) / 1e3, budget / 1e6)


def peak_mb(options: argparse.Namespace, name: str) -> Measured:
    """Returns the peak of resident memory, and its value after the imports."""
    growth = growth_mb(options, name).value
    peak = resident_kb("VmHWM") / 1e3
    return Measured(peak, peak - growth)


def first_batch_s(options: argparse.Namespace, name: str) -> Measured:
    """Returns the seconds to the first batch, and pyarrow's to read the window."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = prepare(name, options.data, options.bytes)
    dataset = DATASETS[name]
    touch = touch_function(options.data)
    pa.set_cpu_count(2)
    window = dataset.order["shuffle_window"]
    warm_memory()
    begin = time.perf_counter()
    iterator = iter(open_dataset(path, name))
    batch = next(iterator)
    touch(arrays(batch))
    ours = time.perf_counter() - begin
    del iterator  # Else it would read ahead beside pyarrow.
    begin = time.perf_counter()
    groups = range(-(-window // dataset.group_rows))
    with pq.ParquetFile(path) as file:
        if "block_rows" in dataset.order:
            next(file.iter_batches(batch_size=window))
        else:
            file.read_row_groups(groups)
    return Measured(ours, time.perf_counter() - begin)


def open_s(options: argparse.Namespace, files: str) -> Measured:
    """Returns the seconds to open the files, and pyarrow's to read their footers."""
    import pyarrow.dataset

    import rowfeed

    folder = linked(options.data, int(files))
    fragments = [*pyarrow.dataset.dataset(folder).get_fragments()]
    begin = time.perf_counter()
    for fragment in fragments:
        fragment.ensure_complete_metadata()
    reference = time.perf_counter() - begin
    begin = time.perf_counter()
    rowfeed.Catalog.open(folder)
    return Measured(time.perf_counter() - begin, reference)


def catalog_mb(options: argparse.Namespace, files: str) -> Measured:
    """Returns the resident memory of a catalog of `files` files."""
    import rowfeed

    folder = linked(options.data, int(files))
    before = resident_kb("VmRSS")
    catalog = rowfeed.Catalog.open(folder)
    grown = resident_kb("VmRSS") - before
    del catalog
    return Measured(grown / 1e3)


def linked(data: Path, files: int) -> Path:
    """Returns a folder of files of 50 columns, all links to one file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = data / f"linked-{files}"
    if folder.exists():
        return folder
    unfinished = data / f"linked-{files}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)  # A stopped run leaves it.
    unfinished.mkdir(parents=True)
    table = pa.table({f"x{i}": pa.array([0.5] * 1000) for i in range(50)})
    file = unfinished / "00000.parquet"
    pq.write_table(table, file)
    for i in range(1, files):
        (unfinished / f"{i:05}.parquet").hardlink_to(file)
    return unfinished.rename(folder)


def import_s(_: argparse.Namespace, module: str) -> Measured:
    """Returns the seconds to import numpy, pyarrow and a module; and without it."""
    clock = f"""
import time
begin = time.perf_counter()
import numpy, pyarrow
between = time.perf_counter()
import {module}
print(between - begin, time.perf_counter() - begin)
"""
    printed = subprocess.run(
        [sys.executable, "-c", clock], check=True, capture_output=True, text=True
    ).stdout
    reference, whole = map(float, printed.split())
    return Measured(whole, reference)


def state_bytes(options: argparse.Namespace, name: str) -> Measured:
    """Returns the size of state_dict() in mid-epoch, as JSON, in bytes."""
    path = prepare(name, options.data, options.bytes)
    with open_dataset(path, name) as dataset:
        batches = iter(dataset)
        next(batches)
        return Measured(len(json.dumps(batches.state_dict())))


def checkpoint_bytes(options: argparse.Namespace, name: str) -> Measured:
    """Returns the size of a tf.train.Checkpoint of an iterator in mid-epoch."""
    import tempfile

    import tensorflow as tf

    import rowfeed.tensorflow

    path = prepare(name, options.data, options.bytes)
    batches = iter(
        rowfeed.tensorflow.ParquetDataset(path, **keywords(DATASETS[name], 2))
    )
    next(batches)
    with tempfile.TemporaryDirectory() as folder:
        tf.train.Checkpoint(iterator=batches).write(f"{folder}/state")
        return Measured(sum(f.stat().st_size for f in Path(folder).iterdir()))


def open_dataset(path: Path, name: str) -> Any:
    """Opens a data set with rowfeed for NumPy."""
    import rowfeed

    return rowfeed.ParquetDataset(path, **keywords(DATASETS[name], 2))


MEASURES: dict[str, Callable[[argparse.Namespace, str], Measured]] = {
    function.__name__: function
    for function in (
        growth_mb,
        peak_mb,
        first_batch_s,
        open_s,
        catalog_mb,
        import_s,
        state_bytes,
        checkpoint_bytes,
    )
}
SUBJECTS = {
    "growth_mb": (
        *NAMES,
        "N rowfeed.torch",
        "N rowfeed.tensorflow",
        "D rowfeed.torch",
        "D rowfeed.tensorflow",
    ),
    "peak_mb": ("B", "D"),
    "first_batch_s": NAMES,
    "open_s": ("1000",),
    "catalog_mb": ("10000",),
    "import_s": ("rowfeed",),
    "state_bytes": ("N",),
    "checkpoint_bytes": ("N",),
}

if __name__ == "__main__":
    main()
