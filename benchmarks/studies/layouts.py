# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Compares ways to store raw tensors in Parquet: speed of writing and of reading.

29 MB of frames of 4 x 84 x 84 uint8 and 67 MB of 32 x 32 float32, in four row groups;
read shuffled, in batches of 64. MB are those of the tensors; times are CPU times of the
process, the median of five rounds.

    python -m benchmarks.studies.layouts --data /dev/shm     # Then report.py.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.datasets import DEFAULT_FOLDER
from benchmarks.harness import Row, print_table, write_csv

import rowfeed

ROUNDS = 5
PLAIN = {"compression": "none", "use_dictionary": False, "write_statistics": False}
Tensors: TypeAlias = np.ndarray[Any, Any]


def lists(values: Tensors) -> pa.Array:
    """Returns lists of lists of numbers, none of which is null."""
    array = pa.array(values.ravel())
    for size in reversed(values.shape[1:]):
        field = pa.field("element", array.type, nullable=False)
        array = pa.FixedSizeListArray.from_arrays(array, type=pa.list_(field, size))
    return array


def tensors(values: Tensors) -> pa.Array:
    """Returns Arrow's tensors of fixed shape; uint8 is stored as binaries."""
    *shape, last = values.shape[1:]
    if values.dtype == np.uint8:
        buffers = [None, pa.py_buffer(values)]
        flat = pa.Array.from_buffers(pa.binary(last), values.size // last, buffers)
    else:
        flat, shape = pa.array(values.ravel()), [*shape, last]
    of = pa.fixed_shape_tensor(flat.type, shape)
    storage = pa.FixedSizeListArray.from_arrays(flat, type=of.storage_type)
    return pa.ExtensionArray.from_storage(of, storage)


LAYOUTS: list[tuple[str, str, Callable[[Tensors], pa.Array], dict[str, Any]]] = [
    ("uint8", "tensor of binaries", tensors, {}),
    ("uint8", "lists of numbers", lists, {}),
    ("uint8", "lists of numbers, dictionary", lists, {"use_dictionary": True}),
    ("float32", "tensor", tensors, {}),
    ("float32", "tensor, statistics", tensors, {"write_statistics": True}),
    ("float32", "tensor, zstd", tensors, {"compression": "zstd"}),
    ("float32", "tensor, split bytes", tensors, {"use_byte_stream_split": True}),
    ("float32", "lists of lists", lists, {}),
]


def main() -> None:
    """Measures every layout."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    options = parser.parse_args()
    options.data.mkdir(parents=True, exist_ok=True)
    path = options.data / "layout.parquet"
    random = np.random.default_rng(0)
    values = {
        "uint8": random.integers(0, 256, (1024, 4, 84, 84), np.uint8),
        "float32": random.standard_normal((16_384, 32, 32), np.float32),
    }
    rows: list[Row] = []
    for dtype, layout, arrow, changes in LAYOUTS:
        rate = rates(values[dtype], arrow(values[dtype]), PLAIN | changes, path)
        rows.append({"dtype": dtype, "layout": layout, **rate})
    path.unlink()
    print_table(rows)
    print(f"wrote {write_csv('layouts', rows)}")


def rates(
    values: Tensors, array: pa.Array, options: dict[str, Any], path: Path
) -> dict[str, float]:
    """Returns MB per second of CPU time, and bytes of the file per byte."""
    field = pa.field("x", array.type, nullable=False)
    table = pa.Table.from_arrays([array], schema=pa.schema([field]))
    group_rows = len(values) // 4

    def write() -> None:
        pq.write_table(table, path, row_group_size=group_rows, **options)

    def read() -> None:
        window = {"shuffle": True, "shuffle_window": len(values)}
        shapes = {
            batch["x"].shape[1:]
            for batch in rowfeed.ParquetDataset(path, 64, num_threads=1, **window)
        }
        assert shapes == {values.shape[1:]}

    return {
        "write_mb_per_s": values.nbytes / 1e6 / cpu_s(write),
        "read_mb_per_s": values.nbytes / 1e6 / cpu_s(read),
        "file_bytes": path.stat().st_size / values.nbytes,
    }


def cpu_s(work: Callable[[], None]) -> float:
    """Returns the CPU time of calling `work`, the median over rounds."""
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return median(times)


if __name__ == "__main__":
    main()
