# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""transform: the same batches, states and errors as without it, made in threads."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pickle
import signal
import threading
import time
import traceback
import weakref
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from conftest import NUM_ROWS, write_numbers
from rowfeed import ParquetDataset

STEPS = 16
KEYWORDS: dict[str, Any] = {"columns": ["id"], "shuffle": True, "seed": 4}
FACES = pytest.mark.parametrize("face", ["", ".torch"])


def ids_of(batch: Any) -> list[int]:
    """A transform: what the tests compare."""
    ids: list[int] = batch["id"].tolist()
    return ids


def slow_ids_of(batch: Any) -> list[int]:
    """Takes longest for the first of several that run at once."""
    time.sleep(0.002 * (sum(batch["id"].tolist()) % 3))
    return ids_of(batch)


def make(data: Path, face: str = "", **keywords: Any) -> Any:
    if face:
        pytest.importorskip("torch")
    dataset = importlib.import_module(f"rowfeed{face}").ParquetDataset
    given = {"transform": slow_ids_of, "num_threads": 3, **KEYWORDS, **keywords}
    return dataset(data, given.pop("batch_size", STEPS), **given)


def threads_of_rowfeed() -> list[str]:
    return [t.name for t in threading.enumerate() if t.name.startswith("rowfeed")]


def no_threads(within_s: float = 2) -> bool:
    deadline = time.monotonic() + within_s
    while threads_of_rowfeed() and time.monotonic() < deadline:
        time.sleep(0.001)
    return not threads_of_rowfeed()


@pytest.fixture(scope="module")
def orders(numbers: Path) -> list[list[list[int]]]:
    """The batches of the first epochs."""
    dataset = ParquetDataset(numbers, STEPS, **KEYWORDS)
    return [list(map(ids_of, dataset)) for _ in range(5)]


@FACES
def test_elements_are_what_the_function_returns(
    face: str, numbers: Path, orders: Any
) -> None:
    dataset = make(numbers, face)
    assert len(dataset) == len(orders[0])
    assert list(dataset) == orders[0]
    assert list(dataset) == orders[1]
    dataset.set_epoch(4)
    assert list(dataset) == orders[4]
    assert dataset.batch_at(2, 3) == orders[2][3]
    assert list(make(numbers, face, transform=lambda _: None)) == [None] * len(dataset)


def test_the_function_gets_the_element(numbers: Path) -> None:
    got: list[Any] = []
    plain = ParquetDataset(numbers, 7, label="even", sample_weight="half")

    def note(element: Any) -> Any:
        got.append(element)
        return element

    for batch_size in (7, None):
        dataset = make(
            numbers,
            batch_size=batch_size,
            columns=None,
            shuffle=False,
            label="even",
            sample_weight="half",
            transform=note,
        )
        assert list(dataset.element_spec[0]) == list(plain.element_spec[0])
        element = next(iter(dataset))
        assert any(element is one for one in got)
        features, label, _ = element
        assert list(features) == ["id", "name", "parts"]
        assert label.shape == (() if batch_size is None else (7,))


@FACES
@pytest.mark.parametrize("batch_size", [STEPS, None])
def test_single_rows_and_epochs_in_a_row(
    face: str, batch_size: int | None, numbers: Path
) -> None:
    keywords = {"batch_size": batch_size, "num_epochs": 3}
    plain = make(numbers, face, transform=None, **keywords)
    expected = list(map(ids_of, plain))
    assert list(make(numbers, face, transform=ids_of, **keywords)) == expected


@FACES
@pytest.mark.parametrize("num_threads", [1, 4])
def test_states_are_those_of_what_was_delivered(
    face: str, num_threads: int, numbers: Path
) -> None:
    """Of the iteration and the dataset, at every step of two epochs, and resumed."""
    keywords = {"num_epochs": 2, "num_threads": num_threads, "first_epoch": 1}
    plain, dataset = make(numbers, face, transform=None, **keywords), None
    dataset = make(numbers, face, **keywords)
    without, batches = iter(plain), iter(dataset)
    expected, states = [], []
    while True:
        assert batches.state_dict() == without.state_dict()
        assert dataset.state_dict() == plain.state_dict()
        states.append(batches.state_dict())
        element, raw = next(batches, None), next(without, None)
        if raw is None:
            break
        assert element == ids_of(raw)
        expected.append(element)
    assert element is None
    assert next(batches, None) is None
    assert dataset.state_dict() == plain.state_dict()
    for step in (0, 1, 15, 16, 17, 31, 32):
        resumed = make(numbers, face, **keywords)
        resumed.load_state_dict(states[step])
        assert list(resumed) == expected[step:]
        # In the iteration itself, which has read ahead of another place.
        again = iter(make(numbers, face, **keywords))
        list(islice(again, 5))
        again.load_state_dict(states[step])
        assert list(again) == expected[step:]


