# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""stats(): what is counted is what happened, in every face."""

from __future__ import annotations

import json
import pickle
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import rowfeed
from numbered_rows import NUM_ROWS, write_numbers
from reading import FACES, module_of
from rowfeed import Column
from rowfeed.stats import ColumnStats, Stats, Sums

SHUFFLED: dict[str, Any] = {"shuffle": True, "num_threads": 2}


def make(face: str, data: Path, batch_size: int | None = 16, **options: Any) -> Any:
    return module_of(face).ParquetDataset(data, batch_size, **{**SHUFFLED, **options})


def chunk_bytes(data: Path, column: str) -> int:
    """The bytes of a column's chunks."""
    total = 0
    for path in data.glob("*.parquet"):
        footer = pq.read_metadata(path)
        for group in range(footer.num_row_groups):
            for chunk in map(footer.row_group(group).column, range(footer.num_columns)):
                if chunk.path_in_schema == column and chunk.num_values:
                    total += chunk.total_compressed_size
    return total


def assert_sound(sums: Sums, *, begin_and_end_between_tasks: bool = True) -> None:
    """What holds of any numbers; a task adds up to its parts only when it has ended."""
    in_tasks = sums.shuffle_seconds + sums.assemble_seconds + sums.filter.seconds
    in_tasks += sum(column.seconds for column in sums.columns.values())
    if begin_and_end_between_tasks:
        assert in_tasks <= sums.busy_seconds + 1e-9
    assert 0 <= sums.first_wait_seconds <= sums.wait_seconds
    assert sums.wait_seconds <= sums.elapsed_seconds + 1e-9
    assert 0 <= sums.wait_share <= 1 + 1e-9
    assert str(sums)


@pytest.mark.parametrize("face", FACES)
def test_an_epoch_is_counted(face: str, numbers: Path) -> None:
    dataset = make(face, numbers, columns=["id", "half"])
    steps = len(list(dataset))
    stats = dataset.stats()
    assert (stats.rows, stats.batches) == (NUM_ROWS, steps)
    assert stats.bytes >= NUM_ROWS * 12
    assert list(stats.columns) == ["id", "half"]
    for name, column in stats.columns.items():
        assert column.read_bytes == chunk_bytes(numbers, name)
        assert column.codec == "snappy"
        assert column.decode_seconds > 0
        assert column.gather_seconds > 0
    assert stats.read_bytes == sum(c.read_bytes for c in stats.columns.values())
    assert stats.requests == 2 * 8  # One of the nine row groups is empty.
    assert stats.fetched_bytes == stats.fetch_requests == stats.fetch_retries == 0
    assert stats.convert_seconds > 0
    assert stats.bytes_in_flight == stats.running_tasks == 0
    deadline = time.monotonic() + 60  # Old windows are freed after the last batch.
    while dataset.stats().queued_tasks > 0:
        assert time.monotonic() < deadline
    assert stats.peak_bytes_in_flight > 0
    assert_sound(stats)


@pytest.mark.parametrize("face", FACES)
def test_nothing_is_counted_before_an_iteration(face: str, numbers: Path) -> None:
    stats = make(face, numbers, num_threads=3).stats()
    assert stats.rows == stats.batches == stats.requests == 0
    assert stats.elapsed_seconds == stats.wait_share == stats.busy_share == 0
    assert (stats.num_threads, stats.epochs) == (3, ())
    assert str(stats) == "No batch was delivered in this process."


@pytest.mark.parametrize("face", FACES)
def test_each_epoch_has_its_own(face: str, numbers: Path) -> None:
    dataset = make(face, numbers, columns=["id"], num_epochs=2)
    list(dataset)
    list(dataset)
    stats = dataset.stats()
    assert [epoch.epoch for epoch in stats.epochs] == [0, 1, 2, 3]
    for epoch in stats.epochs:
        assert epoch.rows == NUM_ROWS
        assert_sound(epoch, begin_and_end_between_tasks=False)
    assert stats.rows == 4 * NUM_ROWS
    assert sum(epoch.read_bytes for epoch in stats.epochs) <= stats.read_bytes
    assert stats.read_bytes == 4 * chunk_bytes(numbers, "id")


