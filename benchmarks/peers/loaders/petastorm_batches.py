# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""petastorm: row groups in random order through a shuffle buffer, torch's or tf.data's.

It has not followed pyarrow since 14: its environment holds that one. Its threads turn
row groups to arrays; torch's face is the one that batches by columns, the faster one.
That takes numbers alone, rows as long as each other, so that what differs in length
comes padded out of the threads, and is cut in the batch again. In tf.data, where
petastorm knows strings, lists come as the bytes of their numbers. It passes over lists
of fixed size: a file with such is written again, with Parquet's ordinary ones.
"""

from __future__ import annotations

import atexit
import importlib
import json
import shutil
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from benchmarks.peers.loaders import Open, Setup
from benchmarks.peers.loaders.columns import is_bytes, is_list, is_ragged, tensors_of
from benchmarks.peers.loaders.rows import kinds_of

from rowfeed import Ragged


def convert(setup: Setup) -> None:
    """Finds the longest rows, and writes lists of fixed size as lists, unless done."""
    folder = setup.converted("petastorm")
    if folder.exists():
        return
    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    file = pq.ParquetFile(setup.path)
    ragged = [field.name for field in file.schema_arrow if is_ragged(field.type)]
    widths = dict.fromkeys(ragged, 1)
    for group in range(file.num_row_groups):
        for name in ragged:
            column = file.read_row_group(group, columns=[name])[name]
            widths[name] = max(widths[name], pc.max(_lengths(column)).as_py())
    (unfinished / "widths.json").write_text(json.dumps(widths))
    lists = pa.schema([(f.name, _listed(f.type)) for f in file.schema_arrow])
    if lists.types != file.schema_arrow.types:
        path = unfinished / "rows.parquet"
        with pq.ParquetWriter(path, lists, **setup.dataset.writer) as writer:
            for group in range(file.num_row_groups):
                writer.write_table(file.read_row_group(group).cast(lists))
    unfinished.rename(folder)


def load(*, graph: bool = False) -> Open:
    """Imports petastorm, with its module for PyTorch or TensorFlow."""
    warnings.simplefilter("ignore", FutureWarning)  # pyarrow warns at every row group.
    importlib.import_module("petastorm.tf_utils" if graph else "petastorm.pytorch")
    return _graph if graph else _tensors


def _tensors(setup: Setup) -> Iterator[Any]:
    face = importlib.import_module("petastorm.pytorch")
    kinds = kinds_of(setup.path)
    widths = json.loads((setup.converted("petastorm") / "widths.json").read_text())

    def padded(rows: Any) -> Any:
        for name, width in widths.items():
            values = list(map(_bytes, rows[name]))
            number = _number(kinds[name])
            whole = np.array(values, f"S{width * number.itemsize}").view(number)
            lengths = np.fromiter(map(len, values), np.int64, len(values))
            rows[name] = list(whole.reshape(-1, width))
            rows[f"{name}_length"] = lengths // number.itemsize
        return rows

    fields: list[Any] = []
    for name, width in widths.items():
        fields.append((name, _number(kinds[name]).type, (width,), False))
        fields.append((f"{name}_length", np.int64, (), False))
    with face.BatchedDataLoader(
        _reader(setup, padded, fields),
        batch_size=setup.dataset.batch_size,
        shuffling_queue_capacity=setup.buffer_rows,
    ) as batches:
        for batch in batches:
            ragged = {n: _cut(batch.pop(n), batch.pop(f"{n}_length")) for n in widths}
            yield batch | tensors_of(ragged)


def _graph(setup: Setup) -> Any:
    import tensorflow as tf

    face = importlib.import_module("petastorm.tf_utils")
    lists = {n: _number(t) for n, t in kinds_of(setup.path).items() if is_list(t)}

    def joined(rows: Any) -> Any:
        for name in lists:
            rows[name] = list(map(_bytes, rows[name]))
        return rows

    def columns(batch: Any) -> Mapping[str, Any]:
        found = batch._asdict()
        for name, number in lists.items():
            values = tf.io.decode_raw(tf.strings.reduce_join(found[name]), number)
            lengths = tf.strings.length(found[name]) // number.itemsize
            found[name] = tf.RaggedTensor.from_row_lengths(
                values, tf.cast(lengths, tf.int64), validate=False
            )
        return dict(found)

    fields = [(name, np.bytes_, (), False) for name in lists]
    reader = _reader(setup, joined, fields)
    # The order is reversed, since a thread that still reads at Python's exit would make
    # the process abort.
    atexit.register(reader.join)
    atexit.register(reader.stop)
    return (
        face.make_petastorm_dataset(reader)
        .unbatch()
        .shuffle(setup.buffer_rows)
        .batch(setup.dataset.batch_size)
        .map(columns, num_parallel_calls=tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
    )


def _reader(setup: Setup, edit: Any, fields: list[Any]) -> Any:
    """Opens the file; its threads pass the rows through `edit`, if it is given."""
    library = importlib.import_module("petastorm")
    rewritten = setup.converted("petastorm") / "rows.parquet"
    path = rewritten if rewritten.exists() else setup.path
    return library.make_batch_reader(
        path.absolute().as_uri(),
        reader_pool_type="thread",
        workers_count=setup.threads,
        shuffle_row_groups=True,
        seed=0,
        num_epochs=setup.epochs,
        transform_spec=library.TransformSpec(edit, fields) if fields else None,
    )


def _cut(padded: Any, lengths: Any) -> Ragged:
    """Returns the rows without their padding."""
    lengths = lengths.numpy()
    rows = [row[:n] for row, n in zip(padded.numpy(), lengths.tolist(), strict=True)]
    return Ragged(np.concatenate(rows), np.cumsum([0, *lengths]))


def _listed(kind: pa.DataType) -> pa.DataType:
    return pa.list_(kind.value_type) if pa.types.is_fixed_size_list(kind) else kind


def _lengths(column: pa.ChunkedArray) -> Any:
    of = pc.binary_length if is_bytes(column.type) else pc.list_value_length
    return of(column)


def _number(kind: pa.DataType) -> Any:
    """Returns NumPy's dtype of the elements."""
    if is_bytes(kind):
        return np.dtype(np.uint8)
    return np.dtype(kind.value_type.to_pandas_dtype())


def _bytes(row: Any) -> bytes:
    if isinstance(row, str):
        return row.encode()
    return row if isinstance(row, bytes) else row.tobytes()
