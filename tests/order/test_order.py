# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel's plan and delivery equal the reference model, row by row."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numbered_rows import GROUP_ROWS, group_rows_of
from order_model import Plan, Remainder, Rows, batch, steps
from rowfeed import ParquetDataset
from rowfeed._native import core

WORDS = st.integers(0, 2**64 - 1)
EPOCHS = st.integers(0, 2**62)
EDGES = [0, 1, *(2**k + d for k in range(2, 7) for d in (-1, 0, 1))]
GROUPS = st.lists(st.sampled_from(EDGES) | st.integers(0, 40), max_size=8)
REMAINDERS = st.sampled_from(["drop", "pad", "wrap", "uneven"])


@st.composite
def plans(draw: st.DrawFn) -> tuple[Plan, core.EpochPlan, list[int]]:
    """The same plan by the model and by the kernel, and its row groups."""
    group_rows = draw(GROUPS)
    shuffle = draw(st.booleans())
    seed, epoch = draw(WORDS), draw(EPOCHS)
    shuffle_window = draw(st.integers(1, 150))
    block_rows = draw(st.none() | st.integers(1, 50))
    num_lanes = draw(st.integers(1, 6))
    model = Plan(
        group_rows,
        shuffle=shuffle,
        seed=seed,
        epoch=epoch,
        shuffle_window=shuffle_window,
        block_rows=block_rows,
        num_lanes=num_lanes,
    )
    order = core.OrderOptions(
        shuffle=shuffle,
        seed=seed,
        shuffle_window=shuffle_window,
        block_rows=block_rows or 0,
        num_lanes=num_lanes,
    )
    return model, core.EpochPlan.make(group_rows, order, epoch), group_rows


def window_rows(
    plan: core.EpochPlan, group_rows: list[int], lane: int
) -> list[list[int]]:
    """Returns the rows of each window of a lane, in the order of delivery."""
    bases = np.cumsum([0, *group_rows])
    found = []
    for index, pieces in enumerate(plan.windows(lane)):
        rows = np.concatenate(
            [np.arange(bases[g] + begin, bases[g] + end) for g, begin, end in pieces]
        )
        found.append(rows[plan.permutation(lane, index)].tolist())
    return found


@given(plans())
def test_windows_and_permutations(
    case: tuple[Plan, core.EpochPlan, list[int]],
) -> None:
    model, plan, group_rows = case
    bases = np.cumsum([0, *group_rows])
    assert plan.num_rows == model.num_rows
    for lane, windows in enumerate(model.windows):
        pieces = [
            [Rows(bases[g] + begin, bases[g] + end) for g, begin, end in window]
            for window in plan.windows(lane)
        ]
        assert pieces == windows
        assert window_rows(plan, group_rows, lane) == [
            model.window_order(lane, index) for index in range(len(windows))
        ]


@given(plans(), st.data())
def test_the_window_of_a_row_is_found_by_seeking(
    case: tuple[Plan, core.EpochPlan, list[int]], data: st.DataObject
) -> None:
    model, plan, _ = case
    for lane, windows in enumerate(model.windows):
        owner = [i for i, w in enumerate(windows) for piece in w for _ in range(*piece)]
        if owner:
            row = data.draw(st.integers(0, len(owner) - 1))
            assert plan.window_index(lane, row) == owner[row]


@given(plans(), st.integers(1, 4), st.integers(1, 9), REMAINDERS, st.data())
def test_delivery_from_any_row(
    case: tuple[Plan, core.EpochPlan, list[int]],
    world_size: int,
    batch_size: int,
    remainder: Remainder,
    data: st.DataObject,
) -> None:
    model, plan, group_rows = case
    stream = model.stream()
    start = data.draw(st.integers(0, len(stream)))
    rank = data.draw(st.integers(0, world_size - 1))
    options = core.DeliveryOptions(
        batch_size=batch_size, rank=rank, world_size=world_size, remainder=remainder
    )
    delivery = core.Delivery.make(plan, start, options)
    expected = [
        batch(
            stream,
            rank=rank,
            world_size=world_size,
            batch_size=batch_size,
            step=step,
            remainder=remainder,
            start=start,
        )
        for step in range(steps(len(stream), batch_size * world_size, remainder, start))
    ]
    while expected and not expected[-1]:
        expected.pop()  # "uneven": this rank ends one step before others.
    assert delivery.num_batches == len(expected)
    assert core.batches_per_epoch(len(stream), start, options) == len(expected)

    got: list[list[int | None]] = [[None] * len(rows) for rows in expected]
    lanes = {
        lane: window_rows(plan, group_rows, lane) for lane in range(len(model.windows))
    }
    lap_and_row = []
    for lane, window, lap, k, begin, step, count, slot, slot_step in delivery.runs():
        rows = lanes[lane][window]
        lap_and_row.append((lap, k))
        for i in range(count):
            assert got[k][slot + i * slot_step] is None
            got[k][slot + i * slot_step] = rows[begin + i * step]
    assert got == expected
    for k, rows in enumerate(expected):
        assert delivery.batch_rows(k) == len(rows)
        assert delivery.valid_rows(k) == sum(row is not None for row in rows)
        after = start + (k + 1) * batch_size * world_size
        last = k + 1 == steps(len(stream), batch_size * world_size, remainder, start)
        assert delivery.position_after(k) == (len(stream) if last else after)


