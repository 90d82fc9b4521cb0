# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Filters of small files: the rows that a dataset delivers under them."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from rowfeed import ParquetDataset

F = pc.field
NAN = float("nan")

# pyarrow 18 has no decimal64, and writes no views.
_MAJOR = int(pa.__version__.partition(".")[0])
VIEW = pa.string_view() if _MAJOR >= 21 else pa.string()
DECIMAL64 = getattr(pa, "decimal64", pa.decimal128)


def write(path: Path, table: pa.Table, **writing: Any) -> Path:
    limit = "max_rows_per_page"  # New in pyarrow 24, or shortly before it.
    if limit in writing and limit not in inspect.signature(pq.write_table).parameters:
        pytest.skip(f"pyarrow {pa.__version__} has no {limit}")
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, **writing)
    return path


def passing(path: Path, expression: Any, **options: Any) -> list[int]:
    """The rows, by number, that a dataset delivers of each row group."""
    dataset = ParquetDataset(path, 1000, columns=["row"], filter=expression, **options)
    return [int(row) for batch in dataset for row in batch["row"]]
