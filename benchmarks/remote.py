# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Compares data in a store some milliseconds away with the same data on the disk.

Data set N, in a store on this machine that answers each request after 0, 20 or 100 ms
(store.py), or as local files. rowfeed reads it in order and shuffled in windows of four
row groups; pyarrow's dataset scanner reads it in file order, with its 8 threads for
requests, and with 24, which is what rowfeed has. All have the same number of threads
to decode. `ratio` is to the faster scanner over the same distance, `of_local` to the
same candidate over local files.

    python -m benchmarks.remote --data DIR
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
from benchmarks.batches import arrays
from benchmarks.command import command_line, forwarded, publish
from benchmarks.datasets import DATASETS, prepare
from benchmarks.faces import epochs, keywords
from benchmarks.floors import scan_dataset
from benchmarks.harness import (
    Epoch,
    Row,
    Sample,
    measure,
    print_result,
    summary,
    time_epochs,
)
from benchmarks.store import BUCKET, KEYS, serving
from benchmarks.touch import touch_function
from pyarrow.fs import S3FileSystem

NAME = "N"
LATENCIES_MS = (0, 20, 100)
SCANNERS = {"pyarrow scanner": 8, "pyarrow scanner, 24 I/O threads": 24}
CANDIDATES = (*SCANNERS, "rowfeed in order", "rowfeed shuffled")
MIN_EPOCHS, MIN_SECONDS = 3, 2.0


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    options = command_line(__doc__, bytes=5 * 10**8, threads=2, rounds=3).parse_args()
    path = prepare(NAME, options.data, options.bytes)
    if options.child:
        print_result(run(options, path, *options.names))
        return
    os.environ.update(KEYS)
    found = {"local": compare(options, "local")}
    for latency_ms in LATENCIES_MS:
        with serving(path.parent, latency_ms) as host:
            found[f"{latency_ms} ms"] = compare(options, host)
    rows = [
        row(distance, name, result, found)
        for distance, results in found.items()
        for name, result in results.items()
    ]
    publish("remote", rows)


def compare(options: argparse.Namespace, host: str) -> dict[str, Row]:
    """Measures the candidates over one distance."""
    numbers = forwarded(options, "bytes", "threads")
    candidates = {name: [host, name, *numbers] for name in CANDIDATES}
    return {name: summary(s) for name, s in measure(candidates, options.rounds)}


def row(
    distance: str, name: str, result: Row, found: dict[str, dict[str, Row]]
) -> dict[str, Any]:
    """Returns a line of a result, with ratios to the scanner and to local files."""
    floor = max(found[distance][scanner]["rows_per_s"] for scanner in SCANNERS)
    local = found["local"][name]["rows_per_s"]
    return {
        "data": NAME,
        "distance": distance,
        "candidate": name,
        **result,
        "ratio": result["rows_per_s"] / floor,
        "of_local": result["rows_per_s"] / local,
    }


def run(options: argparse.Namespace, path: Path, host: str, candidate: str) -> Sample:
    """Measures one candidate in this process."""
    touch = touch_function(options.data)
    is_local = host == "local"
    if candidate in SCANNERS:
        pa.set_io_thread_count(SCANNERS[candidate])
        store = None if is_local else client_of(host)
        place = path if is_local else f"{BUCKET}/{path.name}"

        def start() -> Epoch:
            return scan_dataset(place, touch, options.threads, store=store)

        return time_epochs(start, MIN_EPOCHS, MIN_SECONDS)
    import rowfeed

    wanted: dict[str, Any] = keywords(DATASETS[NAME], options.threads)
    wanted["shuffle"] = candidate.endswith("shuffled")
    uri = f"s3://{BUCKET}/{path.name}?endpoint_override={host}&scheme=http&region=x"
    return time_epochs(
        lambda: epochs(
            rowfeed.ParquetDataset(path if is_local else uri, **wanted),
            lambda batch: touch(arrays(batch)),
        ),
        *(MIN_EPOCHS, MIN_SECONDS),
    )


def client_of(host: str) -> S3FileSystem:
    """Returns pyarrow's client for the store at `host`."""
    return S3FileSystem(endpoint_override=host, scheme="http", region="x")


if __name__ == "__main__":
    main()
