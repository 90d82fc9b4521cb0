# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The epoch of each iteration of the TensorFlow dataset, and its length."""

from __future__ import annotations

import gc
import itertools
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import rowfeed.tensorflow
from numbered_rows import NUM_ROWS
from rowfeed.tensorflow import ParquetDataset
from tf_numbers import ids, make


def test_cardinality_and_length(numbers: Path) -> None:
    assert len(make(numbers)) == 16
    dataset = make(numbers, num_epochs=3, rank=0, world_size=2)
    assert len(dataset) == dataset.cardinality().numpy() == 3 * 7
    dataset.load_state_dict(dataset.state_at(1, 3))
    assert len(dataset) == 3 * 7
    endless = make(numbers, num_epochs=None)
    assert endless.cardinality() == tf.data.INFINITE_CARDINALITY
    with pytest.raises(TypeError):
        len(endless)


def test_endless_dataset_goes_on(numbers: Path) -> None:
    got = ids(make(numbers, num_epochs=None).take(40))
    assert got == ids(make(numbers, num_epochs=3))[: len(got)]
    assert len(got) > 2 * NUM_ROWS


def orders(dataset: ParquetDataset, count: int = 5) -> list[list[int]]:
    return [ids(dataset) for _ in range(count)]


def check_distinct(epochs: list[list[int]]) -> None:
    assert all(sorted(epoch) == list(range(NUM_ROWS)) for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) == len(epochs)


@pytest.mark.fault(53)
def test_each_iteration_is_an_epoch(numbers: Path) -> None:
    plain = orders(make(numbers))
    check_distinct(plain)
    assert plain == orders(make(numbers))
    flat = list(itertools.chain.from_iterable(plain))
    assert flat == ids(make(numbers, num_epochs=5))
    assert flat == ids(make(numbers).repeat(5))


def test_each_mapped_copy_takes_the_next_epoch(numbers: Path) -> None:
    dataset = make(numbers)
    mapped = [ids(dataset.map(lambda x: x["id"]).prefetch(1)) for _ in range(5)]
    assert mapped == orders(make(numbers))


@pytest.mark.fault(53)
def test_iterations_within_a_function_are_epochs(numbers: Path) -> None:
    dataset = make(numbers)

    @tf.function  # type: ignore[untyped-decorator]
    def epoch() -> tf.Tensor:
        got = tf.zeros([0], tf.int64)
        for batch in dataset:
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(got, tf.TensorShape([None]))]
            )
            got = tf.concat([got, batch["id"]], 0)
        return got

    assert [epoch().numpy().tolist() for _ in range(5)] == orders(make(numbers))


def test_a_dataset_made_in_a_function_runs_when_it_is_gone(numbers: Path) -> None:
    @tf.function  # type: ignore[untyped-decorator]
    def count() -> tf.Tensor:
        total = tf.constant(0)
        for batch in make(numbers):
            total += tf.size(batch["id"])
        return total

    assert count() == count() == NUM_ROWS


def test_a_dataset_made_in_a_function_goes_on_when_python_collects_it(
    numbers: Path,
) -> None:
    epochs = tf.data.Dataset.range(2).flat_map(lambda _: make(numbers))
    rows: list[int] = []
    for batch in epochs:
        gc.collect()
        rows += batch["id"].numpy().tolist()
    assert rows == [row for order in orders(make(numbers), 2) for row in order]


def test_a_dataset_made_in_a_function_begins_where_it_was_told_to(
    numbers: Path,
) -> None:
    def third(_: Any) -> ParquetDataset:
        dataset = make(numbers)
        dataset.set_epoch(2)
        return dataset

    epochs = tf.data.Dataset.range(2).flat_map(third)
    gc.collect()
    rows = [row for order in orders(make(numbers), 4)[2:] for row in order]
    assert ids(epochs) == rows


def test_what_a_dataset_made_in_a_function_holds_goes_with_the_function(
    numbers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    deleted: list[str] = []
    monkeypatch.setattr(rowfeed.tensorflow, "delete_cursor", deleted.append)

    def make_one(_: Any) -> ParquetDataset:
        dataset = make(numbers)
        made.append(dataset._cursor_name)
        return dataset

    epochs = tf.data.Dataset.range(1).flat_map(make_one)
    assert len(ids(epochs)) == NUM_ROWS
    gc.collect()
    assert made[0] not in deleted
    del epochs
    gc.collect()
    assert made[0] in deleted


def test_set_epoch_first_epoch_and_pinned_order(numbers: Path) -> None:
    epochs = orders(make(numbers))
    assert orders(make(numbers, first_epoch=3), 2) == epochs[3:]
    dataset = make(numbers)
    dataset.set_epoch(2)
    assert orders(dataset, 3) == epochs[2:]
    pinned = make(numbers, first_epoch=1, reshuffle_each_iteration=False)
    assert orders(pinned, 2) == [epochs[1]] * 2


@pytest.mark.fault(18)
def test_iterators_at_once_are_independent(numbers: Path) -> None:
    epochs = orders(make(numbers), 2)
    pairs = list(zip(*[make(numbers)] * 2, strict=True))
    # Iterators of one Python dataset, pulled in turn.
    assert [i for a, _ in pairs for i in a["id"].numpy()] == epochs[0]
    assert [i for _, b in pairs for i in b["id"].numpy()] == epochs[1]


@pytest.mark.fault(53)
def test_only_pulled_iterations_take_an_epoch(numbers: Path) -> None:
    dataset = make(numbers)
    unused = [iter(dataset) for _ in range(3)]
    assert ids(dataset.take(0)) == []
    epochs = orders(make(numbers), 2)
    assert ids(dataset.take(1)) == epochs[0][:16]
    assert ids(dataset) == epochs[1]
    assert len(unused) == 3


def test_skip_is_exact(numbers: Path) -> None:
    whole = ids(make(numbers, num_epochs=3))
    for count in (0, 1, 7, 16, 17, 40):
        dataset = make(numbers, num_epochs=3)
        rows = (count // 16) * NUM_ROWS + (count % 16) * 16
        assert ids(dataset.skip(count)) == whole[rows:], count
    assert ids(make(numbers).skip(17)) == []


def test_a_state_of_other_batches_goes_on_where_the_size_divides_the_rows(
    numbers: Path,
) -> None:
    rows = ids(make(numbers, 16))
    dataset = make(numbers, 25)
    with pytest.warns(UserWarning, match="in other batches"):
        dataset.load_state_dict(make(numbers, 16).state_at(0, 8))
    batches = [batch["id"].numpy().tolist() for batch in dataset]
    assert [row for batch in batches for row in batch] == rows[8 * 16 :]
    assert len(batches[-1]) == 22
