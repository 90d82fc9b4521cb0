# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Rows by index: what is read and what is kept, in threads and in processes."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forked import in_child
from rowfeed import Column, ParquetDataset, ParquetMapDataset


def bytes_read() -> int:
    """What this process has read of files."""
    with Path("/proc/self/io").open() as file:
        return int(file.readline().split()[1])


def write_lists(path: Path, **writing: Any) -> Path:
    """Writes 8 MB of lists of different lengths, in one row group of many pages."""
    lengths = np.arange(200_000) % 11
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    numbers = np.random.default_rng(0).integers(2**60, size=offsets[-1])
    lists = pa.ListArray.from_arrays(offsets, numbers)
    table = pa.table({"x": lists})
    pq.write_table(table, path, data_page_size=16_000, use_dictionary=False, **writing)
    return path


def test_a_page_index_saves_reading(tmp_path: Path) -> None:
    read = {}
    for indexed in (False, True):
        path = write_lists(
            tmp_path / f"{indexed}.parquet", write_page_index=indexed, compression=None
        )
        rows = ParquetMapDataset(path)
        before = bytes_read()
        taken = rows.take([100_000, 5])
        read[indexed] = bytes_read() - before
        assert [len(row) for row in taken["x"]] == [100_000 % 11, 5]
    assert read[False] > 8_000_000  # Only levels tell where rows of lists begin.
    assert read[True] < 500_000


def test_without_an_index_the_headers_of_pages_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    values = np.random.default_rng(0).random(1_000_000)
    pq.write_table(pa.table({"x": values}), path, data_page_size=200_000)
    rows = ParquetMapDataset(path)
    before = bytes_read()
    assert rows.take([500_000])["x"].tolist() == [values[500_000]]
    assert bytes_read() - before < path.stat().st_size / 4


def test_what_was_decoded_is_kept(tmp_path: Path) -> None:
    rows = ParquetMapDataset(write_lists(tmp_path / "x.parquet"))
    rows.take(slice(None))
    before = bytes_read()
    for start in range(11):
        rows.take(slice(start, None, 1000))
    assert bytes_read() - before < 100_000


@pytest.mark.parametrize("budget", [1, 300_000, 4_000_000])
def test_no_more_is_kept_than_the_budget(tmp_path: Path, budget: int) -> None:
    path = write_lists(tmp_path / "x.parquet", write_page_index=True)
    rows = ParquetMapDataset(path, memory_budget_bytes=budget)
    rng = np.random.default_rng(0)
    for _ in range(20):
        taken = rows.take(indices := rng.integers(200_000, size=50))
        assert [len(row) for row in taken["x"]] == [i % 11 for i in indices]
        assert rows._taker.bytes_kept <= budget
    assert budget == 1 or rows._taker.bytes_kept > budget / 4


def test_a_file_that_changed_is_named(tmp_path: Path) -> None:
    path = write_lists(tmp_path / "x.parquet")
    rows = ParquetMapDataset(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(OSError, match=r"x\.parquet changed since it was catalogued"):
        rows.take([0])


def test_nulls_are_refused_by_name_and_row(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": pa.array([1, None, 3])}), path)
    with pytest.raises(ValueError, match=r"x\.parquet, row group 0, column 'x'.*row 1"):
        ParquetMapDataset(path).take([1])
    assert ParquetMapDataset(path).take([2, 0, 2])["x"].tolist() == [3, 1, 3]
    filled = ParquetMapDataset(path, columns=[Column("x", fill=-1)])
    assert filled.take([1, 0])["x"].tolist() == [-1, 1]


# ---- Threads and processes ----


def test_threads_take_at_once(tmp_path: Path) -> None:
    path = write_lists(tmp_path / "x.parquet", write_page_index=True)
    rows = ParquetMapDataset(path, memory_budget_bytes=1_000_000)
    wrong = []

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(15):
            indices = rng.integers(200_000, size=64)
            lengths = [len(row) for row in rows.take(indices)["x"]]
            if lengths != [i % 11 for i in indices]:
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_forked_child_takes_rows_of_its_own(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers, columns=["id"])
    rows.take([0, 100])  # Threads run.
    in_child(lambda: rows.take([100, 7])["id"].tolist() == [100, 7])
    assert rows.take([8])["id"].tolist() == [8]


def test_a_pickle_has_the_catalog_not_the_paths(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": np.arange(10)}), path)
    rows = ParquetMapDataset(path, num_threads=3, memory_budget_bytes=12345)
    pickled = pickle.dumps(rows)
    before = bytes_read()
    copied = pickle.loads(pickled)
    assert bytes_read() - before < 1000
    assert copied.take([4])["x"].tolist() == [4]
    assert copied.catalog.fingerprint == rows.catalog.fingerprint


def test_rows_by_index_were_refused_for_windows_that_nobody_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither is there a budget for windows that could have been given."""
    path = write_lists(tmp_path / "x.parquet")
    monkeypatch.setattr("rowfeed._options.memory.usable_memory", lambda: 1 << 20)
    with pytest.raises(ValueError, match="this process may use 1048576"):
        ParquetDataset(path, 16)
    rows = ParquetMapDataset(path)
    assert len(rows.take([100_000])["x"][0]) == 100_000 % 11
