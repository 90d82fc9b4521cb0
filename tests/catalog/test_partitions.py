# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Directories called key=value are columns, in filters too."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from reading import module_of
from rowfeed import Catalog, Column, ParquetDataset, Stack, Vocabulary

F = pc.field


@pytest.fixture
def partitioned(tmp_path: Path) -> Path:
    """Sixty rows in directories of year and city, by pyarrow's own writer."""
    table = pa.table(
        {
            "row": range(60),
            "year": [2023 + row % 3 for row in range(60)],
            "city": [["Oslo", "São Paulo", None][row // 20] for row in range(60)],
        }
    )
    ds.write_dataset(
        table,
        tmp_path / "data",
        format="parquet",
        partitioning=["year", "city"],
        partitioning_flavor="hive",
    )
    return tmp_path / "data"


def expected(path: Path, expression: Any = None) -> dict[int, tuple[int, str | None]]:
    table = ds.dataset(path, partitioning="hive").to_table(filter=expression)
    rows = (table[name].to_pylist() for name in ("row", "year", "city"))
    return {row: (year, city) for row, year, city in zip(*rows, strict=True)}


def delivered(path: Path, **options: Any) -> dict[int, tuple[int, str]]:
    columns: list[str | Column] = ["row", "year", Column("city", fill="nowhere")]
    found: dict[int, tuple[int, str]] = {}
    for batch in ParquetDataset(path, 7, columns=columns, **options):
        found |= {
            int(row): (int(year), city)
            for row, year, city in zip(
                batch["row"], batch["year"], batch["city"].tolist(), strict=True
            )
        }
    return found


def test_values_are_those_of_the_directories(partitioned: Path) -> None:
    for shuffle in (False, True):
        found = delivered(partitioned, shuffle=shuffle, block_rows=3)
        assert found == {
            row: (year, city or "nowhere")
            for row, (year, city) in expected(partitioned).items()
        }


@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
def test_they_are_among_all_columns_in_every_face(partitioned: Path, face: str) -> None:
    module = module_of(face)
    for batch in module.ParquetDataset(partitioned / "year=2023", 5):
        assert list(batch) == ["row", "city"]
        break
    with pytest.raises(Exception, match="null"):  # A null city has no fill.
        list(module.ParquetDataset(partitioned, 100))


def test_nulls_encodings_and_masks_are_as_of_any_column(partitioned: Path) -> None:
    cities = Vocabulary(["Oslo", "São Paulo"])
    columns: dict[str, str | Column | Stack] = {
        "row": "row",
        "city": Column("city", encode=cities, fill=-1, mask=True),
        "year": Column("year", dtype="float32"),
    }
    for batch in ParquetDataset(partitioned, 7, columns=columns):
        assert batch["year"].dtype == np.float32
        np.testing.assert_array_equal(batch["city__mask"], batch["row"] < 40)
        np.testing.assert_array_equal(
            batch["city"], np.where(batch["row"] < 40, batch["row"] // 20, -1)
        )


@pytest.mark.parametrize(
    "expression",
    [
        F("year") == 2024,
        F("city") == "Oslo",
        F("city").is_null(),
        (F("year") > 2023) & (F("city") != "Oslo"),
        (F("year") == 2025) | (F("row") < 10),
        F("year") > 3000,
    ],
)
def test_filters_know_them_as_pyarrow_does(
    partitioned: Path, expression: pc.Expression
) -> None:
    found = delivered(partitioned, filter=expression, shuffle=True)
    assert sorted(found) == sorted(expected(partitioned, expression))


def test_files_in_directories_that_a_filter_rules_out_are_not_opened(
    partitioned: Path,
) -> None:
    catalog = Catalog.open(partitioned)
    for path in partitioned.rglob("year=202[45]/**/*.parquet"):
        path.unlink()
    found = ParquetDataset(catalog, 7, columns=["row"], filter=F("year") == 2023)
    assert len(found) == 3


def test_a_column_of_the_file_comes_first(tmp_path: Path) -> None:
    directory = tmp_path / "data" / "key=1"
    directory.mkdir(parents=True)
    pq.write_table(pa.table({"key": ["a"]}), directory / "x.parquet")
    (batch,) = ParquetDataset(tmp_path / "data", 1)
    assert batch["key"].tolist() == ["a"]


def test_the_table_of_columns_has_them(partitioned: Path) -> None:
    described = str(Catalog.open(partitioned).describe())
    assert "year" in described
    assert "city" in described
    saved = partitioned.parent / "catalog"
    Catalog.open(partitioned).save(saved)
    assert [c.name for c in Catalog.load(saved).schema] == ["row", "year", "city"]


def test_rows_by_index_have_them(partitioned: Path) -> None:
    catalog = Catalog.open(partitioned)
    (whole,) = ParquetDataset(catalog, 60, columns=["row", "year"])
    taken = catalog.take([59, 0, 30, 30], columns=["row", "year"])
    for name in ("row", "year"):
        np.testing.assert_array_equal(taken[name], whole[name][[59, 0, 30, 30]])


@pytest.mark.parametrize("joins", ["p=__HIVE_DEFAULT_PARTITION__", "."])
def test_nulls_of_a_partition_that_join_in_a_later_epoch_are_filled(
    tmp_path: Path, joins: str
) -> None:
    def write(directory: str) -> None:
        path = tmp_path / "data" / directory / "x.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"row": [0, 1]}), path)

    write("p=1")
    dataset = ParquetDataset(
        tmp_path / "data",
        10,
        columns=["row", Column("p", fill=-1)],
        refresh="epoch",
        snapshot_dir=tmp_path / "epochs",
    )
    assert [batch["p"].tolist() for batch in dataset] == [[1, 1]]
    write(joins)
    (batch,) = dataset
    assert sorted(batch["p"].tolist()) == [-1, -1, 1, 1]


@pytest.mark.parametrize("directory", [b"\xff=1", b"%ff=1"])
def test_a_key_that_is_not_utf8_is_no_column(tmp_path: Path, directory: bytes) -> None:
    path = tmp_path / os.fsdecode(directory)
    path.mkdir()
    with (path / "x.parquet").open("wb") as file:  # pyarrow takes no such name.
        pq.write_table(pa.table({"row": [0, 1]}), file)
    assert [field.name for field in Catalog.open(tmp_path).schema] == ["row"]
    (batch,) = ParquetDataset(tmp_path, 2)
    assert batch["row"].tolist() == [0, 1]
