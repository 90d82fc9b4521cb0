# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""stats() of data in an object store: what was fetched, and tried again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conftest import write_numbers
from faulty_proxy import FaultyProxy, every
from rowfeed import ParquetDataset
from s3_server import S3Server, serving

pytest.importorskip("moto")

GROUPS = [40] * 24


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with serving() as server:
        server.put_tree("counted", write_numbers(tmp_path_factory.mktemp("d"), GROUPS))
        yield server


def test_what_is_fetched_is_counted(s3: S3Server) -> None:
    dataset = ParquetDataset(s3.uri("counted"), 64, columns=["id", "name"])
    list(dataset)
    stats = dataset.stats()
    assert stats.rows == sum(GROUPS)
    assert stats.fetched_bytes >= stats.read_bytes > 0
    assert 1 <= stats.fetch_requests <= 2 * len(GROUPS)
    assert stats.fetch_seconds > 0
    assert stats.fetch_retries == 0


def test_what_is_tried_again_is_counted(s3: S3Server) -> None:
    proxy = FaultyProxy(s3.port)
    try:
        dataset = ParquetDataset(s3.uri("counted", proxy.port), 64, columns=["id"])
        proxy.plan = every(3, "503")
        list(dataset)
    finally:
        proxy.close()
    stats = dataset.stats()
    assert stats.rows == sum(GROUPS)
    assert stats.fetch_retries > 0
