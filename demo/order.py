# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A hash of the rows in the order in which they were trained on.

The rows r1, …, rn have the hash M^n r1 + M^(n-1) r2 + … + M rn (mod 2^64), which
depends on their order but not on how they are cut into batches. It needs only products
and sums, so a training step computes it in any framework.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

MULTIPLIER = 6364136223846793005


def powers(count: int) -> npt.NDArray[np.int64]:
    """Returns M^count, …, M^2, M."""
    factors = np.full(count, MULTIPLIER, np.uint64)
    return np.cumprod(factors)[::-1].view(np.int64)


def start() -> npt.NDArray[np.int64]:
    """Returns the hash of no rows."""
    return np.zeros(1, np.int64)


def extend(
    order: Any, rows: Any, ladder: Any, total: Callable[[Any], Any] = np.sum
) -> Any:
    """Returns the hash of the rows so far, followed by `rows`.

    Args:
        order: Hash of the rows so far, int64 of shape (1,); 0 at first.
        rows: Numbers of the rows, int64, at least one.
        ladder: Result of `powers` for the number of rows.
        total: Function of the framework that sums an array.
    """
    return order * ladder[:1] + total(rows * ladder)
