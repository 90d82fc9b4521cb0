# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The order of rows, written to be read: the reference that the kernel is held to.

    row groups -> blocks -> line -> lanes -> windows -> global stream -> steps and ranks

Everything here is arithmetic on whole lists, as slow and as plain as it can be. A row
is named by its number in catalog order. The random numbers are those of
`cc/core/plan/random.h`, so that the kernel's orders equal this model's row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, TypeVar

Remainder = Literal["drop", "pad", "wrap", "uneven"]
T = TypeVar("T")

_WORD = 2**64 - 1  # Arithmetic is that of unsigned 64-bit words.
_GAMMA = 0x9E3779B97F4A7C15
_LINE, _WINDOW = 1, 2  # The first word of a key says what is permuted.


class Random:
    """SplitMix64, keyed by words that are hashed together."""

    def __init__(self, *key: int) -> None:
        """Starts the sequence that belongs to `key`, unsigned 64-bit words."""
        self._state = 0
        for word in key:
            if not 0 <= word <= _WORD:
                raise ValueError(f"a key word must be in [0, 2**64), got {word}")
            self._state = self._mix(self._state ^ self._mix((word + _GAMMA) & _WORD))

    def next(self) -> int:
        """Returns the next 64 random bits."""
        self._state = (self._state + _GAMMA) & _WORD
        return self._mix(self._state)

    def below(self, n: int) -> int:
        """Returns a number in [0, n) without bias, 0 < n < 2**64."""
        product = self.next() * n
        while product & _WORD < 2**64 % n:
            product = self.next() * n
        return product >> 64

    def shuffle(self, values: list[T]) -> None:
        """Permutes `values` in place: Fisher-Yates from the last element down."""
        for i in range(len(values), 1, -1):
            j = self.below(i)
            values[i - 1], values[j] = values[j], values[i - 1]

    @staticmethod
    def _mix(z: int) -> int:
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _WORD
        return z ^ (z >> 31)


class Rows(NamedTuple):
    """The rows [begin, end) of the catalog: a block, or the part of it in one lane."""

    begin: int
    end: int

    @property
    def num_rows(self) -> int:
        """How many rows these are."""
        return self.end - self.begin


