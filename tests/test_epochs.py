# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Which epoch an iteration of the torch face takes, and what it says before."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from rowfeed.iteration import Iteration

torch = pytest.importorskip("torch")

from rowfeed.torch import ParquetDataset  # noqa: E402


def make(path: Path, num_epochs: int = 1) -> Any:
    keywords: dict[str, Any] = {"shuffle": True, "columns": ["id"]}
    return ParquetDataset(path, 16, num_epochs=num_epochs, **keywords)


def ids(batches: Any) -> list[list[int]]:
    return [batch["id"].tolist() for batch in batches]


@pytest.fixture
def orders(numbers: Path) -> list[list[list[int]]]:
    """The batches of four epochs."""
    dataset = make(numbers)
    return [ids(dataset) for _ in range(4)]


@contextmanager
def counting(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[], None]
) -> Iterator[None]:
    """Does `work` where the rows of an epoch are counted."""
    with monkeypatch.context() as patch:
        patch.setattr(Iteration, "_count", lambda *_: work())
        yield


def interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("is_new", [False, True])
def test_an_interrupted_count_of_rows_costs_no_epoch(
    is_new: bool, numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make(numbers)
    start = dataset.state_dict()
    batches = iter(dataset)
    with counting(monkeypatch, interrupt), pytest.raises(KeyboardInterrupt):
        next(batches)
    assert dataset.state_dict() == batches.state_dict() == start
    assert ids(iter(dataset) if is_new else batches) == orders[0]
    assert ids(dataset) == orders[1]


def test_an_interrupted_count_of_rows_costs_no_state(
    numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make(numbers)
    place = dataset.state_at(2, 5)
    dataset.load_state_dict(place)
    with counting(monkeypatch, interrupt), pytest.raises(KeyboardInterrupt):
        next(iter(dataset))
    assert dataset.state_dict() == place
    assert ids(dataset) == orders[2][5:]
    assert ids(dataset) == orders[3]


def test_an_epoch_that_another_iteration_begins_meanwhile_is_not_taken_twice(
    numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make(numbers)
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


def test_a_state_that_a_signal_handler_loads_is_gone_on_from(
    numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make(numbers)
    batches = iter(dataset)
    place = dataset.state_at(2, 5)
    done: list[bool] = []

    def load() -> None:
        if not done:
            done.append(True)
            batches.load_state_dict(place)

    with counting(monkeypatch, load):
        first = next(batches)
    assert ids([first, *batches]) == orders[2][5:]
    assert ids(dataset) == orders[3]


def test_the_state_before_the_first_batch_is_of_the_epoch_that_comes(
    numbers: Path, orders: Any
) -> None:
    dataset = make(numbers)
    abandoned = iter(dataset)
    assert ids(islice(abandoned, 6)) == orders[0][:6]
    batches = iter(dataset)
    state = batches.state_dict()
    assert ids(batches) == orders[1]
    dataset.load_state_dict(state)
    assert ids(dataset) == orders[1]


def test_an_iteration_that_is_closed_while_it_counts_takes_no_epoch(
    numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make(numbers)
    batches = iter(dataset)
    with (
        counting(monkeypatch, batches.close),
        pytest.raises(ValueError, match="closed"),
    ):
        next(batches)
    assert ids(dataset) == orders[0]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("begins", [False, True])
def test_a_forked_iteration_takes_no_epoch_from_the_parent(
    begins: bool, numbers: Path, orders: Any
) -> None:
    dataset = make(numbers, num_epochs=2)
    batches = iter(dataset)
    first = [next(batches)] if begins else []
    reader, writer = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        try:
            writer.send((ids([*first, *batches]), ids(dataset)))
        finally:
            os._exit(0)
    writer.close()
    in_child = reader.recv()
    os.waitpid(child, 0)
    two_epochs = [*orders[0], *orders[1]], [*orders[2], *orders[3]]
    assert in_child == two_epochs
    assert (ids([*first, *batches]), ids(dataset)) == two_epochs
