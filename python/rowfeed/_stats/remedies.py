# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What could be changed in the options and files of one dataset, with values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Remedies:
    """Changes that make sense for one dataset; 0, "" and None stand for none known.

    Attributes:
        room_bytes: Memory budget with which the next window is read ahead.
        most_budget_bytes: Largest memory budget that is advised.
        shuffle_window: Smaller window with which the first batch waits for half as
            much, or less.
        smaller_blocks: Options of smaller blocks with which it does.
        larger_blocks: Options of blocks that do not read their pages many times.
        smaller_groups: Number of rows in the row groups of rewritten files with which
            the first batch waits for half as much, or less.
        larger_groups: Number of rows in row groups that are large enough.
        group_rows: Median of the numbers of rows in the row groups.
        group_bytes: Mean of the numbers of bytes that are read of a row group.
        num_row_groups: Number of row groups that an epoch reads.
        num_files: Number of files that an epoch reads.
        epoch_batches: Number of batches in an epoch.
        has_all_columns: Whether `columns` was left out.
        has_partitions: Whether the names of directories have values.
    """

    room_bytes: int = 0
    most_budget_bytes: int | None = None
    shuffle_window: int = 0
    smaller_blocks: str = ""
    larger_blocks: str = ""
    smaller_groups: int = 0
    larger_groups: int = 0
    group_rows: int = 0
    group_bytes: int = 0
    num_row_groups: int = 0
    num_files: int = 0
    epoch_batches: int = 0
    has_all_columns: bool = False
    has_partitions: bool = False


class FoundLater:
    """Remedies that are found when they are first asked for; pickling asks too."""

    def __init__(
        self, find: Callable[[], Remedies], found: Remedies | None = None
    ) -> None:
        """Takes the function that finds them, or what it has found."""
        self._find, self._found = find, found

    def __call__(self) -> Remedies:
        """Returns the remedies."""
        if self._found is None:
            self._found = self._find()
        return self._found

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles what was found, without the dataset."""
        return FoundLater, (Remedies, self())
