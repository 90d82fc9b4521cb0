# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Rows for a SampleWriter, and what readers find of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import rowfeed

SCHEMA = {"id": "int64", "state": ("float32", (3,))}


def rows_of(begin: int, end: int) -> dict[str, Any]:
    ids = np.arange(begin, end)
    return {"id": ids, "state": np.repeat(ids, 3).reshape(-1, 3).astype(np.float32)}


def ids_in(directory: Path) -> list[int]:
    ids: list[int] = rowfeed.Catalog.open(directory).take(slice(None))["id"].tolist()
    return ids
