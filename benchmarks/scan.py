# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Shuffled batches of rowfeed against pyarrow's scans of the same file.

The floor only reads: row group after row group, or the dataset scanner. Beside it, as
no floor, stand the same with row groups read in threads, and what the machine does when
it only copies (hardware.py). rowfeed shuffles rows in windows of at least four row
groups (B: six blocks of about 1,820 rows from all over the file) and hands over batches
of tensors.
Both touch every 64 bytes of all that they get. `ratio` is to the better of the floors;
`entropy_bits`: how the batches mix the rows of a file that is sorted by ten labels.

    python -m benchmarks.scan --short       # N and B, under five minutes, to .build/
    python -m benchmarks.scan N A B C D     # Five rounds of everything
    python -m benchmarks.scan_report        # The plot and the table, from the CSV
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Callable
from functools import partial

from benchmarks.command import command_line, forwarded, publish
from benchmarks.datasets import DATASETS, DEFAULT_BYTES, prepare
from benchmarks.faces import FACES
from benchmarks.floors import FLOORS, SCANS
from benchmarks.hardware import HARDWARE, epoch_of
from benchmarks.harness import (
    RESULTS,
    SHORT_RESULTS,
    Epoch,
    Row,
    Sample,
    measure,
    print_result,
    summary,
    time_epochs,
)
from benchmarks.mixing import label_entropy
from benchmarks.peers.loaders import Setup
from benchmarks.touch import touch_function

SHORT = ("N", "B")


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    options = parse()
    if options.child:
        data, candidate = options.names
        print_result(run(options, data, candidate))
        return
    rows: list[Row] = []
    for name in options.names or (SHORT if options.short else DATASETS):
        rows += compare(options, name)
    publish("scan", rows, SHORT_RESULTS if options.short else RESULTS)


def parse() -> argparse.Namespace:
    """Reads the command line."""
    parser = command_line(
        __doc__, bytes=DEFAULT_BYTES, threads=2, rounds=5, epochs=5, seconds=3.0
    )
    parser.add_argument("--faces", nargs="+", choices=FACES, help="default: installed")
    parser.add_argument("--short", action="store_true", help="N and B, and shorter")
    options = parser.parse_args()
    if options.short:
        options.rounds, options.epochs, options.seconds = 3, 3, 1.0
    return options


def compare(options: argparse.Namespace, data: str) -> list[Row]:
    """Measures the machine, floors and faces on one data set."""
    prepare(data, options.data, options.bytes)
    wanted = options.faces or faces_of(data)
    numbers = forwarded(options, "bytes", "threads", "epochs", "seconds")
    names = (*HARDWARE, *SCANS, *wanted)
    candidates = {name: [data, name, *numbers] for name in names}
    dataset = DATASETS[data]
    blocks = "blocks" if "block_rows" in dataset.order else "row groups"
    print(f"{data}: windows of {dataset.window_blocks} {blocks}")
    results = {
        name: summary(samples) for name, samples in measure(candidates, options.rounds)
    }
    floor = max(results[name]["rows_per_s"] for name in FLOORS)
    first_floor = max(results[name]["first_rows_per_s"] for name in FLOORS)
    rows: list[Row] = []
    for name, result in results.items():
        loads = name not in HARDWARE  # The machine itself loads no rows.
        row = {
            "ratio": result["rows_per_s"] / floor,
            "first_ratio": result["first_rows_per_s"] / first_floor if loads else "",
            "entropy_bits": mixing(options, data, name) if loads else "",
        }
        rows.append({"data": data, "candidate": name, **result, **row})
    return rows


def mixing(options: argparse.Namespace, data: str, candidate: str) -> float:
    """Returns the entropy of a batch's labels in bits, if data is sorted by label."""
    dataset = DATASETS[data]
    order: dict[str, object] = {"batch_size": dataset.batch_size}
    if candidate in FACES:
        order |= {"shuffle": True, "num_lanes": FACES[candidate].num_lanes}
        order |= dataset.order
    return label_entropy(prepare(data, options.data, options.bytes), **order)


def faces_of(data: str) -> list[str]:
    """Returns the names of the faces that a data set is measured with by default."""
    return [
        name for name, face in FACES.items() if installed(name) and data in face.data
    ]


def installed(face: str) -> bool:
    """Returns whether the face and its framework can be imported."""
    module = FACES[face].module
    return all(
        importlib.util.find_spec(name) is not None
        for name in ("rowfeed", module.rpartition(".")[2], module)
    )


def run(options: argparse.Namespace, data: str, candidate: str) -> Sample:
    """Measures one candidate in this process."""
    start = starter(options, data, candidate)
    return time_epochs(start, options.epochs, options.seconds)


def starter(
    options: argparse.Namespace, data: str, candidate: str
) -> Callable[[], Epoch]:
    """Returns a function that opens the data and returns one to consume an epoch."""
    dataset = DATASETS[data]
    path = prepare(data, options.data, options.bytes)
    if candidate in HARDWARE:
        setup = Setup(path, dataset, options.data, options.threads)
        return partial(epoch_of, candidate, setup)
    if candidate in SCANS:
        touch = touch_function(options.data)
        return partial(SCANS[candidate], path, touch, options.threads)
    start = FACES[candidate].load(options.data)
    return partial(start, path, dataset, options.threads)


if __name__ == "__main__":
    main()
