# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Row groups about which the footer decides are compared with their page indexes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

import lying_files
from filtering import F, passing
from lying_files import GROUP_ROWS, PAGE_ROWS, Chunk, Layout, Lie, column_of
from old_levels import Reader
from rowfeed import Catalog, ParquetDataset


def right(passes: pc.Expression) -> list[int]:
    return [*lying_files.table().filter(passes)["row"].to_pylist()]


@pytest.mark.parametrize(
    ("column", "passes"),
    [
        ("i64", F("i64") == column_of("i64")[755].as_py()),
        ("text", F("text") == column_of("text")[755].as_py()),
        ("i64", F("i64") < -1750),
    ],
)
def test_a_chunk_that_its_page_index_contradicts_is_counted_by_its_values(
    tmp_path: Path, column: str, passes: pc.Expression
) -> None:
    """Also by two ranks, of which one has no row group that shows it."""

    def tell(chunk: Chunk) -> None:
        if chunk.pages[0] == lying_pages[0]:
            chunk.say(chunk.values[0], chunk.values[0])
            chunk.meta.pop(16)  # The size of all strings would show it.

    stored = [v.as_py() for v in column_of(column)]
    values = [v.encode() if isinstance(v, str) else v for v in stored]
    lying_row = right(passes)[-1] // GROUP_ROWS * GROUP_ROWS
    lying_pages = [values[lying_row : lying_row + PAGE_ROWS]]
    path = tmp_path / "x.parquet"
    lying_files.write(path, Lie("a lie", tell, (column,)))
    dataset = ParquetDataset(path, 7, columns=["row"], filter=passes)
    with pytest.warns(UserWarning, match=rf"'{column}'.*outside of the bounds") as said:
        assert len(dataset) == -(-len(right(passes)) // 7)
    assert len(said) == 1
    assert [int(row) for batch in dataset for row in batch["row"]] == right(passes)
    ranks = [
        ParquetDataset(path, 7, columns=["row"], filter=passes)._parameters.rows
        for _ in range(2)
    ]
    with pytest.warns(UserWarning, match="outside of the bounds"):
        shares = [ranks[rank].count_share(rank, 2) for rank in range(2)]
    ranks[0].join(shares)
    assert ranks[0].num_rows() == len(right(passes))


@pytest.mark.parametrize("column", ["i64", "day", "u64", "f64", "time", "s.x"])
def test_pages_that_honest_statements_rule_out_are_not_read(
    tmp_path: Path, column: str
) -> None:
    """Their values are damaged, so that decoding one of them would fail."""
    layout = Layout(has_blooms=True)
    path = tmp_path / "x.parquet"
    lying_files.write(path, Lie("none", lambda _: None, (), layout))
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[-8:-4], "little")
    footer: Any = Reader(bytes(data[-8 - size : -8])).struct()
    wanted = 755
    for number, group in enumerate(footer[4][1][1]):
        for chunk in group[1][1][1]:
            offsets: Any = Reader(bytes(data), chunk[4][1]).struct()
            for place in offsets[1][1][1]:
                begin, length, row = (place[field][1] for field in (1, 2, 3))
                row += number * GROUP_ROWS
                if not row <= wanted < row + PAGE_ROWS:
                    header = Reader(bytes(data), begin)
                    header.struct()
                    values, end = header.place, begin + length
                    data[values:end] = b"\xff" * (end - values)
    path.write_bytes(data)
    field, value = F(*column.split(".")), column_of(column)[wanted]
    greatest = column_of(column)[1199]
    assert passing(path, field == value) == right(field == value)
    assert Catalog.open(path).count(field > greatest) == 0
