# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Measures how well batches mix the rows of a file that is sorted by its labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

# Labels with equally many rows each: a batch has at most log2(10) = 3.32 bits.
NUM_LABELS = 10


def label_entropy(path: Path, **order: Any) -> float:
    """Returns the mean entropy of the labels of a batch, in bits.

    The labels are those of a copy of the file that is sorted by them: they go by the
    places of the rows in it. An epoch of places is read, whatever the columns are.

    Args:
        path: Path of the Parquet file.
        order: Order options of ParquetDataset, and `batch_size`.
    """
    import rowfeed

    metadata = pq.read_metadata(path)
    sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    begins = np.cumsum([0, *sizes])
    columns = ["__row_group", "__row"]
    with rowfeed.ParquetDataset(path, columns=columns, **order) as dataset:
        places = (begins[b["__row_group"]] + b["__row"] for b in dataset)
        bits = [_entropy(rows * NUM_LABELS // begins[-1]) for rows in places]
    return float(np.mean(bits))


def _entropy(labels: np.ndarray[Any, Any]) -> float:
    _, counts = np.unique(labels, return_counts=True)
    share = counts / len(labels)
    return float(-(share * np.log2(share)).sum())
