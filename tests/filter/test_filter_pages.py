# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Under a filter, pages without a row that passes are neither read nor missed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from filtering import F, passing, write
from rowfeed import Catalog, Column, Padded, ParquetDataset

NUM_ROWS = 40_000


def bytes_read() -> int:
    """What this process has read until now."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return int(dict(line.split(": ") for line in lines)["rchar"])


def lists_of(random: np.random.Generator, num_rows: int) -> pa.Array:
    offsets = np.concatenate([[0], np.cumsum(random.integers(0, 9, num_rows))])
    values = random.integers(0, 2**40, offsets[-1])
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), values)


def columns_of(num_rows: int) -> dict[str, pa.Array]:
    random = np.random.default_rng(0)
    lists = lists_of(random, num_rows)
    inner = np.arange(len(lists.values) + 1, dtype=np.int32)
    nested = pa.ListArray.from_arrays(inner, lists.values)
    numbers = random.random(num_rows * 8)
    return {
        "number": pa.array(numbers[:num_rows]),
        "text": pa.array([f"{n:.15f}" for n in numbers[:num_rows]]),
        "list": lists,
        "nested": pa.ListArray.from_arrays(lists.offsets, nested),
        "fixed": pa.FixedSizeListArray.from_arrays(numbers, 8),
        "texts": pa.ListArray.from_arrays(
            lists.offsets, lists.values.cast(pa.string())
        ),
    }


@pytest.fixture(scope="module")
def paged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One row group of many pages, with an index; no statistics of the row number."""
    rows = np.random.default_rng(1).permutation(NUM_ROWS)
    table = pa.table({"row": rows, **columns_of(NUM_ROWS)})
    return write(
        tmp_path_factory.mktemp("paged") / "x.parquet",
        table,
        row_group_size=NUM_ROWS,
        max_rows_per_page=400,
        write_batch_size=100,
        write_page_index=True,
        use_dictionary=False,
        compression="none",
    )


@pytest.mark.parametrize("column", columns_of(1))
def test_of_each_kind_of_column_few_pages_are_read(paged: Path, column: str) -> None:
    catalog = Catalog.open(paged)
    passes = F("row").isin([3, 77, 39_000])
    dataset = ParquetDataset(
        catalog, 10, columns=["row", column], filter=passes, num_threads=1
    )
    assert len(dataset) == 1
    before = bytes_read()
    (batch,) = dataset
    # The file again for where its indexes are; the keys between the first row and the
    # last; three pages, and not much else.
    keys = NUM_ROWS * 8
    assert bytes_read() - before < keys + (64 << 10) + paged.stat().st_size / 20
    table = pa.parquet.read_table(paged, columns=["row", column]).filter(passes)
    assert batch["row"].tolist() == table["row"].to_pylist()
    assert batch[column].tolist() == table[column].to_pylist()


def test_a_row_that_is_found_by_a_page_index_is_read_alone(tmp_path: Path) -> None:
    num_rows = 200_000
    table = pa.table({"row": np.arange(num_rows), **columns_of(num_rows)})
    writing: dict[str, Any] = {"use_dictionary": False, "compression": "none"}
    writing |= {"write_page_index": True, "max_rows_per_page": 2000}
    path = write(tmp_path / "x.parquet", table, **writing)
    catalog = Catalog.open(path)
    before = bytes_read()
    (batch,) = ParquetDataset(catalog, 10, filter=F("row") == 77_777)
    assert batch["row"].tolist() == [77_777]
    assert batch["list"].tolist() == [table["list"][77_777].as_py()]
    assert bytes_read() - before < 0.05 * path.stat().st_size


@pytest.mark.parametrize("damage", ["first bytes", "zeros", "ones"])
def test_a_damaged_page_index_leaves_all_rows_to_be_looked_at(
    tmp_path: Path, damage: str
) -> None:
    num_rows = 40_000  # In chunks that are large enough to ask where pages lie.
    table = pa.table({"n": range(num_rows), "row": range(num_rows)})
    writing: dict[str, Any] = {"write_page_index": True, "max_rows_per_page": 1000}
    path = write(tmp_path / "x.parquet", table, use_dictionary=False, **writing)
    group = pa.parquet.read_metadata(path).row_group(0)
    whole = path.read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    index = max(
        column.data_page_offset + column.total_compressed_size
        for column in map(group.column, range(2))
    )
    if damage == "first bytes":
        damaged = b"\xff" * 8 + whole[index + 8 : footer]
    else:
        damaged = (b"\0" if damage == "zeros" else b"\xff") * (footer - index)
    path.write_bytes(whole[:index] + damaged + whole[footer:])
    for passes in (F("n") == 5000, F("n") > 39_993, F("n").isin([3, 7777])):
        expected = table.filter(passes)["row"].to_pylist()
        assert passing(path, passes) == expected


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    wanted=st.lists(st.integers(0, 2999), min_size=1, max_size=12, unique=True),
    has_nulls=st.booleans(),
    page_version=st.sampled_from(["1.0", "2.0"]),
    use_dictionary=st.booleans(),
    rows_per_page=st.integers(20, 700),
    block_rows=st.none() | st.integers(100, 3000),
)
def test_values_are_those_of_pyarrow(
    tmp_path: Path,
    wanted: list[int],
    has_nulls: bool,
    page_version: str,
    use_dictionary: bool,
    rows_per_page: int,
    block_rows: int | None,
) -> None:
    num_rows = 3000
    columns = columns_of(num_rows)
    if has_nulls:
        mask = pa.array(np.arange(num_rows) % 7 == 3)
        for name in ("number", "text", "list", "nested", "texts"):
            empty = pa.scalar(None, columns[name].type)
            columns[name] = pa.compute.if_else(mask, empty, columns[name])
    rows = np.random.default_rng(2).permutation(num_rows)
    table = pa.table({"row": rows, **columns})
    path = write(
        tmp_path / "x.parquet",
        table,
        row_group_size=2000,
        max_rows_per_page=rows_per_page,
        write_batch_size=rows_per_page,
        data_page_version=page_version,
        write_page_index=True,
        use_dictionary=use_dictionary,
    )
    asked = {
        "row": Column("row"),
        "number": Column("number", fill=-1.0),
        "text": Column("text", fill="?"),
        "list": Column("list", mask="rows"),
        "nested": Column("nested", mask="rows"),
        "texts": Column("texts", mask="rows"),
        "fixed": Column("fixed"),
        "padded": Column("list", fill=0, pad=Padded(3)),
    }
    passes = F("row").isin(wanted)
    dataset = ParquetDataset(
        path, num_rows, columns=asked, filter=passes, block_rows=block_rows
    )
    (batch,) = dataset
    expected = table.filter(passes)
    assert batch["row"].tolist() == expected["row"].to_pylist()
    assert batch["fixed"].tolist() == expected["fixed"].to_pylist()
    for name, fill in (("number", -1.0), ("text", "?")):
        values = expected[name].to_pylist()
        assert batch[name].tolist() == [fill if v is None else v for v in values]
    for name in ("list", "nested", "texts"):
        values = expected[name].to_pylist()
        assert batch[name].tolist() == [v or [] for v in values]
    padded = [((v or []) + [0] * 3)[:3] for v in expected["list"].to_pylist()]
    assert batch["padded"].tolist() == padded
