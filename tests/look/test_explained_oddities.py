# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""dataset.explain() says something sensible about data and options that are unusual."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from numbered_rows import NUM_ROWS

ParquetDataset: Any = rowfeed.ParquetDataset  # Options come as dicts.


@pytest.mark.filterwarnings("ignore::rowfeed.DataWarning")
def test_of_a_data_set_without_rows_nothing_is_read(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": pa.array([], pa.int64())}), tmp_path / "x.parquet")
    said = ParquetDataset(tmp_path, 8, shuffle=True).explain()
    assert (said.num_steps, said.read_bytes, said.num_row_groups) == (0, 0, 0)
    assert said.advice == ()
    assert "0 steps" in str(said)
    assert "windows" not in str(said)


@pytest.mark.filterwarnings("ignore::rowfeed.DataWarning")
def test_a_filter_that_leaves_nothing_excludes_all_row_groups(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 8, filter=[("id", "<", 0)], shuffle=True)
    assert list(dataset) == []
    said = dataset.explain()
    assert (said.passing_rows, said.num_steps, said.read_bytes) == (0, 0, 0)
    assert said.excluded_row_groups == 8  # One of nine has no rows at all.
    assert said.unknown == ""


def test_of_a_batch_larger_than_the_data_no_mixing_is_known(numbers: Path) -> None:
    said = ParquetDataset(numbers, 2 * NUM_ROWS, shuffle=True).explain()
    assert said.num_steps == 1
    assert said.row_groups_per_batch is said.displacement_rows is None
    assert said.num_files == 3


def test_a_rank_without_a_row_reads_nothing(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 1, rank=299, world_size=300, remainder="uneven")
    said = dataset.explain()
    assert list(dataset) == []
    assert (said.num_steps, said.read_bytes) == (0, dataset.stats().read_bytes)


def test_single_rows_come_from_one_row_group(numbers: Path) -> None:
    said = ParquetDataset(numbers, None, shuffle=True).explain()
    assert said.num_steps == NUM_ROWS
    assert said.row_groups_per_batch == pytest.approx(1)


def test_columns_that_are_in_no_file_are_not_read(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 8, columns=["__file", "__row"])
    said = dataset.explain()
    assert list(dataset)
    assert said.read_bytes == dataset.stats().read_bytes == 0
    assert said.num_row_groups == 8


def test_partition_columns_are_not_read(tmp_path: Path) -> None:
    for key in (1, 2):
        (tmp_path / f"k={key}").mkdir()
        pq.write_table(pa.table({"x": range(10)}), tmp_path / f"k={key}" / "x.parquet")
    dataset = ParquetDataset(tmp_path, 8)
    said = dataset.explain()
    assert list(dataset)
    assert said.read_bytes == dataset.stats().read_bytes > 0
    only_one = ParquetDataset(tmp_path, 8, filter=[("k", "==", 1)])
    only_one.peek()
    assert only_one.explain().excluded_row_groups == 1


def test_an_endless_mixture_has_no_epoch_to_explain(numbers: Path) -> None:
    sources = [ParquetDataset(numbers, 8, columns=["id"]) for _ in range(2)]
    said = rowfeed.mix(sources, weights=[1, 1], stop="endless").explain()
    assert said.num_steps is said.read_bytes is said.num_windows is None
    assert said.unknown == "Epochs of this mixture have no end."
    assert said.least_memory_bytes > 0
    assert "not known  Epochs of this mixture have no end." in str(said)


@pytest.mark.filterwarnings("ignore::rowfeed.DataWarning")
def test_a_source_without_rows_is_named(numbers: Path) -> None:
    everything = ParquetDataset(numbers, 8, columns=["id"])
    nothing = ParquetDataset(numbers, 8, columns=["id"], filter=[("id", "<", 0)])
    mixture = rowfeed.mix([everything, nothing], weights=[1, 1])
    assert mixture.explain().read_bytes is None
    nothing._parameters.count()
    if mixture._parameters.all_rows[1].is_known:
        with pytest.raises(ValueError, match="source 1 has no rows"):
            mixture.explain()


def test_growing_data_is_that_of_the_beginning(numbers: Path, tmp_path: Path) -> None:
    dataset: Any = ParquetDataset(
        *(numbers, 8), refresh="epoch", snapshot_dir=tmp_path / "snapshots"
    )
    said = dataset.explain()
    assert said.num_steps is None
    assert said.num_files == 3
    assert "begin_epoch" in said.unknown
    dataset.begin_epoch()
    said = dataset.explain()
    assert said.num_steps == -(-NUM_ROWS // 8)
    assert said.unknown.startswith("Files are listed anew for each epoch")
    assert "begin_epoch" not in said.unknown


def test_a_split_says_how_many_rows_it_has(numbers: Path) -> None:
    split = rowfeed.Split(0.0, 0.5, seed=1)
    dataset = ParquetDataset(numbers, 8, split=split)
    dataset.peek()
    said = dataset.explain()
    assert said.passing_rows == sum(len(batch["id"]) for batch in dataset)


def test_of_a_mixture_only_rows_of_filtered_sources_pass(numbers: Path) -> None:
    some = ParquetDataset(numbers, 8, filter=[("id", "<", 100)])
    mixture = rowfeed.mix([some, ParquetDataset(numbers, 8)], weights=[1, 1])
    len(mixture)  # It counts.
    assert mixture.explain().passing_rows == 100


def test_without_shuffle_no_row_is_said_to_move(numbers: Path) -> None:
    assert "rows are not shuffled" in str(ParquetDataset(numbers, 8).explain())
    shuffled = ParquetDataset(numbers, 8, shuffle=True)
    assert "rows on average" in str(shuffled.explain())
