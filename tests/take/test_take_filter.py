# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Under a filter, rows by index are those that pass, numbered from 0."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from numbered_rows import NUM_ROWS
from rowfeed import Catalog, ParquetDataset, ParquetMapDataset

EVEN = pc.field("even")


def test_rows_are_those_that_pass_in_catalog_order(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers, filter=EVEN)
    passing = np.arange(0, NUM_ROWS, 2)
    assert len(rows) == len(passing)
    np.testing.assert_array_equal(rows[:]["id"], passing)
    taken = rows.take([5, -1, 0, 5])
    assert taken["id"].tolist() == [10, passing[-1], 0, 10]
    assert taken["name"].tolist() == [f"row {row}" for row in taken["id"]]
    assert rows[-2]["id"] == passing[-2]
    with pytest.raises(IndexError, match=f"of {len(passing)} rows"):
        rows[len(passing)]


def test_the_filters_column_need_not_be_delivered(numbers: Path) -> None:
    rows = ParquetMapDataset(
        numbers, columns=["name"], label="half", filter=pc.field("id") >= 200
    )
    features, half = rows[0]
    assert features == {"name": "row 200"}
    assert half == 100


def test_a_pickled_dataset_has_the_same_rows(numbers: Path, tmp_path: Path) -> None:
    rows = ParquetMapDataset(numbers, filter=EVEN, cache_dir=tmp_path / "cache")
    again = pickle.loads(pickle.dumps(rows))
    assert again[7]["id"] == rows[7]["id"] == 14
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_nothing_passes(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers, filter=pc.field("id") < 0)
    assert len(rows) == 0
    assert len(rows.take([])["id"]) == 0
    with pytest.raises(IndexError):
        rows[0]


def test_a_dataloader_samples_among_those_that_pass(numbers: Path) -> None:
    torch = pytest.importorskip("torch")
    from rowfeed.torch import ParquetMapDataset

    rows = ParquetMapDataset(numbers, columns=["id"], filter=EVEN)
    loader = torch.utils.data.DataLoader(rows, 8, shuffle=True, collate_fn=rows.collate)
    ids = torch.cat([batch["id"] for batch in loader])
    assert sorted(ids.tolist()) == list(range(0, NUM_ROWS, 2))


def test_a_column_called_as_a_place_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"__row": [1, 2]}), tmp_path / "x.parquet")
    rows = ParquetMapDataset(tmp_path, filter=pc.field("__row") > 1)
    assert len(rows) == 1
    with pytest.raises(ValueError, match="'__row' is a column"):
        rows[0]
    (batch,) = ParquetDataset(tmp_path, 9, filter=pc.field("__row") > 1)
    assert batch["__row"].tolist() == [2]


def test_its_repr_counts_nothing(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers, columns=["id"], filter=[("half", "<", 3)])
    assert "(half < 3): the rows that pass are not counted yet\n" in repr(rows)
    assert len(rows) == 6
    assert "(half < 3): 6 rows of these pass\n" in repr(rows)


def test_rows_of_a_selection_are_not_those_before_them(numbers: Path) -> None:
    catalog = Catalog.open(numbers)
    groups = [g for g, it in enumerate(catalog.row_groups) if it.index > 0]
    selected = catalog.select(row_groups=groups)
    rows = ParquetMapDataset(selected, columns=["id"], filter=EVEN)
    (expected,) = ParquetDataset(selected, NUM_ROWS, columns=["id"], filter=EVEN)
    assert 0 < len(rows) < NUM_ROWS / 2
    np.testing.assert_array_equal(rows[:]["id"], expected["id"])
