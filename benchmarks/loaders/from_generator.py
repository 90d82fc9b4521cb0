# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The windows that by_hand.py reads, as a tf.data.Dataset.from_generator."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from loaders import Open, Setup, by_hand


def load() -> Open:
    """Imports TensorFlow."""
    import tensorflow as tf

    def batches(setup: Setup) -> Any:
        signature = {
            field.name: tf.TensorSpec(*_shape_and_type(field.type), name=field.name)
            for field in pq.read_schema(setup.path)
        }
        return tf.data.Dataset.from_generator(
            lambda: by_hand.shuffled_batches(setup), output_signature=signature
        ).prefetch(tf.data.AUTOTUNE)

    return batches


def _shape_and_type(kind: pa.DataType) -> tuple[tuple[int | None, ...], Any]:
    if pa.types.is_fixed_size_list(kind):
        return (None, kind.list_size), kind.value_type.to_pandas_dtype()
    return (None,), kind.to_pandas_dtype()
