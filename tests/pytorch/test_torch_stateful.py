# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""StatefulDataLoader: the states that trainings save, at odd moments, in odd places."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from loader_warnings import LOADER_WARNINGS

torch = pytest.importorskip("torch")
pytest.importorskip("torchdata")

from torch.utils.data import IterableDataset  # noqa: E402
from torchdata.stateful_dataloader import StatefulDataLoader  # noqa: E402

from rowfeed.torch import ParquetDataset  # noqa: E402

pytestmark = LOADER_WARNINGS

SHUFFLED: dict[str, Any] = {"columns": ["id"], "shuffle": True, "seed": 4}
NUM_STEPS = 6
WORKERS = pytest.mark.parametrize("num_workers", [0, 1, 2, 3])


def load(data: Path, num_workers: int, **keywords: Any) -> StatefulDataLoader[Any]:
    dataset = ParquetDataset(data, 45, **{**SHUFFLED, **keywords})
    return StatefulDataLoader(dataset, batch_size=None, num_workers=num_workers)


def batches(iterable: Any) -> list[list[int]]:
    return [batch["id"].tolist() for batch in iterable]


@pytest.fixture(scope="module")
def orders(numbers: Path) -> list[list[list[int]]]:
    """The batches of the first epochs."""
    dataset = rowfeed.ParquetDataset(numbers, 45, **SHUFFLED)
    return [batches(dataset) for _ in range(6)]


@pytest.mark.fault(45)
@WORKERS
def test_states_in_epoch_3(num_workers: int, numbers: Path, orders: Any) -> None:
    loader = load(numbers, num_workers, first_epoch=2)
    assert batches(loader) == orders[2]
    walk = iter(loader)
    states = [json.loads(json.dumps(loader.state_dict()))]
    for k in range(NUM_STEPS):
        assert next(walk)["id"].tolist() == orders[3][k]
        states.append(json.loads(json.dumps(loader.state_dict())))
    assert next(walk, None) is None
    for k in (0, 1, NUM_STEPS - 1, NUM_STEPS):
        resumed = load(numbers, num_workers, first_epoch=2)
        resumed.load_state_dict(states[k])
        assert batches(resumed) == orders[3][k:]
        assert batches(resumed) == orders[4]
        if num_workers:
            with pytest.raises(RuntimeError, match="workers"):
                resumed.dataset.state_dict()


@pytest.mark.fault(44)
@WORKERS
def test_after_the_end_is_the_next_epoch(
    num_workers: int, numbers: Path, orders: Any
) -> None:
    loader = load(numbers, num_workers)
    assert batches(loader) == orders[0]
    assert batches(loader) == orders[1]
    end = loader.state_dict()
    assert loader.state_dict() == end
    resumed = load(numbers, num_workers)
    resumed.load_state_dict(end)
    assert batches(resumed) == orders[2]
    assert batches(resumed) == orders[3]


@pytest.mark.fault(44)
@WORKERS
def test_states_taken_twice_in_a_row_and_right_after_a_resume(
    num_workers: int, numbers: Path, orders: Any
) -> None:
    loader = load(numbers, num_workers)
    walk = iter(loader)
    list(islice(walk, 2))
    state = loader.state_dict()
    assert loader.state_dict() == state
    for _ in range(2):  # A state of a resumed loader, and a state of that one.
        loader = load(numbers, num_workers)
        loader.load_state_dict(state)
        walk = iter(loader)
        state = loader.state_dict()
        assert loader.state_dict() == state
    assert batches(walk) == orders[0][2:]


@pytest.mark.fault(44)
@WORKERS
def test_a_used_loader_goes_to_a_state(
    num_workers: int, numbers: Path, orders: Any
) -> None:
    """In mid-epoch, back and forth, and after its end."""
    loader = load(numbers, num_workers)
    walk = iter(loader)
    states = [loader.state_dict()]
    for _ in range(4):
        next(walk)
        states.append(loader.state_dict())
    loader.load_state_dict(states[1])
    assert batches(islice(loader, 2)) == orders[0][1:3]
    loader.load_state_dict(states[4])
    assert batches(loader) == orders[0][4:]
    assert batches(loader) == orders[1]
    loader.load_state_dict(states[3])
    assert batches(loader) == orders[0][3:]
    assert batches(loader) == orders[1]


@pytest.mark.parametrize("num_workers", [0, 2])
def test_a_checkpoint_of_everything(
    num_workers: int, numbers: Path, orders: Any, tmp_path: Path
) -> None:
    """The state lies deep in what torch.save writes and reads without pickled code."""
    loader = load(numbers, num_workers)
    walk = iter(loader)
    list(islice(walk, 3))
    model = torch.nn.Linear(2, 1)
    path = tmp_path / "checkpoint.pt"
    torch.save(
        {
            "model": model.state_dict(),
            "data": {"train": loader.state_dict(), "seen": [3, {"epoch": 0}]},
        },
        path,
    )
    saved = torch.load(path, weights_only=True)
    resumed = load(numbers, num_workers)
    resumed.load_state_dict(saved["data"]["train"])
    assert batches(resumed) == orders[0][3:]


