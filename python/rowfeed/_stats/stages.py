# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The stages of loading, of which one takes most of the threads' time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from rowfeed._stats.counts import ColumnStats, Counts

_HALF: Final = 0.5


class Stage(NamedTuple):
    """A stage, and the column whose name it has.

    Attributes:
        name: What the threads do in it.
        seconds: Time of all threads.
        column: Name of the column that takes over half of this time; "" for none.
        is_reading: Whether threads wait for storage in it.
        is_filter: Whether it is the filter.
    """

    name: str
    seconds: float
    column: str = ""
    is_reading: bool = False
    is_filter: bool = False


def longest_stage(stats: Counts) -> Stage:
    """Returns the stage that takes most of the threads' time."""
    return max(_stages(stats), key=lambda stage: stage.seconds)


def _stages(stats: Counts) -> Iterable[Stage]:
    yield Stage("reading", stats.read_seconds, is_reading=True)
    decoding = _of_columns(
        "decoding", stats, lambda c: c.decompress_seconds + c.decode_seconds
    )
    codec = stats.columns[decoding.column].codec if decoding.column else ""
    yield decoding._replace(name=f"{decoding.name} ({codec})") if codec else decoding
    yield _of_columns("gathering", stats, lambda c: c.gather_seconds)
    filtering = stats.filter.decompress_seconds + stats.filter.decode_seconds
    yield Stage("the filter", filtering, is_filter=True)
    yield Stage("shuffling", stats.shuffle_seconds)
    yield Stage("putting batches together", stats.assemble_seconds)


def _of_columns(
    verb: str, stats: Counts, seconds_of: Callable[[ColumnStats], float]
) -> Stage:
    """Returns a stage summed over columns, named after one that takes over half."""
    total = sum(map(seconds_of, stats.columns.values()))
    for name, column in stats.columns.items():
        if len(stats.columns) == 1 or seconds_of(column) > _HALF * total:
            return Stage(f"{verb} column `{name}`", total, name)
    return Stage(f"{verb} {len(stats.columns)} columns", total)
