# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""TensorFlow hands a buffer that nobody else has to kernels that write to it."""

from __future__ import annotations

import resource
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tensorflow as tf

from rowfeed import Column
from rowfeed.tensorflow import ParquetDataset


@pytest.mark.parametrize("length", [3, 22, 23, 200])
def test_strings_may_be_written_to(tmp_path: Path, length: int) -> None:
    strings = [f"{i:0{length}}".encode() for i in range(36)]
    pq.write_table(pa.table({"text": pa.array(strings, pa.string())}), tmp_path / "x")

    def replace(row: dict[str, tf.Tensor]) -> tf.Tensor:
        text = row.pop("text")
        return tf.tensor_scatter_nd_update(text, [[0], [2]], ["new", "y" * 100])

    dataset = ParquetDataset(tmp_path / "x", 4, remainder="drop").map(replace)
    got = [text for batch in dataset for text in batch.numpy().tolist()]
    strings[::4] = [b"new"] * 9
    strings[2::4] = [b"y" * 100] * 9
    assert got == strings


def test_long_strings_that_are_written_to_a_slice_of_short_ones_are_freed(
    tmp_path: Path,
) -> None:
    table = pa.table({"text": [f"row {i}" for i in range(1600)]})
    pq.write_table(table, tmp_path / "x.parquet")
    long = tf.constant(["y" * 4_000_000])

    def replace(row: dict[str, tf.Tensor]) -> tf.Tensor:
        some = row.pop("text")[:8]  # Whole cache lines: a view.
        return tf.strings.length(tf.tensor_scatter_nd_update(some, [[0]], long))

    lengths = iter(ParquetDataset(tmp_path, 16).map(replace))
    next(lengths)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert [size.numpy().tolist()[0] for size in lengths] == [4_000_000] * 99
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


def test_what_is_written_to_a_list_in_place_does_not_change_its_mask(
    tmp_path: Path,
) -> None:
    lists = [[[i], [i, None]] for i in range(64)]
    table = pa.table({"x": pa.array(lists, pa.list_(pa.list_(pa.int64())))})
    pq.write_table(table, tmp_path / "x.parquet")
    columns = {"x": Column("x", fill=0, mask=True)}

    def both(row: dict[str, tf.RaggedTensor]) -> tuple[tf.RaggedTensor, tf.Tensor]:
        return row["x__mask"], row["x"].row_starts() + 1

    dataset = ParquetDataset(tmp_path, 64, columns=columns).map(both)
    mask, starts = next(iter(dataset))
    assert mask.to_list() == [[[True], [True, False]]] * 64
    assert starts.numpy().tolist() == [2 * i + 1 for i in range(64)]
