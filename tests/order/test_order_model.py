# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the order promises, shown on its model; golden values pin order_version 1."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn_plans import GROUPS, WORDS, plans
from order_model import (
    Plan,
    Random,
    Rows,
    cut_into_blocks,
    cut_lane,
    cut_windows,
)


def plan_of(
    group_rows: list[int],
    *,
    shuffle: bool = True,
    seed: int = 7,
    epoch: int = 2,
    shuffle_window: int = 6,
    block_rows: int | None = 3,
    num_lanes: int = 2,
) -> Plan:
    return Plan(
        group_rows,
        shuffle=shuffle,
        seed=seed,
        epoch=epoch,
        shuffle_window=shuffle_window,
        block_rows=block_rows,
        num_lanes=num_lanes,
    )


# ---- Golden values: a change here is a new order_version ----


def test_the_generator_is_splitmix64() -> None:
    random = Random()  # No key: seed 0, of which the outputs are published.
    assert [random.next() for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ((1, 0, 0), [0x29B1DCE17A8DEC6C, 0x351C69BA5AE7E756, 0x4173049FCE4461C1]),
        ((1, 0, 1), [0x09D926E41B944358, 0xB373AF6561BD882A, 0xF0A613C901091E53]),
        (
            (1, 2**64 - 1, 0),
            [0x574853F15D7F0E68, 0xBA83D83464B40360, 0x6A95DE80F9FDCDB4],
        ),
        ((2, 0, 0, 0, 0), [0xDF68BFF7FED97E5A, 0xA12C9750DD76B172, 0x1F8B42265675ABF1]),
    ],
)
def test_golden_words(key: tuple[int, ...], expected: list[int]) -> None:
    random = Random(*key)
    assert [random.next() for _ in expected] == expected


def test_golden_numbers_below() -> None:
    random = Random(1, 0, 0)
    assert [random.below(10) for _ in range(12)] == [1, 2, 2, 4, 0, 2, 9, 4, 9, 2, 5, 6]
    random = Random(1, 0, 0)  # Nearly half of the draws below 2**63 + 1 are rejected.
    assert [random.below(2**63 + 1) for _ in range(3)] == [
        2358059159596970208,
        659989011063100147,
        3868302159392461019,
    ]


def test_golden_permutation() -> None:
    values = list(range(10))
    Random(1, 0, 0).shuffle(values)
    assert values == [5, 6, 4, 3, 8, 0, 7, 2, 9, 1]


@pytest.mark.fault(41)
def test_golden_order() -> None:
    plan = plan_of([5, 0, 4, 7, 3, 6])
    windows = [[[tuple(p) for p in w] for w in lane] for lane in plan.windows]
    assert windows == [
        [[(11, 13), (2, 5)], [(13, 16), (22, 25), (16, 18)]],
        [[(18, 19), (7, 9), (19, 22)], [(0, 2), (5, 7), (9, 11)]],
    ]
    assert plan.stream() == [
        *(4, 8, 2, 21, 11, 19, 12, 20, 3, 7, 22, 18, 17),
        *(9, 16, 1, 13, 10, 15, 0, 24, 6, 14, 5, 23),
    ]


# ---- Random numbers ----


def test_below_and_shuffle_are_uniform() -> None:
    counts: dict[tuple[int, ...], int] = {}
    for seed in range(6000):
        values = [0, 1, 2]
        Random(1, seed, 0).shuffle(values)
        counts[tuple(values)] = counts.get(tuple(values), 0) + 1
    assert len(counts) == 6
    assert (
        sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 20
    )  # Chi-square, 5 degrees.


@given(st.lists(WORDS, min_size=1, max_size=5), WORDS, st.data())
def test_every_word_of_a_key_counts(
    key: list[int], word: int, data: st.DataObject
) -> None:
    other = list(key)
    other[data.draw(st.integers(0, len(key) - 1))] = word
    assert (Random(*other).next() == Random(*key).next()) == (other == key)


