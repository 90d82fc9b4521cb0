# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`exact_loss`: the right loss of `Model.evaluate` for batches with fill rows."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from rowfeed._keras.pipeline import source_of


def exact_loss(dataset: Any) -> Any:
    """Returns a padded dataset with weights that make the loss of `evaluate` exact.

    Keras divides the sum of the weighted losses by the number of rows of a batch, fill
    rows included, so that with remainder="pad" the loss is too small. This function
    multiplies every weight by (rows and fill rows of an epoch) / (rows of an epoch).
    The loss is then the mean over the rows, to the precision of float32.
    `weighted_metrics` are exact with and without it; `metrics` count fill rows as rows.

    Args:
        dataset: A `rowfeed.tensorflow.ParquetDataset` with a `label`, or a pipeline of
            `map` and `prefetch` over it, with elements `(features, label, weight)`.
            With remainder="uneven" there are no fill rows, and the dataset is returned
            as it is.

    Raises:
        TypeError: `dataset` is neither a `ParquetDataset` nor a pipeline over one.
        ValueError: The elements have no weight, the remainder is neither "pad" nor
            "uneven", or the data grows, so that the number of its rows is not known.

    Example:
        >>> held = ParquetDataset(
        ...     "test", 256, label="y", remainder="pad"
        ... )  # doctest: +SKIP
        >>> model.evaluate(exact_loss(held))  # doctest: +SKIP
    """
    source = source_of(dataset)
    parameters = source._parameters
    delivery = parameters.stream.delivery
    if parameters.options.growth is not None:
        raise ValueError(
            "exact_loss needs to know the rows of an epoch, and with refresh they are "
            "not known before: weighted_metrics are exact"
        )
    if delivery.remainder == "uneven":
        return dataset
    if delivery.remainder != "pad":
        raise ValueError(
            f"exact_loss is for remainder='pad': {delivery.remainder!r} evaluates "
            "other rows than those of an epoch"
        )
    spec = dataset.element_spec
    if not isinstance(spec, tuple) or len(spec) != 3:
        raise ValueError(
            "exact_loss needs elements (features, label, weight): give the dataset a "
            "label, and keep the weight in a map"
        )
    epoch = parameters.options.first_epoch
    rows = parameters.epochs.rows_in(epoch)
    factor = parameters.steps_in(epoch) * delivery.global_batch / rows if rows else 1.0

    def scaled(features: Any, label: Any, weight: Any) -> Any:
        return features, label, weight * tf.cast(factor, weight.dtype)

    return dataset.map(scaled)
