# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Data that only TensorFlow's own file systems reach."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import tensorflow as tf

import rowfeed
from growing import ids_of, table
from rowfeed.tensorflow import ParquetDataset

ROOT = "ram://rowfeed/data"


def put(name: str, number: int) -> None:
    body = io.BytesIO()
    pq.write_table(table(number), body, row_group_size=25)
    with tf.io.gfile.GFile(name, "wb") as file:
        file.write(body.getvalue())


@pytest.fixture
def root() -> Iterator[str]:
    for year in (2023, 2024):
        tf.io.gfile.makedirs(f"{ROOT}/year={year}")
    put(f"{ROOT}/year=2023/0.parquet", 0)
    put(f"{ROOT}/year=2024/1.parquet", 1)
    put(f"{ROOT}/_hidden.parquet", 2)
    yield ROOT
    tf.io.gfile.rmtree(ROOT)


def rows_of(dataset: Any) -> list[int]:
    return [row for batch in dataset for row in batch["id"].numpy().tolist()]


def test_a_directory_in_memory_is_read_as_one_on_disk(
    root: str, tmp_path: Path
) -> None:
    for number in (0, 1):
        path = tmp_path / f"year={2023 + number}" / f"{number}.parquet"
        path.parent.mkdir()
        pq.write_table(table(number), path, row_group_size=25)
    keywords: dict[str, Any] = {"shuffle": True, "shuffle_window": 150}
    found = list(ParquetDataset(root, 16, **keywords))
    expected = list(ParquetDataset(tmp_path, 16, **keywords))
    for batch, other in zip(found, expected, strict=True):
        assert batch.keys() == other.keys()
        for name, values in batch.items():
            tf.nest.map_structure(
                lambda a, b: np.testing.assert_array_equal(a, b),
                tf.nest.flatten(values, expand_composites=True),
                tf.nest.flatten(other[name], expand_composites=True),
            )


def test_globs_single_files_and_an_explicit_prefix(root: str) -> None:
    assert rows_of(ParquetDataset(f"{root}/*/0.parquet", 30, columns=["id"])) == (
        ids_of(0).tolist()
    )
    both = [f"tf+{root}/year=2024/1.parquet", f"{root}/year=2023/0.parquet"]
    assert rows_of(ParquetDataset(both, 30, columns=["id"])) == [*ids_of(1), *ids_of(0)]


def test_a_file_on_this_machine_by_tensorflow(tmp_path: Path) -> None:
    pq.write_table(table(3), tmp_path / "0.parquet")
    with pytest.raises(ValueError, match="without a bucket or host"):
        ParquetDataset(f"tf+file://{tmp_path}", 30)


def test_an_iterator_is_restored(root: str, tmp_path: Path) -> None:
    iterator = iter(ParquetDataset(root, 16, columns=["id"]))
    next(iterator)
    saved = tf.train.Checkpoint(iterator=iterator).save(str(tmp_path / "saved"))
    rest = rows_of(iterator)
    iterator = iter(ParquetDataset(root, 16, columns=["id"]))
    tf.train.Checkpoint(iterator=iterator).restore(saved).assert_consumed()
    assert rows_of(iterator) == rest


def test_a_file_that_changed_is_an_error_that_names_it(root: str) -> None:
    dataset = ParquetDataset(root, 16, columns=["id"])
    put(f"{root}/year=2023/0.parquet", 7)
    with pytest.raises(tf.errors.DataLossError, match=r"ram://.*0\.parquet changed"):
        rows_of(dataset)


def test_what_is_not_there_is_named(root: str) -> None:
    with pytest.raises(FileNotFoundError, match=r"ram://rowfeed/data/none"):
        ParquetDataset(f"{root}/none", 16)
    with pytest.raises(KeyError, match="no column 'x'"):
        ParquetDataset(root, 16, columns=["x"])
    with pytest.raises(NotImplementedError, match="scheme 'nowhere' is not read"):
        ParquetDataset("nowhere://bucket/x", 16)


def test_other_faces_read_them_where_the_op_library_is_loaded(root: str) -> None:
    batches = list(rowfeed.ParquetDataset(root, 30, columns=["id"]))
    assert [row for batch in batches for row in batch["id"].tolist()] == (
        rows_of(ParquetDataset(root, 30, columns=["id"]))
    )


def test_without_the_op_library_the_error_says_what_to_import() -> None:
    program = "import rowfeed; rowfeed.ParquetDataset('ram://rowfeed/data', 16)"
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    last = done.stderr.splitlines()[-1]
    assert last.startswith("NotImplementedError: "), done.stderr
    assert "once rowfeed.tensorflow is imported" in last


def test_a_data_set_in_memory_that_grows(root: str, tmp_path: Path) -> None:
    dataset = ParquetDataset(
        root, 30, columns=["id"], refresh="epoch", snapshot_dir=tmp_path
    )
    assert rows_of(dataset) == [*ids_of(0), *ids_of(1)]
    put(f"{root}/year=2024/2.parquet", 2)
    assert rows_of(dataset) == [*ids_of(0), *ids_of(1), *ids_of(2)]
