# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Does the kernel keep Python waiting, or Python the kernel?

Pace: how fast a Python thread counts while another thread of the process consumes a
stream whose kernel has n threads, against the same beside another process with n busy
threads that need no GIL: what the machine takes, not what the GIL takes. Batches are
large, so that the consumer, who needs the GIL for each, keeps the kernel busy:
`kernel_threads` says how many of its threads ran on average.

Waits: how long a consumer that computes in pure Python between batches, the GIL held,
waits for each batch. It computes twice as long as a batch takes to be made, so every
wait is the loader's fault: of the windows' turns and of the epochs'. Beside rowfeed's,
those of what one writes by hand with pyarrow, which prepares the next window in a
thread (loaders/by_hand.py).

    python benchmarks/gil.py --data DIR
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import numpy as np
from datasets import DATASETS, DEFAULT_BYTES, DEFAULT_FOLDER, prepare
from faces import NUM_EPOCHS, keywords
from harness import Row, print_result, print_table, run_child, write_csv
from loaders import Setup
from loaders.by_hand import shuffled_batches

SECONDS = 3.0
EPOCHS = 3


@dataclass(frozen=True)
class Pace:
    """Counts per second, and the threads that ran beside the counting one."""

    alone: float
    beside_process: float
    beside_stream: float
    kernel_threads: float


@dataclass(frozen=True)
class Waits:
    """Microseconds that a slower consumer waited for batches, the first left out."""

    step_us: float
    median_us: float
    p99_us: float
    p999_us: float
    max_us: float
    epoch_start_max_us: float


def main() -> None:
    """Runs the parent, or one child."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--bytes", type=int, default=DEFAULT_BYTES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--busy", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    path = prepare("N", options.data, options.bytes)
    if options.busy:
        be_busy(options.busy)
    elif options.child:
        measure, threads = options.child
        print_result(MEASURES[measure](path, int(threads)))
    else:
        report(options)


def report(options: argparse.Namespace) -> None:
    """Runs every measure in fresh processes and writes the medians."""
    data = [f"--data={options.data}", f"--bytes={options.bytes}"]
    rows: list[Row] = []
    for threads in ("1", "2"):
        for name in MEASURES:
            results = [run_child([name, threads, *data]) for _ in range(options.rounds)]
            for key in results[0]:
                values = [result[key] for result in results]
                rows.append(
                    {
                        "measure": f"{name} {key}",
                        "threads": threads,
                        "median": median(values),
                        "low": min(values),
                        "high": max(values),
                    }
                )
    print_table(rows)
    print(f"wrote {write_csv('gil', rows)}")


def pace(path: Path, threads: int) -> Pace:
    """Measures how fast a Python thread counts."""
    alone = counts_per_second()
    with busy_process(threads):
        beside_process = counts_per_second()
    with stream_in_thread(path, threads):
        used = time.process_time() - time.thread_time(), time.perf_counter()
        beside_stream = counts_per_second()
        spent = time.process_time() - time.thread_time() - used[0]
        kernel_threads = spent / (time.perf_counter() - used[1])
    return Pace(alone, beside_process, beside_stream, kernel_threads)


def counts_per_second() -> float:
    """Counts in this thread for a while."""
    count = 0
    begin = time.perf_counter()
    while (now := time.perf_counter()) - begin < SECONDS:
        for _ in range(1000):
            count += 1
    return count / (now - begin)


@contextmanager
def busy_process(threads: int) -> Iterator[None]:
    """Another process keeps `threads` threads busy."""
    command = [sys.executable, sys.argv[0], f"--busy={threads}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    yield
    process.kill()
    process.wait()


def be_busy(threads: int) -> None:
    """Hashes in threads, without the GIL, until killed."""
    block = bytes(1 << 24)

    def work() -> None:
        while True:
            hashlib.sha256(block)

    for _ in range(threads):
        threading.Thread(target=work, daemon=True).start()
    print(flush=True)
    threading.Event().wait()


@contextmanager
def stream_in_thread(path: Path, threads: int) -> Iterator[None]:
    """A thread of this process consumes batches as fast as they come."""
    import rowfeed

    options = keywords(DATASETS["N"], threads) | {"batch_size": 1 << 16}
    with rowfeed.ParquetDataset(path, **options) as dataset:
        stopped = threading.Event()
        started = threading.Event()

        def consume() -> None:
            for _ in dataset:
                started.set()
                if stopped.is_set():
                    return

        thread = threading.Thread(target=consume)
        thread.start()
        started.wait()
        yield
        stopped.set()
        thread.join()


def waits(path: Path, threads: int) -> Waits:
    """Measures the waits of a consumer that is slower than the stream."""
    import rowfeed

    with rowfeed.ParquetDataset(path, **keywords(DATASETS["N"], threads)) as dataset:
        return waits_for(iter(dataset).__next__, len(dataset) // NUM_EPOCHS)


def waits_by_hand(path: Path, threads: int) -> Waits:
    """Measures the same of the loader that is written by hand."""
    setup = Setup(path, DATASETS["N"], path.parent, threads)
    first_epoch = shuffled_batches(replace(setup, epochs=1))
    steps = sum(1 for _ in first_epoch)
    return waits_for(shuffled_batches(setup).__next__, steps)


def waits_for(pull: Callable[[], object], steps: int) -> Waits:
    """Measures the waits for what `pull` returns, `steps` of which make an epoch."""
    begin = time.perf_counter()
    for _ in range(steps):
        pull()
    step_s = 2 * (time.perf_counter() - begin) / steps
    waited = timed_waits(pull, step_s, EPOCHS * steps) * 1e6
    starts = waited[steps::steps]
    kept = waited[steps // 4 :]  # The consumer has just begun to be slow.
    return Waits(
        step_s * 1e6,
        *(float(np.quantile(kept, q)) for q in (0.5, 0.99, 0.999)),
        float(kept.max()),
        float(starts.max()),
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


MEASURES = {"pace": pace, "waits": waits, "waits_by_hand": waits_by_hand}

if __name__ == "__main__":
    main()
