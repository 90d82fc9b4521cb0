# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the op of a dataset, with all that a TensorFlow graph holds of a data set."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from rowfeed._catalog.paths import absolute
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._tensorflow.ops import ops

# The codes of an element's components that are not columns: see element.h.
_VALID: Final = -1
_WEIGHT: Final = -2


def make_variant(parameters: Parameters, cursor_name: str, spec: Any) -> Any:
    """Returns the variant tensor of the dataset, the output of its op.

    Args:
        parameters: Parameters of the dataset.
        cursor_name: Name of the cursor resource, from which iterators take epochs.
        spec: Spec of an element.
    """
    layout = parameters.layout
    leaves = tf.nest.flatten(spec)
    ragged = [isinstance(leaf, tf.RaggedTensorSpec) for leaf in leaves]
    catalogs = parameters.catalogs
    files = [file for catalog in catalogs for file in catalog.files]
    return ops.rowfeed_parquet_dataset(
        paths=[absolute(path) for path, *_ in files],
        names=[os.fsencode(name) for _, name, *_ in files],
        partitions=[
            partitions for catalog in catalogs for partitions in catalog.partitions
        ],
        options=parameters.stream.serialize(),
        group_rows=np.concatenate([catalog.group_rows for catalog in catalogs]),
        fingerprints=[catalog.fingerprint for catalog in catalogs],
        num_files=[len(catalog.files) for catalog in catalogs],
        num_groups=[len(catalog.group_rows) for catalog in catalogs],
        first_epoch=parameters.options.first_epoch,
        cursor_name=cursor_name,
        components=tf.nest.flatten(
            layout.arrange(range(len(parameters.outputs)), _VALID, lambda _: _WEIGHT)
        ),
        batched=not parameters.single,
        selected=_selected(catalogs),
        output_types=[
            tf.variant if is_ragged else leaf.dtype
            for leaf, is_ragged in zip(leaves, ragged, strict=True)
        ],
        output_shapes=[
            tf.TensorShape(None) if is_ragged else leaf.shape
            for leaf, is_ragged in zip(leaves, ragged, strict=True)
        ],
    )


def _selected(catalogs: Sequence[core.Catalog]) -> list[int]:
    """Returns source, file and index of each row group of catalogs without others."""
    return [
        number
        for source, catalog in enumerate(catalogs)
        if catalog.is_selection
        for file, index, _ in catalog.row_groups
        for number in (source, file, index)
    ]


def element_spec(parameters: Parameters) -> Any:
    """Returns an element with a `tf.TypeSpec` in the place of each tensor."""
    batch = [] if parameters.single else [parameters.static_batch_size]
    return parameters.layout.arrange(
        [_column_spec(column, batch) for column in parameters.outputs],
        tf.TensorSpec(batch, tf.bool),
        lambda _: tf.TensorSpec(batch, tf.float32),
    )


def _column_spec(column: core.Column, batch: list[int | None]) -> Any:
    is_bytes = column.dtype in ("string", "binary")
    dtype = tf.string if is_bytes else tf.as_dtype(column.dtype)
    lists = [None] * column.ragged_rank
    shape = [*batch, *lists, *column.dense_shape]
    # A single row with one level of lists is a plain tensor.
    ragged_rank = column.ragged_rank if batch else column.ragged_rank - 1
    if ragged_rank < 1:
        return tf.TensorSpec(shape, dtype)
    return tf.RaggedTensorSpec(
        shape, dtype, ragged_rank=ragged_rank, row_splits_dtype=tf.int64
    )


def options_of(parameters: Parameters) -> Any:
    """Returns the options of tf.data that a dataset sets.

    These options also hold for every step of tf.data that is built on the dataset. So
    only one thing is turned off: automatic sharding, which would drop rows that belong
    to this rank.
    """
    options = tf.data.Options()
    if parameters.options.world_size > 1:
        policy = tf.data.experimental.AutoShardPolicy.OFF
        options.experimental_distribute.auto_shard_policy = policy
    return options


def without_prefetch(dataset: Any) -> Any:
    """Returns the dataset with an option that keeps tf.data from adding a prefetch.

    It is for a loop over the dataset itself, with no `map`, `batch` or other step of
    tf.data on top. TensorFlow would add a prefetch there, but the kernel reads ahead
    already. Batches held by that prefetch would count as delivered in `state_dict()`,
    and checkpoints would contain their rows.
    """
    options = tf.data.Options()
    options.experimental_optimization.inject_prefetch = False
    return dataset.with_options(options)


def keeper_of(dataset: Any) -> Any:
    """Returns an object that lives as long as iterations over the dataset may begin.

    It is the dataset or, while a function is traced, the graph of the outermost
    function: the dataset itself is deleted at the end of the trace.
    """
    keeper = dataset
    graph = None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
    while (outer := getattr(graph, "outer_graph", None)) is not None:
        keeper, graph = graph, outer
    return keeper
