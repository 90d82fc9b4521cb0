# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Measures how many bytes are read to find one row by a filter, and to deliver it.

One value of a column of unique keys is looked up in files of the same rows: a key, 16
numbers and a list of 8 numbers, in 20 row groups of 100,000 and pages of 2,000. They
differ in what they say of their keys:

* statistics: keys in random order, so that footers rule out nothing. All keys are read,
  and what the row group with the row has of the other columns.
* sorted: keys in order, with a page index.
* bloom filter: keys in random order, with bloom filters and a page index.

read_bytes is what the process reads from a known catalog to the last batch: to count,
and to deliver the row. percent is that of `statistics`.

    python -m benchmarks.studies.look_up --data DIR
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from benchmarks.datasets import DEFAULT_FOLDER
from benchmarks.harness import Row, print_table, write_csv

import rowfeed

GROUP_ROWS = 100_000
NUM_GROUPS = 20
# Dictionaries are off, since random numbers gain nothing by them.
WRITING: dict[str, Any] = {
    "use_dictionary": False,
    "max_rows_per_page": 2000,
    "write_batch_size": 1000,
}
WRITINGS: dict[str, dict[str, Any]] = {
    "statistics": {},
    "sorted": {"write_page_index": True},
    "bloom filter": {
        "write_page_index": True,
        "bloom_filter_options": {"key": {"ndv": GROUP_ROWS, "fpp": 0.001}},
    },
}


def main() -> None:
    """Writes missing files, and looks a key up in each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    paths = {name: write(options.data, name) for name in WRITINGS}
    look_up(paths["sorted"], options.threads)  # So imports do not count.
    sizes = {name: look_up(path, options.threads) for name, path in paths.items()}
    rows: list[Row] = [
        {"file": name, "read_bytes": size, "percent": 100 * size / sizes["statistics"]}
        for name, size in sizes.items()
    ]
    print_table(rows)
    print(f"wrote {write_csv('look_up', rows)}")


def write(folder: Path, name: str) -> Path:
    """Returns a file, and writes it if it is missing."""
    path = folder / "look_up" / f"{name.replace(' ', '_')}.parquet"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    num_rows = GROUP_ROWS * NUM_GROUPS
    keys = np.arange(num_rows) if name == "sorted" else rng.permutation(num_rows)
    part = path.with_suffix(".part")
    writer = None
    for begin in range(0, num_rows, GROUP_ROWS):
        table = make_rows(keys[begin : begin + GROUP_ROWS], rng)
        if writer is None:
            writer = pq.ParquetWriter(part, table.schema, **WRITING, **WRITINGS[name])
        writer.write_table(table, row_group_size=GROUP_ROWS)
    if writer is not None:
        writer.close()
    part.rename(path)
    return path


def make_rows(keys: np.ndarray, rng: np.random.Generator) -> pa.Table:
    """Makes the rows of a row group."""
    columns: dict[str, Any] = {"key": pa.array(keys)}
    for i in range(16):
        columns[f"x{i}"] = pa.array(rng.random(len(keys), np.float32))
    offsets = pa.array(np.arange(len(keys) + 1, dtype=np.int32) * 8)
    values = pa.array(rng.random(len(keys) * 8, np.float32))
    columns["list"] = pa.ListArray.from_arrays(offsets, values)
    return pa.table(columns)


def look_up(path: Path, threads: int) -> int:
    """Returns the bytes that are read to look up a key."""
    catalog = rowfeed.Catalog.open(path)
    key = GROUP_ROWS * NUM_GROUPS // 3
    before = bytes_read()
    (batch,) = rowfeed.ParquetDataset(
        catalog, 10, filter=pc.field("key") == key, num_threads=threads
    )
    if batch["key"].tolist() != [key]:
        raise RuntimeError(f"expected key {key}, found {batch['key']}")
    return bytes_read() - before


def bytes_read() -> int:
    """Returns the number of bytes that this process has read so far."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return int(dict(line.split(": ") for line in lines)["rchar"])


if __name__ == "__main__":
    main()
