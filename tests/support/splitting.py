# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A data set to split, and the rows that a dataset has of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rowfeed import ParquetDataset

FILE_ROWS = 600
USERS = 40


def write(path: Path, first: int, user: pa.DataType) -> None:
    ids = np.arange(first, first + FILE_ROWS)
    users = [None if i % 50 == 0 else int(i * 7 % USERS) for i in ids]
    table = pa.table(
        {
            "id": ids,
            "user": pa.array(users, pa.int64()).cast(user),
            "name": [None if u is None else f"user {u}" for u in users],
            "score": pa.array([u and u / 4 for u in users], pa.float64()),
        }
    )
    pq.write_table(table, path, row_group_size=100)


def write_files(folder: Path) -> Path:
    """Writes three files of 6 row groups with 100 rows each."""
    for i in range(3):
        write(folder / f"{i + 1}.parquet", i * FILE_ROWS, pa.int64())
    return folder


def ids_of(paths: Any, **options: Any) -> list[int]:
    options.setdefault("columns", ["id"])
    batches = ParquetDataset(paths, 64, **options)
    return [int(i) for batch in batches for i in np.asarray(batch["id"])]
