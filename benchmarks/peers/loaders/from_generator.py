# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The windows that by_hand.py reads, as a tf.data.Dataset.from_generator.

Strings are TensorFlow's, lists its ragged tensors. Columns of equal type cross from
Python as one array, since each costs as much as a thousand rows, and are taken apart in
the graph.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from benchmarks.peers.loaders import Open, Setup, by_hand
from benchmarks.peers.loaders.columns import array_of, is_bytes, is_list
from benchmarks.peers.loaders.rows import kinds_of, numbers_of, others_of


def load() -> Open:
    """Imports TensorFlow."""
    import tensorflow as tf

    def batches(setup: Setup) -> Any:
        kinds = kinds_of(setup.path)
        numbers = numbers_of(kinds)
        signature = {name: spec(kinds[name]) for name in others_of(numbers, kinds)}
        for kind, names in numbers.items():
            number = kinds[names[0]].to_pandas_dtype()
            signature[kind] = tf.TensorSpec((len(names), None), number)

        def packed(batch: by_hand.Columns) -> dict[str, Any]:
            columns = {n: value(batch[n]) for n in others_of(numbers, kinds)}
            for kind, names in numbers.items():
                columns[kind] = np.stack([batch[name] for name in names])
            return columns

        def unpacked(columns: dict[str, Any]) -> dict[str, Any]:
            for kind, names in numbers.items():
                columns |= zip(names, tf.unstack(columns.pop(kind)), strict=True)
            return columns

        return (
            tf.data.Dataset.from_generator(
                lambda: map(packed, by_hand.shuffled_batches(setup)),
                output_signature=signature,
            )
            .map(unpacked)
            .prefetch(tf.data.AUTOTUNE)
        )

    def spec(kind: pa.DataType) -> Any:
        if is_bytes(kind):
            return tf.TensorSpec((None,), tf.string)
        if is_list(kind):
            number = kind.value_type.to_pandas_dtype()
            return tf.RaggedTensorSpec((None, None), number, row_splits_dtype=tf.int64)
        return tf.TensorSpec((None, kind.list_size), kind.value_type.to_pandas_dtype())

    def value(column: by_hand.Array | pa.Array) -> Any:
        if not isinstance(column, pa.Array):
            return column
        if is_bytes(column.type):
            return column.to_numpy(zero_copy_only=False)
        rows = array_of(column)
        return tf.RaggedTensor.from_row_splits(
            rows.values, rows.offsets, validate=False
        )

    return batches
