# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The advice of stats() helps: each test provokes a shape of data or of a program, and
does what the sentence says.

What is measured is work that is counted, never time: bytes and requests, windows that
are loaded ahead of the consumer, batches, and calls that run at once. Each sentence is
that of a real run in which `judged` puts seconds of a quiet machine in the place of the
measured ones, so that no test depends on the speed of this one.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

import rowfeed
from faulty_proxy import FaultyProxy
from rowfeed._stats.words import in_words
from rowfeed.stats import ColumnStats, Stats
from s3_server import S3Server

ParquetDataset: Any = rowfeed.ParquetDataset  # Options come as dicts.


def judged(stats: Stats, num_cpus: int = 2, **seconds: Any) -> str:
    """Returns the advice for the counts of a run, which took ten seconds.

    The model waited for nine of them, and threads were idle but for what is given.
    """
    quiet: dict[str, Any] = {
        "elapsed_seconds": 10.0,
        "wait_seconds": 9.0,
        "first_wait_seconds": 0.1,
        "busy_seconds": 1.0,
        "convert_seconds": 0.1,
        "stopped_seconds": 0.0,
        "fetch_seconds": 0.0,
        "transform_seconds": 0.0,
        "transform_cpu_seconds": 0.0,
        "transform_preemptions": 0,
    }
    return in_words(replace(stats, **quiet | seconds), num_cpus)


def end_of(words: str) -> str:
    """Returns what a user pastes: the end of the sentence."""
    return words.rpartition(": ")[2].removesuffix(".")


def pasted(words: str) -> dict[str, Any]:
    """Returns the options that a sentence ends with."""
    options: dict[str, Any] = eval(f"dict({end_of(words)})")
    return options


def write_again(words: str, paths: Path, folder: Path, patch: Any) -> Path:
    """Runs the code that a sentence ends with, in a folder; returns what it wrote."""
    patch.chdir(folder)
    exec(end_of(words), {"pyarrow": pyarrow, "paths": str(paths)})
    return folder / "again"


def write(path: Path, num_rows: int, first: int = 0, **writing: Any) -> None:
    """Writes rows with numbers of their own from `first` on, and noise."""
    path.parent.mkdir(exist_ok=True)
    noise = np.random.default_rng(first).random(num_rows)
    table = pa.table({"id": np.arange(first, first + num_rows), "noise": noise})
    pq.write_table(table, path, **{"compression": "none", **writing})


def ids(dataset: Any) -> list[int]:
    return [int(i) for batch in dataset for i in np.atleast_1d(batch["id"])]


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def windows_ahead(dataset: Any, batches: Any) -> int:
    """Returns how many windows a consumer that keeps one batch gets loaded.

    They are all that the memory budget admits.
    """
    next(batches)
    # The clock of stops may have its last lap before the first batch is here.
    wait_until(lambda: dataset.stats().stopped_seconds > 0)
    wait_until(lambda: not dataset.stats().queued_tasks + dataset.stats().running_tasks)
    loaded: int = dataset.stats().windows
    return loaded


def first_bytes(data: Path, **options: Any) -> int:
    """Returns the bytes that are read before the first batch.

    The budget has no room for anything that is not needed.
    """
    least = ParquetDataset(data, 256, **options).explain().least_memory_bytes
    dataset = ParquetDataset(data, 256, memory_budget_bytes=least, **options)
    batches = iter(dataset)
    next(batches)
    read: int = dataset.stats().read_bytes
    batches.close()
    return read


@pytest.fixture(scope="module")
def huge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files of one row group each, of 300,000 rows."""
    data = tmp_path_factory.mktemp("huge") / "data"
    for i in range(2):
        write(data / f"{i}.parquet", 300_000, 300_000 * i)
    return data


@pytest.mark.parametrize("shuffle", [False, True])
def test_two_files_of_one_huge_row_group_get_smaller_ones(
    shuffle: bool, huge: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts the bytes that the first batch waits for."""
    options = {"shuffle": shuffle, "seed": 1}
    dataset = ParquetDataset(huge, 256, **options)
    rows = ids(dataset)
    words = judged(dataset.stats(), first_wait_seconds=8.0)
    assert "for the first batch of an epoch: write smaller row groups: " in words
    again = write_again(words, huge, tmp_path, monkeypatch)
    assert first_bytes(again, **options) < first_bytes(huge, **options) / 4
    after = ParquetDataset(again, 256, **options)
    assert sorted(ids(after)) == sorted(rows)
    assert after.stats().read_bytes < 1.1 * dataset.stats().read_bytes
    assert "row group" not in judged(after.stats(), first_wait_seconds=8.0)


