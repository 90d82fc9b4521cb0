# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How many requests a store gets while the rows that a filter leaves are counted."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from faulty_proxy import Fault, FaultyProxy
from filtering import F
from rowfeed import Catalog
from s3_server import S3Server

NUM_GROUPS, GROUP_ROWS = 24, 200
BUCKET = "indexed"
# More than is read of the end of a file at first, so that the footer is read alone.
LARGE = {"note": "x" * (300 << 10)}


@pytest.fixture(scope="module")
def s3(s3: S3Server, tmp_path_factory: pytest.TempPathFactory) -> S3Server:
    folder = tmp_path_factory.mktemp("data")
    keys = np.arange(NUM_GROUPS * GROUP_ROWS)
    table = pa.table({"key": keys, "other": keys % 7})
    for name, metadata in (("small", None), ("large", LARGE)):
        pq.write_table(
            table.replace_schema_metadata(metadata),
            folder / f"{name}.parquet",
            row_group_size=GROUP_ROWS,
            max_rows_per_page=20,
            write_batch_size=20,
            write_page_index=True,
            use_dictionary=False,
        )
    s3.put_tree(BUCKET, folder)
    return s3


@pytest.mark.parametrize(
    ("name", "passes", "count", "num_reads"),
    [
        # The indexes came with the footer.
        ("small", F("key") < 0, 0, 1),
        ("small", F("key") >= 0, NUM_GROUPS * GROUP_ROWS, 1),
        # Two reads for the footer, and one for the indexes of all row groups.
        ("large", F("key") < 0, 0, 3),
        ("large", (F("key") < 0) & (F("other") > 9), 0, 3),
        ("large", F("key") >= GROUP_ROWS, (NUM_GROUPS - 1) * GROUP_ROWS, 3),
    ],
    ids=str,
)
def test_page_indexes_of_all_row_groups_are_one_read(
    name: str,
    passes: pc.Expression,
    count: int,
    num_reads: int,
    s3: S3Server,
    proxy: FaultyProxy,
) -> None:
    catalog = Catalog.open(s3.uri(f"{BUCKET}/{name}.parquet", proxy.port))
    before = len(proxy.requests)
    assert catalog.count(passes) == count
    reads = [method for method, _ in proxy.requests[before:] if method == "GET"]
    assert len(reads) == num_reads


@pytest.mark.parametrize("fault", ["403", "reset", "cut"])
def test_page_indexes_that_cannot_be_read_are_an_error_or_are_read_again(
    fault: Fault, s3: S3Server, proxy: FaultyProxy
) -> None:
    catalog = Catalog.open(s3.uri(f"{BUCKET}/large.parquet", proxy.port))
    reads: list[str] = []

    def fail_indexes(method: str, path: str, _index: int) -> Fault | None:
        if method == "GET":
            reads.append(path)
        # Two reads are of the footer; the third is of the indexes.
        return fault if method == "GET" and len(reads) == 3 else None

    proxy.plan = fail_indexes
    passes = F("key") >= GROUP_ROWS
    if fault == "403":
        with pytest.raises(PermissionError, match=f"s3://{BUCKET}/large.parquet"):
            catalog.count(passes)
        assert len(reads) == 3
    else:
        assert catalog.count(passes) == (NUM_GROUPS - 1) * GROUP_ROWS
        assert len(reads) == 4
