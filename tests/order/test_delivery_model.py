# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What ranks, batches and remainder make of the order, shown on its model."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from drawn_plans import REMAINDERS, plans
from order_model import Plan, Remainder, batch, steps

Batches = list[list[list[int | None]]]  # [step][rank] -> rows


def deliver(
    stream: list[int],
    world_size: int,
    batch_size: int,
    remainder: Remainder,
    start: int = 0,
) -> Batches:
    """Returns what each rank gets in each step."""
    return [
        [
            batch(
                stream,
                rank=rank,
                world_size=world_size,
                batch_size=batch_size,
                step=step,
                remainder=remainder,
                start=start,
            )
            for rank in range(world_size)
        ]
        for step in range(steps(len(stream), world_size * batch_size, remainder, start))
    ]


@given(plans(), st.integers(1, 12), REMAINDERS, st.data())
def test_a_step_is_the_same_rows_for_every_world_size(
    plan: Plan, global_batch: int, remainder: Remainder, data: st.DataObject
) -> None:
    stream = plan.stream()
    start = data.draw(st.integers(0, len(stream)))
    one = deliver(stream, 1, global_batch, remainder, start)
    for world_size in (w for w in range(2, 13) if global_batch % w == 0):
        batch_size = global_batch // world_size
        many = deliver(stream, world_size, batch_size, remainder, start)
        assert [Counter(chain(*ranks)) for ranks in many] == [
            Counter(rows) for (rows,) in one
        ]


@given(plans(), st.integers(1, 5), st.integers(1, 5), st.data())
def test_rank_r_has_the_rows_r_mod_world_size_from_any_start(
    plan: Plan, world_size: int, batch_size: int, data: st.DataObject
) -> None:
    stream = plan.stream()
    start = data.draw(st.integers(0, len(stream)))
    walk = deliver(stream, world_size, batch_size, "uneven", start)
    for rank in range(world_size):
        rows = list(chain.from_iterable(ranks[rank] for ranks in walk))
        assert rows == [
            row for g, row in enumerate(stream) if g >= start and g % world_size == rank
        ]


@given(plans(), st.integers(1, 5), st.integers(1, 7), REMAINDERS, st.data())
def test_an_epoch_ends_as_remainder_says(
    plan: Plan,
    world_size: int,
    batch_size: int,
    remainder: Remainder,
    data: st.DataObject,
) -> None:
    stream = plan.stream()
    start = data.draw(st.integers(0, len(stream)))
    walk = deliver(stream, world_size, batch_size, remainder, start)
    got = Counter(row for ranks in walk for rows in ranks for row in rows)
    sizes = [[len(rows) for rows in ranks] for ranks in walk]

    whole = len(stream) - (len(stream) - start) % (world_size * batch_size)
    missing = len(walk) * world_size * batch_size - (len(stream) - start)
    expected = Counter[int | None](stream[start:])
    if remainder == "drop":
        expected = Counter(stream[start:whole])
    elif remainder == "pad":
        expected.update([None] * missing)
    elif remainder == "wrap":
        expected.update(stream[g % len(stream)] for g in range(missing))
    assert got == expected
    full = sizes[:-1] if remainder == "uneven" else sizes
    assert all(ranks == [batch_size] * world_size for ranks in full)
    assert all(max(ranks) - min(ranks) <= 1 for ranks in sizes)


@given(plans(), st.integers(1, 4), st.integers(1, 5), REMAINDERS, st.data())
def test_resuming_after_a_step_continues_the_walk(
    plan: Plan,
    world_size: int,
    batch_size: int,
    remainder: Remainder,
    data: st.DataObject,
) -> None:
    stream = plan.stream()
    walk = deliver(stream, world_size, batch_size, remainder)
    done = data.draw(st.integers(0, len(walk)))
    start = min(done * world_size * batch_size, len(stream))
    assert deliver(stream, world_size, batch_size, remainder, start) == walk[done:]
