# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""transform: the threads in which it runs, and how they end."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import threading
import time
import weakref
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from forked import in_child
from numbered_rows import NUM_ROWS
from transforming import FACES, Mine, ids_of, make, orders_of


@pytest.fixture(scope="module")
def orders(numbers: Path) -> list[list[list[int]]]:
    return orders_of(numbers)


def threads_of_rowfeed() -> list[str]:
    return [t.name for t in threading.enumerate() if t.name.startswith("rowfeed")]


def no_threads() -> bool:
    """Whether all of them end."""
    deadline = time.monotonic() + 30
    while threads_of_rowfeed() and time.monotonic() < deadline:
        time.sleep(0.001)
    return not threads_of_rowfeed()


def test_functions_run_at_once_but_not_more_than_threads(numbers: Path) -> None:
    meeting = threading.Barrier(3)
    running: set[int] = set()
    most: list[int] = []

    def meet(batch: Any) -> list[int]:
        running.add(threading.get_ident())
        meeting.wait(timeout=30)  # Broken unless three run at once.
        most.append(len(running))
        running.discard(threading.get_ident())
        return ids_of(batch)

    # All but the last, so that the number of calls is one of threes.
    list(islice(make(numbers, transform=meet), 9))
    meeting.abort()  # Some may have been called ahead, for others that never come.
    assert max(most) <= 3


@pytest.mark.fault(50)
def test_what_is_ahead_is_bounded(numbers: Path) -> None:
    made: list[Any] = []
    dataset = make(numbers, batch_size=1, transform=made.append)
    batches = iter(dataset)
    assert not made
    for step in range(1, 20):
        next(batches)
        deadline = time.monotonic() + 0.05
        while len(made) < step + 5 and time.monotonic() < deadline:
            time.sleep(0.001)
        assert len(made) <= step + 5  # Twice the threads, with the one delivered.
    assert len(made) >= 19


@pytest.mark.parametrize("error", [Mine, StopIteration])
def test_an_error_keeps_nothing_alive(error: type[Exception], numbers: Path) -> None:
    def fail(_: Any) -> None:
        raise error(5, "odd")

    batches = iter(make(numbers, transform=fail))
    gone = weakref.ref(batches)
    gc.collect()
    gc.disable()
    try:
        with contextlib.suppress(Mine, RuntimeError):
            next(batches)
        del batches
        assert gone() is None
        assert no_threads()
    finally:
        gc.enable()


def break_off(dataset: Any) -> None:
    for _ in dataset:
        break


def fail_in_loop(dataset: Any) -> None:
    def consume() -> None:
        for _ in dataset:
            raise LookupError

    with pytest.raises(LookupError):
        consume()


def close_it(dataset: Any) -> None:
    batches = iter(dataset)
    next(batches)
    batches.close()
    with pytest.raises(ValueError, match="closed"):
        next(batches)


def close_dataset(dataset: Any) -> None:
    with dataset:
        batches = iter(dataset)
        next(batches)
    with pytest.raises(ValueError, match="closed"):
        next(batches)


@pytest.mark.fault(19)
@FACES
@pytest.mark.parametrize("end", [list, break_off, fail_in_loop, close_it])
def test_no_thread_is_left(
    face: str, end: Callable[[Any], object], numbers: Path
) -> None:
    dataset = make(numbers, face)
    gc.collect()  # What pytest's records of earlier errors hold.
    for _ in range(3):
        end(dataset)
        assert no_threads()
    close_dataset(dataset)
    assert no_threads()


def test_close_does_not_wait_for_a_function_that_runs(numbers: Path) -> None:
    entered, release = threading.Event(), threading.Event()

    def block(batch: Any) -> list[int]:
        entered.set()
        assert release.wait(timeout=30)
        return ids_of(batch)

    batches = iter(make(numbers, transform=block))
    errors: list[Exception] = []

    def consume() -> None:
        try:
            next(batches)
        except ValueError as error:
            errors.append(error)

    consumer = threading.Thread(target=consume)
    consumer.start()
    assert entered.wait(timeout=30)
    batches.close()
    consumer.join(timeout=30)
    assert "closed" in str(errors[0])
    assert threads_of_rowfeed()
    release.set()
    assert no_threads()


def test_close_at_any_moment(numbers: Path) -> None:
    errors: list[Exception] = []

    def consume(batches: Any) -> None:
        try:
            list(batches)
        except Exception as error:
            errors.append(error)

    for i in range(100):
        batches = iter(make(numbers, batch_size=2, transform=ids_of, num_epochs=None))
        consumer = threading.Thread(target=consume, args=[batches])
        consumer.start()
        time.sleep(i * 0.0002)
        batches.close()
        consumer.join(timeout=30)
        assert not consumer.is_alive()
    assert {type(error) for error in errors} <= {ValueError, RuntimeError}
    assert all("closed" in str(error) for error in errors)
    assert len(errors) == 100
    errors.clear()  # With what their frames hold.
    assert no_threads()


def test_ctrl_c_in_a_wait_loses_nothing(numbers: Path, orders: Any) -> None:
    release = threading.Event()

    def block(batch: Any) -> list[int]:
        assert release.wait(timeout=30)
        return ids_of(batch)

    batches = iter(make(numbers, transform=block))

    def interrupt() -> None:
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            next(batches)
    finally:
        signal.signal(signal.SIGINT, before)
    release.set()
    assert list(batches) == orders[0]


def test_an_interrupted_read_ahead_is_taken_back(
    numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rowfeed._stream.transform_threads import _Threads

    dataset = make(numbers)
    batches = iter(dataset)
    assert list(islice(batches, 4)) == orders[0][:4]
    dataset.load_state_dict(dataset.state_at(2, 7))  # The next iteration's place.
    ask = _Threads.ask

    def interrupted(self: _Threads) -> None:
        ask(self)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_Threads, "ask", interrupted)
        with pytest.raises(KeyboardInterrupt):
            next(batches)
    assert list(batches) == orders[0][4:]
    assert list(dataset) == orders[2][7:]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@FACES
def test_a_forked_child_goes_on_where_the_consumer_stood(
    face: str, numbers: Path, orders: Any
) -> None:
    dataset = make(numbers, face)
    batches = iter(dataset)
    assert list(islice(batches, 3)) == orders[0][:3]
    in_child(lambda: (list(batches), list(dataset)) == (orders[0][3:], orders[1]))
    assert list(batches) == orders[0][3:]


def test_two_threads_share_an_iteration(numbers: Path) -> None:
    batches = iter(make(numbers, batch_size=3))
    got: list[list[list[int]]] = [[], []]
    threads = [
        threading.Thread(target=lambda part=part: part.extend(batches)) for part in got
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(i for part in got for ids in part for i in ids) == list(
        range(NUM_ROWS)
    )
