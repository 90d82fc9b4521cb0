# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that each difference between files in their columns has been settled.

A difference is settled if the user's `Column` says what to deliver in spite of it, as
`fill` does for files that lack the column.
"""

from __future__ import annotations

from collections.abc import Sequence

from rowfeed._columns.column import Column
from rowfeed._columns.pasted import fixes_in, naming_line
from rowfeed._columns.patterns import asked_of
from rowfeed._native import core


def check(native: core.Catalog, columns: Sequence[Column] | None) -> None:
    """Refuses columns in which the files differ, unless their `Column` settles it.

    Args:
        native: Catalog of the files.
        columns: Columns that the user asked for. None if the user named none, which
            means all columns, without any that settles a difference.

    Raises:
        ValueError: A difference is not settled. The message names each such column, its
            types, their files and what to give, and has the line to paste.
    """
    differ = sorted({column for _, column, _ in native.differences})
    specs = []
    for index in differ:
        found = native.columns[index]
        if columns is None and found.is_added_index:
            continue  # Datasets deliver an index that pandas stored only if named.
        specs.append(asked_of(found, columns or ())._column_spec(native))
    with naming_line(columns):
        core.check_settled(specs, native)


def fixes(native: core.Catalog) -> dict[str, str]:
    """Returns what to give for columns in which files differ; see `pasted.line_of`."""
    try:
        check(native, None)
    except ValueError as error:
        return fixes_in(str(error))
    return {}
