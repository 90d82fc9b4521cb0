# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""stats() of rows by index: what was read, kept and waited for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forked import in_child
from growing import table
from rowfeed import ParquetMapDataset
from s3_server import S3Server

ROWS = 50_000


@pytest.fixture
def data(tmp_path: Path) -> Path:
    random = np.random.default_rng(0)
    values = random.random(ROWS)
    text = [random.bytes(16).hex() for _ in range(ROWS)]
    pq.write_table(
        pa.table({"value": values, "text": text}),
        tmp_path / "x.parquet",
        compression={"value": "none", "text": "zstd"},
        use_dictionary=False,
        data_page_size=1 << 14,
        write_batch_size=512,
        write_page_index=True,
    )
    return tmp_path


def test_takes_are_counted_and_what_is_kept_is_not_read_again(data: Path) -> None:
    rows = ParquetMapDataset(data, columns=["value", "text", "__row"])
    assert rows.stats().takes == rows.stats().read_bytes == 0
    rows.take([3, 40_000, 3])
    first = rows.stats()
    assert (first.takes, first.rows) == (1, 3)
    assert first.take_seconds > 0
    assert first.busy_seconds > 0
    text = first.columns["text"]
    assert (text.codec, first.columns["value"].codec) == ("zstd", "")
    assert 0 < text.requests < 20
    for seconds in (text.read_seconds, text.decode_seconds, text.gather_seconds):
        assert seconds > 0
    assert text.decompress_seconds > 0
    # Two blocks of pages, not the file.
    assert 0 < first.read_bytes < (data / "x.parquet").stat().st_size / 4
    assert 0 < first.kept_bytes <= first.memory_budget_bytes

    _ = rows[40_000]
    second = rows.stats()
    assert (second.takes, second.rows) == (2, 4)
    assert (
        second.read_bytes
        == first.read_bytes
        == sum(column.read_bytes for column in second.columns.values())
    )
    assert second.requests == first.requests


def test_errors_are_no_takes(data: Path) -> None:
    rows = ParquetMapDataset(data, columns=["value"])
    with pytest.raises(IndexError):
        rows.take([ROWS])
    assert rows.stats().takes == 0


def test_a_forked_child_counts_for_itself(data: Path) -> None:
    rows = ParquetMapDataset(data, columns=["value"])
    rows.take([1, 2])

    def counts_its_own() -> bool:
        rows.take([1])
        stats = rows.stats()
        return (stats.takes, stats.rows) == (1, 1)

    in_child(counts_its_own)
    assert rows.stats().rows == 2


def test_torch_has_them_too(data: Path) -> None:
    pytest.importorskip("torch")
    from rowfeed.torch import ParquetMapDataset

    rows = ParquetMapDataset(data, columns=["value"])
    rows.take(range(100))
    assert rows.stats().rows == 100


def test_of_a_store_each_read_is_a_request(s3: S3Server, tmp_path: Path) -> None:
    pq.write_table(table(0), tmp_path / "x.parquet")
    s3.put_tree("taken", tmp_path)
    rows = ParquetMapDataset(s3.uri("taken"), columns=["id"])
    assert rows.take([5])["id"].tolist() == [5]
    stats = rows.stats()
    assert stats.requests >= 1
    assert stats.columns["id"].read_seconds > 0
