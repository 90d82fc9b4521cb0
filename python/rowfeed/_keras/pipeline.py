# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What tf.data puts on top of a dataset."""

from __future__ import annotations

from typing import Any, Final

from rowfeed.tensorflow import ParquetDataset

# One batch for each batch, in order.
_ONE_TO_ONE: Final = (
    *("MapDataset", "ParallelMapDataset", "PrefetchDataset", "OptionsDataset"),
)


def source_of(dataset: Any) -> ParquetDataset:
    """Returns the dataset below a pipeline that keeps its batches."""
    source = dataset
    while not isinstance(source, ParquetDataset):
        name = type(source).__name__.lstrip("_")
        inputs: list[Any] = getattr(source, "_inputs", list)()
        if not inputs:
            raise TypeError(
                "dataset must be the rowfeed.tensorflow.ParquetDataset that fit trains "
                f"on, or a pipeline of map and prefetch over it; this comes from {name}"
            )
        if name not in _ONE_TO_ONE:
            raise ValueError(
                f"the pipeline over the dataset has a {name}, which may not keep "
                "batches one to one and in order: only map and prefetch do"
            )
        if _may_reorder(source, dataset):
            raise ValueError(
                "the pipeline over the dataset has a map with deterministic=False, "
                "which hands out batches as they get done: a backup could not tell "
                "which of them were trained on"
            )
        (source,) = inputs
    num_epochs = source.resolved.options.num_epochs
    if num_epochs != 1:
        raise ValueError(
            "each epoch of fit is one of the dataset, so num_epochs must be 1, not "
            f"{num_epochs}: give epochs to fit"
        )
    return source


def _may_reorder(step: Any, pipeline: Any) -> bool:
    order = getattr(step, "_deterministic", "true")  # Of a parallel map alone.
    if order == "default":
        return pipeline.options().deterministic is False
    return bool(order == "false")
