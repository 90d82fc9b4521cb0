# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""TFRecord files of tf.train.Example, as TensorFlow's guides have them.

One file per row group, of the first row groups only: as many as shuffle well, since
writing them takes about a minute for each million of rows. Files come in random order,
some at a time interleaved, through a shuffle buffer; whole batches are parsed.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from loaders import WINDOW_GROUPS, Open, Setup
from loaders.columns import is_bytes, is_list

MAX_FILES = 3 * WINDOW_GROUPS


def convert(setup: Setup) -> None:
    """Writes the files, unless they are there."""
    import tensorflow as tf

    folder = setup.converted("tfrecord")
    folder.mkdir(parents=True, exist_ok=True)
    file = pq.ParquetFile(setup.path)
    for group in range(min(file.num_row_groups, MAX_FILES)):
        path = folder / f"{group:03}.tfrecord"
        if path.exists():
            continue
        unfinished = path.with_suffix(".unfinished")
        with tf.io.TFRecordWriter(str(unfinished)) as writer:
            for batch in file.read_row_group(group).to_batches(4096):
                for row in batch.to_pylist():
                    writer.write(_example(row).SerializeToString())
        unfinished.rename(path)


def load() -> Open:
    """Imports TensorFlow."""
    import tensorflow as tf

    def batches(setup: Setup) -> Any:
        names = sorted(map(str, setup.converted("tfrecord").glob("*.tfrecord")))
        features = {
            field.name: _feature_of(field.type) for field in pq.read_schema(setup.path)
        }
        return (
            tf.data.Dataset.from_tensor_slices(names)
            .shuffle(len(names))
            .interleave(
                tf.data.TFRecordDataset,
                cycle_length=WINDOW_GROUPS,
                num_parallel_calls=tf.data.AUTOTUNE,
                deterministic=False,
            )
            .shuffle(setup.buffer_rows)
            .repeat(setup.epochs)
            .batch(setup.dataset.batch_size)
            .map(
                lambda rows: tf.io.parse_example(rows, features),
                num_parallel_calls=tf.data.AUTOTUNE,
            )
            .prefetch(tf.data.AUTOTUNE)
        )

    return batches


def _example(row: dict[str, Any]) -> Any:
    import tensorflow as tf

    example = tf.train.Example()
    features = example.features.feature
    for name, value in row.items():
        values = value if isinstance(value, list) else [value]
        if isinstance(value, str | bytes):
            text = value.encode() if isinstance(value, str) else value
            features[name].bytes_list.value.append(text)
        elif values and isinstance(values[0], float):
            features[name].float_list.value.extend(values)
        else:
            features[name].int64_list.value.extend(values)
    return example


def _feature_of(kind: pa.DataType) -> Any:
    import tensorflow as tf

    shape = []
    if is_bytes(kind):
        return tf.io.FixedLenFeature(shape, tf.string)
    if is_list(kind):
        return tf.io.RaggedFeature(tf.int64, row_splits_dtype=tf.int64)
    if pa.types.is_fixed_size_list(kind):
        shape, kind = [kind.list_size], kind.value_type
    number = tf.float32 if pa.types.is_floating(kind) else tf.int64
    return tf.io.FixedLenFeature(shape, number)
