# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The stream of a mixture whose sources have filters: mixture_model.py, with ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from mixture_model import round_table


class Lap(Protocol):
    """A source: the number of its rows, and its own epochs, end to end."""

    num_rows: int

    def rows(self, index: int, epoch: int) -> Iterator[int]:
        """Yields the ids of the source's own stream, without an end."""


def stream(
    sources: Sequence[Lap], mixture: dict[str, Any], num_lanes: int, epoch: int
) -> list[int]:
    """Returns the ids of one epoch; `mixture` has the rounds and where it stops."""
    table, stop = round_table(mixture["weights"]), mixture["stop"]
    own = [source.rows(i, epoch) for i, source in enumerate(sources)]
    had = [0] * len(sources)
    found: list[int] = []
    while True:
        index = table[len(found) // num_lanes % len(table)]
        if stop == "first_exhausted" and had[index] == sources[index].num_rows:
            return found
        found.append(next(own[index]))
        had[index] += 1
        if stop == "all_exhausted" and all(
            n >= source.num_rows for n, source in zip(had, sources, strict=True)
        ):
            return found
