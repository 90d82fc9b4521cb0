# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The place after some steps, by arithmetic, is where an iteration really is."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowfeed
from numbered_rows import NUM_ROWS
from rowfeed._state.skip import place_after

PLACE = ("epoch", "row", "next_epoch", "epochs_done")


def after(num_steps: int, dataset: Any) -> tuple[int, ...]:
    """Returns the place after some steps of the dataset's next iteration."""
    parameters = dataset._parameters
    begin = parameters.epochs.begin
    place = place_after(num_steps, dataset._next_place(), parameters, begin)
    found: tuple[int, ...] = place.astuple()
    return found


@settings(max_examples=60, deadline=None)
@given(
    batch_size=st.integers(1, 90),
    world_size=st.integers(1, 2),
    remainder=st.sampled_from(["drop", "uneven", "wrap", "pad"]),
    num_epochs=st.sampled_from([1, 2, 3, None]),
    start=st.integers(0, 2),
    steps=st.integers(0, 12),
    first=st.integers(0, 5),
)
def test_arithmetic_is_where_an_iteration_is(
    numbers: Path,
    batch_size: int,
    world_size: int,
    remainder: Any,
    num_epochs: int | None,
    start: int,
    steps: int,
    first: int,
) -> None:
    def made() -> Any:
        return rowfeed.ParquetDataset(
            numbers,
            batch_size,
            columns=["id"],
            shuffle=True,
            world_size=world_size,
            rank=world_size - 1,
            remainder=remainder,
            num_epochs=num_epochs,
        )

    dataset = made()
    dataset.set_epoch(start)
    batches = iter(dataset)
    for _ in islice(batches, first):
        pass
    state = batches.state_dict()
    for _ in islice(batches, steps):
        pass
    expected = [batch["id"].tolist() for batch in islice(batches, 3)]
    again = made()
    again.load_state_dict(state)
    place = dict(zip(PLACE, after(steps, again), strict=True))
    again.load_state_dict({**state, **place})
    assert [batch["id"].tolist() for batch in islice(again, 3)] == expected


@pytest.mark.parametrize("num_epochs", [1, None])
def test_the_place_in_an_empty_dataset_is_its_beginning(
    num_epochs: int | None, numbers: Path
) -> None:
    empty = rowfeed.ParquetDataset(
        numbers, 32, filter=[("id", ">", NUM_ROWS)], num_epochs=num_epochs
    )
    with pytest.warns(rowfeed.DataWarning, match="no row is left"):
        assert after(5, empty) == (0, 0, 1, 0)


def test_the_lengths_of_the_epochs_of_a_mixture_count(numbers: Path) -> None:
    """Epoch 0 takes as many rows of both sources, and epoch 1 three of the first."""
    sources = [
        rowfeed.ParquetDataset(numbers, 10, columns=["id"], num_epochs=3)
        for _ in range(2)
    ]
    mixture = rowfeed.mix(sources, weights={0: [1, 1], 1: [3, 1]})
    steps = [mixture._parameters.steps_in(epoch) for epoch in range(3)]
    assert steps[0] != steps[1] == steps[2]
    place = after(steps[0] + steps[1] + 2, mixture)
    assert place == (2, 20, 3, 2)
