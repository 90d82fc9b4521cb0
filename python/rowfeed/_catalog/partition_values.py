# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What directories called `key=value` say of the columns that they are."""

from __future__ import annotations

from rowfeed._catalog.footer_statistics import Known
from rowfeed._catalog.rows import CatalogRows
from rowfeed._columns.column import Column


def known_of_directories(catalog: CatalogRows) -> dict[str, Known]:
    """Returns nulls and bounds of the columns that directories are, by their names.

    No file is opened for it.
    """
    native = catalog._native
    names = [column.name for column in native.columns if column.is_partition]
    first: dict[int, int] = {}  # The first row of each file that has rows.
    rows: dict[int, int] = {}  # The number of rows of each such file.
    start = 0
    for file, _, group_rows in native.row_groups:
        if group_rows:
            first.setdefault(file, start)
            rows[file] = rows.get(file, 0) + group_rows
        start += group_rows
    if not names or not first:
        return {}
    columns = [Column(name, mask=True) for name in names]
    taken = catalog.take(list(first.values()), columns)
    found = {}
    for name in names:
        is_valid = taken[f"{name}__mask"].tolist()
        counts = zip(rows.values(), is_valid, strict=True)
        values = [
            value
            for value, valid in zip(taken[name].tolist(), is_valid, strict=True)
            if valid
        ]
        bounds = (min(values), max(values)) if values else None
        nulls = sum(count for count, valid in counts if not valid)
        found[name] = Known(nulls, bounds, is_empty=not values)
    return found
