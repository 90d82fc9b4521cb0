# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Explanation`: what an epoch of a dataset will do, as numbers and as a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rowfeed._sheet.sheet import Content, Sheet
from rowfeed._sheet.shown import Shown
from rowfeed._sheet.text import counted, sized


@dataclass(frozen=True, repr=False)
class Explanation(Shown):
    """Result of `dataset.explain()`, which prints as a few lines.

    All numbers are those of one rank, and of an epoch from its beginning. They come
    from the footers and from arithmetic. A number that is not known is None, and
    `unknown` says why.

    Attributes:
        dataset: Public name of the dataset's class.
        epoch: Number of the epoch.
        num_files: Number of files that the epoch reads.
        num_row_groups: Number of row groups that the epoch reads.
        read_bytes: Number of bytes of column chunks that the epoch reads, as they are
            stored. A row group counts twice if two windows have rows of it. The bytes
            of footers and page indexes do not count.
        is_read_exact: Whether `read_bytes` and `first_batch_bytes` are no estimates.
            They are estimates if only some pages of large chunks are read, as with a
            filter or `block_rows`, because footers do not tell where pages lie.
        first_batch_bytes: Part of `read_bytes` that is read before the first batch.
        num_requests: Number of requests that fetch `read_bytes` from stores, an
            estimate where `read_bytes` is one. 0 for local files.
        window_memory_bytes: Memory of the largest window.
        least_memory_bytes: Memory without which no batch can be made.
        read_ahead_memory_bytes: Memory with which the next window is loaded while
            batches are made of the ones before; it includes `least_memory_bytes`.
        memory_budget_bytes: Memory budget in force: what was given, or the default.
        peak_memory_bytes: Memory by which the process grows in the iteration, an
            estimate for a loop that keeps one batch and is slower than loading. In a
            loop that waits for its batches the process grows by less, for these leave
            the kernel as soon as they are loaded. What a `transform`, a framework and
            a few megabytes of threads take is not in it.
        machine_memory_bytes: Memory of the machine.
        available_memory_bytes: Memory that the machine has left at this moment. None
            if the operating system does not tell.
        cgroup_limit_bytes: Memory that the process's container may use. None if there
            is no limit.
        num_lanes: Number of lanes of the data set.
        num_windows: Number of windows that the epoch loads.
        window_rows: Median of the numbers of rows that the windows have.
        window_blocks: Median of the numbers of blocks that the windows have.
        row_groups_per_batch: Number of different row groups in a batch, the mean that
            the order makes likely. None for mixtures, and if there is no whole batch.
        files_per_batch: Number of different files in a batch, like
            `row_groups_per_batch`.
        displacement_rows: Number of rows by which the shuffle within windows moves a
            row on average, counted over the rows of all ranks. It is 0 without shuffle,
            and None where `row_groups_per_batch` is None.
        passing_rows: Number of rows that the filter and the split let pass. None if
            there is neither of them, and if the rows are not counted yet.
        excluded_row_groups: Number of row groups that are not read, because none of
            their rows passes. None if `passing_rows` is None.
        decided_rows: Numbers of rows by what told whether they pass: "places"
            (directories, and the place of a row group), "statistics" of footers, "bloom
            filters", "page indexes", and "values", which were read to count. None if
            `passing_rows` is None, and if several ranks have counted the same rows.
        copied_bytes: Bytes that a copy of the passing rows alone would have, an
            estimate. None if `passing_rows` is None.
        by_index_bytes: Bytes that a `rowfeed.ParquetMapDataset` with the same filter
            reads for all passing rows while its `memory_budget_bytes` has room for
            them, an estimate. None if `passing_rows` is None.
        num_steps: Number of batches that the rank gets.
        unknown: Sentences that say why numbers are None; "" if all are known.
        advice: Sentences about what the numbers give reason to change, each with the
            option to paste, or with the page that shows the way.
    """

    dataset: str
    epoch: int
    num_files: int | None
    num_row_groups: int | None
    read_bytes: int | None
    is_read_exact: bool
    first_batch_bytes: int | None
    num_requests: int | None
    window_memory_bytes: int
    least_memory_bytes: int
    read_ahead_memory_bytes: int
    memory_budget_bytes: int
    peak_memory_bytes: int
    machine_memory_bytes: int
    available_memory_bytes: int | None
    cgroup_limit_bytes: int | None
    num_lanes: int
    num_windows: int | None
    window_rows: int | None
    window_blocks: int | None
    row_groups_per_batch: float | None
    files_per_batch: float | None
    displacement_rows: float | None
    passing_rows: int | None
    excluded_row_groups: int | None
    decided_rows: Mapping[str, int] | None
    copied_bytes: int | None
    by_index_bytes: int | None
    num_steps: int | None
    unknown: str
    advice: tuple[str, ...]

    def _sheet(self) -> Sheet:
        entries: list[tuple[str, Content]] = [
            ("epoch", f"{self.epoch}, {self._steps()}"),
            *self._reading(),
            *self._filter(),
            *self._mixing(),
            ("memory", self._memory()),
            ("machine", self._machine()),
        ]
        if self.unknown:
            entries.append(("not known", self.unknown))
        advice = [(sentence,) for sentence in self.advice]
        entries.append(("advice", advice or "none: the numbers give no reason for any"))
        return Sheet(f"explanation of {self.dataset}", entries)

    def _steps(self) -> str:
        if self.num_steps is None:
            return "with a number of steps that is not known"
        return counted(self.num_steps, "step")

    def _reading(self) -> list[tuple[str, Content]]:
        if self.read_bytes is None or self.first_batch_bytes is None:
            return []
        about = "" if self.is_read_exact else "about "
        files = counted(self.num_files or 0, "file")
        groups = counted(self.num_row_groups or 0, "row group")
        reads = f"{about}{sized(self.read_bytes)} of {groups} in {files}"
        if self.num_requests:
            reads += f", with {about}{counted(self.num_requests, 'request')}"
        return [
            ("reads", reads),
            ("first batch", f"waits for {about}{sized(self.first_batch_bytes)}"),
        ]

    def _filter(self) -> list[tuple[str, Content]]:
        if self.passing_rows is None or self.excluded_row_groups is None:
            return []
        groups = counted(self.excluded_row_groups, "row group")
        verb = "has" if self.excluded_row_groups == 1 else "have"
        passing = f"{counted(self.passing_rows, 'row')} pass; {groups} {verb} none"
        found: list[tuple[str, Content]] = [("passing", passing)]
        decided = {by: rows for by, rows in (self.decided_rows or {}).items() if rows}
        if decided:
            parts = [f"{counted(rows, 'row')} by {by}" for by, rows in decided.items()]
            found.append(("decided", ", ".join(parts)))
        return found

    def _mixing(self) -> list[tuple[str, Content]]:
        if not self.num_windows:
            return []
        rows, blocks = self.window_rows or 0, self.window_blocks or 0
        windows = f"{counted(self.num_windows, 'window')} of {counted(rows, 'row')}"
        found: list[tuple[str, Content]] = [
            (
                "windows",
                f"{windows} in {counted(blocks, 'block')}; num_lanes={self.num_lanes}",
            )
        ]
        groups, files = self.row_groups_per_batch, self.files_per_batch
        moves = self.displacement_rows
        if groups is not None and files is not None and moves is not None:
            order = f"the shuffle moves a row by {moves:,.0f} rows on average"
            found.append(
                (
                    "mixing",
                    f"a batch has rows of {groups:,.1f} row groups and {files:,.1f} "
                    f"files; {order if moves else 'rows are not shuffled'}",
                )
            )
        return found

    def _memory(self) -> str:
        return (
            f"the process grows by about {sized(self.peak_memory_bytes)}; "
            f"{sized(self.memory_budget_bytes)} is the budget; "
            f"{sized(self.least_memory_bytes)} are needed, and "
            f"{sized(self.read_ahead_memory_bytes)} to read ahead; a window has "
            f"{sized(self.window_memory_bytes)}"
        )

    def _machine(self) -> str:
        found = [sized(self.machine_memory_bytes)]
        if self.available_memory_bytes is not None:
            found.append(f"{sized(self.available_memory_bytes)} left")
        if self.cgroup_limit_bytes is None:
            found.append("no limit of a container")
        else:
            found.append(f"the container may use {sized(self.cgroup_limit_bytes)}")
        return "; ".join(found)
