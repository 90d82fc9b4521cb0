# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""DataLoader workers: the same batches, epochs and states as without them."""

from __future__ import annotations

import copy
import gc
import json
import multiprocessing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rowfeed
from loader_warnings import LOADER_WARNINGS
from numbered_rows import NUM_ROWS

torch = pytest.importorskip("torch")

from torch.utils.data import DataLoader  # noqa: E402

from loading_workers import (  # noqa: E402
    SHUFFLED,
    MadeInWorkers,
    batches,
    begin_late,
    load,
    make,
    rank_of_two,
)

pytestmark = LOADER_WARNINGS


@pytest.fixture(scope="module")
def orders(numbers: Path) -> list[list[list[int]]]:
    """The batches of the first epochs."""
    dataset = rowfeed.ParquetDataset(numbers, 16, **SHUFFLED)
    return [batches(dataset) for _ in range(8)]


@pytest.mark.fault(13, 14, 41)
@pytest.mark.parametrize(
    ("num_workers", "keywords"),
    [
        (1, {}),
        (2, {}),
        (3, {"persistent_workers": True}),
        (2, {"persistent_workers": True, "multiprocessing_context": "spawn"}),
        pytest.param(
            2, {"multiprocessing_context": "forkserver"}, marks=pytest.mark.slow
        ),
    ],
    ids=str,
)
def test_passes_are_the_epochs(
    num_workers: int, keywords: dict[str, Any], numbers: Path, orders: Any
) -> None:
    loader = load(make(numbers), num_workers, **keywords)
    assert len(loader) == 16
    assert [batches(loader) for _ in range(2)] == orders[:2]


def test_several_epochs_in_a_pass(numbers: Path, orders: Any) -> None:
    dataset = make(numbers, num_epochs=3)
    loader = load(dataset, 2)  # 48 batches: epochs of 16, and workers take turns.
    assert len(loader) == 48
    assert batches(loader) == [*orders[0], *orders[1], *orders[2]]
    assert batches(load(dataset, 3)) == [*orders[3], *orders[4], *orders[5]]
    odd = make(numbers, num_epochs=2, remainder="drop")
    assert len(odd) == 30  # 15 steps: the second epoch begins with the other worker.
    expected = rowfeed.ParquetDataset(
        numbers, 16, num_epochs=2, remainder="drop", **SHUFFLED
    )
    assert batches(load(odd, 2)) == batches(expected)


@pytest.mark.parametrize("persistent", [False, True])
def test_abandoned_passes_count_like_without_workers(
    persistent: bool, numbers: Path, orders: Any
) -> None:
    loader = load(make(numbers), 2, persistent_workers=persistent)
    assert next(iter(loader))["id"].tolist() == orders[0][0]
    for k, batch in enumerate(loader):
        assert batch["id"].tolist() == orders[1][k]
        if k == 5:
            break
    assert batches(loader) == orders[2]


def test_equal_seeds_are_not_the_same_pass(numbers: Path, orders: Any) -> None:
    """A user who seeds torch before every epoch draws the same base seed."""
    loader = load(make(numbers), 2)
    for epoch in range(3):
        torch.manual_seed(0)
        if epoch == 1:
            next(iter(loader))
            torch.manual_seed(0)
        assert batches(loader) == orders[epoch + (epoch > 0)]


@pytest.mark.slow
def test_a_worker_that_begins_when_another_is_gone_has_its_epoch(
    numbers: Path, orders: Any
) -> None:
    """Workers of a fork server are gone once they have ended."""
    loader = load(
        make(numbers),
        2,
        multiprocessing_context="forkserver",
        worker_init_fn=begin_late,
        prefetch_factor=64,
    )
    assert batches(loader) == orders[0]


def test_overlapping_passes(numbers: Path, orders: Any) -> None:
    loader = load(make(numbers), 2)
    one, two = iter(loader), iter(loader)
    got: list[list[list[int]]] = [[], []]
    for _ in range(16):
        got[0].append(next(one)["id"].tolist())
        got[1].append(next(two)["id"].tolist())
    assert sorted(got) == sorted(orders[:2])


@pytest.mark.parametrize("persistent", [False, True])
def test_set_epoch_and_load_state_dict_reach_the_workers(
    persistent: bool, numbers: Path, orders: Any
) -> None:
    dataset = make(numbers)
    loader = load(dataset, 2, persistent_workers=persistent)
    assert batches(loader) == orders[0]
    dataset.set_epoch(4)
    assert batches(loader) == orders[4]
    dataset.load_state_dict(dataset.state_at(2, 5))
    assert batches(loader) == orders[2][5:]
    assert batches(loader) == orders[3]


