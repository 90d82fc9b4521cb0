# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The public classes of `rowfeed.stats`: counts of a dataset, with advice as text."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from rowfeed._process.public_names import publish
from rowfeed._sheet.sheet import Sheet
from rowfeed._sheet.shown import Shown
from rowfeed._stats.counts import ColumnStats, Counts
from rowfeed._stats.entries import entries_of
from rowfeed._stats.words import in_words

_NO_SUMS = (
    *("num_threads", "memory_budget_bytes", "num_epochs", "_remedies"),
    *("columns", "filter"),
)


class Sums(Shown, Counts):
    """Counts of some span of time. `str` says in words what limited the loading."""

    def __str__(self) -> str:
        """Returns sentences that say what limits the loading, and what would help."""
        return in_words(self)

    def _sheet(self) -> Sheet:
        title = f"{type(self).__module__}.{type(self).__name__}"
        return Sheet(title, entries_of(self), has_all="columns")


@dataclass(frozen=True, repr=False)
class EpochStats(Sums):
    """Counts from the beginning of an epoch to its end.

    Work counts in the epoch that was running when it was done. So the first windows of
    an epoch that were loaded ahead, while the epoch before ended, count in the epoch
    before. If two iterations read two epochs at the same time, the counts of each epoch
    include the work of the other.

    Attributes:
        epoch: Number of the epoch.
    """

    epoch: int

    def _sheet(self) -> Sheet:
        sheet = super()._sheet()
        return replace(sheet, entries=[("epoch", f"{self.epoch}"), *sheet.entries])


@dataclass(frozen=True, repr=False)
class Stats(Sums):
    """Counts since the dataset was made, in this process, and its state at this moment.

    Attributes:
        bytes_in_flight: Number of bytes that now count in the memory budget: those of
            windows, and of batches that were not yet handed over.
        peak_bytes_in_flight: Highest value that `bytes_in_flight` ever had.
        queued_tasks: Number of tasks that wait for a thread, those that fetch included.
        running_tasks: Number of threads of the pool that are busy.
        epochs: Counts of the latest 16 epochs that were delivered to their last batch,
            oldest first.

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
        """Returns the counts of the time after `before`, stats of the same dataset.

        Raises:
            ValueError: The counts of `before` are higher than these. So it belongs to
                another dataset, or to this one before `load_state_dict` gave the
                dataset another order.
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
            num_epochs=self.num_epochs,
            _remedies=self._remedies,
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


publish("rowfeed.stats", ColumnStats, Sums, EpochStats, Stats)
