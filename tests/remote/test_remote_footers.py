# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How often a catalog reads the footers of its files, counted where they lie."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from faulty_proxy import FaultyProxy
from numbered_rows import write_numbers
from rowfeed import Catalog, Column
from s3_server import S3Server

BUCKET = "footers"
NUM_FILES = 3
# Requests that bring bytes: a listing, and the end of each file.
ONCE = 1 + NUM_FILES


@pytest.fixture(scope="module")
def s3(s3: S3Server, tmp_path_factory: pytest.TempPathFactory) -> S3Server:
    s3.put_tree(BUCKET, write_numbers(tmp_path_factory.mktemp("data"), [4] * 6))
    return s3


def opened(uri: str, proxy: FaultyProxy, columns: list[str | Column]) -> Catalog:
    """Opens a catalog, and leaves in `proxy.requests` what this asked for."""
    proxy.requests.clear()
    return Catalog.open(uri, columns)


def num_reads(proxy: FaultyProxy) -> int:
    return sum(method == "GET" for method, _ in proxy.requests)


@pytest.mark.parametrize(
    "columns",
    [["!even"], ["*", "!even"], ["id", "!e*", "*", "__file"], ["name", "*"], ["*"]],
    ids=str,
)
def test_an_exclusion_had_footers_read_twice(
    columns: list[str | Column], s3: S3Server, proxy: FaultyProxy
) -> None:
    uri = s3.uri(BUCKET, proxy.port)
    catalog = opened(uri, proxy, columns)
    assert num_reads(proxy) == ONCE
    names = [field.name for field in catalog.schema]
    assert ("even" in names) == ("!" not in str(columns))
    by_name = opened(uri, proxy, [*names])
    assert catalog._native.serialize() == by_name._native.serialize()


def test_footers_are_read_again_for_a_column_of_later_files(
    s3: S3Server, proxy: FaultyProxy, tmp_path: Path
) -> None:
    pq.write_table(pa.table({"x": [1], "y": [2]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"x": [1], "y": [2], "z": [3]}), tmp_path / "b.parquet")
    s3.put_tree("later", tmp_path)
    uri = s3.uri("later", proxy.port)
    catalog = opened(uri, proxy, ["!y", "*", Column("z", fill=0)])
    assert [field.name for field in catalog.schema] == ["x", "z"]
    # Once for all columns; then the second file is searched for "z", and both are read.
    assert num_reads(proxy) == (1 + 2) + (1 + 1 + 2)