@pytest.mark.fault(13)
def test_with_and_without_workers_in_turn(numbers: Path, orders: Any) -> None:
    dataset = make(numbers)
    assert batches(dataset) == orders[0]
    assert batches(load(dataset, 2)) == orders[1]
    assert batches(load(dataset, 0)) == orders[2]
    assert dataset.state_dict()["epoch"] == 3
    assert batches(load(dataset, 1)) == orders[3]


@pytest.mark.fault(45)
def test_the_state_of_a_dataset_in_workers(numbers: Path, orders: Any) -> None:
    dataset = make(numbers)
    batches(load(dataset, 2))
    with pytest.raises(RuntimeError, match=r"StatefulDataLoader.*state_at"):
        dataset.state_dict()
    dataset.load_state_dict(dataset.state_at(1, 15))
    assert dataset.state_dict() == dataset.state_at(1, 15)
    assert batches(load(dataset, 3)) == orders[1][15:]


def test_datasets_made_in_workers_without_a_rank_share_the_rows(numbers: Path) -> None:
    loader: Any = DataLoader(MadeInWorkers(numbers), batch_size=None, num_workers=2)
    rows = sorted(row for batch in batches(loader) for row in batch)
    assert rows == list(range(NUM_ROWS))


@pytest.mark.parametrize(
    "method", ["fork", pytest.param("spawn", marks=pytest.mark.slow)]
)
def test_processes_that_are_no_workers_have_their_own_epochs(
    method: str, numbers: Path, orders: Any
) -> None:
    context: Any = multiprocessing.get_context(method)
    kept = make(numbers)
    assert batches(kept) == orders[0]
    dataset = copy.copy(kept)
    queue = context.Queue()
    trainers = [
        context.Process(target=rank_of_two, args=(dataset, rank, queue))
        for rank in range(2)
    ]
    for trainer in trainers:
        trainer.start()
    del dataset, trainer  # A process that starts needs none of the parent's.
    gc.collect()
    got = dict(queue.get(timeout=100) for _ in trainers)
    for trainer in trainers:
        trainer.join()
    assert got == {0: orders[1:4], 1: orders[1:4]}
    assert batches(kept) == orders[1]


def test_persistent_workers_refuse_an_order_that_a_state_has_changed(
    numbers: Path,
) -> None:
    state = rowfeed.ParquetDataset(numbers, 16, **SHUFFLED, num_lanes=2).state_dict()
    dataset = make(numbers)
    loader = load(dataset, 1, persistent_workers=True)
    batches(loader)
    dataset.load_state_dict(state)
    with pytest.raises(RuntimeError, match="make a new DataLoader"):
        batches(loader)
    assert batches(load(dataset, 1)) == batches(make(numbers, num_lanes=2))


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_copies_have_epochs_of_their_own(
    duplicate: Any, numbers: Path, orders: Any
) -> None:
    dataset = make(numbers)
    assert batches(dataset) == orders[0]
    other = duplicate(dataset)
    assert [batches(other), batches(other)] == orders[1:3]
    other.set_epoch(7)
    assert batches(dataset) == orders[1]


def worker_iteration(
    data: Path, worker: int, num_workers: int, monkeypatch: pytest.MonkeyPatch
) -> Any:
    info = SimpleNamespace(id=worker, num_workers=num_workers, seed=100 + worker)
    monkeypatch.setattr("rowfeed.torch.get_worker_info", lambda: info)
    return iter(make(data))


def test_states_of_another_worker_are_refused(
    numbers: Path, orders: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk = worker_iteration(numbers, 1, 3, monkeypatch)
    assert [next(walk)["id"].tolist() for _ in range(2)] == orders[0][1:7:3]
    state = json.loads(json.dumps(walk.state_dict()))
    resumed = worker_iteration(numbers, 1, 3, monkeypatch)
    resumed.load_state_dict(state)
    assert batches(resumed) == orders[0][7::3]
    for worker, num_workers in ((0, 3), (1, 2), (1, 4)):
        other = worker_iteration(numbers, worker, num_workers, monkeypatch)
        with pytest.raises(ValueError, match=r"not a state of worker.*state_at"):
            other.load_state_dict(state)
    broken = [None, 3, [], [1], [1, 3], [1, 3, -1], [1, 3, 10**9], [1, 3, None]]
    for field in broken:
        with pytest.raises(ValueError, match="not a state of worker 1 of 3"):
            resumed.load_state_dict({**state, "worker": field})
    with pytest.raises(ValueError, match="'worker' that is not known"):
        iter(rowfeed.ParquetDataset(numbers, 16, **SHUFFLED)).load_state_dict(state)
