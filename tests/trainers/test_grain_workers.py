# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Grain's worker processes read what the pipeline reads without them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from trainers import installed

grain = installed("grain")
flags = installed("absl.flags")

from rowfeed.integrations.grain import ParquetIterDataset  # noqa: E402

# Each worker is a new process, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)

flags.FLAGS.mark_as_parsed()  # Grain asks for it before it makes workers.

BATCH_SIZE = 32  # The last batch of an epoch of 250 rows has 26.
OPTIONS: dict[str, Any] = {"columns": ["id"], "shuffle": True, "seed": 7}


def dataset(numbers: Path, **options: Any) -> Any:
    return rowfeed.ParquetDataset(numbers, BATCH_SIZE, **OPTIONS, **options)


def rows_of(batches: Any) -> list[list[int]]:
    return [batch["id"].tolist() for batch in batches]


@contextmanager
def iterated(pipeline: Any) -> Iterator[Any]:
    iterator = iter(pipeline)
    try:
        yield iterator
    finally:
        iterator.close()


def test_two_workers_deliver_each_batch_once_in_order_and_go_on_exactly(
    numbers: Path,
) -> None:
    expected = rows_of(dataset(numbers, num_epochs=2))
    told = grain.MultiprocessingOptions(num_workers=2)
    read = ParquetIterDataset(dataset(numbers, num_epochs=2))
    pipeline = read.map(lambda batch: {"id": batch["id"] + 1000}).mp_prefetch(told)
    past_the_first = 11  # Batches; it ends in the middle of the second epoch.
    with iterated(pipeline) as batches:
        found = [next(batches)["id"] - 1000 for _ in range(past_the_first)]
        state = batches.get_state()
        found += [batch["id"] - 1000 for batch in batches]
    assert [rows.tolist() for rows in found] == expected
    with iterated(pipeline) as batches:
        batches.set_state(state)
        rest = [batch["id"] - 1000 for batch in batches]
    assert [rows.tolist() for rows in rest] == expected[past_the_first:]


def workers_of(numbers: Path, num_workers: int, **options: Any) -> list[Any]:
    """Returns the iterators of workers, as Grain makes them, in this process."""
    found = []
    for index in range(num_workers):
        read = ParquetIterDataset(dataset(numbers, **options))
        read.set_slice(slice(index, None, num_workers), False)
        found.append(iter(read))
    return found


def interleaved(workers: list[Any], first: int = 0) -> Iterator[list[int]]:
    """Yields the batches of workers in turn, from the turn of one of them on."""
    for turn in itertools.count(first):
        batch = next(workers[turn % len(workers)], None)
        if batch is None:
            break
        yield batch["id"].tolist()
    assert all(next(worker, None) is None for worker in workers)


@pytest.mark.parametrize("num_workers", [2, 3, 20])
@pytest.mark.parametrize("transform", [None, lambda batch: batch], ids=["", "mapped"])
def test_workers_put_back_at_any_batch_go_on_exactly(
    num_workers: int, transform: Any, numbers: Path
) -> None:
    options: dict[str, Any] = {"num_epochs": 2, "transform": transform}
    expected = rows_of(dataset(numbers, **options))
    # Grain asks for the state of a worker that has not begun outside of that worker.
    start = iter(ParquetIterDataset(dataset(numbers, **options))).get_state()
    states = [[start] * num_workers]
    workers = workers_of(numbers, num_workers, **options)
    for turn in range(len(expected)):
        worker = workers[turn % num_workers]
        assert next(worker)["id"].tolist() == expected[turn]
        states.append([*states[-1]])
        states[-1][turn % num_workers] = worker.get_state()
    for done, saved in enumerate(states):
        workers = workers_of(numbers, num_workers, **options)
        for worker, state in zip(workers, saved, strict=True):
            worker.set_state(json.loads(json.dumps(state)))
        assert [*interleaved(workers, done)] == expected[done:]


def test_a_state_of_other_workers_is_refused(numbers: Path) -> None:
    first, second = workers_of(numbers, 2)
    next(first)
    state = first.get_state()
    whole = iter(ParquetIterDataset(dataset(numbers)))
    with pytest.raises(ValueError, match=r"one of the workers .* as many workers"):
        whole.set_state(state)
    for wrong in (state, {**state, "worker": [1, 2, 7]}, {**state, "worker": 1}):
        with pytest.raises(ValueError, match=r"not a state of worker 1 of 2: .*as"):
            second.set_state(wrong)


def test_what_workers_cannot_do_is_an_error_that_says_what_to_set(
    numbers: Path, tmp_path: Path
) -> None:
    read = ParquetIterDataset(dataset(numbers))
    with pytest.raises(ValueError, match=r"sequential_slice=True: .* leave it out"):
        read.set_slice(slice(0, None, 2), True)
    with pytest.raises(ValueError, match="has no slice"):
        read.set_slice(slice(0, 5, 2))
    kept = {"refresh": "epoch", "snapshot_dir": tmp_path}
    growing = ParquetIterDataset(dataset(numbers, **kept))
    with pytest.raises(ValueError, match="leave mp_prefetch out"):
        growing.set_slice(slice(0, None, 2))


def test_slices_of_slices_are_composed(numbers: Path) -> None:
    expected = rows_of(dataset(numbers))
    sliced = ParquetIterDataset(dataset(numbers))
    sliced.set_slice(slice(1, None, 2))
    sliced.set_slice(slice(1, None, 2))
    assert rows_of(sliced) == expected[3::4]
