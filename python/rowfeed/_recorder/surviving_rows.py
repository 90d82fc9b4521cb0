# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the indices of the rows that a filter lets pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rowfeed._columns.column import Column
from rowfeed._columns.stack import Stack
from rowfeed._native import core
from rowfeed._options.make_parameters import make_parameters
from rowfeed._options.parameters import Parameters

# The columns that say where a row lies: its file, its row group, its row in that.
PLACE: Final[dict[str, Column | Stack]] = {
    name: Column(name) for name in ("__file", "__row_group", "__row")
}
_ROWS_PER_BATCH: Final = 1 << 16


def surviving_rows(parameters: Parameters) -> NDArray[np.int64]:
    """Returns the indices of the rows that a dataset's filter lets pass, ascending.

    It iterates over a dataset with the same filter whose only columns are `__file`,
    `__row_group` and `__row`, the place of each row. So their number becomes known too.

    Raises:
        ValueError: The files have a column with one of these three names.
    """
    catalog = parameters.catalog
    taken = {column.name for column in catalog.columns}.intersection(PLACE)
    if taken:
        raise ValueError(
            "the rows that a filter lets pass cannot be found: "
            f"{min(taken)!r} is a column"
        )
    options = replace(
        parameters.options,
        columns=PLACE,
        label=None,
        sample_weight=None,
        batch_size=_ROWS_PER_BATCH,
    )
    places = make_parameters(catalog, options)
    places.rows.load(parameters.rows.save())
    cursor = core.Cursor(
        [places.rows],
        first_epoch=0,
        num_threads=places.stream.num_threads,
        memory_budget_bytes=places.stream.memory_budget_bytes,
    )
    rows = np.empty(places.rows.num_rows(), np.int64)
    first_rows = np.cumsum([0, *catalog.group_rows])
    groups = _Groups(catalog)
    stream = core.BatchStream(cursor, places.stream)
    end = 0
    while (batch := stream.next()) is not None:
        file, row_group, row = (np.asarray(tensor) for tensor in batch[0])
        begin, end = end, end + len(row)
        rows[begin:end] = first_rows[groups.find(file, row_group)] + row
    stream.close()
    parameters.rows.load(places.rows.save())
    return rows


class _Groups:
    """Finds row groups of a catalog, which may have only some of a file's."""

    def __init__(self, catalog: core.Catalog) -> None:
        listed = [(file, index) for file, index, _ in catalog.row_groups]
        files, indices = np.array(listed, np.int64).reshape(-1, 2).T
        self._stride = int(indices.max(initial=0)) + 1
        self._keys = files * self._stride + indices  # These ascend.

    def find(self, file: NDArray[np.int32], index: NDArray[np.int32]) -> Any:
        """Returns the indices in the catalog of row groups, given by file and index."""
        return np.searchsorted(self._keys, file.astype(np.int64) * self._stride + index)
