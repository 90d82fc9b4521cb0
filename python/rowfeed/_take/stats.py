# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Counts and times of taking rows by index; users import `rowfeed.take_stats`."""

from __future__ import annotations

from dataclasses import dataclass

from rowfeed._process.public_names import publish
from rowfeed._sheet.sheet import Sheet
from rowfeed._sheet.shown import Shown
from rowfeed._sheet.text import counted
from rowfeed._stats.counts import ColumnStats
from rowfeed._stats.entries import rows_of_columns
from rowfeed._stats.json import parse


@dataclass(frozen=True, repr=False)
class TakeStats(Shown):
    """Counts and times of a dataset by index, summed over its takes in this process.

    Times are in seconds, summed over threads that work at once.

    Attributes:
        num_threads: Number of threads that read and decode.
        memory_budget_bytes: Limit of the memory for decoded rows that are kept.
        kept_bytes: Size of what is kept now: decoded rows, and positions of pages.
        takes: Number of takes delivered. Each `dataset[i]` is a take.
        rows: Number of rows delivered.
        take_seconds: Time that callers waited for their takes, summed over callers.
        busy_seconds: Time in which the threads worked. Copying kept rows into the
            element is done by the caller, and does not count here.
        columns: Bytes, reads and times of each column, by its name in the files. For
            remote files (URIs) each read is a request, and its time is that of the
            network.

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
        """Number of bytes requested from the storage for all columns."""
        return sum(column.read_bytes for column in self.columns.values())

    @property
    def requests(self) -> int:
        """Number of reads for all columns."""
        return sum(column.requests for column in self.columns.values())

    def _sheet(self) -> Sheet:
        takes = counted(self.takes, "take")
        return Sheet(
            "rowfeed.take_stats.TakeStats",
            [
                ("taken", f"{counted(self.rows, 'row')} in {takes}"),
                ("time", f"callers waited {self.take_seconds:.3g} s for them"),
                ("read", f"{self.read_bytes:,} bytes in {self.requests:,} requests"),
                ("kept", f"{self.kept_bytes:,} of {self.memory_budget_bytes:,} bytes"),
                ("columns", rows_of_columns(self.columns)),
            ],
        )


publish("rowfeed.take_stats", TakeStats)


def parse_takes(data: bytes) -> TakeStats:
    """Makes `TakeStats` of the JSON text in which the kernel reports its takes."""
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
