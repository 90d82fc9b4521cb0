# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""mosaicml-streaming: its own MDS files, of the first row groups, under a DataLoader.

Its shuffle is the default one, in blocks of as many rows as a window of row groups has.
Workers read single rows, and stack them to batches.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.peers.loaders import WINDOW_GROUPS, Open, Setup
from benchmarks.peers.loaders.columns import is_bytes, is_list
from benchmarks.peers.loaders.rows import (
    batch_of,
    kinds_of,
    numbers_of,
    others_of,
    rows_of,
)

MAX_GROUPS = 3 * WINDOW_GROUPS


def convert(setup: Setup) -> None:
    """Writes the files, unless they are there."""
    folder = setup.converted("mds")
    if folder.exists():
        return
    streaming = _library()
    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    file = pq.ParquetFile(setup.path)
    columns = _encodings(kinds_of(setup.path))
    with streaming.MDSWriter(out=str(unfinished), columns=columns) as writer:
        for group in range(min(file.num_row_groups, MAX_GROUPS)):
            for row in rows_of(file.read_row_group(group)):
                writer.write(row)
    unfinished.rename(folder)


def load(*, workers: int) -> Open:
    """Imports streaming."""
    streaming = _library()

    def batches(setup: Setup) -> Iterator[Any]:
        streaming.base.util.clean_stale_shared_memory()
        size = setup.dataset.batch_size
        kinds = kinds_of(setup.path)
        rows = streaming.StreamingDataset(
            local=str(setup.converted("mds")),
            shuffle=True,
            shuffle_block_size=setup.window_rows,
            batch_size=size,
        )
        loader = streaming.StreamingDataLoader(
            rows,
            batch_size=size,
            num_workers=workers,
            collate_fn=lambda rows: batch_of(rows, kinds),
            persistent_workers=True,
        )
        for _ in range(setup.epochs):
            yield from loader

    return batches


def _library() -> Any:
    """Imports the package without its data sets of images and texts.

    They are not needed here, and want a torchvision that fits the torch that is here.
    """
    for name in ("vision", "text", "multimodal"):
        sys.modules.setdefault(f"streaming.{name}", ModuleType(name))
    return importlib.import_module("streaming")


def _encodings(kinds: Mapping[str, pa.DataType]) -> dict[str, str]:
    numbers = numbers_of(kinds)
    encodings = {name: _encoding(kinds[name]) for name in others_of(numbers, kinds)}
    for kind, names in numbers.items():
        dtype = kinds[names[0]].to_pandas_dtype().__name__
        encodings[kind] = f"ndarray:{dtype}:{len(names)}"
    return encodings


def _encoding(kind: pa.DataType) -> str:
    if is_bytes(kind):
        return "str" if kind == pa.string() else "bytes"
    if is_list(kind):
        return f"ndarray:{kind.value_type.to_pandas_dtype().__name__}"
    return f"ndarray:{kind.value_type.to_pandas_dtype().__name__}:{kind.list_size}"