class Wrapping(IterableDataset[Any]):
    """A dataset, as one wraps it whose states pass on."""

    def __init__(self, data: Path) -> None:
        self.inner = ParquetDataset(data, 45, **SHUFFLED)

    def __iter__(self) -> Iterator[Any]:
        for batch in self.inner:
            yield {"id": batch["id"] + 0}

    def state_dict(self) -> Any:
        return self.inner.state_dict()

    def load_state_dict(self, state: Any) -> None:
        self.inner.load_state_dict(state)


class Derived(ParquetDataset):
    """A dataset whose iterators are no longer its own."""

    def __iter__(self) -> Any:
        for batch in super().__iter__():
            yield {"id": batch["id"] + 0}


@pytest.mark.parametrize(
    "keywords",
    [{"num_workers": n} for n in range(4)]
    + [{"num_workers": 2, "persistent_workers": True}],
    ids=str,
)
@pytest.mark.parametrize(
    "make", [Wrapping, lambda data: Derived(data, 45, **SHUFFLED)], ids=["in", "of"]
)
def test_states_of_a_dataset_whose_iterators_have_none(
    keywords: Any, make: Any, numbers: Path, orders: Any
) -> None:
    def load() -> StatefulDataLoader[Any]:
        return StatefulDataLoader(make(numbers), batch_size=None, **keywords)

    loader = load()
    for epoch in range(2):
        walk = iter(loader)
        states = [loader.state_dict()]
        for k in range(NUM_STEPS):
            assert next(walk)["id"].tolist() == orders[epoch][k]
            states.append(json.loads(json.dumps(loader.state_dict())))
        assert next(walk, None) is None
        for k in (0, 1, 4, NUM_STEPS):
            resumed = load()
            resumed.load_state_dict(states[k])
            assert batches(resumed) == orders[epoch][k:]
            assert batches(resumed) == orders[epoch + 1]
        resumed = load()
        resumed.load_state_dict(loader.state_dict())
        assert batches(resumed) == orders[epoch + 1]
        resumed = load()
        resumed.load_state_dict(states[4])
        walk = iter(resumed)
        again = load()
        again.load_state_dict(resumed.state_dict())
        assert batches(again) == orders[epoch][4:]


@pytest.mark.parametrize("num_workers", [1, 2])
def test_workers_refuse_an_order_that_the_next_pass_would_not_have(
    num_workers: int, numbers: Path
) -> None:
    loader = load(numbers, num_workers, num_lanes=2)
    next(iter(loader))
    state = loader.state_dict()
    other = load(numbers, num_workers)
    other.load_state_dict(state)
    with pytest.raises(ValueError, match="num_lanes"):
        next(iter(other))


class Pairs(IterableDataset[Any]):
    """Two data sets in step: its states have those of both within."""

    def __init__(self, data: Path) -> None:
        self.parts = [
            ParquetDataset(data, 45, **{**SHUFFLED, "seed": seed}) for seed in (4, 5)
        ]

    def __iter__(self) -> PairsIterator:
        return PairsIterator(self)


class PairsIterator(Iterator[Any]):
    def __init__(self, pairs: Pairs) -> None:
        self._parts = [iter(part) for part in pairs.parts]
        self._count = 0

    def __next__(self) -> Any:
        self._count += 1
        return [next(part)["id"] for part in self._parts]

    def state_dict(self) -> Any:
        states = {f"part {k}": p.state_dict() for k, p in enumerate(self._parts)}
        return {"parts": states, "count": [self._count]}

    def load_state_dict(self, state: Any) -> None:
        (self._count,) = state["count"]
        for k, part in enumerate(self._parts):
            part.load_state_dict(state["parts"][f"part {k}"])


@WORKERS
def test_states_within_states_of_other_datasets(
    num_workers: int, numbers: Path
) -> None:
    def pairs() -> StatefulDataLoader[Any]:
        return StatefulDataLoader(
            Pairs(numbers), batch_size=None, num_workers=num_workers
        )

    whole = [[part.tolist() for part in pair] for pair in pairs()]
    assert len(whole) == NUM_STEPS
    loader = pairs()
    walk = iter(loader)
    list(islice(walk, 3))
    state = json.loads(json.dumps(loader.state_dict()))
    resumed = pairs()
    resumed.load_state_dict(state)
    assert [[part.tolist() for part in pair] for pair in resumed] == whole[3:]
