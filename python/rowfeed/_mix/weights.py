# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Converts the weights of a mixture to whole rounds of a period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite, lcm
from operator import index
from typing import Final, TypeAlias

from rowfeed._options.options import MAX_EPOCH
from rowfeed._process.checks import check_integer

Weights: TypeAlias = Sequence[float] | Mapping[int, Sequence[float]]
Schedule: TypeAlias = list[tuple[int, list[int]]]
"""Pairs of an epoch and, from it on, the rounds of each source in a period."""

MAX_PERIOD: Final = 2**16
_EXACT: Final = 1e-12  # The float 0.7 is not exactly 7/10, but 7/10 is meant.


def scheduled(weights: Weights | None, num_sources: int) -> Schedule:
    """Checks the keyword `weights` and returns its rounds, by ascending epoch.

    Raises:
        TypeError: A weight is not a number, or an epoch is not an integer.
        ValueError: The number of weights is not that of the sources, a weight is not
            positive or too small beside the others, or epoch 0 is missing.
    """
    if weights is None:
        weights = [1] * num_sources
    if not isinstance(weights, Mapping):
        return [(0, rounds_of(weights, num_sources))]
    for epoch in weights:
        check_integer("an epoch of weights", epoch, 0, MAX_EPOCH)
    if 0 not in weights:
        raise ValueError(f"weights must begin with epoch 0, not {sorted(weights)[:1]}")
    return [(int(e), rounds_of(weights[e], num_sources)) for e in sorted(weights)]


def rounds_of(weights: Sequence[float], num_sources: int) -> list[int]:
    """Returns how many rounds of a period each source gets.

    The period is the shortest one that has exactly the ratio of the weights, if that
    has at most 65536 rounds. Whole numbers, and decimals, have such a period if their
    sum is small enough. Otherwise the period has 65536 rounds, and shares are rounded
    by largest remainder, so that no share is off by more than a 65536th.

    Example:
        >>> rounds_of([0.7, 0.3], 2), rounds_of([200, 100, 100], 3)
        ([7, 3], [2, 1, 1])
    """
    if isinstance(weights, (str, bytes)) or not hasattr(weights, "__len__"):
        raise TypeError(f"weights must be a sequence of numbers, not {weights!r}")
    if len(weights) != num_sources:
        raise ValueError(f"{len(weights)} weights for {num_sources} datasets")
    given = [_positive(f"weights[{i}]", weight) for i, weight in enumerate(weights)]
    total = sum(given)
    shares = [weight / total for weight in given]
    short = [share.limit_denominator(MAX_PERIOD) for share in shares]
    period = lcm(*(share.denominator for share in short))
    is_exact = sum(short) == 1 and all(
        abs(a - b) < _EXACT * a for a, b in zip(shares, short, strict=True)
    )
    if is_exact and period <= MAX_PERIOD:
        return [int(share * period) for share in short]
    rounds = [int(share * MAX_PERIOD) for share in shares]
    rests = [share * MAX_PERIOD - n for share, n in zip(shares, rounds, strict=True)]
    by_rest = sorted(range(num_sources), key=lambda i: (-rests[i], i))
    for i in by_rest[: MAX_PERIOD - sum(rounds)]:
        rounds[i] += 1
    if 0 in rounds:
        i = rounds.index(0)
        raise ValueError(
            f"weights[{i}] is {float(shares[i]):.3g} of the sum: less than one round "
            f"in {MAX_PERIOD}; leave the dataset out, or give it more"
        )
    return rounds


def _positive(name: str, weight: object) -> Fraction:
    if isinstance(weight, bool) or not hasattr(weight, "__float__"):
        raise TypeError(f"{name} must be a number, not {weight!r}")
    if not (isfinite(float(weight)) and float(weight) > 0):
        raise ValueError(f"{name} must be greater than 0, not {weight!r}")
    return Fraction(index(weight) if hasattr(weight, "__index__") else float(weight))
