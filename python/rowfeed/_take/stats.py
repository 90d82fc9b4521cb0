# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What takes of rows by index have done, in numbers: see `rowfeed.take_stats`."""

from __future__ import annotations

from dataclasses import dataclass

from rowfeed._stats.counts import ColumnStats
from rowfeed._stats.json import parse


@dataclass(frozen=True)
class TakeStats:
    """What the takes of a dataset by index have cost, in this process.

    Times are in seconds; those of threads that work at once are added up.

    Attributes:
        num_threads: That read and decode.
        memory_budget_bytes: For what is kept.
        kept_bytes: What is kept now: decoded rows, and where pages lie.
        takes: That were delivered; `dataset[i]` is one.
        rows: That were delivered.
        take_seconds: That callers waited for them; of takes at once, the sum.
        busy_seconds: Of the threads. What is gathered from rows that were kept is done
            by the caller, and is not in it.
        columns: By name: bytes, reads, and seconds reading, decompressing, decoding and
            gathering. Of data elsewhere (URIs) each read is a request, and its seconds
            are those of the network.

    Example:
        >>> rows = ParquetMapDataset("data", columns=["user"])  # doctest: +SKIP
        >>> batch = rows.take([7, 3, 7])  # doctest: +SKIP
        >>> rows.stats().rows  # doctest: +SKIP
        3
    """

    num_threads: int
    memory_budget_bytes: int
    kept_bytes: int
    takes: int
    rows: int
    take_seconds: float
    busy_seconds: float
    columns: dict[str, ColumnStats]

    @property
    def read_bytes(self) -> int:
        """That were asked of the storage, of all columns."""
        return sum(column.read_bytes for column in self.columns.values())

    @property
    def requests(self) -> int:
        """Reads that they were asked in."""
        return sum(column.requests for column in self.columns.values())


TakeStats.__module__ = "rowfeed.take_stats"  # Users and pickles know it by this name.


def parse_takes(data: bytes) -> TakeStats:
    """Reads what the kernel says of takes: JSON, as `rowfeed._stats.json.parse`."""
    said = parse(data)
    return TakeStats(
        num_threads=said.num_threads,
        memory_budget_bytes=said.memory_budget_bytes,
        kept_bytes=said.bytes_in_flight,
        takes=said.batches,
        rows=said.rows,
        take_seconds=said.wait_seconds,
        busy_seconds=said.busy_seconds,
        columns=said.columns,
    )