def test_row_groups_of_many_pages_get_smaller_blocks(tmp_path: Path) -> None:
    """Counts the bytes that the first batch waits for; files stay as they are."""
    data = tmp_path / "data"
    data.mkdir()
    for i in range(2):
        table = pa.table({"id": np.arange(4_000_000 * i, 4_000_000 * (i + 1))})
        how = {"use_dictionary": False, "compression": "none"}
        pq.write_table(table, data / f"{i}.parquet", row_group_size=len(table), **how)
    options: dict[str, Any] = {"columns": ["id"]}
    dataset = ParquetDataset(data, 4096, **options)
    rows = np.concatenate([batch["id"] for batch in dataset])
    words = judged(dataset.stats(), first_wait_seconds=8.0)
    changed = options | pasted(words)
    assert list(changed) == ["columns", "block_rows"]
    after = ParquetDataset(data, 4096, **changed)
    np.testing.assert_array_equal(np.concatenate([b["id"] for b in after]), rows)
    assert first_bytes(data, **changed) < first_bytes(data, **options) / 2
    assert after.stats().read_bytes < 2.1 * dataset.stats().read_bytes
    words = judged(after.stats(), first_wait_seconds=8.0)
    assert "block_rows" not in words


@pytest.fixture(scope="module")
def groups(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of 24 row groups, of 2,000 rows each."""
    data = tmp_path_factory.mktemp("groups") / "data"
    write(data / "a.parquet", 48_000, row_group_size=2000)
    return data


def test_iterations_of_one_epoch_each_become_one_that_reads_ahead(groups: Path) -> None:
    """Counts the windows that are loaded before the next epoch is asked for."""
    options: dict[str, Any] = {"shuffle": True, "seed": 3}
    dataset = ParquetDataset(groups, 256, **options)
    rows = [ids(dataset) for _ in range(3)]
    windows = dataset.stats().windows
    words = judged(dataset.stats(), first_wait_seconds=8.0)
    assert pasted(words) == {"num_epochs": 3}
    after = ParquetDataset(groups, 256, **options, **pasted(words))
    batches = iter(after)
    first = ids(next(batches) for _ in range(len(after) // 3))
    wait_until(lambda: after.stats().windows > windows // 3)
    assert [*first, *ids(batches)] == [*itertools.chain(*rows)]
    assert "num_epochs" not in judged(after.stats(), first_wait_seconds=8.0)


def test_a_window_larger_than_the_default_becomes_the_default(groups: Path) -> None:
    """Counts the bytes that the first batch waits for."""
    options: dict[str, Any] = {"shuffle": True, "shuffle_window": 48_000}
    dataset = ParquetDataset(groups, 256, **options)
    rows = ids(dataset)
    words = judged(dataset.stats(), first_wait_seconds=8.0)
    assert pasted(words) == {"shuffle_window": 16_000}
    changed = options | pasted(words)
    assert sorted(ids(ParquetDataset(groups, 256, **changed))) == sorted(rows)
    assert first_bytes(groups, **changed) < first_bytes(groups, **options) / 2


def test_a_thousand_tiny_files_become_a_few_row_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts requests and windows."""
    data = tmp_path / "data"
    for i in range(1000):
        write(data / f"{i:03}.parquet", 20, 20 * i)
    dataset = ParquetDataset(data, 256, shuffle=True)
    rows = ids(dataset)
    words = judged(dataset.stats())
    assert "1,000 row groups of 20 rows in 1,000 files: write larger row" in words
    again = write_again(words, data, tmp_path, monkeypatch)
    after = ParquetDataset(again, 256, shuffle=True)
    assert sorted(ids(after)) == sorted(rows)
    assert after.stats().requests < dataset.stats().requests / 100
    assert after.stats().windows < dataset.stats().windows / 50
    assert "small pieces" not in judged(after.stats())


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A file with a column of text, which costs far more than the numbers."""
    random = np.random.default_rng(0)
    text = [random.bytes(50).hex() for _ in range(40_000)]
    table = pa.table({"id": np.arange(40_000), "text": text})
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "a.parquet"
    pq.write_table(table, path, row_group_size=2000, compression="zstd")
    return tmp_path / "data"


def slow_text(stats: Stats) -> dict[str, Any]:
    """Seconds of two threads that decompress the text almost all the time."""
    text = replace(stats.columns["text"], decompress_seconds=16.0, decode_seconds=1.0)
    id_ = replace(stats.columns["id"], decompress_seconds=0.1, decode_seconds=0.1)
    others: dict[str, Any] = {"filter": ColumnStats(), "shuffle_seconds": 0.1}
    return {"busy_seconds": 19.0, "columns": {"id": id_, "text": text}, **others}


def test_one_slow_column_gets_the_cpus_that_are_left(mixed: Path) -> None:
    """Counts threads; rows and their order stay."""
    dataset = ParquetDataset(mixed, 256, num_threads=2, shuffle=True)
    rows = ids(dataset)
    words = judged(dataset.stats(), num_cpus=8, **slow_text(dataset.stats()))
    assert "decoding column `text` (zstd) is the bottleneck, 9" in words
    assert pasted(words) == {"num_threads": 4}
    after = ParquetDataset(mixed, 256, shuffle=True, **pasted(words))
    assert ids(after) == rows
    assert after.stats().num_threads == 2 * dataset.stats().num_threads


def test_one_slow_column_is_left_out_where_no_cpu_is_left(mixed: Path) -> None:
    """Counts bytes."""
    dataset = ParquetDataset(mixed, 256, num_threads=2, shuffle=True)
    rows = ids(dataset)
    words = judged(dataset.stats(), **slow_text(dataset.stats()))
    assert pasted(words) == {"columns": ["*", "!text"]}
    after = ParquetDataset(mixed, 256, num_threads=2, shuffle=True, **pasted(words))
    assert list(after.peek()) == ["id"]
    assert ids(after) == rows
    assert after.stats().read_bytes < dataset.stats().read_bytes / 10


class Meeting:
    """A transform that waits, while `num_threads` calls can run at once."""

    def __init__(self, num_threads: int) -> None:
        self.num_threads, self.inside, self.most = num_threads, 0, 0
        self.lock, self.is_full = threading.Lock(), threading.Event()

    def __call__(self, batch: Any) -> Any:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
            if self.inside == self.num_threads:
                self.is_full.set()
        assert self.is_full.wait(60)
        with self.lock:
            self.inside -= 1
        return batch


def test_a_slow_transform_that_waits_gets_threads(groups: Path) -> None:
    """Counts calls that run at once."""
    few = Meeting(2)
    dataset = ParquetDataset(groups, 256, num_threads=2, transform=few)
    rows = ids(dataset)
    words = judged(dataset.stats(), transform_seconds=18.0)
    assert "transform is the bottleneck, and its calls wait: " in words
    assert pasted(words) == {"num_threads": 4}
    many = Meeting(4)
    after = ParquetDataset(groups, 256, transform=many, **pasted(words))
    assert ids(after) == rows
    assert (few.most, many.most) == (2, 4)


def computing(batch: Any) -> Any:
    """A transform in Python, which holds the GIL."""
    return {"id": batch["id"], "process": os.getpid(), "sum": sum(range(1000))}


@pytest.mark.parametrize("consumer_waits", [9.9, 3.3])
def test_what_holds_the_gil_moves_to_other_processes(
    consumer_waits: float, groups: Path
) -> None:
    """Counts processes. The calls take turns with each other, or with the consumer."""
    loading = pytest.importorskip("torch.utils.data")
    from rowfeed.torch import ParquetDataset as TorchDataset

    dataset = TorchDataset(groups, 256, num_threads=2, transform=computing)
    elements = list(dataset)
    assert {element["process"] for element in elements} == {os.getpid()}
    words = judged(
        dataset.stats(),
        transform_seconds=18.0,
        transform_cpu_seconds=0.9 * consumer_waits,
        wait_seconds=consumer_waits,
    )
    assert "its calls take turns, because they hold the GIL: let workers run" in words
    names = {"DataLoader": loading.DataLoader, "dataset": dataset}
    dataset.set_epoch(0)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
        loaded = list(eval(end_of(words), names))
    processes = {element["process"] for element in loaded}
    assert len(processes) == 2
    assert os.getpid() not in processes
    assert ids(loaded) == ids(elements)


def test_a_consumer_that_takes_row_by_row_with_the_gil_gets_batches(
    groups: Path,
) -> None:
    """Counts how often the consumer takes something, and holds the GIL for it."""
    dataset = ParquetDataset(groups, None)
    rows = ids(dataset)
    words = judged(dataset.stats(), convert_seconds=8.0, wait_seconds=0.1)
    assert "; making tensors of batches took 80 %, in its own thread: " in words
    after = ParquetDataset(groups, **pasted(words))
    assert ids(after) == rows
    assert after.stats().batches < dataset.stats().batches / 50


def test_a_consumer_that_computes_with_the_gil_is_told_that_loading_is_fast(
    groups: Path,
) -> None:
    dataset = ParquetDataset(groups, 256)
    ids(dataset)
    words = judged(dataset.stats(), wait_seconds=0.1)
    assert words.endswith("of the time: loading is not the bottleneck.")


def test_a_budget_that_is_too_small_gets_room_for_the_next_window(groups: Path) -> None:
    """Counts the windows that are loaded ahead of a consumer that keeps one batch."""
    options: dict[str, Any] = {"shuffle": True, "shuffle_window": 8000, "seed": 5}
    least = ParquetDataset(groups, 256, **options).explain().least_memory_bytes
    dataset = ParquetDataset(groups, 256, memory_budget_bytes=least, **options)
    few = windows_ahead(dataset, iter(dataset))
    dataset.set_epoch(0)
    rows = ids(dataset)
    words = judged(dataset.stats(), stopped_seconds=8.0)
    assert "; the memory budget is the bottleneck: " in words
    after = ParquetDataset(groups, 256, **options, **pasted(words))
    batches = iter(after)
    first = next(batches)
    wait_until(lambda: after.stats().windows > few)
    assert [*ids([first]), *ids(batches)] == rows


@pytest.fixture
def far(groups: Path, s3: S3Server, proxy: FaultyProxy) -> str:
    """The row groups in a store, each answer of which takes a while."""
    bucket = f"far-{os.getpid()}-{proxy.port}"
    s3.put_tree(bucket, groups)
    proxy.latency_s = 0.01
    return s3.uri(bucket, proxy.port)


def test_a_far_store_gets_a_budget_with_which_it_is_asked_for_more_at_once(
    far: str,
) -> None:
    """Counts the windows that are fetched ahead of a consumer that keeps one batch."""
    options: dict[str, Any] = {"num_threads": 2}
    least = ParquetDataset(far, 256, **options).explain().least_memory_bytes
    dataset = ParquetDataset(far, 256, memory_budget_bytes=least, **options)
    few = windows_ahead(dataset, iter(dataset))
    dataset.set_epoch(0)
    rows = ids(dataset)
    words = judged(dataset.stats(), fetch_seconds=20.0, stopped_seconds=8.0)
    assert "fetching data from elsewhere is the bottleneck" in words
    after = ParquetDataset(far, 256, **options, **pasted(words))
    batches = iter(after)
    first = next(batches)
    wait_until(lambda: after.stats().windows >= 4 * few)
    assert [*ids([first]), *ids(batches)] == rows


def test_a_far_store_gets_larger_row_groups_where_the_budget_has_room(
    far: str,
    groups: Path,
    s3: S3Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counts requests."""
    dataset = ParquetDataset(far, 256)
    rows = ids(dataset)
    words = judged(dataset.stats(), fetch_seconds=20.0)
    assert ": write larger row groups: " in words
    again = write_again(words, groups, tmp_path, monkeypatch)
    bucket = f"larger-{os.getpid()}"
    s3.put_tree(bucket, again)
    after = ParquetDataset(s3.uri(bucket), 256)
    assert ids(after) == rows
    assert after.stats().fetch_requests <= dataset.stats().fetch_requests / 4
    words = judged(after.stats(), fetch_seconds=20.0)
    assert end_of(words) == "copy the files to a nearer store"


def test_a_run_of_a_few_batches_is_too_short_to_judge(groups: Path) -> None:
    dataset = ParquetDataset(groups, 24_000)
    ids(dataset)
    words = judged(dataset.stats())
    assert ", but 2 batches in 10 s are too short to judge: read at least 16" in words


def test_tiny_batches_get_a_larger_batch_size(groups: Path) -> None:
    dataset = ParquetDataset(groups, 1)
    taken = ids(dataset)
    words = judged(dataset.stats(), elapsed_seconds=5e-5 * len(taken), wait_seconds=0.0)
    assert "what each batch costs" in words
    after = ParquetDataset(groups, **pasted(words))
    assert ids(after) == taken
    assert after.stats().batches <= dataset.stats().batches / 50
