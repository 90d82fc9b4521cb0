# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The count of the rows that a filter lets pass, with its lines in the log."""

from __future__ import annotations

from collections.abc import Callable

from rowfeed._catalog.filters import Filter
from rowfeed._native import core
from rowfeed._process.log import logged
from rowfeed._sheet.text import clipped


def count_rows(
    rows: core.DatasetRows,
    condition: Filter,
    total: int,
    is_abandoned: Callable[[], bool] | None = None,
) -> int:
    """Returns the number of rows that pass; counts and logs it if it is not known.

    Args:
        rows: Rows of a data set.
        condition: Filter that `rows` were made with.
        total: Number of all rows, for the log.
        is_abandoned: Function that tells whether to give up. Default: never.
    """
    if rows.is_known:
        return rows.num_rows(is_abandoned)
    with logged(
        f"counting the rows that {clipped(condition.text)} lets pass",
        lambda: f"{rows.num_rows()} of {total} rows",
    ):
        return rows.num_rows(is_abandoned)