@FACES
@pytest.mark.parametrize("steps", range(12, 18))
def test_an_abandoned_iteration_takes_no_epoch_that_it_did_not_deliver(
    face: str, steps: int, numbers: Path
) -> None:
    nexts: list[Any] = []
    for transform in (None, ids_of):
        dataset = make(numbers, face, transform=transform, num_epochs=None)
        batches = iter(dataset)
        assert len(list(islice(batches, steps))) == steps
        time.sleep(0.05)  # Whatever reads ahead has done so.
        place = dataset.state_dict()
        other = next(iter(dataset))
        ids = ids_of(other) if transform is None else other
        # The other one has moved what comes next.
        nexts.append((place, ids, batches.state_dict()))
    assert nexts[0] == nexts[1]


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
    assert max(most) <= 3


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


class Mine(Exception):
    """Not one of Python's own, with more to it than a message."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(row, reason)


@FACES
def test_an_error_comes_in_its_turn_as_it_was(
    face: str, numbers: Path, orders: Any
) -> None:
    failing = orders[0][5]

    def fail(batch: Any) -> list[int]:
        ids = slow_ids_of(batch)
        if ids == failing:
            raise Mine(5, "odd")
        return ids

    dataset = make(numbers, face, transform=fail)
    batches = iter(dataset)
    assert list(islice(batches, 5)) == orders[0][:5]
    with pytest.raises(Mine) as caught:
        next(batches)
    assert caught.value.args == (5, "odd")
    assert traceback.extract_tb(caught.tb)[-1].name == "fail"
    # As after an error of the kernel: the state repeats it, the iteration goes on.
    assert batches.state_dict() == dataset.state_at(0, 5)
    assert list(batches) == orders[0][6:]


def test_errors_of_the_kernel_come_in_their_turn(tmp_path: Path) -> None:
    data = write_numbers(tmp_path, [64, 64], num_files=2)
    with (data / "1.parquet").open("r+b") as file:
        file.seek(4)
        file.write(bytes(100))
    seen = []
    for transform in (None, ids_of):
        dataset = make(data, transform=transform, shuffle=False, batch_size=8)
        batches = iter(dataset)
        got: list[Any] = []
        while True:
            try:
                batch = next(batches)
                got.append(batch if transform else ids_of(batch))
            except StopIteration:
                break
            except (OSError, ValueError) as error:
                got.append((type(error), str(error), batches.state_dict()["row"]))
        seen.append(got)
    assert seen[0] == seen[1]
    assert len(seen[0]) == 16


def test_stop_iteration_of_the_function_does_not_end_the_epoch(numbers: Path) -> None:
    batches = iter(make(numbers, transform=lambda _: next(iter(()))))
    with pytest.raises(RuntimeError, match="transform raised StopIteration"):
        next(batches)


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
    consumer.join(timeout=5)
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
    sent: list[float] = []

    def interrupt() -> None:
        time.sleep(0.2)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            next(batches)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - sent[0] < 0.5
    release.set()
    assert list(batches) == orders[0]


def test_an_interrupted_read_ahead_is_taken_back(
    numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rowfeed.ahead import _Threads

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
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(60)
            rest, following = list(batches), list(dataset)
            code = 0 if (rest, following) == (orders[0][3:], orders[1]) else 2
        finally:
            os._exit(code)
    assert list(batches) == orders[0][3:]
    assert os.waitpid(child, 0)[1] == 0


@FACES
def test_pickles_with_its_function(face: str, numbers: Path, orders: Any) -> None:
    copy = pickle.loads(pickle.dumps(make(numbers, face)))
    assert list(copy) == orders[0]
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(make(numbers, face, transform=lambda batch: batch))


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


def test_what_is_refused(numbers: Path) -> None:
    with pytest.raises(TypeError, match="transform must be a function, not 3"):
        rowfeed.ParquetDataset(numbers, 8, transform=3)  # type: ignore[arg-type]
    tensorflow = pytest.importorskip("rowfeed.tensorflow", exc_type=ImportError)
    with pytest.raises(TypeError, match=r"dataset\.map\(function"):
        tensorflow.ParquetDataset(numbers, 8, transform=ids_of)
