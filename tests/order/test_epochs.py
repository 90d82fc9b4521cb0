# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The epoch that an iteration takes, and what a dataset says before it begins."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import transforming
from forked import in_child
from numbered_rows import NUM_ROWS, write_numbers
from rowfeed._stream.dataset import Dataset
from rowfeed._stream.iteration import Iteration
from rowfeed._torch.epoch_record import EpochRecord
from transforming import FACES, STEPS, ids_of, orders_of

NUM_STEPS = -(-NUM_ROWS // STEPS)  # Steps of an epoch.


def make(path: Path, face: str = ".torch", num_epochs: int = 1) -> Any:
    return transforming.make(path, face, transform=None, num_epochs=num_epochs)


def ids(batches: Any) -> list[list[int]]:
    return list(map(ids_of, batches))


@pytest.fixture
def orders(numbers: Path) -> list[list[list[int]]]:
    """The batches of the first epochs."""
    return orders_of(numbers)


@contextmanager
def counting(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[], None]
) -> Iterator[None]:
    """Does `work` where the rows of an epoch are counted."""
    with monkeypatch.context() as patch:
        patch.setattr(Dataset, "_begin_epoch", lambda *_: work())
        yield


@contextmanager
def claiming(
    monkeypatch: pytest.MonkeyPatch,
    before: Callable[[], object] = lambda: None,
    behind: Callable[[], object] = lambda: None,
) -> Iterator[None]:
    """Does `before` and `behind` where an epoch is taken from the record."""
    claim = EpochRecord.claim

    def claim_between(*arguments: Any) -> Any:
        before()
        claimed = claim(*arguments)
        behind()
        return claimed

    with monkeypatch.context() as patch:
        patch.setattr(EpochRecord, "claim", claim_between)
        yield


def interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("is_new", [False, True])
@FACES
def test_an_interrupted_count_of_rows_costs_no_epoch(
    face: str,
    is_new: bool,
    numbers: Path,
    orders: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dataset = make(numbers, face)
    start = dataset.state_dict()
    batches = iter(dataset)
    with counting(monkeypatch, interrupt), pytest.raises(KeyboardInterrupt):
        next(batches)
    assert dataset.state_dict() == batches.state_dict() == start
    assert ids(iter(dataset) if is_new else batches) == orders[0]
    assert ids(dataset) == orders[1]


@FACES
def test_an_interrupted_count_of_rows_costs_no_state(
    face: str, numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make(numbers, face)
    place = dataset.state_at(2, 5)
    dataset.load_state_dict(place)
    with counting(monkeypatch, interrupt), pytest.raises(KeyboardInterrupt):
        next(iter(dataset))
    assert dataset.state_dict() == place
    assert ids(dataset) == orders[2][5:]
    assert ids(dataset) == orders[3]


@FACES
def test_an_epoch_that_another_iteration_begins_meanwhile_is_not_taken_twice(
    face: str, numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make(numbers, face)
    others: list[Any] = []

    def begin_another() -> None:
        if not others:
            others.append(iter(dataset))
            others.append(next(others[0]))

    batches = iter(dataset)
    with counting(monkeypatch, begin_another):
        first = next(batches)
    assert ids([first, *batches]) == orders[1]
    assert ids([others[1], *others[0]]) == orders[0]


class Loading:
    """Loads a state the first time that it is called, as a signal handler may."""

    def __init__(self, batches: Any, place: Any) -> None:
        self.todo = [(batches, place)]

    def __call__(self) -> None:
        while self.todo:
            batches, place = self.todo.pop()
            batches.load_state_dict(place)


@FACES
def test_a_state_that_is_loaded_while_rows_are_counted_is_gone_on_from(
    face: str, numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make(numbers, face)
    batches = iter(dataset)
    with counting(monkeypatch, Loading(batches, dataset.state_at(2, 5))):
        first = next(batches)
    assert ids([first, *batches]) == orders[2][5:]
    assert ids(dataset) == orders[3]


@pytest.mark.parametrize("when", ["before", "behind"])
def test_a_state_that_is_loaded_while_an_epoch_is_taken_is_gone_on_from(
    when: str, numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make(numbers)
    batches = iter(dataset)
    load = Loading(batches, dataset.state_at(2, 5))
    with claiming(monkeypatch, **{when: load}):
        first = next(batches)
    assert ids([first, *batches]) == orders[2][5:]
    assert ids(dataset) == orders[3]


@contextmanager
def pulling(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[], object], *, behind: bool
) -> Iterator[None]:
    """Does `work` before or behind the reading of a batch, as a signal handler may."""
    pull = Iteration._pull

    def pull_beside(self: Iteration) -> Any:
        try:
            if not behind:
                work()
            return pull(self)
        finally:
            if behind:
                work()

    with monkeypatch.context() as patch:
        patch.setattr(Iteration, "_pull", pull_beside)
        yield


@pytest.mark.parametrize("behind", [False, True])
@pytest.mark.parametrize("num_read", [0, 3, NUM_STEPS])
@FACES
def test_a_state_that_is_loaded_while_a_batch_is_read_is_gone_on_from(
    face: str,
    num_read: int,
    behind: bool,
    numbers: Path,
    orders: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dataset = make(numbers, face)
    batches = iter(dataset)
    assert len(orders[0]) == NUM_STEPS
    assert ids(islice(batches, num_read)) == orders[0][:num_read]
    load = Loading(batches, dataset.state_at(2, 5))
    with pulling(monkeypatch, load, behind=behind):
        first = next(batches)
    assert ids([first, *batches]) == orders[2][5:]
    assert ids(dataset) == orders[3]


@FACES
def test_a_batch_behind_which_the_iteration_is_closed_is_delivered(
    face: str, numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = iter(make(numbers, face))
    with pulling(monkeypatch, batches.close, behind=True):
        assert ids([next(batches)]) == orders[0][:1]


def test_a_state_that_is_taken_while_an_epoch_is_taken_is_of_that_epoch(
    numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make(numbers)
    assert ids(dataset) == orders[0]
    start = dataset.state_dict()
    batches = iter(dataset)
    states: list[Any] = []

    def take() -> None:
        states.extend((batches.state_dict(), dataset.state_dict()))

    with claiming(monkeypatch, take, take):
        next(batches)
    assert states == [start] * 4


@pytest.mark.parametrize("when", ["before", "behind"])
def test_an_interrupt_while_an_epoch_is_taken_costs_no_epoch(
    when: str, numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make(numbers)
    start = dataset.state_dict()
    batches = iter(dataset)
    with (
        claiming(monkeypatch, **{when: interrupt}),
        pytest.raises(KeyboardInterrupt),
    ):
        next(batches)
    assert dataset.state_dict() == batches.state_dict() == start
    assert ids(batches) == orders[0]
    assert ids(dataset) == orders[1]


@FACES
def test_the_state_before_the_first_batch_is_of_the_epoch_that_comes(
    face: str, numbers: Path, orders: Any
) -> None:
    dataset = make(numbers, face)
    abandoned = iter(dataset)
    assert ids(islice(abandoned, 6)) == orders[0][:6]
    batches = iter(dataset)
    state = batches.state_dict()
    assert ids(batches) == orders[1]
    dataset.load_state_dict(state)
    assert ids(dataset) == orders[1]


@FACES
def test_an_iteration_that_is_closed_while_it_counts_takes_no_epoch(
    face: str, numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make(numbers, face)
    batches = iter(dataset)
    with (
        counting(monkeypatch, batches.close),
        pytest.raises(ValueError, match="closed"),
    ):
        next(batches)
    assert ids(dataset) == orders[0]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("begins", [False, True])
@FACES
def test_a_forked_iteration_takes_no_epoch_from_the_parent(
    face: str, begins: bool, numbers: Path, orders: Any
) -> None:
    dataset = make(numbers, face, num_epochs=2)
    batches = iter(dataset)
    first = [next(batches)] if begins else []
    two_epochs = [*orders[0], *orders[1]], [*orders[2], *orders[3]]

    def goes_on() -> bool:
        return (ids([*first, *batches]), ids(dataset)) == two_epochs

    in_child(goes_on)
    assert goes_on()


@pytest.mark.parametrize("face", ["rowfeed", "rowfeed.torch", "rowfeed.tensorflow"])
def test_begin_epoch_says_that_a_state_at_the_last_step_has_nothing_left(
    face: str, numbers: Path
) -> None:
    """The iteration that goes on from it is empty, and the one after it is whole."""
    module: Any = pytest.importorskip(face)
    dataset = module.ParquetDataset(numbers, 45, columns=["id"])
    steps = -(-NUM_ROWS // 45)
    state = dataset.state_at(0, steps)
    dataset.load_state_dict(state)
    assert dataset.begin_epoch() == 0
    assert [len(list(dataset)) for _ in range(2)] == [0, steps]
    dataset.load_state_dict(state)
    if dataset.begin_epoch() == 0:
        dataset.set_epoch(state["next_epoch"])
    assert len(list(dataset)) == steps
    assert dataset.state_dict()["epoch"] == 2


@FACES
def test_a_rank_without_rows_goes_through_the_epochs_with_the_others(
    tmp_path: Path, face: str
) -> None:
    write_numbers(tmp_path, [3], num_files=1)
    options = {"remainder": "uneven", "num_epochs": 3, "transform": None}
    states = []
    for rank in range(5):
        dataset = transforming.make(
            tmp_path, face, batch_size=1, rank=rank, world_size=5, **options
        )
        assert len(ids(dataset)) == (3 if rank < 3 else 0)
        states.append(dataset.state_dict())
    assert states == [states[0]] * 5
    assert states[0]["epoch"] == 3


SKIPS = """
import sys
import rowfeed

dataset = rowfeed.ParquetDataset(
    sys.argv[1], 1, rank=4, world_size=5, remainder="uneven", num_epochs=10**9
)
print("begun", flush=True)
try:
    list(dataset)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_a_rank_without_rows_that_goes_through_many_epochs_can_be_interrupted(
    tmp_path: Path,
) -> None:
    write_numbers(tmp_path, [3], num_files=1)
    with subprocess.Popen(
        [sys.executable, "-c", SKIPS, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        # Pytest may run where this signal is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted\n"
