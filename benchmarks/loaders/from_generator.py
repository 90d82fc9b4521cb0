# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The windows that by_hand.py reads, as a tf.data.Dataset.from_generator.

Strings are TensorFlow's, lists its ragged tensors.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from loaders import Open, Setup, by_hand
from loaders.columns import array_of, is_bytes, is_list


def load() -> Open:
    """Imports TensorFlow."""
    import tensorflow as tf

    def batches(setup: Setup) -> Any:
        signature = {f.name: spec(f.type) for f in pq.read_schema(setup.path)}
        return tf.data.Dataset.from_generator(
            lambda: (
                {name: value(column) for name, column in batch.items()}
                for batch in by_hand.shuffled_batches(setup)
            ),
            output_signature=signature,
        ).prefetch(tf.data.AUTOTUNE)

    def spec(kind: pa.DataType) -> Any:
        if is_bytes(kind):
            return tf.TensorSpec((None,), tf.string)
        if is_list(kind):
            number = kind.value_type.to_pandas_dtype()
            return tf.RaggedTensorSpec((None, None), number, row_splits_dtype=tf.int64)
        if pa.types.is_fixed_size_list(kind):
            number = kind.value_type.to_pandas_dtype()
            return tf.TensorSpec((None, kind.list_size), number)
        return tf.TensorSpec((None,), kind.to_pandas_dtype())

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
