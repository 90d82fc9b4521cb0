# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""dataset.explain() says before an epoch what the epoch then does."""

from __future__ import annotations

import dataclasses
import importlib
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from rowfeed._native import core

ParquetDataset: Any = rowfeed.ParquetDataset  # Options come as dicts.
pytestmark = pytest.mark.filterwarnings("ignore::rowfeed.PerformanceWarning")
FACES = pytest.mark.parametrize("face", ["", ".torch", ".tensorflow"])
GROUP = 1000  # Rows of each row group of `tables`.
GROUPS = 6  # Row groups of each of its two files.
ROWS = 2 * GROUPS * GROUP


def write_table(path: Path, first: int, **how: Any) -> None:
    generator = np.random.default_rng(first)
    ids = np.arange(first, first + GROUPS * GROUP)
    columns: dict[str, Any] = {
        f"x{i}": generator.normal(size=len(ids)) for i in range(4)
    }
    columns |= {"id": ids, "word": np.array([f"w{i % 7}" for i in ids])}
    pq.write_table(pa.table(columns), path, row_group_size=GROUP, **how)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    for f in range(2):
        write_table(folder / f"{f}.parquet", f * GROUPS * GROUP)
    return folder


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Binary values that are so wide that batches read them one by one."""
    folder = tmp_path_factory.mktemp("images")
    generator = np.random.default_rng(0)
    images = [generator.bytes(20_000 + 100 * i) for i in range(200)]
    table = pa.table({"image": images, "label": np.arange(200)})
    how = {"use_dictionary": False, "compression": "none"}
    pq.write_table(table, folder / "0.parquet", row_group_size=50, **how)
    return folder


def class_of(face: str) -> Any:
    if face:
        pytest.importorskip(face[1:])
    return importlib.import_module(f"rowfeed{face}").ParquetDataset


def chunk_bytes(folder: Path, columns: list[str]) -> list[int]:
    """Returns the bytes of these columns in each row group, by the footers."""
    found = []
    for path in sorted(folder.iterdir()):
        metadata = pq.read_metadata(path)
        for g in range(metadata.num_row_groups):
            group = metadata.row_group(g)
            chunks = [group.column(c) for c in range(group.num_columns)]
            found.append(
                sum(
                    chunk.total_compressed_size
                    for chunk in chunks
                    if chunk.path_in_schema in columns
                )
            )
    return found


READINGS: dict[str, dict[str, Any]] = {
    "in_order": {},
    "shuffled": {"shuffle": True},
    "two_columns": {"columns": ["x0", "word"], "shuffle": True},
    "a_column_twice": {"columns": {"a": "x0", "b": "x0"}},
    "one_of_two_ranks": {"shuffle": True, "rank": 1, "world_size": 2},
    "a_lane_for_each_rank": {
        **{"shuffle": True, "num_lanes": 2, "rank": 1, "world_size": 2}
    },
    "three_lanes": {"shuffle": True, "num_lanes": 3, "shuffle_window": 2000},
    "blocks": {"shuffle": True, "block_rows": 250, "shuffle_window": 2000},
    "drop": {"remainder": "drop", "batch_size": 900},
    "wrap": {"remainder": "wrap", "batch_size": 900, "shuffle": True},
    "by_row": {"batch_size": None, "columns": ["id"]},
    "filter_of_a_file": {"filter": [("id", "<", 2500)]},
    "filter_of_all_groups": {"filter": [("x0", ">", 0.5)], "shuffle": True},
}


@pytest.mark.parametrize("reading", READINGS.values(), ids=READINGS)
def test_the_bytes_are_those_that_the_epoch_reads(
    reading: dict[str, Any], tables: Path
) -> None:
    dataset = ParquetDataset(tables, **{"batch_size": 64, **reading})
    if dataset.settings["filter"] is not None:
        assert dataset.explain().read_bytes is None
        dataset.state_at(0, 0)  # It counts the rows that pass.
    said = dataset.explain()
    assert said.num_steps == sum(1 for _ in dataset)
    read = dataset.stats().read_bytes
    assert said.read_bytes == pytest.approx(read, rel=0.05)
    if said.is_read_exact:
        assert said.read_bytes == read
    assert said.is_read_exact == (dataset.settings["filter"] is None)
    assert said.num_windows == dataset.stats().windows


@pytest.mark.parametrize("world_size", [1, 2])
def test_of_wide_values_each_rank_reads_its_own(world_size: int, images: Path) -> None:
    dataset = ParquetDataset(images, 10, shuffle=True, rank=0, world_size=world_size)
    said = dataset.explain()
    for _ in dataset:
        pass
    assert said.read_bytes == pytest.approx(dataset.stats().read_bytes, rel=0.05)
    whole = sum(chunk_bytes(images, ["image", "label"]))
    assert said.read_bytes == pytest.approx(whole / world_size, rel=0.05)
    assert not said.is_read_exact  # Single values are read, and may be of any size.


@pytest.mark.parametrize("paging", [{}, {"data_page_size": 64 << 10}], ids=str)
def test_blocks_of_large_chunks_are_estimated(
    paging: dict[str, Any], tmp_path: Path
) -> None:
    table = pa.table({"x": np.random.default_rng(0).normal(size=(2, 300_000)).ravel()})
    pq.write_table(*(table, tmp_path / "x.parquet"), row_group_size=300_000, **paging)
    dataset = ParquetDataset(tmp_path, 1000, block_rows=100_000)
    said = dataset.explain()
    assert not said.is_read_exact
    assert "reads        about " in str(said)
    for _ in dataset:
        pass
    read = dataset.stats().read_bytes
    assert 0.8 * read <= said.read_bytes <= 2 * read


def test_a_mixture_reads_what_its_sources_need(tables: Path, images: Path) -> None:
    sources = [
        ParquetDataset(tables, 64, columns=["id"], shuffle=True),
        ParquetDataset(images, 64, columns={"id": "label"}, shuffle=True),
    ]
    dataset = rowfeed.mix(sources, weights=[3, 1], stop="all_exhausted")
    said = dataset.explain()
    assert said.num_steps == sum(1 for _ in dataset)
    assert said.read_bytes == pytest.approx(dataset.stats().read_bytes, rel=0.05)
    assert said.num_files == 3
    assert said.row_groups_per_batch is None
    assert "mixing" not in str(said)


def test_the_first_batch_waits_for_the_windows_that_it_has_rows_of(
    tables: Path,
) -> None:
    columns, order = ["id", "x1"], {"shuffle": True, "shuffle_window": 3000}
    dataset = ParquetDataset(tables, 64, columns=columns, num_lanes=2, **order)
    groups = chunk_bytes(tables, columns)
    plan = core.EpochPlan.make(
        [GROUP] * len(groups), dataset._parameters.stream.order, epoch=0
    )
    first = [piece[0] for lane in range(2) for piece in plan.windows(lane)[0]]
    said = dataset.explain()
    assert said.first_batch_bytes == sum(groups[group] for group in first)
    assert said.read_bytes == sum(groups)
    assert (said.window_rows, said.window_blocks) == (3000, 3)
    assert (said.num_windows, said.num_lanes) == (4, 2)


MIXINGS: dict[str, dict[str, Any]] = {
    "in_order": {},
    "batches_across_groups": {"batch_size": 300},
    "shuffled": {"shuffle": True},
    "small_windows": {"shuffle": True, "shuffle_window": 2000},
    "lanes": {"shuffle": True, "num_lanes": 3, "shuffle_window": 2000},
    "blocks": {"shuffle": True, "block_rows": 50, "shuffle_window": 1000},
    "small_batches": {"shuffle": True, "batch_size": 4},
    "two_ranks": {"shuffle": True, "num_lanes": 2, "rank": 1, "world_size": 2},
}


@pytest.mark.parametrize("mixing", MIXINGS.values(), ids=MIXINGS)
def test_batches_have_as_many_row_groups_and_files_as_expected(
    mixing: dict[str, Any], tables: Path
) -> None:
    options = {"batch_size": 64, "remainder": "drop", **mixing}
    dataset = ParquetDataset(tables, columns=["__file", "__row_group"], **options)
    groups, files = [], []
    for batch in dataset:
        places = GROUPS * batch["__file"] + batch["__row_group"]
        groups.append(len(np.unique(places)))
        files.append(len(np.unique(batch["__file"])))
    said = dataset.explain()
    assert said.row_groups_per_batch == pytest.approx(np.mean(groups), rel=0.05)
    assert said.files_per_batch == pytest.approx(np.mean(files), rel=0.05)


def test_a_row_moves_as_far_as_expected(tables: Path) -> None:
    for lanes in (1, 3):
        dataset = ParquetDataset(
            tables, 64, shuffle=True, shuffle_window=2000, num_lanes=lanes
        )
        plan = core.EpochPlan.make(
            [GROUP] * 2 * GROUPS, dataset._parameters.stream.order, epoch=0
        )
        moves = [
            np.abs(plan.permutation(lane, w).astype(np.int64) - np.arange(len(window)))
            for lane in range(lanes)
            for w, window in enumerate(
                np.arange(sum(end - begin for _, begin, end in pieces))
                for pieces in plan.windows(lane)
            )
        ]
        expected = lanes * np.concatenate(moves).mean()
        said = dataset.explain().displacement_rows
        assert said == pytest.approx(expected, rel=0.05)
    assert ParquetDataset(tables, 64).explain().displacement_rows == 0


def test_a_filter_excludes_row_groups_once_its_rows_are_counted(tables: Path) -> None:
    dataset = ParquetDataset(tables, 64, filter=[("id", "<", 2500)])
    said = dataset.explain()
    assert said.passing_rows is said.excluded_row_groups is said.num_steps is None
    assert "dataset.peek() counts them" in said.unknown
    dataset.peek()
    said = dataset.explain()
    assert (said.passing_rows, said.excluded_row_groups) == (2500, 9)
    assert (said.num_row_groups, said.num_files) == (3, 1)
    assert said.unknown == ""
    assert "2,500 rows pass; 9 row groups have none" in str(said)


def test_rows_of_a_split_that_are_not_counted_are_called_those_of_the_split(
    tables: Path,
) -> None:
    split = rowfeed.Split(0, 0.5, by="id")
    few = [("id", "<", 2500)]
    for options, rows in (
        ({"filter": few}, "The rows that the filter lets pass are"),
        ({"split": split}, "The rows that the split has are"),
        (
            {"filter": few, "split": split},
            "The rows that the filter lets pass and the split has are",
        ),
    ):
        said = ParquetDataset(tables, 64, **options).explain().unknown
        assert said.startswith(f"{rows} not counted yet; dataset.peek() counts them.")


@FACES
def test_it_says_the_same_in_every_face(face: str, tables: Path) -> None:
    options = {"columns": ["id", "x0"], "shuffle": True, "rank": 1, "world_size": 2}
    said = class_of(face)(tables, 64, **options).explain()
    plain = ParquetDataset(tables, 64, **options).explain()
    same = {
        "dataset": plain.dataset,
        "available_memory_bytes": plain.available_memory_bytes,
        # TensorFlow's datasets may have another default.
        "memory_budget_bytes": plain.memory_budget_bytes,
    }
    assert dataclasses.replace(said, **same) == plain
    assert said.dataset == f"rowfeed{face}.ParquetDataset"


def test_it_opens_counts_and_moves_nothing(tables: Path, tmp_path: Path) -> None:
    shutil.copytree(tables, tmp_path / "copy")
    dataset = ParquetDataset(tmp_path / "copy", 64, filter=[("id", "<", 100)])
    shutil.rmtree(tmp_path / "copy")
    before = dataset.state_dict()
    dataset.explain()
    assert dataset.state_dict() == before
    assert not dataset._parameters.rows.is_known
    assert dataset.stats().requests == 0


def test_it_explains_the_epoch_of_the_next_iteration(tables: Path) -> None:
    dataset = ParquetDataset(tables, 64, first_epoch=3)
    assert dataset.explain().epoch == 3
    for _ in dataset:
        pass
    assert dataset.explain().epoch == 4


def test_it_prints_as_a_few_lines_and_as_a_table(tables: Path) -> None:
    said = ParquetDataset(tables, 64, columns=["id"], shuffle=True).explain()
    assert str(said) == repr(said)
    lines = str(said).splitlines()
    assert lines[0] == "explanation of rowfeed.ParquetDataset"
    labels = [line[2:13].strip() for line in lines[1:]]
    assert labels == [
        *("epoch", "reads", "first batch", "windows", "mixing", "memory", "machine"),
        "advice",
    ]
    assert lines[1].endswith("0, 188 steps")
    assert "of 12 row groups in 2 files" in lines[2]
    assert said._repr_html_().startswith("<table>")


def test_the_memory_is_enough_for_two_windows_and_no_more(tables: Path) -> None:
    columns = [f"x{i}" for i in range(4)]
    dataset = ParquetDataset(
        *(tables, 64), columns=columns, shuffle=True, shuffle_window=2000
    )
    said = dataset.explain()
    assert said.least_memory_bytes < said.read_ahead_memory_bytes
    assert said.read_ahead_memory_bytes == said.memory_budget_bytes
    batches = iter(dataset)
    next(batches)
    while dataset.stats().windows < 2:  # The second one is read ahead.
        time.sleep(0.01)
    for _ in batches:
        pass
    peak = dataset.stats().peak_bytes_in_flight
    # Two windows lie in memory, and there is room for what decoding takes.
    assert 1.5 * said.window_memory_bytes < peak
    assert peak < 1.15 * said.read_ahead_memory_bytes
