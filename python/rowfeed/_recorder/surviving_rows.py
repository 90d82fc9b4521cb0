# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the indices of the rows that a filter lets pass, for filtered rows by index."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rowfeed._columns.column import Column
from rowfeed._native import core
from rowfeed._options.make_parameters import make_parameters
from rowfeed._options.parameters import Parameters

_PLACE: Final = ("__file", "__row_group", "__row")
_ROWS_PER_BATCH: Final = 1 << 16


def surviving_rows(parameters: Parameters) -> NDArray[np.int64]:
    """Returns the indices of the rows that a dataset's filter lets pass, ascending.

    It iterates over a dataset with the same filter whose only columns are `__file`,
    `__row_group` and `__row`, the place of each row. So their number becomes known too.

    Raises:
        ValueError: The files have a column with one of these three names.
    """
    catalog = parameters.catalog
    taken = {column.name for column in catalog.columns}.intersection(_PLACE)
    if taken:
        raise ValueError(
            f"rows by index cannot be filtered: {min(taken)!r} is a column"
        )
    options = replace(
        parameters.options,
        columns={name: Column(name) for name in _PLACE},
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
    first_groups = _first_groups(catalog)
    stream = core.BatchStream(cursor, places.stream)
    end = 0
    while (batch := stream.next()) is not None:
        file, row_group, row = (np.asarray(tensor) for tensor in batch[0])
        begin, end = end, end + len(row)
        rows[begin:end] = first_rows[first_groups[file] + row_group] + row
    stream.close()
    parameters.rows.load(places.rows.save())
    return rows


def _first_groups(catalog: core.Catalog) -> NDArray[np.int64]:
    """Returns the index of each file's first row group among those of all files."""
    files: Any = [file for file, *_ in catalog.row_groups]
    return np.searchsorted(files, np.arange(len(catalog.files)))
