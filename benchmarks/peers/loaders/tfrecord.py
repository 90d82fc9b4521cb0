# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""TFRecord files of tf.train.Example, as TensorFlow's guides have them.

One file per row group, of the first row groups only: as many as shuffle well, since
writing them takes about a minute for each million of rows. Files come in random order,
some at a time interleaved, through a shuffle buffer; whole batches are parsed. The
numbers of a row are one feature for each type, and are taken apart in the batch.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.peers.loaders import WINDOW_GROUPS, Open, Setup
from benchmarks.peers.loaders.columns import is_bytes, is_list
from benchmarks.peers.loaders.rows import kinds_of, numbers_of, others_of, rows_of

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
            for row in rows_of(file.read_row_group(group)):
                writer.write(_example(row).SerializeToString())
        unfinished.rename(path)


def load() -> Open:
    """Imports TensorFlow."""
    import tensorflow as tf

    def batches(setup: Setup) -> Any:
        names = sorted(map(str, setup.converted("tfrecord").glob("*.tfrecord")))
        kinds = kinds_of(setup.path)
        numbers = numbers_of(kinds)
        features = {n: _feature_of(kinds[n]) for n in others_of(numbers, kinds)}
        for kind, columns in numbers.items():
            features[kind] = _feature_of(pa.list_(kinds[columns[0]], len(columns)))

        def parse(rows: Any) -> dict[str, Any]:
            batch = tf.io.parse_example(rows, features)
            for kind, columns in numbers.items():
                rows_of_columns = tf.transpose(batch.pop(kind))
                batch |= zip(columns, tf.unstack(rows_of_columns), strict=True)
            return batch

        return (
            tf.data.Dataset.from_tensor_slices(names)
            .shuffle(len(names))
            .interleave(
                tf.data.TFRecordDataset,
                cycle_length=WINDOW_GROUPS,
                block_length=16,
                num_parallel_calls=tf.data.AUTOTUNE,
                deterministic=False,
            )
            .shuffle(setup.buffer_rows)
            .repeat(setup.epochs)
            .batch(setup.dataset.batch_size)
            .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE)
        )

    return batches


def _example(row: dict[str, Any]) -> Any:
    import tensorflow as tf

    example = tf.train.Example()
    features = example.features.feature
    for name, value in row.items():
        if isinstance(value, str | bytes):
            text = value.encode() if isinstance(value, str) else value
            features[name].bytes_list.value.append(text)
        elif value.dtype.kind == "f":
            features[name].float_list.value.extend(value)
        else:
            features[name].int64_list.value.extend(value)
    return example


def _feature_of(kind: pa.DataType) -> Any:
    import tensorflow as tf

    if is_bytes(kind):
        return tf.io.FixedLenFeature([], tf.string)
    if is_list(kind):
        return tf.io.RaggedFeature(tf.int64, row_splits_dtype=tf.int64)
    number = tf.float32 if pa.types.is_floating(kind.value_type) else tf.int64
    return tf.io.FixedLenFeature([kind.list_size], number)