@given(plans(), st.integers(1, 4), st.integers(1, 9))
def test_windows_are_visited_in_the_order_of_need(
    case: tuple[Plan, core.EpochPlan, list[int]], world_size: int, batch_size: int
) -> None:
    _, plan, _ = case
    options = core.DeliveryOptions(
        batch_size=batch_size, rank=0, world_size=world_size, remainder="uneven"
    )
    first_batch: dict[tuple[int, int], int] = {}
    for lane, window, _, k, *_ in core.Delivery.make(plan, 0, options).runs():
        first_batch.setdefault((lane, window), k)
    assert list(first_batch.values()) == sorted(first_batch.values())


@pytest.mark.parametrize("num_threads", [1, 2, 8])
@pytest.mark.parametrize("num_lanes", [1, 3])
@pytest.mark.parametrize("block_rows", [None, 10])
def test_batches_are_the_models(
    numbers: Path, num_threads: int, num_lanes: int, block_rows: int | None
) -> None:
    options: dict[str, Any] = {
        "shuffle_window": 110,
        "block_rows": block_rows,
        "num_lanes": num_lanes,
    }
    dataset = ParquetDataset(
        numbers,
        16,
        columns=["id"],
        shuffle=True,
        seed=5,
        num_epochs=2,
        num_threads=num_threads,
        **options,
    )
    got = [batch["id"].tolist() for batch in dataset]
    expected = []
    for epoch in range(2):
        plan = Plan(group_rows_of(), shuffle=True, seed=5, epoch=epoch, **options)
        stream = plan.stream()
        expected += [stream[i : i + 16] for i in range(0, len(stream), 16)]
    assert got == expected


@pytest.mark.filterwarnings("ignore:world_size=")
@pytest.mark.parametrize("remainder", ["drop", "pad", "wrap", "uneven"])
@pytest.mark.parametrize(("world_size", "num_lanes"), [(2, 2), (3, 2), (4, 8)])
def test_ranks_get_the_models_batches(
    numbers: Path, remainder: Remainder, world_size: int, num_lanes: int
) -> None:
    plan = Plan(
        group_rows_of(),
        shuffle=True,
        seed=1,
        epoch=3,
        shuffle_window=50,
        block_rows=10,
        num_lanes=num_lanes,
    )
    stream = plan.stream()
    got = defaultdict(list)
    expected = defaultdict(list)
    for rank in range(world_size):
        dataset = ParquetDataset(
            numbers,
            7,
            columns=["id"],
            shuffle=True,
            seed=1,
            first_epoch=3,
            shuffle_window=50,
            block_rows=10,
            num_lanes=num_lanes,
            rank=rank,
            world_size=world_size,
            remainder=remainder,
        )
        for rows in dataset:
            ids = rows["id"].tolist()
            valid = rows["__valid"].tolist() if remainder == "pad" else [True] * 7
            got[rank].append(
                [i if v else None for i, v in zip(ids, valid, strict=False)]
            )
        for step in range(steps(len(stream), 7 * world_size, remainder)):
            rows = batch(
                stream,
                rank=rank,
                world_size=world_size,
                batch_size=7,
                step=step,
                remainder=remainder,
            )
            if rows:
                expected[rank].append(rows)
    assert got == expected


def test_the_group_rows_of_the_fixture() -> None:
    assert sorted(group_rows_of()) == sorted(GROUP_ROWS)
