# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The place of a row (`__file`, `__row_group`, `__row`) in filters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from reading import module_of
from rowfeed import ParquetDataset

FILE, GROUP, ROW = (pc.field(name) for name in ("__file", "__row_group", "__row"))
ROWS = [
    {"id": 100 * file + 20 * group + row, "file": file, "group": group, "row": row}
    for file in range(3)
    for group in range(5)
    for row in range(20)
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of three files with 5 row groups of 20 rows each."""
    folder = tmp_path_factory.mktemp("places")
    for file in range(3):
        ids = np.arange(100 * file, 100 * file + 100)
        pq.write_table(
            pa.table({"id": ids}), folder / f"{file}.parquet", row_group_size=20
        )
    return folder


CASES: dict[str, tuple[Any, Any]] = {
    "one file": (FILE == 1, lambda r: r["file"] == 1),
    "tuples": ([("__row_group", "in", [0, 4])], lambda r: r["group"] in (0, 4)),
    "every third row": (
        pc.bit_wise_and(ROW, 3) == 0,
        lambda r: r["row"] % 4 == 0,
    ),
    "beside a column": (
        (FILE != 0) & (ROW < 5) & (pc.field("id") >= 150),
        lambda r: r["file"] != 0 and r["row"] < 5 and r["id"] >= 150,
    ),
    "or": ((GROUP == 2) | (ROW == 19), lambda r: r["group"] == 2 or r["row"] == 19),
    "not": (~(FILE >= 1), lambda r: r["file"] < 1),
    "all": (ROW >= 0, lambda _: True),
    "none": (ROW < 0, lambda _: False),
}


@pytest.mark.filterwarnings("ignore:no row is left")
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
@pytest.mark.parametrize("use_statistics", [True, False])
def test_a_filter_may_name_the_place_of_a_row(
    data: Path, case: str, face: str, use_statistics: bool
) -> None:
    condition, passes = CASES[case]
    dataset = module_of(face).ParquetDataset(
        data, 7, columns=["id"], filter=condition, use_statistics=use_statistics
    )
    found = [i for batch in dataset for i in np.asarray(batch["id"]).tolist()]
    assert found == [row["id"] for row in ROWS if passes(row)]


@pytest.mark.parametrize("condition", [FILE == 1, (FILE == 1) & (GROUP < 4)])
def test_other_row_groups_are_not_read(data: Path, condition: Any) -> None:
    dataset = ParquetDataset(data, 7, columns=["id"], filter=condition)
    assert sum(1 for _ in dataset) > 10
    assert dataset.stats().filtered_rows == 0


def test_a_column_of_the_files_comes_before_the_place(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"id": [0, 1, 2], "__row": [7, 8, 9]}), tmp_path / "x.parquet"
    )
    dataset = ParquetDataset(tmp_path, 9, columns=["id"], filter=ROW == 8)
    assert [batch["id"].tolist() for batch in dataset] == [[1]]
