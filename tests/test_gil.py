# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""No wait, decode, join or free of the kernel holds the GIL."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowfeed import Catalog, ParquetDataset


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Row groups that take a good while to decompress and decode."""
    directory = tmp_path_factory.mktemp("slow")
    rng = np.random.default_rng(1)
    values = rng.integers(0, 1000, 3_000_000).astype(np.float64)
    table = pa.table({f"c{i}": np.roll(values, i) for i in range(4)})
    pq.write_table(
        table,
        directory / "x.parquet",
        row_group_size=1_000_000,
        compression="gzip",
        compression_level=1,
        use_dictionary=False,
    )
    for name in ("y", "z"):
        (directory / f"{name}.parquet").hardlink_to(directory / "x.parquet")
    return directory


@contextmanager
def probe() -> Iterator[list[float]]:
    """Measures how long a thread that wants the GIL has to wait for it, at the most."""
    longest = [0.0]
    done = threading.Event()

    def watch() -> None:
        last = time.perf_counter()
        while not done.is_set():
            time.sleep(0.001)
            now = time.perf_counter()
            longest[0] = max(longest[0], now - last)
            last = now

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield longest
    finally:
        done.set()
        thread.join()


def test_next_waits_without_the_gil(slow: Path) -> None:
    dataset = ParquetDataset(slow, 500_000, shuffle=True, num_threads=1)
    iteration = iter(dataset)
    waits = []
    with probe() as longest:
        for _ in range(len(dataset)):
            since = time.perf_counter()
            next(iteration)
            waits.append(time.perf_counter() - since)
    # A whole window is decoded before the first batch: had next() held the GIL, the
    # probe would have waited as long.
    assert max(waits) > 0.1
    assert longest[0] < max(waits) / 2


@pytest.mark.parametrize("ending", ["iteration.close()", "dataset.close()", "del"])
def test_joining_and_freeing_leave_the_gil(ending: str, slow: Path) -> None:
    dataset = ParquetDataset(slow, 100, shuffle=True, num_threads=2)
    iteration = iter(dataset)
    next(iteration)  # The threads are at work on the next window now.
    with probe() as longest:
        since = time.perf_counter()
        if ending == "iteration.close()":
            iteration.close()
        if ending == "dataset.close()":
            dataset.close()
        del iteration, dataset
        seconds = time.perf_counter() - since
    assert longest[0] < max(0.1, seconds / 2)


def test_signals_are_answered_while_the_kernel_works(slow: Path) -> None:
    dataset = ParquetDataset(slow, 500_000, shuffle=True, num_threads=1)
    since = time.perf_counter()
    next(iter(dataset))
    whole_wait = time.perf_counter() - since
    assert whole_wait > 0.3

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    iteration = iter(dataset)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    since = time.perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            next(iteration)
        assert time.perf_counter() - since < min(0.5, whole_wait - 0.1)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert len(next(iteration)["c0"]) == 500_000  # It goes on as if nothing had been.


def test_opening_leaves_the_gil(tmp_path: Path) -> None:
    for i in range(300):
        table = pa.table({f"c{j}": [i] for j in range(50)})
        pq.write_table(table, tmp_path / f"{i}.parquet")
    with probe() as longest:
        since = time.perf_counter()
        Catalog.open(tmp_path)
        seconds = time.perf_counter() - since
    assert longest[0] < max(0.05, seconds / 2)
