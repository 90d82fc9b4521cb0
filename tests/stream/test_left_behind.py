# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What iterations leave behind, in one process: threads, files, memory; forks."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from numbered_rows import write_numbers
from rowfeed import ParquetDataset


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Large enough that the threads are always at work."""
    return write_numbers(tmp_path_factory.mktemp("data"), [4000] * 12)


def num_threads() -> int:
    """Threads of this process, also those that Python does not know."""
    return len(list(Path("/proc/self/task").iterdir()))


def settled(count: int) -> bool:
    """Whether the number of threads comes down to `count`, in the end."""
    deadline = time.monotonic() + 30
    while num_threads() > count and time.monotonic() < deadline:
        time.sleep(0.01)
    return num_threads() <= count


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def test_breaks_leave_nothing_behind(data: Path) -> None:
    dataset = ParquetDataset(data, 64, shuffle=True, num_threads=2)

    def begin_and_break(times: int) -> None:
        for _ in range(times):
            for _ in dataset:
                break

    begin_and_break(1)
    threads, files = num_threads(), open_files()
    begin_and_break(100)  # What the cursor keeps of idle memory is there by now.
    memory = resident_bytes()
    begin_and_break(200)
    assert settled(threads)
    assert open_files() <= files + 64  # The cursor keeps some of the data's open.
    assert resident_bytes() < memory + 64 * 2**20


@pytest.mark.fault(16)
def test_a_thousand_breaks_after_one_batch_leave_nothing_behind(data: Path) -> None:
    dataset = ParquetDataset(data, 64, shuffle=True, num_threads=2)

    def begin_and_break(times: int) -> int:
        most = 0
        for _ in range(times):
            for _ in dataset:
                break
            most = max(most, num_threads())
        return most

    begin_and_break(1)
    threads, files = num_threads(), open_files()
    begin_and_break(200)
    memory = resident_bytes()
    assert begin_and_break(800) <= threads + 2  # Threads of the last one may end late.
    assert settled(threads)
    assert open_files() <= files + 64
    assert resident_bytes() < memory + 64 * 2**20


@pytest.mark.fault(55)
def test_datasets_leave_nothing_behind(data: Path) -> None:
    gc.collect()
    before = num_threads(), open_files()
    for _ in range(30):
        dataset = ParquetDataset(data, 64, shuffle=True, num_threads=3)
        iterations = [iter(dataset), iter(dataset)]
        for iteration in iterations:
            next(iteration)
        del dataset, iteration, iterations
    gc.collect()
    assert settled(before[0])
    assert open_files() == before[1]


@pytest.mark.fault(55)
def test_a_hundred_datasets_leave_no_memory_behind(data: Path) -> None:
    def make_and_drop(times: int) -> None:
        for _ in range(times):
            dataset = ParquetDataset(data, 64, shuffle=True, num_threads=2)
            iteration = iter(dataset)
            next(iteration)
            state = iteration.state_dict()
            again = ParquetDataset(data, 64, shuffle=True, num_threads=2)
            again.load_state_dict(state)
            next(iter(again))
            del dataset, iteration, again
        gc.collect()

    make_and_drop(20)
    threads, files, memory = num_threads(), open_files(), resident_bytes()
    make_and_drop(100)
    assert settled(threads)
    assert open_files() <= files
    assert resident_bytes() < memory + 32 * 2**20


def test_an_exception_in_the_loop_goes_through(data: Path) -> None:
    dataset = ParquetDataset(data, 64)

    def consume() -> None:
        for batch in dataset:
            raise LookupError(batch["name"][0])

    with pytest.raises(LookupError, match="row 0"):
        consume()
    assert dataset.state_dict()["row"] == 64


@pytest.mark.fault(52)
def test_close_ends_a_next_that_waits(data: Path) -> None:
    dataset = ParquetDataset(data, 64, num_epochs=None, shuffle=True)
    iteration = iter(dataset)
    errors: list[Exception] = []
    started = threading.Event()

    def consume() -> None:
        try:
            while True:
                next(iteration)
                started.set()
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=consume)
    thread.start()
    started.wait()
    iteration.close()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert len(errors) == 1
    assert isinstance(errors[0], (ValueError, RuntimeError))
    assert "closed" in str(errors[0])


@pytest.mark.fault(52)
def test_two_threads_share_an_iterator(data: Path) -> None:
    iteration = iter(ParquetDataset(data, 100, columns=["id"], shuffle=True))
    got: list[list[int]] = [[], []]

    def consume(rows: list[int]) -> None:
        for batch in iteration:
            rows += batch["id"].tolist()

    threads = [threading.Thread(target=consume, args=(rows,)) for rows in got]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got[0] + got[1]) == list(range(48000))


@pytest.mark.fault(13)
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_goes_on_where_the_parent_stood(data: Path) -> None:
    dataset = ParquetDataset(data, 100, columns=["id"], shuffle=True)
    expected = [b["id"].tolist() for b in ParquetDataset(data, 100, shuffle=True)]
    iteration = iter(dataset)
    for k in range(3):
        assert next(iteration)["id"].tolist() == expected[k]
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(60)
            rest = [batch["id"].tolist() for batch in iteration]
            fresh = sum(len(batch["id"]) for batch in dataset)
            code = 0 if rest == expected[3:] and fresh == 48000 else 2
        finally:
            os._exit(code)
    assert [batch["id"].tolist() for batch in iteration] == expected[3:]
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.fault(13)
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_while_another_thread_iterates(data: Path) -> None:
    dataset = ParquetDataset(data, 64, shuffle=True, num_epochs=None)
    iteration = iter(dataset)
    done = threading.Event()

    def consume() -> None:
        while not done.is_set():
            next(iteration)

    thread = threading.Thread(target=consume)
    thread.start()
    try:
        for _ in range(10):
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                os._exit(0 if len(next(iteration)["id"]) == 64 else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        done.set()
        thread.join()


@pytest.mark.fault(17)
def test_garbage_is_collected_on_any_thread(data: Path) -> None:
    """A collector that closes streams must not hold the GIL while threads join."""
    dataset = ParquetDataset(data, 64, shuffle=True)

    class Node:
        pass

    def churn() -> None:
        for _ in range(20):
            node = Node()
            node.myself, node.iteration = node, iter(dataset)  # type: ignore[attr-defined]
            next(node.iteration)  # type: ignore[attr-defined]
            del node
            gc.collect()

    threads = [threading.Thread(target=churn) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive()
