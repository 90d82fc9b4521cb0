# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Filters of small files: the rows that a dataset delivers under them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from rowfeed import ParquetDataset

F = pc.field
NAN = float("nan")


def write(path: Path, table: pa.Table, **writing: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, **writing)
    return path


def passing(path: Path, expression: Any, **options: Any) -> list[int]:
    """The rows, by number, that a dataset delivers of each row group."""
    dataset = ParquetDataset(path, 1000, columns=["row"], filter=expression, **options)
    return [int(row) for batch in dataset for row in batch["row"]]
