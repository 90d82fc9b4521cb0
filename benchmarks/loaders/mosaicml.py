# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""mosaicml-streaming: its own MDS files, of the first row groups, under a DataLoader.

Its shuffle is the default one, in blocks of as many rows as a window of row groups has.
Workers hand over single rows, which torch stacks to batches.
"""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from loaders import WINDOW_GROUPS, Open, Setup

MAX_GROUPS = 3 * WINDOW_GROUPS


def convert(setup: Setup) -> None:
    """Writes the files, unless they are there."""
    folder = setup.converted("mds")
    if folder.exists():
        return
    streaming = importlib.import_module("streaming")
    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    file = pq.ParquetFile(setup.path)
    columns = {field.name: _encoding(field.type) for field in file.schema_arrow}
    with streaming.MDSWriter(out=str(unfinished), columns=columns) as writer:
        for group in range(min(file.num_row_groups, MAX_GROUPS)):
            for batch in file.read_row_group(group).to_batches(4096):
                arrays = [_array(column) for column in batch.columns]
                for row in zip(*arrays, strict=True):
                    writer.write(dict(zip(columns, row, strict=True)))
    unfinished.rename(folder)


def load() -> Open:
    """Imports streaming."""
    streaming = importlib.import_module("streaming")

    def batches(setup: Setup) -> Iterator[Any]:
        streaming.base.util.clean_stale_shared_memory()
        size = setup.dataset.batch_size
        rows = streaming.StreamingDataset(
            local=str(setup.converted("mds")),
            shuffle=True,
            shuffle_block_size=setup.window_rows,
            batch_size=size,
        )
        loader = streaming.StreamingDataLoader(
            rows, batch_size=size, num_workers=setup.threads
        )
        for _ in range(setup.epochs):
            yield from loader

    return batches


def _encoding(kind: pa.DataType) -> str:
    if pa.types.is_fixed_size_list(kind):
        return f"ndarray:{kind.value_type.to_pandas_dtype().__name__}:{kind.list_size}"
    return str(kind.to_pandas_dtype().__name__)


def _array(column: pa.Array) -> np.ndarray[Any, Any]:
    if pa.types.is_fixed_size_list(column.type):
        return column.flatten().to_numpy().reshape(len(column), -1)
    return column.to_numpy()