@pytest.mark.parametrize("face", FACES)
def test_mixtures_are_counted(face: str, numbers: Path) -> None:
    halves = [make(face, numbers, columns=["id", "name"]) for _ in range(2)]
    mixture = rowfeed.mix(halves)
    rows = sum(len(batch["id"]) for batch in mixture)
    stats = mixture.stats()
    assert stats.rows == rows
    assert list(stats.columns) == ["id", "name"]
    assert stats.assemble_seconds > 0
    assert_sound(stats)
    assert halves[0].stats().rows == 0  # Its own iterations are not touched.


def test_numbers_only_grow(numbers: Path) -> None:
    dataset = make("numpy", numbers, columns=["id", "name", "parts"], num_epochs=3)
    before = dataset.stats()
    for _ in dataset:
        now = dataset.stats()
        since = now.since(before)
        assert since.batches == 1
        for field in fields(Sums):
            if field.type in ("int", "float"):
                assert getattr(now, field.name) >= getattr(before, field.name)
        for name, column in before.columns.items():
            assert now.columns[name].seconds >= column.seconds
        before = now


def test_since_is_the_difference(numbers: Path) -> None:
    dataset = make("numpy", numbers, columns=["id"])
    list(dataset)
    first = dataset.stats()
    list(dataset)
    since = dataset.stats().since(first)
    assert since.rows == NUM_ROWS
    assert since.columns["id"].codec == "snappy"
    assert since.read_bytes == chunk_bytes(numbers, "id")
    assert since.num_threads == 2
    assert_sound(since)
    with pytest.raises(ValueError, match="not stats of the same dataset"):
        first.since(dataset.stats())


@pytest.mark.parametrize("shuffle", [True, False])
def test_rows_that_a_filter_drops_are_counted(shuffle: bool, tmp_path: Path) -> None:
    write_numbers(tmp_path / "data", [50, 50], 1)
    keywords: dict[str, Any] = {"columns": ["name"], "shuffle": shuffle}
    keep = pc.field("even")
    dataset = make("numpy", tmp_path / "data", filter=keep, **keywords)
    assert sum(len(batch["name"]) for batch in dataset) == 50
    stats = dataset.stats()
    # Rows of a block before its first and after its last passing row are not read.
    assert (stats.rows, stats.filtered_rows) == (50, 48)
    assert stats.filter.read_bytes > 0
    assert stats.filter.decode_seconds > 0
    assert stats.read_bytes == sum(
        column.read_bytes for column in (*stats.columns.values(), stats.filter)
    )
    assert_sound(stats)


def test_rows_that_stay_in_the_file_are_read_in_gathering(tmp_path: Path) -> None:
    wide = [np.random.default_rng(i).bytes(20_000) for i in range(30)]
    table = pa.table({"x": pa.array(wide, pa.binary())})
    writing = {"compression": "none", "use_dictionary": False}
    pq.write_table(table, tmp_path / "x.parquet", row_group_size=10, **writing)
    dataset = make("numpy", tmp_path, 4, shuffle=False)
    list(dataset)
    column = dataset.stats().columns["x"]
    assert column.codec == ""
    assert column.requests >= 30
    assert column.read_bytes >= 30 * 20_000
    assert column.read_seconds > 0
    assert column.decompress_seconds == 0


def test_a_column_that_is_delivered_twice_has_the_sum(numbers: Path) -> None:
    columns = {"x": "id", "y": Column("id", dtype="float32")}
    dataset = make("numpy", numbers, columns=columns)
    list(dataset)
    stats = dataset.stats()
    assert list(stats.columns) == ["id"]
    assert stats.read_bytes == 2 * chunk_bytes(numbers, "id")


def test_single_rows_are_counted_one_by_one(numbers: Path) -> None:
    dataset = make("numpy", numbers, None, columns=["id"])
    rows = iter(dataset)
    for _ in range(7):
        next(rows)
    assert dataset.stats().rows == 7


