# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The order of a mixture, written to be read: what order_model.py is for one data set.

    weights -> table of rounds -> which source -> its own epochs, end to end

A row is (source, row): the source's index, and the row's number in its catalog's order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, Literal, NamedTuple

from order_model import Plan, Random

Stop = Literal["first_exhausted", "all_exhausted"]
Row = tuple[int, int]

_SOURCE = 3  # The first word of a key, after those of order_model.py.


class Source(NamedTuple):
    """One data set of a mixture.

    Attributes:
        group_rows: Rows of its row groups.
        order: shuffle, seed, shuffle_window and block_rows, as `Plan` takes them.
    """

    group_rows: list[int]
    order: dict[str, Any]

    def rows(self, index: int, epoch: int, num_lanes: int) -> Iterator[Row]:
        """Yields the source's own stream: epoch after epoch, without an end."""
        for lap in count():
            seed = Random(_SOURCE, self.order["seed"], index, lap).next()
            order = {**self.order, "seed": seed, "epoch": epoch}
            plan = Plan(self.group_rows, **order, num_lanes=num_lanes)
            yield from ((index, row) for row in plan.stream())


def round_table(rounds: Sequence[int]) -> list[int]:
    """Returns the source of each round of a period, rounds[s] of them source s.

    The n-th of q rounds may come in [n P / q, (n + 1) P / q), rounded outwards. Of
    those that may come, the one that must come first comes.
    """
    period = sum(rounds)
    had = [0] * len(rounds)
    table = []
    for k in range(period):
        may = [s for s, q in enumerate(rounds) if had[s] * period // q <= k]
        next_one = min(may, key=lambda s: -(-(had[s] + 1) * period // rounds[s]))
        table.append(next_one)
        had[next_one] += 1
    return table


def stream(
    sources: Sequence[Source],
    rounds: Sequence[int],
    *,
    num_lanes: int,
    stop: Stop,
    epoch: int,
) -> list[Row]:
    """Returns the global stream of one epoch, in rounds of num_lanes rows."""
    table = round_table(rounds)
    sizes = [sum(source.group_rows) for source in sources]
    own = [s.rows(i, epoch, num_lanes) for i, s in enumerate(sources)]
    had = [0] * len(sources)
    found: list[Row] = []
    while True:
        source = table[len(found) // num_lanes % len(table)]
        if stop == "first_exhausted" and had[source] == sizes[source]:
            return found
        found.append(next(own[source]))
        had[source] += 1
        if stop == "all_exhausted" and all(
            n >= size for n, size in zip(had, sizes, strict=True)
        ):
            return found
