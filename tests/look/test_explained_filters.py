# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""explain() of filters: what decided about the rows, and what would read less."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import rowfeed
from numbered_rows import write_numbers
from rowfeed import Catalog, ParquetDataset, ParquetMapDataset
from s3_server import S3Server

GROUP, GROUPS = 20_000, 4
ROWS = 2 * GROUPS * GROUP
BY = ["places", "statistics", "bloom filters", "page indexes", "values"]


def table(first: int) -> pa.Table:
    ids = np.arange(first, first + GROUPS * GROUP)
    random = np.random.default_rng(first)
    keys = random.integers(0, 1 << 60, len(ids)) * 2
    return pa.table({"id": ids, "key": keys, "noise": random.random(len(ids))})


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Directories k=0 and k=1, with page indexes and bloom filters of the keys."""
    folder = tmp_path_factory.mktemp("data")
    for k in range(2):
        (folder / f"k={k}").mkdir()
        pq.write_table(
            table(k * GROUPS * GROUP),
            folder / f"k={k}" / "0.parquet",
            row_group_size=GROUP,
            max_rows_per_page=1000,
            write_page_index=True,
            use_dictionary=False,
            bloom_filter_options={"key": {"ndv": GROUP, "fpp": 0.01}},
        )
    return folder


def decided(folder: Path, **options: Any) -> dict[str, int]:
    dataset = ParquetDataset(folder, 64, **options)
    dataset.state_at(0, 0)  # It counts the rows.
    said = dataset.explain()
    assert said.decided_rows is not None
    assert list(said.decided_rows) == BY
    assert sum(said.decided_rows.values()) == ROWS
    return {by: rows for by, rows in said.decided_rows.items() if rows}


CASES: dict[str, tuple[Any, dict[str, int]]] = {
    "a directory": (pc.field("k") == 0, {"places": ROWS}),
    "row groups": (pc.field("id") < 2 * GROUP, {"statistics": ROWS}),
    "a directory and row groups": (
        (pc.field("k") == 0) & (pc.field("id") < GROUP),
        {"places": ROWS // 2, "statistics": ROWS // 2},
    ),
    "pages": (
        pc.field("id") < GROUP + 1500,
        {"statistics": ROWS - GROUP, "page indexes": GROUP - 2000, "values": 2000},
    ),
    "values": (pc.field("noise") < 0.5, {"values": ROWS}),
    "values in places": (
        (pc.field("k") == 1) & (pc.field("noise") < 0.5),
        {"places": ROWS // 2, "values": ROWS // 2},
    ),
}


@pytest.mark.parametrize(("condition", "expected"), CASES.values(), ids=CASES)
def test_it_says_what_decided_about_the_rows(
    condition: Any, expected: dict[str, int], data: Path
) -> None:
    assert decided(data, filter=condition) == expected


def test_a_key_that_is_nowhere_is_ruled_out_by_bloom_filters(data: Path) -> None:
    found = decided(data, filter=pc.field("key").isin([(1 << 60) + 1]))
    assert found["bloom filters"] >= ROWS - 2 * GROUP  # A few may claim to have it.


def test_without_statistics_values_decide(data: Path) -> None:
    condition = (pc.field("k") == 0) & (pc.field("id") < GROUP)
    found = decided(data, filter=condition, use_statistics=False)
    assert found == {"places": ROWS // 2, "values": ROWS // 2}


def test_a_split_by_row_groups_is_decided_by_places(data: Path) -> None:
    split = rowfeed.Split(0.0, 0.5, unit="row_group", seed=1)
    assert decided(data, split=split) == {"places": ROWS}


def test_what_decided_is_kept_with_the_counts(data: Path, tmp_path: Path) -> None:
    condition = pc.field("id") < GROUP + 1500
    expected = CASES["pages"][1]
    for _ in range(2):  # The second one reads what the first one has kept.
        assert decided(data, filter=condition, cache_dir=tmp_path) == expected
    catalog = Catalog.open(data)
    catalog.count(condition)
    said = ParquetDataset(catalog, 64, filter=condition).explain()
    assert {by: n for by, n in (said.decided_rows or {}).items() if n} == expected


def test_the_sheet_has_a_line_of_it(data: Path) -> None:
    dataset = ParquetDataset(data, 64, filter=CASES["pages"][0])
    assert dataset.explain().decided_rows is None  # Nothing is counted yet.
    dataset.peek()
    assert (
        "140,000 rows by statistics, 18,000 rows by page indexes, 2,000 rows by values"
        in str(dataset.explain())
    )
    assert ParquetDataset(data, 64).explain().decided_rows is None


FEW = {"one in a thousand": 0.001, "one in fifty": 0.02, "half": 0.5}


@pytest.mark.parametrize("share", FEW.values(), ids=FEW)
def test_a_copy_of_the_rows_has_the_bytes_that_it_says(
    share: float, data: Path, tmp_path: Path
) -> None:
    condition = pc.field("noise") < share
    dataset = ParquetDataset(data, 64, filter=condition, columns=["id", "key"])
    dataset.peek()
    said = dataset.explain()
    passing = ds.dataset(data).to_table(columns=["id", "key"], filter=condition)
    pq.write_table(passing, tmp_path / "copy.parquet", use_dictionary=False)
    copy = ParquetDataset(tmp_path, 64).explain()
    assert said.copied_bytes == pytest.approx(copy.read_bytes, rel=0.25)
    assert said.copied_bytes is not None
    assert said.read_bytes is not None
    assert said.copied_bytes < said.read_bytes


@pytest.mark.parametrize("share", FEW.values(), ids=FEW)
def test_rows_by_index_read_the_bytes_that_it_says(share: float, data: Path) -> None:
    condition = pc.field("noise") < share
    options: dict[str, Any] = {"filter": condition, "columns": ["id", "key"]}
    dataset = ParquetDataset(data, 64, **options)
    dataset.peek()
    rows = ParquetMapDataset(data, **options)
    rows.take(range(len(rows)))
    read = sum(rows.stats().columns[name].read_bytes for name in options["columns"])
    said = dataset.explain().by_index_bytes
    assert said is not None
    # Pages of this writer have 1,000 rows, and the footer does not say so.
    assert 0.5 * read <= said <= 2.5 * read


def test_few_rows_of_much_data_are_worth_a_copy(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    rows = 400_000
    noise = {f"x{i}": random.random(rows) for i in range(10)}
    where = random.random(rows)
    big = pa.table({**noise, "where": where})
    pq.write_table(big, tmp_path / "0.parquet", use_dictionary=False)
    for share, is_advised in ((0.0005, True), (0.6, False)):
        dataset = ParquetDataset(tmp_path, 64, filter=pc.field("where") < share)
        dataset.peek()
        said = dataset.explain()
        advice = [line for line in said.advice if "a copy of these rows" in line]
        assert bool(advice) == is_advised
        if not is_advised:
            continue
        first = ParquetDataset(tmp_path, 64, filter=pc.field("where") < share)
        for _ in first:
            pass
        assert said.read_bytes == pytest.approx(first.stats().read_bytes, rel=0.3)


def test_the_requests_are_those_that_the_epoch_makes(
    s3: S3Server, tmp_path: Path
) -> None:
    groups = [40] * 24
    s3.put_tree("explained", write_numbers(tmp_path / "d", groups))
    for options in ({}, {"columns": ["id"]}, {"shuffle": True}):
        dataset = ParquetDataset(s3.uri("explained"), 64, **options)
        said = dataset.explain()
        list(dataset)
        assert said.num_requests == dataset.stats().fetch_requests
        assert f"with {said.num_requests} requests" in str(said)
    local = ParquetDataset(tmp_path / "d", 64).explain()
    assert local.num_requests == 0
    assert "request" not in str(local)
