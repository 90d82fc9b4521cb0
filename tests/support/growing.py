# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A directory whose files come and go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import rowfeed

FILE_ROWS = 60
SHUFFLED: dict[str, Any] = {"shuffle": True, "seed": 3, "shuffle_window": 80}


class Folder:
    """Numbered files of FILE_ROWS rows, in row groups of 25: id and what is made of it.

    Attributes:
        path: Where they are.
        snapshots: Beside it, where to keep what epochs were.
    """

    def __init__(self, path: Path, *files: int) -> None:
        self.path, self.snapshots = path / "data", path / "snapshots"
        self.path.mkdir()
        for number in files:
            self.write(number)

    def write(self, number: int) -> None:
        """Adds a file, complete from the beginning."""
        temporary = self.path / f"{number}.parquet.tmp"
        pq.write_table(table(number), temporary, row_group_size=25)
        temporary.rename(self.path / f"{number}.parquet")

    def remove(self, number: int) -> None:
        (self.path / f"{number}.parquet").unlink()

    def keywords(self) -> dict[str, Any]:
        """Returns what makes a dataset of them one that grows."""
        return {"refresh": "epoch", "snapshot_dir": self.snapshots}


def table(number: int) -> pa.Table:
    ids = ids_of(number)
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "half": pa.array(ids / 2, pa.float32()),
            "name": pa.array([f"row {i}" for i in ids]),
            "parts": pa.array([[i] * (i % 3) for i in ids], pa.list_(pa.int32())),
        }
    )


def ids_of(*numbers: int) -> Any:
    """Returns the ids of the rows of files, sorted."""
    parts = [np.arange(n * FILE_ROWS, (n + 1) * FILE_ROWS) for n in sorted(numbers)]
    return np.concatenate(parts)


def dataset_of(folder: Folder, **keywords: Any) -> rowfeed.ParquetDataset:
    given = {"columns": ["id"], **SHUFFLED, **folder.keywords(), **keywords}
    return rowfeed.ParquetDataset(folder.path, given.pop("batch_size", 16), **given)


def rows_of(batches: Any) -> list[int]:
    return [row for batch in batches for row in batch["id"].tolist()]