def cut_into_blocks(group_rows: Sequence[int], block_rows: int | None) -> list[Rows]:
    """Cuts each row group into the fewest parts of at most `block_rows` rows.

    Args:
        group_rows: Rows per row group, in catalog order; empty groups give no block.
        block_rows: The most rows of a block, or None for whole row groups.

    Returns:
        The blocks in catalog order; those of one group differ by at most one row.
    """
    blocks: list[Rows] = []
    base = 0
    for n in group_rows:
        if n > 0:
            parts = -(-n // (block_rows or n))
            cuts = [base + i * n // parts for i in range(parts + 1)]
            blocks += [Rows(begin, end) for begin, end in pairwise(cuts)]
        base += n
    return blocks


def cut_lane(line: Sequence[Rows], begin: int, end: int) -> list[Rows]:
    """Returns the pieces of the line's rows [begin, end); a cut may split a block."""
    pieces = []
    position = 0
    for block in line:
        first = max(begin - position, 0)
        last = min(end - position, block.num_rows)
        if first < last:
            pieces.append(Rows(block.begin + first, block.begin + last))
        position += block.num_rows
    return pieces


def cut_windows(
    pieces: Sequence[Rows], first_target: int, target: int
) -> list[list[Rows]]:
    """Groups a lane's pieces into windows.

    A window ends with the piece that brings it to its target. What is left at the end
    is a window of its own if it has at least half of `target` rows, or joins the last.
    """
    windows: list[list[Rows]] = []
    rest: list[Rows] = []
    goal = first_target
    for piece in pieces:
        rest.append(piece)
        if sum(p.num_rows for p in rest) >= goal:
            windows.append(rest)
            rest, goal = [], target
    if windows and 2 * sum(p.num_rows for p in rest) < target:
        windows[-1] += rest
    elif rest:
        windows.append(rest)
    return windows


class Plan:
    """The order of one epoch.

    Attributes:
        num_rows: Rows of the epoch.
        line: The blocks in the order in which the epoch visits them.
        windows: `windows[lane][index]` lists the pieces that are mixed together.
    """

    def __init__(
        self,
        group_rows: Sequence[int],
        *,
        shuffle: bool,
        seed: int,
        epoch: int,
        shuffle_window: int,
        block_rows: int | None,
        num_lanes: int,
    ) -> None:
        """Plans the epoch; `shuffle_window` is in rows, per lane."""
        self._shuffle, self._seed, self._epoch = shuffle, seed, epoch
        self.num_rows = sum(group_rows)
        self.line = cut_into_blocks(group_rows, block_rows)
        if shuffle:
            Random(_LINE, seed, epoch).shuffle(self.line)

        base, longer = divmod(self.num_rows, num_lanes)
        cuts = [lane * base + min(lane, longer) for lane in range(num_lanes + 1)]
        self.windows: list[list[list[Rows]]] = []
        for lane in range(num_lanes):
            pieces = cut_lane(self.line, cuts[lane], cuts[lane + 1])
            if shuffle:
                # Lanes begin with windows of different lengths, so that they do not all
                # turn to a new window in the same step.
                first_target = -(-shuffle_window * (lane + 1) // num_lanes)
                windows = cut_windows(pieces, first_target, shuffle_window)
            else:
                windows = [[piece] for piece in pieces]  # Nothing to mix: one by one.
            self.windows.append(windows)

    def window_order(self, lane: int, window_index: int) -> list[int]:
        """Returns the rows of one window in the order in which they are delivered."""
        pieces = self.windows[lane][window_index]
        rows = [row for piece in pieces for row in range(piece.begin, piece.end)]
        if not self._shuffle:
            return rows
        permutation = list(range(len(rows)))
        key = (_WINDOW, self._seed, self._epoch, lane, window_index)
        Random(*key).shuffle(permutation)
        return [rows[source] for source in permutation]

    def stream(self) -> list[int]:
        """Returns the global stream: its row g is row g // L of lane g % L."""
        lanes = [
            [row for k in range(len(windows)) for row in self.window_order(lane, k)]
            for lane, windows in enumerate(self.windows)
        ]
        num_lanes = len(lanes)
        return [lanes[g % num_lanes][g // num_lanes] for g in range(self.num_rows)]


def steps(
    num_rows: int, global_batch: int, remainder: Remainder, start: int = 0
) -> int:
    """Returns the global batches from row `start` of the stream to the epoch's end."""
    rest = num_rows - start
    if remainder == "drop":
        return rest // global_batch
    return -(-rest // global_batch)


def batch(
    stream: Sequence[int],
    *,
    rank: int,
    world_size: int,
    batch_size: int,
    step: int,
    remainder: Remainder,
    start: int = 0,
) -> list[int | None]:
    """Returns what `rank` gets in a step, counted from row `start` of the stream.

    Only under "uneven" can it be short, and only in the last step; where it would be
    empty, this rank ends one step before the others.

    Args:
        stream: The global stream of the epoch.
        rank: This rank, in [0, world_size).
        world_size: The number of ranks.
        batch_size: Rows per rank and step.
        step: The step, in [0, steps(...)).
        remainder: What the epoch's last global batch is filled with.
        start: The row of the stream at which step 0 begins.

    Returns:
        Rows of the catalog; None is a row of fill.
    """
    begin = start + step * batch_size * world_size
    end = begin + batch_size * world_size
    rows: list[int | None] = []
    for g in range(begin, end):
        if g % world_size != rank:
            continue
        if g < len(stream):
            rows.append(stream[g])
        elif remainder == "pad":
            rows.append(None)
        elif remainder == "wrap":
            rows.append(stream[g % len(stream)])
    return rows
