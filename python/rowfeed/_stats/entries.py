# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The lines in which statistics show themselves: the main numbers, then the advice."""

from __future__ import annotations

from collections.abc import Mapping

from rowfeed._sheet.sheet import Content
from rowfeed._sheet.text import clipped, counted
from rowfeed._stats.counts import ColumnStats, Counts
from rowfeed._stats.words import in_words


def entries_of(stats: Counts) -> list[tuple[str, Content]]:
    """Returns the entries of a sheet for counts of some span of time."""
    waited = f"{stats.wait_seconds:.3g} s of {stats.elapsed_seconds:.3g} s"
    batches = f"{stats.batches:,} batch{'' if stats.batches == 1 else 'es'}"
    return [
        ("delivered", f"{counted(stats.rows, 'row')} in {batches}"),
        ("time", f"the consumer waited {waited}"),
        ("read", f"{stats.read_bytes:,} bytes in {stats.requests:,} requests"),
        ("threads", f"{stats.num_threads}, busy {100 * stats.busy_share:.0f} %"),
        ("advice", in_words(stats)),
        ("columns", rows_of_columns(stats.columns)),
    ]


def rows_of_columns(columns: Mapping[str, ColumnStats]) -> list[tuple[str, ...]]:
    """Returns a row for each column, the slowest first."""
    ordered = sorted(columns.items(), key=lambda pair: -pair[1].seconds)
    return [
        (
            clipped(name),
            column.codec or "uncompressed",
            f"{column.read_bytes:,} bytes",
            f"{column.seconds:.3g} s",
        )
        for name, column in ordered
    ]
