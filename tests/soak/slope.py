# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The slope of samples, its error, and whether it is above a bound."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

WARM_UP = 1 / 3  # Share of the samples that comes first and is left out.
BLOCKS = 20  # Most blocks of samples whose means the line is fitted to.
LEAST_SAMPLES = 12  # Least number of samples, those of the warm-up included.
# A slope is above its bound if it is so by this many standard errors. With 20 blocks,
# the t distribution of 18 degrees of freedom is that far out in 0.4 % of all cases.
ERRORS_ABOVE = 3.0


class Slope(NamedTuple):
    """Slope of a line, and the standard error of the slope."""

    value: float
    error: float

    def is_above(self, bound: float) -> bool:
        """Returns whether the slope is significantly above a bound."""
        return self.value - ERRORS_ABOVE * self.error > bound


def fitted(x: Sequence[float], y: Sequence[float]) -> Slope:
    """Returns the slope of the least-squares line through the points.

    With Sxx = sum (x - mean x)^2, the slope is b = sum (x - mean x) (y - mean y) / Sxx,
    and its standard error is sqrt(sum of squared residuals / (n - 2) / Sxx). These are
    the formulas of Draper and Smith, Applied Regression Analysis, 3rd edition, sections
    1.2 and 1.4. They hold for residuals that are independent of each other.
    """
    n = len(x)
    mean_x, mean_y = sum(x) / n, sum(y) / n
    sxx = sum((u - mean_x) ** 2 for u in x)
    slope = sum((u - mean_x) * (v - mean_y) for u, v in zip(x, y, strict=True)) / sxx
    residuals = [v - mean_y - slope * (u - mean_x) for u, v in zip(x, y, strict=True)]
    return Slope(slope, sqrt(sum(r * r for r in residuals) / (n - 2) / sxx))


def settled(x: Sequence[float], y: Sequence[float]) -> Slope:
    """Returns the slope of samples after their warm-up, from the means of blocks.

    Samples of memory that follow each other are alike, so that a line through all of
    them would claim too small an error. The means of long blocks are nearly independent
    (the method of batch means; Law, Simulation Modeling and Analysis).
    """
    first = int(len(x) * WARM_UP)
    x, y = x[first:], y[first:]
    blocks = min(BLOCKS, len(x))
    ends = [len(x) * i // blocks for i in range(blocks + 1)]
    spans = [slice(*ends[i : i + 2]) for i in range(blocks)]

    def means(values: Sequence[float]) -> list[float]:
        return [sum(part) / len(part) for part in (values[span] for span in spans)]

    return fitted(means(x), means(y))
