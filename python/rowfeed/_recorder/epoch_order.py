# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The order of one epoch of a dataset, by the kernel's plan: no data is read for it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np

from rowfeed._mix.mixture_parameters import MixtureParameters
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._recorder.lane import Numbers
from rowfeed._recorder.source_order import SourceOrder


class EpochOrder:
    """Finds the place of each row of the data in an epoch's stream, and the inverse.

    Attributes:
        num_rows: Number of rows of the epoch, on all ranks together.
        catalogs: Catalog of each source in the epoch.
    """

    def __init__(self, parameters: Parameters, epoch: int) -> None:
        """Plans an epoch, whose rows are counted if need be.

        Raises:
            OSError: A file that a filter has to read is gone, or cannot be read.
            ValueError: The data grows, and the epoch is not known here.
        """
        rows = parameters.epochs.rows_of(epoch)
        parts = parameters.parts
        self._sources = [
            SourceOrder(part, own) for part, own in zip(parts, rows, strict=True)
        ]
        rounds, stop = [], ""
        if isinstance(parameters, MixtureParameters):
            rounds, stop = parameters.rounds_in(epoch), parameters.stop
        orders = [part.stream.order for part in parts]
        pinned = parameters.stream.pinned_epoch
        self._plan = core.StreamPlan.make(
            list(zip(rows, orders, strict=True)),
            rounds,
            stop,
            epoch if pinned is None else pinned,
        )
        self.num_rows = self._plan.num_rows
        self.catalogs = [source.catalog for source in self._sources]

    def places(self, rows: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Returns source, row group and row of the row group, each [rows].

        Args:
            rows: Numbers of rows in the stream, in [0, num_rows).

        Returns:
            Index of the source, index of the row group in its catalog, and index of the
            row in the row group.
        """
        sources, own = self._plan.sources_of(rows).T
        groups, found = np.empty_like(rows), np.empty_like(rows)
        for source in np.unique(sources).tolist():
            lap_rows = self._plan.lap(source, 0).num_rows
            laps = own // lap_rows
            for lap in np.unique(laps[sources == source]).tolist():
                mine = (sources == source) & (laps == lap)
                plan = self._plan.lap(source, lap)
                groups[mine], found[mine] = self._sources[source].places(
                    plan, own[mine] - lap * lap_rows
                )
        return sources, groups, found

    def find(
        self, source: int, group: int, row: int, end: int | None = None
    ) -> Iterator[int]:
        """Yields the numbers in the stream of a row of the data.

        There is none if a filter leaves the row out, and there may be several in a
        mixture, in which a source that is exhausted begins anew.

        Args:
            source: Index of the source.
            group: Index of the row group in the source's catalog.
            row: Index of the row in the row group.
            end: Row of the stream at which the search ends. Default: the end of the
                epoch.
        """
        end = self.num_rows if end is None else min(end, self.num_rows)
        if end == 0:
            return
        lap_rows = self._plan.lap(source, 0).num_rows
        for lap in count():
            if self._plan.row_of(source, lap * lap_rows) >= end:
                return
            plan = self._plan.lap(source, lap)
            in_lap = self._sources[source].find(plan, group, row)
            if in_lap is None:
                return
            found = self._plan.row_of(source, lap * lap_rows + in_lap)
            if found < end:
                yield found
