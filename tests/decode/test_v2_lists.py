# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Lists in v2 pages whose headers claim another number of rows than the levels tell.

Arrow C++ before 12 and parquet.js claim as many rows as there are values.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from hand_made import write_lists
from reading import FACES, module_of
from rowfeed import ParquetDataset, ParquetMapDataset
from strangers import stranger

# Their chunk is larger than what is read whole anyway. All lists have a different size.
LISTS = [[*range(500 * i, 500 * i + 90 + i % 20)] for i in range(400)]
SIZE = 1013  # Values of a page.


def shifted(page: int, rows: int) -> int:
    """Claims a row less than there is and then one more, so that the sum is right."""
    return rows + (1 if page % 2 else -1) * (page < 38)


CLAIMS: dict[str, Callable[[int, int], int]] = {
    "values": lambda _page, _rows: SIZE,
    "none": lambda _page, _rows: 0,
    "negative": lambda _page, _rows: -1,
    "one more": lambda _page, rows: rows + 1,
    "shifted": shifted,
}


@pytest.fixture(params=CLAIMS)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    file = tmp_path / "x.parquet"
    write_lists(file, LISTS, SIZE, 2, claim=CLAIMS[request.param])
    return file


def test_v2_lists_are_read_whatever_their_headers_claim(path: Path) -> None:
    (batch,) = ParquetDataset(path, len(LISTS))
    assert batch["x"].tolist() == LISTS


def test_parts_of_row_groups_have_their_rows_whatever_headers_claim(path: Path) -> None:
    for rows in (1, 10, 37):
        dataset = ParquetDataset(path, rows, block_rows=rows, shuffle=False)
        found = [row for batch in dataset for row in batch["x"].tolist()]
        assert found == LISTS


def test_rows_by_index_are_right_whatever_headers_claim(path: Path) -> None:
    rows = ParquetMapDataset(path)
    for index in range(0, len(LISTS), 3):
        assert rows.take([index])["x"].tolist() == [LISTS[index]]
    some = [7, 9, 10, 11, 200, 399]
    assert rows.take(some)["x"].tolist() == [LISTS[index] for index in some]


def test_pages_of_an_offset_index_are_right_whatever_headers_claim(
    tmp_path: Path,
) -> None:
    """Arrow's indexes are believed, whose pages end with rows."""
    lists = [[*range(10 * i, 10 * i + 10)] for i in range(3000)]
    for name, claim in CLAIMS.items():
        path = tmp_path / f"{name}.parquet"
        writer = "parquet-cpp-arrow version 14.0.0"
        write_lists(path, lists, 1000, 2, claim=claim, writer=writer)
        rows = ParquetMapDataset(path)
        for index in range(0, len(lists), 233):
            assert rows.take([index])["x"].tolist() == [lists[index]]


def test_a_row_count_that_pages_do_not_have_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    write_lists(path, LISTS, SIZE, 2, num_rows=len(LISTS) + 1)
    for dataset in (
        ParquetDataset(path, 100),
        ParquetDataset(path, 10, block_rows=10, shuffle=False),
    ):
        with pytest.raises(OSError, match="expected 401 rows by the footer, found 400"):
            list(dataset)


OLD = [
    ("list_simple.v2.parquet", "cities"),
    ("v2_10.0.1.parquet", "l"),
    ("v2_12.0.1.parquet", "l"),
]


def as_lists(rows: Any) -> Any:
    """Returns the rows of a batch of any face as lists."""
    if hasattr(rows, "to_list"):  # A tensor of TensorFlow.
        return [[text(item) for item in row] for row in rows.to_list()]
    return rows.tolist()


def text(item: Any) -> Any:
    return item.decode() if isinstance(item, bytes) else item


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(("name", "column"), OLD)
def test_v2_lists_of_old_arrow_are_read(face: str, name: str, column: str) -> None:
    path = stranger(name)
    module = module_of(face)
    expected = pq.read_table(path)[column].to_pylist()
    (batch,) = module.ParquetDataset(path, 100, columns=[column])
    assert as_lists(batch[column]) == expected
    small = module.ParquetDataset(path, 1, columns=[column], block_rows=1)
    assert [row for batch in small for row in as_lists(batch[column])] == expected


def test_lists_in_structs_in_lists_of_old_arrow_are_read() -> None:
    path = stranger("v2_10.0.1.parquet")
    rows = pq.read_table(path)["s"].to_pylist()
    (batch,) = ParquetDataset(path, 100, columns=["s"])
    assert batch["s"]["b"].tolist() == [[s["b"] for s in row] for row in rows]


def test_v2_lists_of_old_arrow_are_right_under_a_filter() -> None:
    path = stranger("v2_10.0.1.parquet")
    expected = pq.read_table(path, filters=pc.field("i") > 6)["l"].to_pylist()
    for rows in (1, 4, 100):
        dataset = ParquetDataset(
            path, rows, columns=["l"], filter=pc.field("i") > 6, block_rows=rows
        )
        assert [row for b in dataset for row in b["l"].tolist()] == expected
