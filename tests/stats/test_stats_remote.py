# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""stats() of data in an object store: what was fetched, and tried again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from faulty_proxy import FaultyProxy, every
from numbered_rows import write_numbers
from rowfeed import Column, Padded, ParquetDataset
from s3_server import S3Server

GROUPS = [40] * 24


@pytest.fixture(scope="module")
def s3(s3: S3Server, tmp_path_factory: pytest.TempPathFactory) -> S3Server:
    s3.put_tree("counted", write_numbers(tmp_path_factory.mktemp("d"), GROUPS))
    return s3


def test_what_is_fetched_is_counted(s3: S3Server) -> None:
    dataset = ParquetDataset(s3.uri("counted"), 64, columns=["id", "name"])
    list(dataset)
    stats = dataset.stats()
    assert stats.rows == sum(GROUPS)
    assert stats.fetched_bytes >= stats.read_bytes > 0
    assert 1 <= stats.fetch_requests <= 2 * len(GROUPS)
    assert stats.fetch_seconds > 0
    assert stats.fetch_retries == 0


def test_what_is_tried_again_is_counted(s3: S3Server, proxy: FaultyProxy) -> None:
    dataset = ParquetDataset(s3.uri("counted", proxy.port), 64, columns=["id"])
    proxy.plan = every(3, "503")
    list(dataset)
    stats = dataset.stats()
    assert stats.rows == sum(GROUPS)
    assert stats.fetch_retries > 0


GROUP_ROWS = 40_000


def write_wide(path: Path, **writing: Any) -> None:
    """Two row groups of more than a MB."""
    rows = 2 * GROUP_ROWS
    random = np.random.default_rng(0)
    lists = pa.ListArray.from_arrays(
        np.arange(0, 2 * rows + 1, 2, dtype=np.int32), random.random(2 * rows)
    )
    table = pa.table(
        {
            "id": np.arange(rows),
            "noise": random.random(rows),
            "name": [f"number {i % 500}" for i in range(rows)],
            "text": [f"{i:064x}" for i in range(rows)],
            "pair": lists,
            "flag": random.random(rows) < 0.5,
        }
    )
    pq.write_table(
        table,
        path,
        row_group_size=GROUP_ROWS,
        data_page_size=1 << 14,
        write_batch_size=512,
        compression="none",
        use_dictionary=["name"],
        **writing,
    )


@pytest.mark.parametrize(
    ("options", "num_fetches"),
    [
        ({}, 10),  # Each block is a window.
        ({"shuffle": True}, 1),  # All blocks are in one window.
        # The rank has one window, which has half of the blocks of each row group.
        ({"shuffle": True, "num_lanes": 2, "world_size": 2, "rank": 1}, 2),
    ],
)
def test_of_a_block_the_pages_are_fetched_that_hold_it(
    options: dict[str, Any], num_fetches: int, s3: S3Server, tmp_path: Path
) -> None:
    pair = Column("pair", pad=Padded(2))
    columns = ["id", "noise", "name", "text", "flag", pair, "__row"]
    keywords: dict[str, Any] = {"columns": columns, "block_rows": 4000, **options}
    share = 1 / options.get("world_size", 1)
    for index in (False, True):
        path = tmp_path / str(index) / "x.parquet"
        path.parent.mkdir()
        write_wide(path, write_page_index=index)
        bucket = f"blocks-{index}-{len(options)}".lower()
        s3.put_tree(bucket, path.parent)
        proxy = FaultyProxy(s3.port)
        dataset = ParquetDataset(s3.uri(bucket, proxy.port), 500, **keywords)
        num_before = len(proxy.requests)
        found = list(dataset)
        proxy.close()
        for batch, near in zip(
            found, ParquetDataset(path, 500, **keywords), strict=True
        ):
            for name, values in near.items():
                assert batch[name].tolist() == values.tolist()
        stats = dataset.stats()
        assert stats.rows == share * 2 * GROUP_ROWS
        # Gaps and indexes are among them.
        size = path.stat().st_size * share
        if index:
            assert stats.fetched_bytes < 2 * size
        else:
            assert stats.fetched_bytes == pytest.approx(num_fetches * size, rel=0.1)
        # There is no other that a decoder had to wait for.
        methods = [method for method, _ in proxy.requests[num_before:]]
        assert methods.count("GET") == stats.fetch_requests