@pytest.mark.parametrize("word", [-1, 2**64])
def test_a_key_is_made_of_64_bit_words(word: int) -> None:
    with pytest.raises(ValueError, match="key word"):
        Random(1, word)


# ---- Blocks, lanes, windows ----


@given(GROUPS, st.integers(1, 50))
def test_blocks_differ_by_at_most_one_row_within_a_group(
    group_rows: list[int], block_rows: int
) -> None:
    blocks = cut_into_blocks(group_rows, block_rows)
    assert [row for b in blocks for row in range(*b)] == list(range(sum(group_rows)))
    base = 0
    for n in group_rows:
        own = [b.num_rows for b in blocks if base <= b.begin < base + n]
        assert sum(own) == n
        assert len(own) == -(-n // block_rows)
        assert max(own, default=0) - min(own, default=0) <= 1
        base += n


def test_whole_row_groups_are_blocks_and_empty_ones_are_none() -> None:
    assert cut_into_blocks([3, 0, 2], None) == [(0, 3), (3, 5)]
    assert cut_into_blocks([0, 0], 4) == cut_into_blocks([], None) == []


def test_a_lane_may_begin_and_end_inside_a_block() -> None:
    line = [Rows(10, 14), Rows(0, 5), Rows(20, 23)]
    assert cut_lane(line, 2, 7) == [(12, 14), (0, 3)]
    assert cut_lane(line, 5, 7) == [(1, 3)]
    assert cut_lane(line, 4, 4) == []


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([4, 4, 4, 4], [[4, 4], [4, 4]]),  # Targets 5 and 8, reached at a block's end.
        ([4, 4, 4, 3], [[4, 4], [4, 3]]),  # At least half of 8 remains: its own window.
        ([4, 4, 4], [[4, 4], [4]]),  # Just half.
        ([4, 4, 3], [[4, 4, 3]]),  # Less than half joins the window before,
        ([3], [[3]]),  # if there is one.
        ([9, 1], [[9, 1]]),
        ([], []),
    ],
)
def test_windows(counts: list[int], expected: list[list[int]]) -> None:
    windows = cut_windows([Rows(0, n) for n in counts], first_target=5, target=8)
    assert [[piece.num_rows for piece in window] for window in windows] == expected


def test_first_windows_are_staggered_and_rounded_up() -> None:
    plan = plan_of([1] * 60, shuffle_window=10, num_lanes=3)
    rows = [[len(window) for window in lane] for lane in plan.windows]
    assert rows == [[4, 10, 6], [7, 13], [10, 10]]


# ---- The stream ----


@given(plans() | plans(shuffle=False))
def test_every_row_once(plan: Plan) -> None:
    assert sorted(plan.stream()) == list(range(plan.num_rows))


@given(plans())
def test_a_window_mixes_its_own_rows_only(plan: Plan) -> None:
    num_lanes = len(plan.windows)
    stream = plan.stream()
    for lane, windows in enumerate(plan.windows):
        rows, begin = stream[lane::num_lanes], 0
        for window in windows:
            here = sorted(row for piece in window for row in range(*piece))
            assert sorted(rows[begin : begin + len(here)]) == here
            begin += len(here)
        assert begin == len(rows) == len(range(lane, plan.num_rows, num_lanes))


@given(GROUPS, st.integers(1, 100), st.none() | st.integers(1, 50))
def test_unshuffled_is_catalog_order(
    group_rows: list[int], shuffle_window: int, block_rows: int | None
) -> None:
    plan = plan_of(
        group_rows,
        shuffle=False,
        shuffle_window=shuffle_window,
        block_rows=block_rows,
        num_lanes=1,
    )
    assert plan.stream() == list(range(plan.num_rows))


@pytest.mark.fault(41)
def test_epochs_and_seeds_differ_and_sums_do_not_collide() -> None:
    orders = {
        tuple(plan_of([20] * 5, seed=seed, epoch=epoch).stream())
        for seed in range(8)
        for epoch in range(8)
    }
    assert len(orders) == 64
