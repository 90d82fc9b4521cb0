# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The row that `where` is asked for, by file, row group and row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from numbered_rows import write_numbers
from rowfeed import Catalog, ParquetDataset


def test_a_file_is_named_by_path_name_or_index(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 16, num_lanes=3, shuffle=True)
    path = dataset.catalog.files[1].path
    found = [dataset.where(f, 0, 3, range(2)) for f in (1, path, "1.parquet")]
    assert found[0] == found[1] == found[2] != []


@pytest.mark.parametrize(
    ("file", "group", "row", "said"),
    [
        ("x.parquet", 0, 0, r"file must be .* 3 files \('0\.parquet' to '2\.parquet'"),
        (3, 0, 0, r"file must be in \[0, 2\], .* 3 files, not 3"),
        (0, 3, 0, r"row_group must be in \[0, 2\], .*0\.parquet, not 3"),
        (0, 0, 40, r"row must be in \[0, 39\], as row group 0 of .* 40 rows, not 40"),
        (0, 0, -1, "row must be >= 0"),
    ],
)
def test_rows_that_are_not_there(
    numbers: Path, file: Any, group: int, row: int, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        ParquetDataset(numbers, 16, num_lanes=3, shuffle=True).where(
            file, group, row, range(1)
        )


def test_a_row_group_that_was_left_out_is_not_there(numbers: Path) -> None:
    catalog = Catalog.open(numbers).select(row_groups=[1, 4])
    dataset = ParquetDataset(catalog, 16)
    index = catalog.row_groups[0].index
    with pytest.raises(ValueError, match=rf"row_group must be in \[{index}, {index}\]"):
        dataset.where(0, index + 1, 0, range(1))


def test_a_name_that_two_files_have_is_an_error_that_names_both(tmp_path: Path) -> None:
    folders = [write_numbers(tmp_path / name, [40], 1) for name in ("a", "b")]
    dataset = ParquetDataset(folders, 16)
    said = r"'0\.parquet' is the name of 2 files .*a/0\.parquet' to '.*b/0\.parquet'"
    with pytest.raises(ValueError, match=said):
        dataset.where("0.parquet", 0, 0, range(1))
    assert dataset.where(folders[1] / "0.parquet", 0, 0, range(1))
