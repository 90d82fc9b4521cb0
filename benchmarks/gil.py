# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Does the kernel keep the GIL from Python?

How fast a Python thread counts while another thread of the process consumes a stream
whose kernel has n threads, against the same beside another process with n busy threads
that need no GIL: what the machine takes, not what the GIL takes. That process hashes,
or consumes the same stream, which takes more of the caches that CPUs share. Batches are
large, so that the consumer, who needs the GIL for each, keeps the kernel busy.

    python -m benchmarks.gil --data DIR
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.datasets import DATASETS, DEFAULT_BYTES, DEFAULT_FOLDER, prepare
from benchmarks.faces import keywords
from benchmarks.harness import (
    print_result,
    print_table,
    run_child,
    this_module,
    write_csv,
)

SECONDS = 3.0
THREADS = (1, 2)
WORKS = ("hashes", "streams")  # The kinds of work of the other process.


@dataclass(frozen=True)
class Pace:
    """Result of one process.

    Attributes:
        alone: Counts per second of a thread that has the machine for itself.
        beside_process: Counts per second beside a process of as many busy threads as
            the kernel has, by the kind of its work.
        beside_stream: Counts per second beside a thread that consumes a stream.
        kernel_threads: Mean number of the kernel's threads that ran meanwhile.
    """

    alone: float
    beside_process: dict[str, float]
    beside_stream: float
    kernel_threads: float


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--bytes", type=int, default=DEFAULT_BYTES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--beside", choices=WORKS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    path = prepare("N", options.data, options.bytes)
    if options.beside == "hashes":
        hash_in_threads(options.child)
    elif options.beside:
        stream(path, options.child)
    elif options.child:
        print_result(pace(path, options.child))
    else:
        report(options)


def report(options: argparse.Namespace) -> None:
    """Measures in fresh processes and writes the medians."""
    data = [f"--data={options.data}", f"--bytes={options.bytes}"]
    paces: dict[int, list[Pace]] = {threads: [] for threads in THREADS}
    for _ in range(options.rounds):
        for threads, mine in paces.items():
            mine.append(Pace(**run_child([str(threads), *data])))
    rows = [
        {"threads": threads, "beside": works} | summary(mine, works)
        for threads, mine in paces.items()
        for works in WORKS
    ]
    print_table(rows)
    print(f"wrote {write_csv('gil', rows)}")


def summary(paces: list[Pace], works: str) -> dict[str, float]:
    """Returns medians, and the spread of the ratio to the pace beside a process."""
    beside = [pace.beside_process[works] for pace in paces]
    ratios = [p.beside_stream / other for p, other in zip(paces, beside, strict=True)]
    return {
        "alone_per_s": median(pace.alone for pace in paces),
        "beside_process_per_s": median(beside),
        "beside_stream_per_s": median(pace.beside_stream for pace in paces),
        "ratio": median(ratios),
        "low": min(ratios),
        "high": max(ratios),
        "kernel_threads": median(pace.kernel_threads for pace in paces),
    }


def pace(path: Path, threads: int) -> Pace:
    """Measures how fast a Python thread counts."""
    alone = counts_per_second()
    beside_process = {}
    for works in WORKS:
        with process_that(works):
            beside_process[works] = counts_per_second()
    with stream_in_thread(path, threads):
        used = time.process_time() - time.thread_time(), time.perf_counter()
        beside_stream = counts_per_second()
        spent = time.process_time() - time.thread_time() - used[0]
        kernel_threads = spent / (time.perf_counter() - used[1])
    return Pace(alone, beside_process, beside_stream, kernel_threads)


def counts_per_second() -> float:
    """Returns how fast this thread counts, in counts per second."""
    count = 0
    begin = time.perf_counter()
    while (now := time.perf_counter()) - begin < SECONDS:
        for _ in range(1000):
            count += 1
    return count / (now - begin)


@contextmanager
def process_that(works: str) -> Iterator[None]:
    """Runs another process with busy threads, with this one's options."""
    command = [sys.executable, "-m", this_module(), *sys.argv[1:], f"--beside={works}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        try:
            assert child.stdout is not None
            child.stdout.readline()
            yield
            if child.poll() is not None:
                raise RuntimeError(f"the process that {works} has ended")
        finally:
            child.kill()


def hash_in_threads(threads: int) -> None:
    """Hashes in threads, without the GIL, until killed."""
    block = bytes(1 << 24)

    def work() -> None:
        while True:
            hashlib.sha256(block)

    for _ in range(threads):
        threading.Thread(target=work, daemon=True).start()
    print(flush=True)
    threading.Event().wait()


def stream(path: Path, threads: int) -> None:
    """Consumes a stream until killed."""
    with stream_in_thread(path, threads):
        print(flush=True)
        threading.Event().wait()


@contextmanager
def stream_in_thread(path: Path, threads: int) -> Iterator[None]:
    """Runs a thread of this process that consumes batches as fast as they come."""
    import rowfeed

    options = keywords(DATASETS["N"], threads) | {"batch_size": 1 << 16}
    with rowfeed.ParquetDataset(path, **options) as dataset:
        batches = iter(dataset)
        next(batches)
        stopped = threading.Event()

        def consume() -> None:
            while not stopped.is_set():
                next(batches)

        thread = threading.Thread(target=consume)
        thread.start()
        try:
            yield
            if not thread.is_alive():
                raise RuntimeError("the stream has ended")
        finally:
            stopped.set()
            thread.join()


if __name__ == "__main__":
    main()
