# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that NumPy, PyTorch and TensorFlow deliver each row once, with its values.

An epoch of each data set through each face, with the options that scan.py times, beside
what pyarrow reads, row group after row group: as many rows, and the same checksums of
each column and of whole rows (checksums.py). The first difference ends the run.

    python -m benchmarks.rows_once            # Of all data sets
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from benchmarks.checksums import Checksums
from benchmarks.command import command_line, forwarded, publish
from benchmarks.datasets import DATASETS, DEFAULT_BYTES, Dataset, prepare
from benchmarks.faces import FACES, Face, stacks
from benchmarks.harness import Row, print_result, run_child
from benchmarks.peers.loaders.columns import arrays_of
from benchmarks.scan import faces_of

from rowfeed import Stack


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    options = command_line(__doc__, bytes=DEFAULT_BYTES, threads=2).parse_args()
    if options.child:
        data, candidate = options.names
        path = prepare(data, options.data, options.bytes)
        face = FACES[candidate]
        print_result(delivered(face, path, DATASETS[data], options.threads))
        return
    rows: list[Row] = []
    for data in options.names or DATASETS:
        rows += compare(options, data)
    publish("rows_once", rows)


def compare(options: argparse.Namespace, data: str) -> Iterator[Row]:
    """Yields a line for each face on one data set; raises if rows differ."""
    path = prepare(data, options.data, options.bytes)
    there = scanned(path, DATASETS[data].batch_size)
    for name in faces_of(data):
        numbers = forwarded(options, "bytes", "threads")
        found = Checksums(**run_child([data, name, *numbers]))
        check(f"{data}, {name}", found, there)
        columns = len(found.columns)
        print(f"{data}, {name}: {found.rows:,} rows, {columns} columns, each row once")
        yield {
            "data": data,
            "candidate": name,
            "rows": found.rows,
            "columns": columns,
            "checksum": f"{found.whole:016x}",
        }


def check(who: str, found: Checksums, there: Checksums) -> None:
    """Raises unless the checksums found are those of the rows that are there."""
    if found.rows != there.rows:
        raise ValueError(f"{who}: {found.rows} rows, not {there.rows}")
    ours = found.columns | {"whole rows": found.whole}
    theirs = there.columns | {"whole rows": there.whole}
    if ours.keys() != theirs.keys():
        raise ValueError(f"{who}: columns {sorted(ours)}, not {sorted(theirs)}")
    for name, checksum in theirs.items():
        if ours[name] != checksum:
            raise ValueError(f"{who}, {name}: {ours[name]:016x}, not {checksum:016x}")


def scanned(path: Path, batch_rows: int) -> Checksums:
    """Returns the checksums of the rows that pyarrow reads, hashed batch by batch."""
    found = Checksums()
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            for batch in file.read_row_group(group).to_batches(batch_rows):
                found.add(arrays_of(batch))
    return found


def delivered(face: Face, path: Path, dataset: Dataset, threads: int) -> Checksums:
    """Returns the checksums of an epoch of a face."""
    found = Checksums()
    stacked = {} if face.layout is None else stacks(path, face.layout)
    for batch in face.open(path, dataset, threads, num_epochs=1):
        found.add(taken_apart(batch, stacked))
    return found


def taken_apart(
    batch: Mapping[str, Any], stacked: Mapping[str, Stack]
) -> dict[str, Any]:
    """Returns the columns of a batch, with each stack taken apart into its columns."""
    columns: dict[str, Any] = {}
    for name, tensor in batch.items():
        if name in stacked:
            parts = enumerate(stacked[name].columns)
            columns |= {str(column): tensor[:, i] for i, column in parts}
        else:
            columns[name] = tensor
    return columns


if __name__ == "__main__":
    main()
