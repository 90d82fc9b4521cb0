# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Equal steps and elastic batches, over the whole grid of sizes, by the kernel's plan.

No file is read here: `test_rank_datasets.py` has a sample of the same with real ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import chain
from math import gcd

import numpy as np
import pytest

from order_model import Remainder
from rowfeed._native import core

WORLD_SIZES = (1, 2, 3, 4, 6, 8)
GLOBAL_BATCH = 24  # Divided by all of them.
FILL = -1

# Rows per row group: nothing, fewer rows than ranks or lanes, fewer row groups than
# ranks, 2**k - 1, 2**k and 2**k + 1, and more row groups than lanes with empty ones.
LAYOUTS: tuple[tuple[int, ...], ...] = (
    *((), (0, 0), (1,), (2,), (0, 3), (1, 1, 1, 1, 1), (7,), (15, 8), (24,), (25,)),
    *((31,), (32,), (33,), (31, 31), (63,), (64, 1), (127,), (1, 127), (129,), (513,)),
    *((5,) * 26, (9, 0, 16, 17, 33, 1, 0, 40, 8, 5)),
)

Batches = list[list[int]]  # [step] -> rows, FILL where there is none


def plan_of(group_rows: tuple[int, ...], num_lanes: int) -> core.EpochPlan:
    order = core.OrderOptions(
        shuffle=True, seed=3, shuffle_window=20, block_rows=4, num_lanes=num_lanes
    )
    return core.EpochPlan.make(group_rows, order, 5)


class Ranks:
    """What ranks get of one plan."""

    def __init__(self, group_rows: tuple[int, ...], num_lanes: int) -> None:
        self._plan = plan_of(group_rows, num_lanes)
        bases = np.cumsum([0, *group_rows])
        self._windows = {
            (lane, index): np.concatenate(
                [np.arange(bases[g] + begin, bases[g] + end) for g, begin, end in w]
            )[self._plan.permutation(lane, index)]
            for lane in range(num_lanes)
            for index, w in enumerate(self._plan.windows(lane))
        }
        self.stream: list[int] = list(chain(*self.rank(0, 1, 1, "uneven")))

    @property
    def num_rows(self) -> int:
        return self._plan.num_rows

    def rank(
        self,
        rank: int,
        world_size: int,
        batch_size: int,
        remainder: Remainder,
        start: int = 0,
    ) -> Batches:
        options = core.DeliveryOptions(
            batch_size=batch_size, rank=rank, world_size=world_size, remainder=remainder
        )
        delivery = core.Delivery.make(self._plan, start, options)
        num_batches = delivery.num_batches
        assert core.batches_per_epoch(self.num_rows, start, options) == num_batches
        got = np.full((num_batches, batch_size), FILL)
        for lane, window, _, k, begin, step, count, slot, slot_step in delivery.runs():
            rows = self._windows[lane, window][begin : begin + count * step : step]
            got[k, slot : slot + count * slot_step : slot_step] = rows
        return [got[k, : delivery.batch_rows(k)].tolist() for k in range(num_batches)]

    def all(
        self, world_size: int, batch_size: int, remainder: Remainder, start: int = 0
    ) -> list[Batches]:
        return [
            self.rank(rank, world_size, batch_size, remainder, start)
            for rank in range(world_size)
        ]


@cache
def ranks_of(group_rows: tuple[int, ...], num_lanes: int) -> Ranks:
    return Ranks(group_rows, num_lanes)


