# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The orders that shuffle_quality.py compares, each as an array of row numbers.

An order is a function of a few numbers, so nothing is read here. rowfeed's is simulated
by its rule (docs/shuffle.md) with NumPy's random numbers; tf.data's is tf.data itself,
run over row numbers instead of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Layout:
    """A data set of equal files of equal row groups."""

    files: int
    groups_per_file: int
    group_rows: int

    @property
    def num_groups(self) -> int:
        """Row groups of all files."""
        return self.files * self.groups_per_file

    @property
    def num_rows(self) -> int:
        """Rows of all files."""
        return self.num_groups * self.group_rows


@dataclass(frozen=True)
class Order:
    """One epoch's global stream; rank r of w has stream[r::w].

    Attributes:
        stream: Row numbers in the order in which they are delivered.
        held_groups: Decoded row groups that one rank holds at its peak.
        window: For each place of the stream the window that it came from: what is
            decoded together. None where rows are read once, in file order.
    """

    stream: Rows
    held_groups: float
    window: Rows | None = None


def unshuffled(layout: Layout) -> Order:
    """Catalog order; holds the row group being read."""
    return Order(np.arange(layout.num_rows), 1)


def full_permutation(layout: Layout, ranks: int, seed: int) -> Order:
    """Any row anywhere: what shuffling would be if memory were free."""
    stream = np.random.default_rng(seed).permutation(layout.num_rows)
    return Order(stream, layout.num_groups / ranks)


def rowfeed(
    layout: Layout, window: float, parts: int, lanes: int, ranks: int, seed: int
) -> Order:
    """Simulates rowfeed by its rule.

    Args:
        layout: The data set.
        window: `shuffle_window` in row groups.
        parts: Blocks per row group, which `block_rows` says; 1 for whole row groups.
        lanes: `num_lanes`.
        ranks: `world_size`, a divisor of `lanes`: a rank holds a window per lane and
            the one that is read ahead.
        seed: Seed of the epoch.
    """
    rng = np.random.default_rng(seed)
    n, num_rows = layout.group_rows, layout.num_rows
    edges = np.append(np.arange(layout.num_groups * parts) * n // parts, num_rows)
    blocks = rng.permutation(len(edges) - 1)
    line = np.concatenate([np.arange(edges[b], edges[b + 1]) for b in blocks])
    block_ends = np.cumsum(np.diff(edges)[blocks])
    cuts = [
        lane * (num_rows // lanes) + min(lane, num_rows % lanes)
        for lane in range(lanes + 1)
    ]

    stream, window_of = np.empty_like(line), np.empty_like(line)
    num_windows = 0
    for lane, (begin, end) in enumerate(pairwise(cuts)):
        inside = block_ends[(block_ends > begin) & (block_ends < end)]
        ends = window_ends(np.append(inside, end) - begin, window * n, lane, lanes)
        index = np.searchsorted(ends, np.arange(end - begin), side="right")
        mixed = np.lexsort((rng.random(end - begin), index))
        stream[lane::lanes] = line[begin:end][mixed]
        window_of[lane::lanes] = num_windows + index
        num_windows += len(ends)
    return Order(stream, (lanes / ranks + 1) * window, window_of)


def window_ends(piece_ends: Rows, target: float, lane: int, lanes: int) -> list[int]:
    """Returns the rows of a lane at which its windows end.

    A window ends with the first piece that brings it to its target. Lane l's first
    target is (l + 1)/lanes of one. Less than half of one at the end joins the window
    before.
    """
    ends: list[int] = []
    begin, goal = 0, np.ceil(target * (lane + 1) / lanes)
    for end in piece_ends:
        if end - begin >= goal:
            ends.append(int(end))
            begin, goal = end, target
    last = int(piece_ends[-1])
    if ends and 2 * (last - begin) < target:
        ends[-1] = last
    elif last > begin:
        ends.append(last)
    return ends


def tf_data(
    layout: Layout, held_groups: int, cycle: int, ranks: int, seed: int
) -> Order:
    """tf.data's usual recipe: shuffled files, `interleave` if cycle > 1, `shuffle`.

    Each open file holds a decoded row group; what is left of `held_groups` is the
    shuffle buffer. Ranks take every w-th file.
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
