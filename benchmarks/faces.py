# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The candidates: rowfeed's faces, each with a consumer that touches every tensor."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

from datasets import DATASETS, Dataset
from harness import Epoch, count
from touch import touch_function, touch_op

from rowfeed import Ragged

# start(path, dataset, threads) opens the data and returns what consumes an epoch of it.
Start: TypeAlias = Callable[[Path, Dataset, int], Epoch]


@dataclass(frozen=True)
class Face:
    """A face of rowfeed.

    Attributes:
        module: What it is imported from.
        load: Called with the cache folder, off the clock, for the function to time.
        data: The data sets that it makes sense for, or all.
        num_lanes: Of its order.
    """

    module: str
    load: Callable[[Path], Start]
    data: Collection[str] = tuple(DATASETS)
    num_lanes: int = 1


NUM_EPOCHS = 10**6  # More than anybody waits for.


def keywords(dataset: Dataset, threads: int) -> dict[str, Any]:
    """Returns the options of ParquetDataset for shuffled epochs without end."""
    return {
        "batch_size": dataset.batch_size,
        "shuffle": True,
        "num_epochs": NUM_EPOCHS,
        "num_threads": threads,
        **dataset.order,
    }


def _numpy(cache: Path, num_lanes: int = 1) -> Start:
    import rowfeed

    touch = touch_function(cache)

    def start(path: Path, dataset: Dataset, threads: int) -> Epoch:
        options = keywords(dataset, threads) | {"num_lanes": num_lanes}
        batches = rowfeed.ParquetDataset(path, **options)
        return epochs(batches, lambda batch: touch(arrays(batch)))

    return start


def _torch(cache: Path) -> Start:
    import rowfeed.torch

    touch = touch_function(cache)

    def start(path: Path, dataset: Dataset, threads: int) -> Epoch:
        batches = rowfeed.torch.ParquetDataset(path, **keywords(dataset, threads))
        return epochs(batches, lambda batch: touch(arrays(batch)))

    return start


def epochs(batches: Any, touch: Callable[[dict[str, Any]], int]) -> Epoch:
    """Cuts one iteration into epochs, so that each is read ahead as in training."""
    steps = len(batches) // NUM_EPOCHS
    iterator = iter(batches)

    def parts() -> Iterator[tuple[int, int]]:
        for batch in islice(iterator, steps):
            yield num_rows(batch), touch(batch)

    return lambda: count(parts())


def num_rows(batch: dict[str, Any]) -> int:
    """Returns the rows of a batch of the NumPy or torch face."""
    first = next(iter(batch.values()))
    return len(first) if hasattr(first, "shape") else len(first.offsets) - 1


def arrays(batch: dict[str, Any]) -> list[Any]:
    """Returns all tensors of a batch: values and offsets of the ragged."""
    found: list[Any] = []
    for value in batch.values():
        if isinstance(value, Ragged):
            found += (value.values, value.offsets)
        else:
            found.append(value)
    return found


def _tensorflow(cache: Path) -> Start:
    import rowfeed.tensorflow

    touch = touch_op(cache)

    def start(path: Path, dataset: Dataset, threads: int) -> Epoch:
        options = keywords(dataset, threads)
        batches = rowfeed.tensorflow.ParquetDataset(path, **options)
        return graph_epoch(batches, batches.cardinality() // NUM_EPOCHS, touch)

    return start


def graph_epoch(batches: Any, steps: Any, touch: Any) -> Epoch:
    """Returns what consumes `steps` batches of a tf.data.Dataset in a tf.function."""
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


def _stacked(layout: Literal["rows", "columns"]) -> Callable[[Path], Start]:
    """Returns the NumPy face with two tensors: all floats, and all integers."""

    def load(cache: Path) -> Start:
        import rowfeed

        touch = touch_function(cache)

        def start(path: Path, dataset: Dataset, threads: int) -> Epoch:
            names: dict[str, list[str]] = {}
            for column in rowfeed.Catalog.open(path).schema:
                names.setdefault(column.dtype, []).append(column.name)
            stacks = {
                dtype: rowfeed.Stack(columns, layout=layout)
                for dtype, columns in names.items()
            }
            options = keywords(dataset, threads)
            batches = rowfeed.ParquetDataset(path, columns=stacks, **options)
            return epochs(batches, lambda batch: touch(_columns(batch)))

        return start

    def _columns(batch: dict[str, Any]) -> list[Any]:
        if layout == "rows":
            return list(batch.values())
        return [column for tensor in batch.values() for column in tensor.T]

    return load


FACES = {
    "rowfeed": Face("rowfeed", _numpy),
    "rowfeed.torch": Face("rowfeed.torch", _torch),
    "rowfeed.tensorflow": Face("rowfeed.tensorflow", _tensorflow),
    "rowfeed, stacked rows": Face("rowfeed", _stacked("rows"), data=["N"]),
    "rowfeed, stacked columns": Face("rowfeed", _stacked("columns"), data=["N"]),
    "rowfeed, 8 lanes": Face(
        "rowfeed", partial(_numpy, num_lanes=8), data=["N", "A"], num_lanes=8
    ),
}
