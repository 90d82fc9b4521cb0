# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the graph of a tf.data.Dataset holds of a data set."""

from __future__ import annotations

import os
from typing import Any, Final

import numpy as np
import tensorflow as tf

from rowfeed._catalog.paths import absolute
from rowfeed._native import core
from rowfeed._options.resolved import Resolved
from rowfeed._tensorflow.ops import ops

# What a component of an element is made of if it is not a column: see element.h.
_VALID: Final = -1
_WEIGHT: Final = -2


def make_variant(resolved: Resolved, cursor_name: str, spec: Any) -> Any:
    """Returns the tensor that is the dataset: its op with all that the graph holds."""
    layout = resolved.layout
    leaves = tf.nest.flatten(spec)
    ragged = [isinstance(leaf, tf.RaggedTensorSpec) for leaf in leaves]
    catalogs = resolved.catalogs
    files = [file for catalog in catalogs for file in catalog.files]
    return ops.rowfeed_parquet_dataset(
        paths=[absolute(path) for path, *_ in files],
        names=[os.fsencode(name) for _, name, *_ in files],
        partitions=[
            partitions for catalog in catalogs for partitions in catalog.partitions
        ],
        options=resolved.stream.serialize(),
        group_rows=np.concatenate([catalog.group_rows for catalog in catalogs]),
        fingerprints=[catalog.fingerprint for catalog in catalogs],
        num_files=[len(catalog.files) for catalog in catalogs],
        num_groups=[len(catalog.group_rows) for catalog in catalogs],
        first_epoch=resolved.options.first_epoch,
        cursor_name=cursor_name,
        components=tf.nest.flatten(
            layout.arrange(range(len(resolved.outputs)), _VALID, lambda _: _WEIGHT)
        ),
        batched=not resolved.single,
        output_types=[
            tf.variant if is_ragged else leaf.dtype
            for leaf, is_ragged in zip(leaves, ragged, strict=True)
        ],
        output_shapes=[
            tf.TensorShape(None) if is_ragged else leaf.shape
            for leaf, is_ragged in zip(leaves, ragged, strict=True)
        ],
    )


def element_spec(resolved: Resolved) -> Any:
    """Returns an element with its types in the place of tensors."""
    batch = [] if resolved.single else [resolved.static_batch_size]
    return resolved.layout.arrange(
        [_column_spec(column, batch) for column in resolved.outputs],
        tf.TensorSpec(batch, tf.bool),
        lambda _: tf.TensorSpec(batch, tf.float32),
    )


def _column_spec(column: core.Column, batch: list[int | None]) -> Any:
    is_bytes = column.dtype in ("string", "binary")
    dtype = tf.string if is_bytes else tf.as_dtype(column.dtype)
    lists = [None] * column.ragged_rank
    shape = [*batch, *lists, *column.dense_shape]
    # A row that is a list of elements is a tensor.
    ragged_rank = column.ragged_rank if batch else column.ragged_rank - 1
    if ragged_rank < 1:
        return tf.TensorSpec(shape, dtype)
    return tf.RaggedTensorSpec(
        shape, dtype, ragged_rank=ragged_rank, row_splits_dtype=tf.int64
    )


def options_of(resolved: Resolved) -> Any:
    """Returns the options that a dataset asks tf.data for.

    They hold for every step of the pipeline on top, so only those are here without
    which rows would be left out.
    """
    options = tf.data.Options()
    if resolved.options.world_size > 1:
        policy = tf.data.experimental.AutoShardPolicy.OFF
        options.experimental_distribute.auto_shard_policy = policy
    return options


def without_prefetch(dataset: Any) -> Any:
    """Returns the dataset as it is iterated where there is no step on top.

    The kernel reads ahead by itself. Of what an injected prefetch holds, `state_dict()`
    would say that it is delivered, and checkpoints would have the rows.
    """
    options = tf.data.Options()
    options.experimental_optimization.inject_prefetch = False
    return dataset.with_options(options)


def keeper_of(dataset: Any) -> Any:
    """Returns what lives as long as iterations over the dataset may begin.

    In the trace of a function that is the outermost function's graph: the dataset
    itself goes when the trace is made.
    """
    keeper = dataset
    graph = None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
    while (outer := getattr(graph, "outer_graph", None)) is not None:
        keeper, graph = graph, outer
    return keeper
