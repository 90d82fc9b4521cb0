# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""No wait, decode, join or free of the kernel holds the GIL."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
def only_let_go() -> Iterator[None]:
    """No thread gets the GIL before the one that has it lets go of it."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)


@contextmanager
def ticking() -> Iterator[Callable[[], int]]:
    """Yields how often a thread that wants the GIL all the time has had it."""
    ticks = 0
    done = False

    def tick() -> None:
        nonlocal ticks
        while not done:
            time.sleep(1e-5)
            ticks += 1

    thread = threading.Thread(target=tick)
    with only_let_go():
        thread.start()
        try:
            yield lambda: ticks
        finally:
            done = True
    thread.join()


def test_next_waits_without_the_gil(slow: Path) -> None:
    iteration = iter(ParquetDataset(slow, 500_000, shuffle=True, num_threads=1))
    with ticking() as ticks:
        before = ticks()
        assert ticks() == before  # Python alone keeps it.
        next(iteration)  # A whole window is decoded first, which takes a second.
        assert ticks() - before > 20


@pytest.mark.fault(17)
@pytest.mark.parametrize("ending", ["iteration.close()", "dataset.close()", "del"])
def test_joining_and_freeing_leave_the_gil(ending: str, slow: Path) -> None:
    dataset = ParquetDataset(slow, 100, shuffle=True, num_threads=2)
    iteration = iter(dataset)
    next(iteration)  # The threads are at work on the next window now.
    with ticking() as ticks:
        before = ticks()
        if ending == "iteration.close()":
            iteration.close()
        if ending == "dataset.close()":
            dataset.close()
        del iteration, dataset
        assert ticks() > before


def test_signals_are_answered_while_the_kernel_works(slow: Path) -> None:
    keywords: dict[str, Any] = {"shuffle": True, "num_threads": 1}
    expected = next(iter(ParquetDataset(slow, 500_000, **keywords)))
    iteration = iter(ParquetDataset(slow, 500_000, **keywords))
    ready = threading.Event()

    def interrupt() -> None:
        ready.wait()  # And until `next` lets go of the GIL.
        time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGALRM)

    def handle(*_: object) -> None:
        raise InterruptedError

    before = signal.signal(signal.SIGALRM, handle)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with only_let_go():
            ready.set()
            with pytest.raises(InterruptedError):
                next(iteration)
    finally:
        thread.join()
        signal.signal(signal.SIGALRM, before)
    # It goes on as if nothing had been. Answered at the end of the call, the interrupt
    # would have lost the call's batch.
    np.testing.assert_array_equal(next(iteration)["c0"], expected["c0"])


def test_opening_leaves_the_gil(tmp_path: Path) -> None:
    for i in range(300):
        table = pa.table({f"c{j}": [i] for j in range(50)})
        pq.write_table(table, tmp_path / f"{i}.parquet")
    with ticking() as ticks:
        before = ticks()
        Catalog.open(tmp_path)
        assert ticks() - before > 20
