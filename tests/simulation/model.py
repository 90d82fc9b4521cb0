# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The stream of an epoch by the models of the order, with filters, splits and mixtures.

Nothing here calls the library: a stream follows from the case's description alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from tests.simulation import mixed
from tests.simulation.rows import File, groups_of, maybe
from tests.simulation.xxh3 import of_number, xxh3

from order_model import Plan, Random, cut_into_blocks

_WORD = 2**64 - 1
Source = dict[str, Any]  # An entry of `sources` in a case: draw.py has its fields.


def passes(condition: list[Any] | None, row: int) -> bool:
    """Returns whether a row passes a filter; `ranks.filter_of` has it in full."""
    if condition is None:
        return True
    kind, *numbers = condition
    if kind == "below":
        return row < int(numbers[0])
    if kind == "bits":
        return row & int(numbers[0]) == int(numbers[1])
    if kind == "among":
        return row in numbers[0]
    if kind == "null":
        return maybe(row) is None
    raise ValueError(f"the filter {condition!r} is unknown")


def is_in(split: dict[str, Any] | None, row: int, place: tuple[File, int, int]) -> bool:
    """Returns whether a row is in a split; a place is file, row group and row."""
    if split is None:
        return True
    seed, (file, group, index) = split["seed"], place
    if split["by"] is not None:
        value = row if split["by"] == "id" else maybe(row)
        h = xxh3(b"", ~seed & _WORD) if value is None else of_number(value, seed)
    else:
        h = xxh3(file["name"].encode(), seed)
        if split["unit"] != "file":
            h = of_number(group, h)
        if split["unit"] == "row":
            h = of_number(index, h)
    least, end = int(split["begin"] * 2**63), int(split["end"] * 2**63)
    is_between = least <= h >> 1 and (h >> 1 < end or split["end"] == 1)
    return is_between is not bool(split["inverted"])


def blocks_of(source: Source, files: list[File]) -> list[list[int]]:
    """Returns the ids of the rows that are left in each block, in catalog order."""
    block_rows = source["order"]["block_rows"]
    found = []
    for number, (file, group, ids) in enumerate(groups_of(files)):
        if number in source["excluded"]:
            continue
        for begin, end in cut_into_blocks([len(ids)], block_rows):
            found.append(
                [
                    ids[i]
                    for i in range(begin, end)
                    if passes(source["filter"], ids[i])
                    and is_in(source["split"], ids[i], (file, group, i))
                ]
            )
    return found


def default_window(source: Source, files: list[File]) -> int:
    """Returns the documented default: eight times the median row group."""
    groups = enumerate(groups_of(files))
    rows = [len(ids) for n, (_, _, ids) in groups if n not in source["excluded"]]
    rows = sorted(filter(None, rows))
    return 8 * rows[len(rows) // 2] if rows else 1


class Order(NamedTuple):
    """What the sources of a run have in common, as their states have it."""

    num_lanes: int
    pinned_epoch: int | None
    windows: tuple[int, ...]  # The shuffle window of each source.


def _plan(source: Source, sizes: list[int], order: Order, **changed: Any) -> Plan:
    fields = {**source["order"], "block_rows": None, **changed}
    return Plan(sizes, num_lanes=order.num_lanes, **fields)


class _Lap:
    """A source of a mixture in the form that mixed.py asks for."""

    def __init__(self, source: Source, blocks: list[list[int]], order: Order) -> None:
        self.num_rows = sum(map(len, blocks))
        self._source, self._blocks, self._order = source, blocks, order

    def rows(self, index: int, epoch: int) -> Iterator[int]:
        ids = [row for block in self._blocks for row in block]
        for lap in count():
            seed = Random(3, self._source["order"]["seed"], index, lap).next()
            sizes = list(map(len, self._blocks))
            window = self._order.windows[index]
            changes = {"seed": seed, "epoch": epoch, "shuffle_window": window}
            plan = _plan(self._source, sizes, self._order, **changes)
            yield from (ids[row] for row in plan.stream())


def stream(
    case: dict[str, Any], files: list[list[File]], order: Order, epoch: int
) -> list[int]:
    """Returns the ids of the rows of an epoch, in the order of its global stream.

    Args:
        case: The case.
        files: Files that the epoch has of each source.
        order: Order options in force.
        epoch: Number of the epoch.
    """
    sources, mixture = case["sources"], case["mixture"]
    if order.pinned_epoch is not None:
        epoch = order.pinned_epoch
    blocks = [blocks_of(s, f) for s, f in zip(sources, files, strict=True)]
    if mixture is not None:
        laps = [_Lap(s, b, order) for s, b in zip(sources, blocks, strict=True)]
        return mixed.stream(laps, mixture, order.num_lanes, epoch)
    (source,), (own,) = sources, blocks
    sizes = list(map(len, own))
    window = order.windows[0]
    plan = _plan(source, sizes, order, epoch=epoch, shuffle_window=window)
    ids = [row for block in own for row in block]
    return [ids[row] for row in plan.stream()]


def least_rows(case: dict[str, Any]) -> int:
    """Returns the fewest rows of a source; an epoch of a mixture has no fewer."""
    sizes = [sum(map(len, blocks_of(s, s["files"]))) for s in case["sources"]]
    return min(sizes)
