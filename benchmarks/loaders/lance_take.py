# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Lance: the rows in its own format, through its torch data set and a sampler.

Its own samplers shuffle fragments or whole batches, never the rows of one. So this one
takes any rows at all, a batch at a time, of a permutation of the whole data set: random
access is what the format is made for. Lance reads with threads of its own, no workers;
its own conversion to tensors knows no strings and no lists of any length.
"""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from loaders import Open, Setup
from loaders.columns import arrays_of, tensors_of


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


def load() -> Open:
    """Imports lance and torch."""
    data = importlib.import_module("lance.torch.data")
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

    def batches(setup: Setup) -> Iterator[Any]:
        rows = data.LanceDataset(
            str(setup.converted("lance")),
            batch_size=setup.dataset.batch_size,
            sampler=AnyRows(),
            to_tensor_fn=lambda batch, **_: tensors_of(arrays_of(batch)),
        )
        for _ in range(setup.epochs):
            yield from rows

    return batches
