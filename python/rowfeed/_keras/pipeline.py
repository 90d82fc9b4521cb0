# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the dataset below a pipeline of tf.data."""

from __future__ import annotations

from typing import Any, Final

from rowfeed.tensorflow import ParquetDataset

# The steps of tf.data that return one batch for each batch, in order.
_ONE_TO_ONE: Final = (
    *("MapDataset", "ParallelMapDataset", "PrefetchDataset", "OptionsDataset"),
)


def source_of(dataset: Any) -> ParquetDataset:
    """Returns the dataset below a pipeline that keeps its batches and their order.

    Raises:
        TypeError: There is no `ParquetDataset` of TensorFlow below.
        ValueError: A step may change the batches or their order, or the dataset has
            `num_epochs` other than 1.
    """
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
    num_epochs = source._parameters.options.num_epochs
    if num_epochs != 1:
        raise ValueError(
            "each epoch of fit is one of the dataset, so num_epochs must be 1, not "
            f"{num_epochs}: give epochs to fit"
        )
    return source


def _may_reorder(step: Any, pipeline: Any) -> bool:
    order = getattr(step, "_deterministic", "true")  # Only parallel maps have it.
    if order == "default":
        return pipeline.options().deterministic is False
    return bool(order == "false")
