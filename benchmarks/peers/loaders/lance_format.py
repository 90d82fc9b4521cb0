# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Lance: the rows in its own format, which it reads with threads of its own.

By windows: runs of as many rows as a row group has, shuffled as by_hand.py does it with
Parquet. Any rows: a permutation of the whole data set, taken a batch at a time through
its torch data set: random access is what the format is made for. Its own samplers
shuffle fragments or whole batches, never the rows of one; its own conversion to tensors
knows no strings and no lists of any length.
"""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.peers.loaders import Open, Setup, by_hand
from benchmarks.peers.loaders.columns import arrays_of, tensors_of


def convert(setup: Setup) -> None:
    """Writes the files, unless they are there."""
    folder = setup.converted("lance")
    if folder.exists():
        return
    lance = importlib.import_module("lance")
    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    file = pq.ParquetFile(setup.path)
    rows = pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches())
    lance.write_dataset(rows, str(unfinished))
    unfinished.rename(folder)


def load(*, windows: bool = False) -> Open:
    """Imports lance and torch."""
    importlib.import_module("lance.torch.data")
    return _windows if windows else _any_rows


def _windows(setup: Setup) -> Iterator[Any]:
    rows = importlib.import_module("lance").dataset(str(setup.converted("lance")))
    size = setup.dataset.group_rows

    def read(runs: list[int]) -> pa.Table:
        parts = [rows.to_table(offset=run * size, limit=size) for run in runs]
        return pa.concat_tables(parts)

    plan = by_hand.windows(-(-rows.count_rows() // size), setup.epochs)
    for batch in by_hand.batches_of(plan, read, setup.dataset.batch_size):
        yield tensors_of(by_hand.ready(batch))


def _any_rows(setup: Setup) -> Iterator[Any]:
    data = importlib.import_module("lance.torch.data")
    rows = data.LanceDataset(
        str(setup.converted("lance")),
        batch_size=setup.dataset.batch_size,
        sampler=_any_rows_sampler(),
        to_tensor_fn=lambda batch, **_: tensors_of(arrays_of(batch)),
    )
    for _ in range(setup.epochs):
        yield from rows


def _any_rows_sampler() -> Any:
    sampler = importlib.import_module("lance.sampler")

    class AnyRows(sampler.Sampler):  # type: ignore[misc,name-defined]
        epoch = -1

        def __call__(
            self, dataset: Any, *_: Any, batch_size: int, columns: Any, **__: Any
        ) -> Iterator[pa.RecordBatch]:
            self.epoch += 1
            random = np.random.default_rng(self.epoch)
            order = random.permutation(dataset.count_rows())
            for begin in range(0, len(order), batch_size):
                rows = order[begin : begin + batch_size].tolist()
                table = dataset.take(rows, columns=columns)
                yield table.combine_chunks().to_batches()[0]

    return AnyRows()
