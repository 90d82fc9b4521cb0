# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a dataset's iterations have done, in numbers: the names of `rowfeed.stats`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from rowfeed._stats.counts import ColumnStats, Counts
from rowfeed._stats.words import in_words

_NO_SUMS = ("num_threads", "memory_budget_bytes", "columns", "filter")


@dataclass(frozen=True)
class Sums(Counts):
    """What was done in some time. `str` says in words what it was limited by."""

    def __str__(self) -> str:
        """Says what limits, and what would help."""
        return in_words(self)


@dataclass(frozen=True)
class EpochStats(Sums):
    """What was done from the beginning of an epoch to its end.

    Work counts when it is done: the first windows of an epoch that were loaded while
    the one before ended are in the one before. Epochs that two iterations read at the
    same time have each other's work.

    Attributes:
        epoch: Its number.
    """

    epoch: int


@dataclass(frozen=True)
class Stats(Sums):
    """What was done since the dataset was made, in this process, and what there is now.

    Attributes:
        bytes_in_flight: That count in the budget now: windows, and batches that were
            not yet handed over.
        peak_bytes_in_flight: The most that they have been.
        queued_tasks: That wait for a thread.
        running_tasks: Threads that are busy.
        epochs: The latest 16 that were delivered to their last batch, oldest first.

    Example:
        >>> for batch in dataset:  # doctest: +SKIP
        ...     train(batch)
        >>> print(dataset.stats())  # doctest: +SKIP
        The model waited for data 31 % of the time; decoding column `text` (zstd) is ...
        >>> dataset.stats().columns["text"].decompress_seconds  # doctest: +SKIP
    """

    bytes_in_flight: int
    peak_bytes_in_flight: int
    queued_tasks: int
    running_tasks: int
    epochs: tuple[EpochStats, ...]

    def since(self, before: Stats) -> Sums:
        """Returns what was done after `before` was taken from the same dataset.

        Raises:
            ValueError: `before` has more than this: it is of another dataset, or of
                this one before `load_state_dict` gave it another order.
        """
        if before.batches > self.batches or before.busy_seconds > self.busy_seconds:
            raise ValueError(
                f"{before.batches} batches were delivered before, of now "
                f"{self.batches}: these are not stats of the same dataset"
            )
        numbers = {
            field.name: getattr(self, field.name) - getattr(before, field.name)
            for field in fields(Sums)
            if field.name not in _NO_SUMS
        }
        columns = {
            name: _difference(column, before.columns.get(name, ColumnStats()))
            for name, column in self.columns.items()
        }
        return Sums(
            num_threads=self.num_threads,
            memory_budget_bytes=self.memory_budget_bytes,
            columns=columns,
            filter=_difference(self.filter, before.filter),
            **numbers,
        )


def _difference(now: ColumnStats, before: ColumnStats) -> ColumnStats:
    numbers: dict[str, Any] = {
        field.name: getattr(now, field.name) - getattr(before, field.name)
        for field in fields(ColumnStats)
        if field.name != "codec"
    }
    return ColumnStats(codec=now.codec, **numbers)


for _public in (ColumnStats, Sums, EpochStats, Stats):
    _public.__module__ = "rowfeed.stats"  # Users and pickles know them by this name.
