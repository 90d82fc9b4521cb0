# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Old names of modules that have moved, for pickles that earlier versions wrote."""

from __future__ import annotations

import sys
from typing import Final

# For each module name in old pickles, the module that has its classes now.
_MOVED: Final = {
    "catalog": "_catalog.catalog",
    "catalog_entries": "_catalog.entries",
    "description": "_catalog.description",
    "features": "_columns.column",
    "filters": "_catalog.filters",
    "layout": "_columns.layout",
    "map_dataset": "_take.map_dataset",
    "mixed": "_mix.mixed",
    "numpy_dataset": "_stream.numpy_dataset",
    "options": "_options.options",
    "ragged": "_columns.ragged",
    "resolved": "_options.resolved",
    "stack": "_columns.stack",
    "string_encodings": "_columns.string_encodings",
}


def keep_old_names() -> None:
    """Lets `pickle` find modules, which must be loaded, by their earlier names."""
    for old, new in _MOVED.items():
        sys.modules[f"rowfeed.{old}"] = sys.modules[f"rowfeed.{new}"]
