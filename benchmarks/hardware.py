# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the machine does when nothing is to be done but to copy.

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
from harness import Epoch, count
from loaders import Setup
from pace import Consume

BLOCK = 16 << 20  # More than the caches that a core has to itself.


def memcpy(setup: Setup) -> Consume:
    """Copies blocks; rows are those that the bytes would make."""
    row_bytes = setup.dataset.row_bytes

    def make(_: int) -> Callable[[], int]:
        source, target = np.ones(BLOCK, np.uint8), np.ones(BLOCK, np.uint8)

        def copy() -> int:
            np.copyto(target, source)
            return BLOCK

        return copy

    return _parallel(setup.threads, make, lambda size: size // row_bytes)


def page_cache_read(setup: Setup) -> Consume:
    """Reads blocks of the file, round and round."""
    rows = pq.read_metadata(setup.path).num_rows
    file_bytes = setup.path.stat().st_size

    def make(thread: int) -> Callable[[], int]:
        file = os.open(setup.path, os.O_RDONLY)
        # It begins with a page, as blocks of the file do: some CPUs take three times as
        # long to copy to a few bytes further into one (docs/performance.md).
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
    """Returns what does it for as long as each thread takes to read the whole file."""
    consume = HARDWARE[name](setup)
    steps = setup.path.stat().st_size // BLOCK + 1  # After which all begins anew.
    return lambda: count(consume(1) for _ in range(steps))


def _parallel(
    threads: int,
    make: Callable[[int], Callable[[], int]],
    rows_of: Callable[[int], int],
) -> Consume:
    """Consumes with `threads` threads, each with what `make` returns for its number."""
    pool = ThreadPoolExecutor(threads)
    jobs = [make(thread) for thread in range(threads)]

    def consume(_: int) -> tuple[int, int]:
        size = sum(done.result() for done in [pool.submit(job) for job in jobs])
        return rows_of(size), size

    return consume