def test_a_budget_that_is_spent_is_seen(tmp_path: Path) -> None:
    write_numbers(tmp_path / "data", [100] * 200, 1)
    dataset = make("numpy", tmp_path / "data", shuffle_window=400, columns=["id"])
    for _ in (
        dataset
    ):  # The consumer waits until the budget, which holds a few windows, is full.
        if dataset.stats().stopped_seconds == 0:
            time.sleep(0.01)
    stats = dataset.stats()
    assert stats.windows == 50
    assert stats.stopped_seconds > 0
    assert stats.windows_over_budget == 0
    assert 0 < stats.peak_bytes_in_flight <= stats.memory_budget_bytes


@pytest.mark.fault(50)
def test_strings_made_ahead_of_a_slow_consumer_stay_within_the_budget(
    tmp_path: Path,
) -> None:
    table = pa.table({"text": [f"{i:01000}" for i in range(20_000)]})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=1000)
    dataset = make("numpy", tmp_path, 256, shuffle_window=4000)
    batches = iter(dataset)
    for _ in range(3):
        next(batches)
        time.sleep(0.2)
    assert sum(1 for _ in batches) == -(-20_000 // 256) - 3
    stats = dataset.stats()
    batch_bytes = 256 * 1000 * 2
    assert stats.peak_bytes_in_flight <= stats.memory_budget_bytes + batch_bytes


def test_a_transform_is_what_the_consumer_waits_for(numbers: Path) -> None:
    dataset = make("numpy", numbers, columns=["id"], transform=lambda batch: batch)
    steps = len(list(dataset))
    stats = dataset.stats()
    assert stats.batches == steps
    assert stats.transform_seconds > 0
    assert stats.wait_seconds > 0
    assert make("numpy", numbers).stats().transform_seconds == 0


@pytest.mark.parametrize("num_threads", [2, 8])
def test_a_wait_for_a_transform_is_within_the_elapsed_time(
    numbers: Path, num_threads: int
) -> None:
    """The thread that pulls batches has long pulled those that the consumer awaits."""
    dataset = make(
        "numpy",
        numbers,
        columns=["id"],
        num_threads=num_threads,
        num_epochs=2,
        transform=slow,
    )
    steps = len(dataset) // 2
    before = dataset.stats()
    for i, _ in enumerate(dataset):
        now = dataset.stats()
        for counts in (now, now.since(before), *now.epochs):
            assert_sound(counts, begin_and_end_between_tasks=False)
        assert now.since(before).wait_seconds > 0
        assert [epoch.epoch for epoch in now.epochs][: i // steps] == [0][: i // steps]
        before = now
    ends = dataset.stats()
    assert [epoch.epoch for epoch in ends.epochs] == [0, 1]
    assert all(epoch.wait_seconds > 0 for epoch in ends.epochs)
    assert sum(e.elapsed_seconds for e in ends.epochs) <= ends.elapsed_seconds + 1e-9


def slow(batch: Any) -> Any:
    time.sleep(0.002)
    return batch


def test_pulls_that_fail_count_in_no_epoch(numbers: Path) -> None:
    def fail(_: Any) -> Any:
        raise RuntimeError("no")

    dataset = make("numpy", numbers, columns=["id"], transform=fail)
    with pytest.raises(RuntimeError, match="no"):
        next(iter(dataset))
    assert_sound(dataset.stats(), begin_and_end_between_tasks=False)
    assert dataset.stats().wait_seconds > 0


def test_an_epoch_that_runs_again_with_a_transform_has_the_times_of_its_latest_run(
    numbers: Path,
) -> None:
    dataset = make("numpy", numbers, columns=["id"], transform=slow)
    list(dataset)
    first = dataset.stats()
    dataset.set_epoch(0)
    list(dataset)
    second = dataset.stats()
    elapsed = second.since(first).elapsed_seconds
    assert [epoch.epoch for epoch in second.epochs] == [0, 0]
    assert second.epochs[1].elapsed_seconds <= elapsed


def test_the_cpu_time_of_a_transform_is_counted_apart_from_its_waits(
    numbers: Path,
) -> None:
    computes = make("numpy", numbers, columns=["id"], transform=compute)
    list(computes)
    stats = computes.stats()
    assert 0 < stats.transform_cpu_seconds <= stats.transform_seconds
    assert stats.since(stats).transform_cpu_seconds == 0
    waits = make("numpy", numbers, columns=["id"], num_epochs=2, transform=slow)
    list(waits)
    stats = waits.stats()
    assert 2 * stats.transform_cpu_seconds < stats.transform_seconds
    assert stats.transform_yields >= stats.batches  # Each call sleeps.
    assert sum(epoch.transform_yields for epoch in stats.epochs) > 0
    assert stats.since(stats).transform_yields == 0
    of_epochs = sum(epoch.transform_cpu_seconds for epoch in stats.epochs)
    assert 0 < of_epochs <= stats.transform_cpu_seconds
    assert make("numpy", numbers).stats().transform_cpu_seconds == 0


def compute(batch: Any) -> Any:
    sum(range(20_000))
    return batch


def test_a_short_run_is_not_judged(numbers: Path) -> None:
    """A few batches of little data are read in less than half a second, or in more."""
    dataset = make("numpy", numbers, 100, columns=["id"])
    assert len(list(dataset)) < 16
    assert " are too short to judge: read at least " in str(dataset.stats())


@pytest.mark.parametrize("face", FACES)
def test_stats_know_the_number_of_epochs(face: str, numbers: Path) -> None:
    for num_epochs in (1, 3, None):
        stats = make(face, numbers, num_epochs=num_epochs).stats()
        assert stats.num_epochs == num_epochs
        assert stats.since(stats).num_epochs == num_epochs


def test_batch_at_is_not_counted(numbers: Path) -> None:
    dataset = make("numpy", numbers, columns=["id"])
    dataset.batch_at(0, 3)
    assert dataset.stats().batches == 0


def test_a_pickled_dataset_begins_at_zero(numbers: Path) -> None:
    dataset = make("numpy", numbers, columns=["id"])
    list(dataset)
    assert pickle.loads(pickle.dumps(dataset)).stats().rows == 0
    stats = dataset.stats()
    assert pickle.loads(pickle.dumps(stats)) == stats


def test_names_are_those_of_the_files_whatever_they_hold(tmp_path: Path) -> None:
    name = 'a "quoted"\\ näme\n'
    pq.write_table(pa.table({name: [1, 2, 3]}), tmp_path / "x.parquet")
    dataset = make("numpy", tmp_path)
    list(dataset)
    assert list(dataset.stats().columns) == [name]


def test_stats_outlive_the_dataset_and_its_end(numbers: Path) -> None:
    with make("numpy", numbers, columns=["id"]) as dataset:
        next(iter(dataset))
    stats = dataset.stats()
    assert isinstance(stats, Stats)
    assert isinstance(stats.columns["id"], ColumnStats)
    assert stats.batches == 1
    assert stats.bytes_in_flight == 0


def test_python_has_a_name_for_each_number_that_the_kernel_counts(
    numbers: Path,
) -> None:
    dataset = make("numpy", numbers, columns=["id"])
    said = json.loads(dataset._cursor.stats())
    shared = {"num_threads", "memory_budget_bytes"}
    of_python = {"num_epochs", "_remedies"}
    of_python |= {f"transform_{name}" for name in ("cpu", "yields", "preemptions")}

    def names(kind: type[object]) -> set[str]:
        return {field.name.removesuffix("_seconds") for field in fields(kind)}  # type: ignore[arg-type]

    assert {*said["totals"], "filter"} == names(Sums) - shared - of_python
    assert set(said["totals"]["columns"][0]) == names(ColumnStats) - {"codec"}
    levels = set(said) - shared - {"names", "codecs", "totals"}
    assert levels == names(Stats) - names(Sums)
