# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Rates at which the machine only copies, as a measure for the loaders.

`memcpy` copies as many bytes as a row's tensors have; `page-cache read` reads the file,
as it is, into memory that is used again. Each thread has blocks of its own. A loader
whose batches stay in the caches can be faster than either.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow.parquet as pq
from benchmarks.harness import Epoch, count
from benchmarks.pace import Consume
from benchmarks.peers.loaders import Setup

BLOCK = 16 << 20  # Larger than the private caches of a core.


def memcpy(setup: Setup) -> Consume:
    """Copies blocks of memory; counts the rows that as many bytes would make."""
    row_bytes = setup.dataset.row_bytes

    def make(_: int) -> Callable[[], int]:
        source, target = np.ones(BLOCK, np.uint8), np.ones(BLOCK, np.uint8)

        def copy() -> int:
            np.copyto(target, source)
            return BLOCK

        return copy

    return _parallel(setup.threads, make, lambda size: size // row_bytes)


def page_cache_read(setup: Setup) -> Consume:
    """Reads blocks of the file, from its beginning again after its end."""
    rows = pq.read_metadata(setup.path).num_rows
    file_bytes = setup.path.stat().st_size

    def make(thread: int) -> Callable[[], int]:
        file = os.open(setup.path, os.O_RDONLY)
        # The target begins at a page, as blocks of the file do. Some CPUs take three
        # times as long to copy to a few bytes after the start of a page
        # (docs/measurements.md).
        target = mmap.mmap(-1, BLOCK)
        offset = thread * (file_bytes // setup.threads // BLOCK * BLOCK)

        def read() -> int:
            nonlocal offset
            size = os.preadv(file, [target], offset)
            offset = offset + size if size == BLOCK else 0
            return size

        return read

    return _parallel(setup.threads, make, lambda size: size * rows // file_bytes)


HARDWARE = {"memcpy": memcpy, "page-cache read": page_cache_read}


def epoch_of(name: str, setup: Setup) -> Epoch:
    """Returns a function that copies in each thread as many bytes as the file has."""
    consume = HARDWARE[name](setup)
    steps = setup.path.stat().st_size // BLOCK + 1  # One pass over the file.
    return lambda: count(consume(1) for _ in range(steps))


def _parallel(
    threads: int,
    make: Callable[[int], Callable[[], int]],
    rows_of: Callable[[int], int],
) -> Consume:
    """Consumes in threads; thread i calls the function that make(i) returns."""
    pool = ThreadPoolExecutor(threads)
    jobs = [make(thread) for thread in range(threads)]

    def consume(_: int) -> tuple[int, int]:
        size = sum(done.result() for done in [pool.submit(job) for job in jobs])
        return rows_of(size), size

    return consume
