# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""rowfeed's candidates: each of its datasets, with a consumer that touches tensors."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from benchmarks.batches import arrays, num_rows
from benchmarks.datasets import DATASETS, Dataset
from benchmarks.harness import Epoch, count
from benchmarks.touch import touch_function, touch_op

from rowfeed import Catalog, Stack

NUM_EPOCHS = 10**6  # More epochs than any measurement consumes.

# start(path, dataset, threads) opens the data and returns a function that consumes one
# epoch of it.
Start: TypeAlias = Callable[[Path, Dataset, int], Epoch]
Layout: TypeAlias = Literal["rows", "columns"]


@dataclass(frozen=True)
class Face:
    """A dataset class of rowfeed (NumPy's, PyTorch's or TensorFlow's) with options.

    Attributes:
        module: Module that has the class.
        data: Data sets for which the candidate makes sense.
        num_lanes: Number of lanes of the order.
        layout: Layout of stacks, one for all columns of each dtype. None for columns
            that are not stacked.
    """

    module: str
    data: Collection[str] = tuple(DATASETS)
    num_lanes: int = 1
    layout: Layout | None = None

    def load(self, cache: Path) -> Start:
        """Imports and compiles what is needed; returns the function to time."""
        importlib.import_module(self.module)
        consumed = self._consumer(cache)

        def start(path: Path, dataset: Dataset, threads: int) -> Epoch:
            return consumed(self.open(path, dataset, threads))

        return start

    def open(
        self, path: Path, dataset: Dataset, threads: int, num_epochs: int = NUM_EPOCHS
    ) -> Any:
        """Opens the data; returns the batches of `num_epochs` shuffled epochs."""
        options = keywords(dataset, threads)
        options |= {"num_epochs": num_epochs, "num_lanes": self.num_lanes}
        if self.layout is not None:
            options["columns"] = stacks(path, self.layout)
        return importlib.import_module(self.module).ParquetDataset(path, **options)

    def _consumer(self, cache: Path) -> Callable[[Any], Epoch]:
        """Returns a function from endless batches to one that consumes an epoch."""
        if self.module == "rowfeed.tensorflow":
            op = touch_op(cache)
            return lambda batches: graph_epoch(
                batches, batches.cardinality() // NUM_EPOCHS, op
            )
        touch = touch_function(cache)
        tensors = _strided if self.layout == "columns" else arrays
        return lambda batches: epochs(batches, lambda batch: touch(tensors(batch)))


def keywords(dataset: Dataset, threads: int) -> dict[str, Any]:
    """Returns the options of ParquetDataset for shuffled epochs without end."""
    return {
        "batch_size": dataset.batch_size,
        "shuffle": True,
        "num_epochs": NUM_EPOCHS,
        "num_threads": threads,
        **dataset.order,
    }


def stacks(path: Path, layout: Layout) -> dict[str, Stack]:
    """Returns a stack for each dtype of a file of numbers, with its columns."""
    names: dict[str, list[str]] = {}
    for column in Catalog.open(path).schema:
        names.setdefault(column.dtype, []).append(column.name)
    return {dtype: Stack(columns, layout=layout) for dtype, columns in names.items()}


def epochs(batches: Any, touch: Callable[[dict[str, Any]], int]) -> Epoch:
    """Returns a function that consumes the next epoch of one long iteration.

    So each epoch is read ahead as in a training.
    """
    steps = len(batches) // NUM_EPOCHS
    iterator = iter(batches)

    def parts() -> Iterator[tuple[int, int]]:
        for batch in islice(iterator, steps):
            yield num_rows(batch), touch(batch)

    return lambda: count(parts())


def _strided(batch: dict[str, Any]) -> list[Any]:
    """Returns all tensors as NumPy arrays, whose strides touch() understands."""
    return [np.asarray(tensor) for tensor in batch.values()]


def graph_epoch(batches: Any, steps: Any, touch: Any) -> Epoch:
    """Returns a function that consumes `steps` batches of a tf.data.Dataset in a graph.

    The graph is that of a tf.function.
    """
    import tensorflow as tf

    iterator = iter(batches)

    @tf.function  # type: ignore[untyped-decorator]
    def epoch(steps: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        rows = size = tf.constant(0, tf.int64)
        for _ in tf.range(steps):
            tensors = tf.nest.flatten(next(iterator), expand_composites=True)
            size += touch(tensors=tensors)
            rows += tf.shape(tensors[0], tf.int64)[0]
        return rows, size

    def run() -> tuple[int, int]:
        rows, size = epoch(steps)
        return int(rows), int(size)

    return run


FACES = {
    "rowfeed": Face("rowfeed"),
    "rowfeed.torch": Face("rowfeed.torch"),
    "rowfeed.tensorflow": Face("rowfeed.tensorflow"),
    "rowfeed, stacked rows": Face("rowfeed", ["N"], layout="rows"),
    "rowfeed, stacked columns": Face("rowfeed", ["N"], layout="columns"),
    "rowfeed.torch, stacked columns": Face("rowfeed.torch", ["N"], layout="columns"),
    "rowfeed, 8 lanes": Face("rowfeed", ["N", "A"], num_lanes=8),
}