def expected(
    stream: list[int], start: int, global_batch: int, remainder: Remainder
) -> list[int]:
    """Returns the rows from row `start` on that all ranks get, fill included."""
    rest = len(stream) - start
    if remainder == "uneven":
        return stream[start:]
    if remainder == "drop":
        return stream[start : len(stream) - rest % global_batch]
    end = start + -(-rest // global_batch) * global_batch
    return [
        stream[g % len(stream)] if g < len(stream) or remainder == "wrap" else FILL
        for g in range(start, end)
    ]


def same(one: Iterable[int], other: Iterable[int]) -> bool:
    return Counter(one) == Counter(other)


def check_ranks(
    ranks: list[Batches], rows: list[int], batch_size: int, remainder: Remainder
) -> None:
    """Equal steps, full batches, and of each step exactly its rows."""
    steps = [len(batches) for batches in ranks]
    sizes = [[len(rows) for rows in batches] for batches in ranks]
    if remainder == "uneven":
        assert max(steps) - min(steps) <= 1
        totals = [sum(of_rank) for of_rank in sizes]
        assert max(totals) - min(totals) <= 1
        assert all(set(of_rank[:-1]) <= {batch_size} for of_rank in sizes)
    else:
        assert len(set(steps)) == 1
        assert all(set(of_rank) <= {batch_size} for of_rank in sizes)
    global_batch = batch_size * len(ranks)
    assert max(steps) == -(-len(rows) // global_batch)
    for k in range(max(steps)):
        step = chain.from_iterable(b[k] for b in ranks if k < len(b))
        assert same(step, rows[k * global_batch : (k + 1) * global_batch]), k


@pytest.mark.parametrize("remainder", ["drop", "pad", "wrap", "uneven"])
@pytest.mark.parametrize("num_lanes", [1, 8, 24])
@pytest.mark.parametrize("world_size", WORLD_SIZES)
def test_the_grid(world_size: int, num_lanes: int, remainder: Remainder) -> None:
    """Step k is the same set of rows for every world size that divides G."""
    for group_rows in LAYOUTS:
        ranks = ranks_of(group_rows, num_lanes)
        assert sorted(ranks.stream) == list(range(ranks.num_rows))
        for global_batch in {GLOBAL_BATCH, world_size, 5 * world_size}:
            batch_size = global_batch // world_size
            rows = expected(ranks.stream, 0, global_batch, remainder)
            got = ranks.all(world_size, batch_size, remainder)
            check_ranks(got, rows, batch_size, remainder)


# From 8 ranks to 7 is the machine that dies; 8 and 24 lanes are not divided by 7 or 5.
CHANGES = [(8, 7), (8, 4), (1, 8), (3, 2), (4, 6), (6, 5), (2, 3), (7, 8)]


@pytest.mark.parametrize("remainder", ["drop", "pad", "wrap", "uneven"])
@pytest.mark.parametrize("num_lanes", [1, 8, 24])
@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_another_world_size_makes_the_remaining_rows(
    before: int, after: int, num_lanes: int, remainder: Remainder
) -> None:
    batch_size = 3
    for group_rows in LAYOUTS:
        ranks = ranks_of(group_rows, num_lanes)
        first = ranks.all(before, batch_size, remainder)
        steps = min(len(batches) for batches in first)
        for done in {0, 1, steps // 2, steps - 1, steps} & set(range(steps + 1)):
            options = core.DeliveryOptions(
                batch_size=batch_size,
                rank=before - 1,
                world_size=before,
                remainder=remainder,
            )
            start = core.row_of_step(ranks.num_rows, 0, done, options)
            # Dropped rows stay so, and fill is not repeated: the epoch is over.
            over = done == max(len(batches) for batches in first)
            assert start == (ranks.num_rows if over else done * batch_size * before)
            rows = expected(ranks.stream, start, batch_size * after, remainder)
            rest = ranks.all(after, batch_size, remainder, start)
            check_ranks(rest, rows, batch_size, remainder)
            if remainder == "uneven":
                delivered = chain.from_iterable(
                    rows for batches in first for rows in batches[:done]
                )
                again = chain.from_iterable(rows for b in rest for rows in b)
                assert same([*delivered, *again], range(ranks.num_rows))


@pytest.mark.parametrize("num_lanes", [1, 8, 24])
@pytest.mark.parametrize("world_size", [*WORLD_SIZES, 5, 7])
def test_the_lanes_of_a_rank(world_size: int, num_lanes: int) -> None:
    """Where the world size divides the lanes, no two ranks decode the same one."""
    shared = gcd(world_size, num_lanes)
    for group_rows in LAYOUTS:
        plan = plan_of(group_rows, num_lanes)
        for rank in range(world_size):
            options = core.DeliveryOptions(
                batch_size=3, rank=rank, world_size=world_size, remainder="uneven"
            )
            lanes = set(core.Delivery.make(plan, 0, options).runs()[:, 0])
            own = {lane for lane in range(num_lanes) if lane % shared == rank % shared}
            assert lanes <= own
            if plan.num_rows >= world_size * num_lanes:
                assert lanes == own
