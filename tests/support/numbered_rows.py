# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Small data sets of numbered rows; expected orders come from order_model.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

GROUP_ROWS = [40, 25, 0, 1, 64, 33, 40, 17, 30]
NUM_ROWS = sum(GROUP_ROWS)


def write_numbers(directory: Path, group_rows: list[int], num_files: int = 3) -> Path:
    """Writes rows numbered in catalog order: id, half = id / 2, even, name, parts."""
    directory.mkdir(parents=True, exist_ok=True)
    base = 0
    for f in range(num_files):
        writer = None
        for rows in group_rows[f::num_files]:
            ids = np.arange(base, base + rows)
            table = pa.table(
                {
                    "id": pa.array(ids, pa.int64()),
                    "half": pa.array(ids / 2, pa.float32()),
                    "even": pa.array(ids % 2 == 0, pa.bool_()),
                    "name": pa.array([f"row {i}" for i in ids], pa.string()),
                    "parts": pa.array(
                        [[i] * (i % 4) for i in ids], pa.list_(pa.int32())
                    ),
                }
            )
            if writer is None:
                writer = pq.ParquetWriter(directory / f"{f}.parquet", table.schema)
            writer.write_table(table)
            base += rows
        if writer is not None:
            writer.close()
    return directory


def group_rows_of(num_files: int = 3) -> list[int]:
    """Returns GROUP_ROWS in the order in which `write_numbers` lays them out."""
    return [n for f in range(num_files) for n in GROUP_ROWS[f::num_files]]
