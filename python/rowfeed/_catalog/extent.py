# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The size of a data set in words."""

from __future__ import annotations

from rowfeed._native import core
from rowfeed._sheet.text import counted


def extent_of(catalog: core.Catalog) -> str:
    """Returns the numbers of files, row groups and rows in words."""
    return ", ".join(
        [
            counted(len(catalog.footer_digests), "file"),  # `files` would copy paths.
            counted(len(catalog.group_rows), "row group"),
            counted(catalog.num_rows, "row"),
        ]
    )
