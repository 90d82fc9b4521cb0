# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Weights become whole rounds, and rounds a table that keeps the shares."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mixture_model import round_table
from rowfeed._mix.weights import MAX_PERIOD, rounds_of, scheduled
from rowfeed._native import core

ROUNDS = st.lists(st.integers(1, 40), min_size=1, max_size=7)
NUMBERS = st.floats(1e-3, 1e3) | st.integers(1, 10**6)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([1], [1]),
        ([5, 5], [1, 1]),
        ([0.7, 0.3], [7, 3]),
        ([0.1, 0.2, 0.7], [1, 2, 7]),
        ([2, 1, 1], [2, 1, 1]),
        ([1e-6, 3e-6], [1, 3]),
        ([1 / 3, 2 / 3], [1, 2]),
        ([0.67, 0.15, 0.045, 0.045, 0.025, 0.02, 0.045], [134, 30, 9, 9, 5, 4, 9]),
        ([60000, 5536], [1875, 173]),
    ],
)
def test_small_ratios_are_exact(weights: list[float], expected: list[int]) -> None:
    assert rounds_of(weights, len(weights)) == expected


@given(st.lists(NUMBERS, min_size=1, max_size=6))
def test_no_share_is_off_by_more_than_a_65536th(weights: list[float]) -> None:
    try:
        rounds = rounds_of(weights, len(weights))
    except ValueError:
        assert min(weights) / sum(weights) < 1 / MAX_PERIOD
        return
    assert sum(rounds) <= MAX_PERIOD
    assert min(rounds) >= 1
    for own, weight in zip(rounds, weights, strict=True):
        assert abs(own / sum(rounds) - weight / sum(weights)) < 1.01 / MAX_PERIOD


@given(ROUNDS)
def test_the_ratio_of_whole_numbers_is_kept(rounds: list[int]) -> None:
    kept = rounds_of(rounds, len(rounds))
    assert all(
        a * sum(rounds) == b * sum(kept) for a, b in zip(kept, rounds, strict=True)
    )


@given(ROUNDS)
def test_the_kernel_has_the_table_of_the_model(rounds: list[int]) -> None:
    table = core.round_table(rounds)
    assert table == round_table(rounds)
    assert [Counter(table)[s] for s in range(len(rounds))] == rounds


@given(ROUNDS)
def test_each_source_is_within_one_round_of_its_share_at_any_round(
    rounds: list[int],
) -> None:
    had = Counter[int]()
    for k, source in enumerate(core.round_table(rounds), 1):
        had[source] += 1
        for s, own in enumerate(rounds):
            assert abs(had[s] * sum(rounds) - k * own) < sum(rounds)


def test_the_table_is_pinned() -> None:
    assert core.round_table([4, 2, 1]) == [0, 0, 1, 0, 1, 0, 2]
    assert core.round_table([3, 3]) == [0, 1] * 3
    assert core.round_table([7, 3]) == [0, 0, 1, 0, 0, 1, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ([1], ValueError, "1 weights for 2 datasets"),
        ([1, 0], ValueError, r"weights\[1\] must be greater than 0, not 0"),
        ([-1, 1], ValueError, r"weights\[0\] must be greater than 0"),
        ([float("nan"), 1], ValueError, r"weights\[0\] must be greater than 0"),
        ([1, float("inf")], ValueError, r"weights\[1\]"),
        ([1, "2"], TypeError, r"weights\[1\] must be a number, not '2'"),
        ([True, 1], TypeError, r"weights\[0\]"),
        ("12", TypeError, "must be a sequence of numbers"),
        (3, TypeError, "must be a sequence of numbers"),
        (
            [1e9, 1],
            ValueError,
            r"weights\[1\] is 1e-09 of the sum: less than",
        ),
        ({1: [1, 1]}, ValueError, "must begin with epoch 0"),
        ({}, ValueError, "must begin with epoch 0"),
        ({0: [1, 1], -1: [1, 1]}, ValueError, "an epoch of weights must be >= 0"),
        ({0: [1, 1], "x": [1, 1]}, TypeError, "an epoch of weights must be an int"),
    ],
)
def test_what_is_no_weight_is_refused(
    weights: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        scheduled(weights, 2)


def test_a_schedule_is_sorted_by_epoch() -> None:
    weights = {5: [1, 1], 0: [3, 1]}
    assert scheduled(weights, 2) == [(0, [3, 1]), (5, [1, 1])]
    assert scheduled(None, 3) == [(0, [1, 1, 1])]
