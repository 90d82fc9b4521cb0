# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The rows of one source in the order of an epoch: of a dataset, or of a mixture."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._recorder.lane import Lane, Numbers, Places
from rowfeed._recorder.passing_rows import PassingRows


class SourceOrder:
    """Where the rows of an epoch's plan lie in the data, and the inverse of that."""

    def __init__(self, parameters: Parameters, rows: core.DatasetRows) -> None:
        """Takes the parameters of the source, and its rows in the epoch."""
        self.catalog = rows.catalog
        self._block_rows = parameters.stream.order.block_rows
        self._passing: PassingRows | None = None
        if parameters.options.condition is not None:
            self._passing = PassingRows(parameters.options, self.catalog)

    def places(self, plan: core.EpochPlan, rows: Numbers) -> tuple[Numbers, Numbers]:
        """Returns row group, as its index in the catalog, and row in the row group.

        Args:
            plan: Plan of the epoch, or of a lap of the source of a mixture.
            rows: Numbers of rows in the plan's stream.
        """
        found = Places(*(np.empty_like(rows) for _ in Places._fields))
        lanes = rows % plan.num_lanes
        for lane in np.unique(lanes).tolist():
            mine = lanes == lane
            of_lane = Lane(plan, lane).places(rows[mine] // plan.num_lanes)
            for whole, part in zip(found, of_lane, strict=True):
                whole[mine] = part
        if self._passing is None:
            return found.groups, found.rows
        return found.groups, self._among_all(found, self._passing)

    def find(self, plan: core.EpochPlan, group: int, row: int) -> int | None:
        """Returns the number in the plan's stream of a row; None if it has none.

        A row has none if the filter does not let it pass. The method is the inverse of
        `places`.
        """
        block = -1
        if self._passing is not None:
            block, begin, end = self._block_of(group, row)
            passing = self._passing.of_group(group)
            at = int(np.searchsorted(passing, row))
            if at == len(passing) or passing[at] != row:
                return None
            assert begin <= row < end
            row = at - int(np.searchsorted(passing, begin))
        for lane in range(plan.num_lanes):
            found = Lane(plan, lane).find(group, row, block)
            if found is not None:
                return found * plan.num_lanes + lane
        return None

    def _among_all(self, places: Places, passing: PassingRows) -> Numbers:
        """Returns the indices in their row groups of rows that pass the filter."""
        passing.read(np.unique(places.groups).tolist())
        rows = np.empty_like(places.rows)
        for block in np.unique(places.blocks).tolist():
            mine = places.blocks == block
            group = int(places.groups[mine][0])
            begin, _ = self._rows_of_part(group, block - self._first_blocks[group])
            of_group = passing.of_group(group)
            first = int(np.searchsorted(of_group, begin))
            rows[mine] = of_group[first + places.rows[mine]]
        return rows

    @cached_property
    def _first_blocks(self) -> list[int]:
        """Index of the first block of each row group among all blocks."""
        parts = [self._num_parts(n) for n in self.catalog.group_rows.tolist()]
        found: list[int] = np.cumsum([0, *parts[:-1]]).tolist()
        return found

    def _num_parts(self, group_rows: int) -> int:
        """Returns the number of blocks of a row group, as the order cuts it."""
        return -(-group_rows // (self._block_rows or group_rows or 1))

    def _rows_of_part(self, group: int, part: int) -> tuple[int, int]:
        """Returns the rows [begin, end) of a row group that are one of its blocks."""
        rows = int(self.catalog.group_rows[group])
        parts = self._num_parts(rows)
        return rows * part // parts, rows * (part + 1) // parts

    def _block_of(self, group: int, row: int) -> tuple[int, int, int]:
        """Returns the block that has a row, and the rows [begin, end) of the block."""
        rows = int(self.catalog.group_rows[group])
        part = ((row + 1) * self._num_parts(rows) - 1) // rows
        return self._first_blocks[group] + part, *self._rows_of_part(group, part)
