# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""One lane of an epoch's plan: its rows in the order in which they come."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowfeed._native import core

Numbers = NDArray[np.int64]


class Places(NamedTuple):
    """Places of rows in the data, each an int64 array [rows].

    Attributes:
        groups: Index of the row group in the catalog.
        rows: Index of the row in its row group; with a filter, its index among the rows
            of its block that pass.
        blocks: Index of the block in the catalog; -1 without a filter.
    """

    groups: Numbers
    rows: Numbers
    blocks: Numbers


class Lane:
    """The pieces of a lane, end to end, and the permutations of its windows."""

    def __init__(self, plan: core.EpochPlan, lane: int) -> None:
        self._plan, self._lane = plan, lane
        pieces = plan.pieces(lane)
        self._windows, self._groups, self._begins, ends, self._blocks = pieces.T
        sizes = ends - self._begins
        self._ends = np.cumsum(sizes)
        self._starts = self._ends - sizes

    def places(self, rows: Numbers) -> Places:
        """Returns where rows of the lane come from.

        Args:
            rows: Numbers of rows in the lane, in [0, rows of the lane).
        """
        windows = self._windows[np.searchsorted(self._ends, rows, side="right")]
        unshuffled = np.empty_like(rows)
        for window in np.unique(windows).tolist():
            mine = windows == window
            begin = self._begin_of(window)
            permutation = self._plan.permutation(self._lane, window)
            unshuffled[mine] = begin + permutation[rows[mine] - begin]
        at = np.searchsorted(self._ends, unshuffled, side="right")
        found = self._begins[at] + unshuffled - self._starts[at]
        return Places(self._groups[at], found, self._blocks[at])

    def find(self, group: int, row: int, block: int) -> int | None:
        """Returns the number in the lane of a row; None if it is in another lane.

        It is the inverse of `places`; see `Places` for the arguments.
        """
        ends = self._begins + self._ends - self._starts
        is_in = (self._groups == group) & (self._begins <= row) & (row < ends)
        (at,) = np.nonzero(is_in & (self._blocks == block))
        if not len(at):
            return None
        window = int(self._windows[at[0]])
        begin = self._begin_of(window)
        unshuffled = self._starts[at[0]] + row - self._begins[at[0]] - begin
        permutation = self._plan.permutation(self._lane, window)
        return begin + int(np.nonzero(permutation == unshuffled)[0][0])

    def _begin_of(self, window: int) -> int:
        """Returns the first row of a window, numbered in the lane."""
        return int(self._starts[np.searchsorted(self._windows, window)])
