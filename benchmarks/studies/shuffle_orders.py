# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The orders that shuffle_quality.py compares, each as an array of row numbers.

An order is a function of a few numbers, so nothing is read here. rowfeed's is its
kernel's own plan; tf.data's is tf.data itself, run over row numbers instead of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowfeed._native import core

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Layout:
    """A data set of equal files of equal row groups."""

    files: int
    groups_per_file: int
    group_rows: int

    @property
    def num_groups(self) -> int:
        """Number of row groups in all files."""
        return self.files * self.groups_per_file

    @property
    def num_rows(self) -> int:
        """Number of rows in all files."""
        return self.num_groups * self.group_rows


@dataclass(frozen=True)
class Order:
    """One epoch's global stream; rank r of w has stream[r::w].

    Attributes:
        stream: Row numbers in the order in which they are delivered.
        held_groups: Number of decoded row groups that one rank holds at its peak.
        window: Window from which the row at each place of the stream comes; the rows of
            a window are decoded together. None if rows are read once, in file order.
    """

    stream: Rows
    held_groups: float
    window: Rows | None = None


def unshuffled(layout: Layout) -> Order:
    """Returns the catalog's order, which holds one row group at a time."""
    return Order(np.arange(layout.num_rows), 1)


def full_permutation(layout: Layout, ranks: int, seed: int) -> Order:
    """Returns a random order of all rows, which holds all row groups in memory."""
    stream = np.random.default_rng(seed).permutation(layout.num_rows)
    return Order(stream, layout.num_groups / ranks)


def rowfeed(
    layout: Layout, window: float, parts: int, lanes: int, ranks: int, seed: int
) -> Order:
    """Asks rowfeed's kernel for its order.

    Args:
        layout: Layout of the data set.
        window: Size of a `shuffle_window`, in row groups.
        parts: Number of blocks in a row group, for `block_rows`; 1 means no division.
        lanes: Number of lanes, `num_lanes`.
        ranks: Number of ranks, `world_size`, a divisor of `lanes`. A rank holds a
            window for each of its lanes, and the window that is read ahead.
        seed: Seed of the order; the order is that of the first epoch.
    """
    order = core.OrderOptions(
        shuffle=True,
        seed=seed,
        shuffle_window=round(window * layout.group_rows),
        block_rows=0 if parts == 1 else -(-layout.group_rows // parts),
        num_lanes=lanes,
    )
    plan = core.EpochPlan.make([layout.group_rows] * layout.num_groups, order, 0)
    stream = np.empty(layout.num_rows, np.int64)
    window_of = np.empty_like(stream)
    num_windows = 0
    for lane in range(lanes):
        windows = plan.windows(lane)
        rows = [
            rows_of(pieces, layout)[plan.permutation(lane, index)]
            for index, pieces in enumerate(windows)
        ]
        numbers = num_windows + np.arange(len(windows))
        stream[lane::lanes] = np.concatenate(rows)
        window_of[lane::lanes] = np.repeat(numbers, [len(part) for part in rows])
        num_windows += len(windows)
    return Order(stream, (lanes / ranks + 1) * window, window_of)


def rows_of(pieces: Rows, layout: Layout) -> Rows:
    """Returns the rows of a window; `pieces` has row group, begin, end per line."""
    return np.concatenate(
        [group * layout.group_rows + np.arange(a, b) for group, a, b in pieces]
    )


def tf_data(
    layout: Layout, held_groups: int, cycle: int, ranks: int, seed: int
) -> Order:
    """Returns the order of tf.data's usual recipe.

    It shuffles files, reads `cycle` of them interleaved, and shuffles rows in a buffer.
    Each open file holds a decoded row group; the rest of `held_groups` is the shuffle
    buffer. Of w ranks each takes every w-th file.
    """
    import tensorflow as tf

    file_rows = layout.groups_per_file * layout.group_rows

    def rows_of(file: Any) -> Any:
        return tf.data.Dataset.range(file * file_rows, (file + 1) * file_rows)

    streams = []
    for rank in range(ranks):
        files = tf.data.Dataset.range(layout.files).shuffle(layout.files, seed=seed)
        rows = files.shard(ranks, rank).interleave(rows_of, cycle_length=cycle)
        rows = rows.shuffle((held_groups - cycle) * layout.group_rows, seed=seed + rank)
        streams.append(np.concatenate(list(rows.batch(1 << 16).as_numpy_iterator())))
    return Order(np.stack(streams, 1).ravel(), held_groups)
