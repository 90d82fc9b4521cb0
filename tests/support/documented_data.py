# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The data sets that README.md and the pages of docs/ read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS_PER_FILE = 4000


def write_data(folder: Path) -> None:
    """Writes the data set that the documents call "data"."""
    random = np.random.default_rng(0)
    folder.mkdir()
    for part in range(4):
        user = np.arange(part * ROWS_PER_FILE, (part + 1) * ROWS_PER_FILE)
        price = random.uniform(0, 20, len(user)).astype(np.float32)
        vector = random.standard_normal((len(user), 8), np.float32)
        offsets = np.cumsum([0, *random.integers(0, 5, len(user))])
        tags = random.integers(0, 99, offsets[-1]).astype(np.int32)
        table = pa.table(
            {
                "user": user,
                "price": pa.array(price, mask=random.random(len(user)) < 0.1),
                "title": [f"Item {i}" for i in user],
                "tags": pa.ListArray.from_arrays(offsets.astype(np.int32), tags),
                "vector": pa.FixedSizeListArray.from_arrays(vector.ravel(), 8),
                "clicked": (vector[:, 0] > 0).astype(np.float32),
            }
        )
        pq.write_table(table, folder / f"part-{part}.parquet", row_group_size=1000)


def write_nested(folder: Path) -> None:
    """Writes the data set that the documents call "nested"."""
    folder.mkdir()
    rows = [
        {"user": {"address": {"city": city}}, "text": {"tokens": list(range(size))}}
        for size, city in enumerate(["Bern", "Oslo", "Porto", "Riga"])
    ]
    pq.write_table(pa.Table.from_pylist(rows), folder / "part.parquet")
