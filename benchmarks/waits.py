# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Measures how long a consumer waits that is slower than the loader.

It computes in pure Python between batches, the GIL held, for twice as long as a batch
takes to be made, so that a batch is always there. Most waits are what a batch costs on
the consumer's thread; the rest are the windows' turns, the epochs', and the machine's.
Beside rowfeed's, those of what one writes by hand with pyarrow, which prepares the next
window in a thread (loaders/by_hand.py), and those for nothing: views of one batch, that
need no loader, while other processes keep as many CPUs busy.

    python -m benchmarks.waits --data DIR
"""

from __future__ import annotations

import argparse
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from benchmarks.batches import arrays
from benchmarks.datasets import DATASETS, DEFAULT_BYTES, DEFAULT_FOLDER, prepare
from benchmarks.faces import NUM_EPOCHS, keywords
from benchmarks.harness import print_result, print_table, run_child, write_csv
from benchmarks.peers.loaders import Setup
from benchmarks.peers.loaders.by_hand import shuffled_batches

# Data sets and numbers of threads.
CASES = (
    ("N", "1"),
    ("N", "2"),
    ("A", "1"),
    ("A", "2"),
    ("B", "2"),
    ("C", "2"),
    ("D", "2"),
)
EPOCHS = 6  # The first batch of each epoch but the first one is read ahead.


@dataclass(frozen=True)
class Waits:
    """Microseconds that a slower consumer waited for batches.

    Attributes:
        step_us: Time that the consumer computes after each batch.
        median_us: Median of all waits; the quantiles and `max_us` are of all waits too.
        us_per_tensor: Median wait, divided by the number of tensors in a batch.
        window_start_us: Median wait for the first batch that has rows of a window.
        epoch_start_us: Median wait for the first batch of an epoch.
        epoch_start_max_us: Longest wait for the first batch of an epoch.
        epoch_ratio: Ratio of `epoch_start_us` to `window_start_us`.
    """

    step_us: float
    median_us: float
    us_per_tensor: float
    p99_us: float
    p999_us: float
    max_us: float
    window_start_us: float
    epoch_start_us: float
    epoch_start_max_us: float
    epoch_ratio: float


@dataclass(frozen=True)
class Stream:
    """A stream of endless epochs.

    Attributes:
        pull: Function that returns the next batch.
        steps: Number of batches in an epoch.
        window_starts: Indices of the batches that are the first of a window, without
            the first of the epoch.
    """

    pull: Callable[[], Any]
    steps: int
    window_starts: list[int]


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--bytes", type=int, default=DEFAULT_BYTES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, threads, candidate = options.child
        path = prepare(name, options.data, options.bytes)
        setup = Setup(path, DATASETS[name], options.data, int(threads))
        print_result(waits(STREAMS[candidate](setup)))
    else:
        report(options)


def report(options: argparse.Namespace) -> None:
    """Measures every candidate in fresh processes and writes the medians."""
    children = [
        (name, threads, candidate) for name, threads in CASES for candidate in STREAMS
    ]
    for name in dict(CASES):
        prepare(name, options.data, options.bytes)
    data = [f"--data={options.data}", f"--bytes={options.bytes}"]
    results: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for _ in range(options.rounds):
        for child in children:
            results.setdefault(child, []).append(run_child([*child, *data]))
    rows = [
        dict(zip(("data", "threads", "candidate"), child, strict=True)) | summary(mine)
        for child, mine in results.items()
    ]
    print_table(rows)
    print(f"wrote {write_csv('waits', rows)}")


def summary(results: list[dict[str, float]]) -> dict[str, Any]:
    """Returns medians over rounds, and the spread of the longest wait."""
    longest = [result["max_us"] for result in results]
    medians = {key: median(result[key] for result in results) for key in results[0]}
    return medians | {"low": min(longest), "high": max(longest)}


def rowfeed_stream(setup: Setup) -> Stream:
    """Opens rowfeed for NumPy."""
    import rowfeed

    options = keywords(setup.dataset, setup.threads)
    dataset = rowfeed.ParquetDataset(setup.path, **options)
    steps = len(dataset) // NUM_EPOCHS
    batch, window = setup.dataset.batch_size, setup.dataset.order["shuffle_window"]
    starts = [row // batch for row in range(window, steps * batch, window)]
    return Stream(iter(dataset).__next__, steps, starts)


def stream_by_hand(setup: Setup) -> Stream:
    """Opens the loader written by hand; each of its windows begins with a new batch."""
    batches: Iterator[dict[str, Any]] = shuffled_batches(setup)
    steps = sum(1 for _ in shuffled_batches(replace(setup, epochs=1)))
    per_window = -(-setup.window_rows // setup.dataset.batch_size)
    return Stream(batches.__next__, steps, [*range(per_window, steps, per_window)])


def stream_of_nothing(setup: Setup) -> Stream:
    """Opens rowfeed for one epoch; then delivers views of its last batch.

    Other processes keep CPUs busy meanwhile, as the kernel's threads would.
    """
    real = rowfeed_stream(setup)

    def batches() -> Iterator[Any]:
        for _ in range(real.steps):
            batch = real.pull()
            yield batch
        with busy_processes(setup.threads):
            while True:
                yield [array[...] for array in arrays(batch)]

    return replace(real, pull=batches().__next__)


@contextmanager
def busy_processes(number: int) -> Iterator[None]:
    """Runs `number` busy processes, scheduled as the kernel's threads are."""
    context = get_context("spawn")
    with ExitStack() as stack:
        for _ in range(number):
            process = context.Process(target=hash_for_ever)
            process.start()
            stack.callback(process.kill)
        yield


def hash_for_ever() -> None:
    """Hashes until killed, with a low priority."""
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    os.nice(2)
    block = bytes(1 << 24)
    while True:
        hashlib.sha256(block)


STREAMS = {
    "rowfeed": rowfeed_stream,
    "pyarrow by hand": stream_by_hand,
    "nothing": stream_of_nothing,
}


def waits(stream: Stream) -> Waits:
    """Measures the waits for the batches of a stream."""
    begin = time.perf_counter()
    for _ in range(stream.steps):
        batch = stream.pull()
    step_s = 2 * (time.perf_counter() - begin) / stream.steps
    waited = timed_waits(stream.pull, step_s, EPOCHS * stream.steps) * 1e6
    epochs = waited.reshape(EPOCHS, stream.steps)
    kept = waited[stream.steps // 4 :]  # The first waits are no steady state.
    middle = float(np.median(kept))
    window_start = float(np.median(epochs[1:, stream.window_starts]))
    epoch_start = float(np.median(epochs[1:, 0]))
    return Waits(
        step_us=step_s * 1e6,
        median_us=middle,
        us_per_tensor=middle / len(arrays(batch)),
        p99_us=float(np.quantile(kept, 0.99)),
        p999_us=float(np.quantile(kept, 0.999)),
        max_us=float(kept.max()),
        window_start_us=window_start,
        epoch_start_us=epoch_start,
        epoch_start_max_us=float(epochs[1:, 0].max()),
        epoch_ratio=epoch_start / window_start,
    )


def timed_waits(
    pull: Callable[[], object], step_s: float, steps: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Pulls `steps` batches and computes `step_s` in pure Python after each."""
    waited = np.zeros(steps)
    for i in range(steps):
        begin = time.perf_counter()
        pull()
        end = time.perf_counter()
        waited[i] = end - begin
        while time.perf_counter() - end < step_s:
            pass
    return waited


if __name__ == "__main__":
    main()
