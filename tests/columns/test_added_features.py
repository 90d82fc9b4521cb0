# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Features that rowfeed or pandas add: there where they are named, in every face."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from numbered_rows import NUM_ROWS
from rowfeed import Catalog, Column

INDEX = "__index_level_0__"


def dataset_class(face: str) -> Any:
    if face == "numpy":
        return rowfeed.ParquetDataset
    return pytest.importorskip(f"rowfeed.{face}").ParquetDataset


def valid_of(features: Any, name: str = "__valid") -> list[bool]:
    return np.asarray(features[name]).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
def test_the_weight_says_what_is_valid_where_there_is_a_label(
    numbers: Path, face: str
) -> None:
    make = dataset_class(face)
    rest = [True] * (NUM_ROWS % 96) + [False] * (96 - NUM_ROWS % 96)
    *_, (features, _, weight) = make(
        numbers, 96, columns=["id"], label="half", remainder="pad"
    )
    assert list(features) == ["id"]
    assert np.asarray(weight).astype(bool).tolist() == rest
    *_, (features, *_) = make(
        numbers, 96, columns=["id", "__valid"], label="half", remainder="pad"
    )
    assert valid_of(features) == rest
    *_, features = make(numbers, 96, columns=["id"], remainder="pad")
    assert valid_of(features) == rest
    *_, features = make(
        numbers, 96, columns={"ok": "__valid", "id": "id"}, remainder="pad"
    )
    assert set(features) == {"id", "ok"}
    assert valid_of(features, "ok") == rest


def test_valid_is_refused_where_no_row_is_fill(numbers: Path) -> None:
    with pytest.raises(ValueError, match="which rows are fill, but none is: give"):
        rowfeed.ParquetDataset(numbers, 16, columns=["id", "__valid"])
    with pytest.raises(ValueError, match="name it without options"):
        rowfeed.ParquetDataset(
            numbers, 16, columns=[Column("__valid", dtype="int8")], remainder="pad"
        )
    weighted = {"label": "id", "sample_weight": "__valid"}
    for apart in (dict[str, Any](label="__valid"), dict[str, Any](weighted)):
        with pytest.raises(ValueError, match="is a feature, not a label or weight"):
            rowfeed.ParquetDataset(numbers, 16, remainder="pad", **apart)
    with pytest.raises(ValueError, match="two features are called 'id__mask'"):
        rowfeed.ParquetDataset(
            numbers,
            16,
            columns={"id": Column("id", mask=True), "id__mask": "__valid"},
            remainder="pad",
        )


def test_a_column_of_the_files_called_valid_comes_first(tmp_path: Path) -> None:
    table = pa.table({"__valid": [7, 8, 9], "y": [0.0, 1.0, 2.0]})
    pq.write_table(table, tmp_path / "x.parquet")
    options: dict[str, Any] = {"label": "y", "remainder": "pad"}
    for columns in (None, ["__valid"]):
        batch = next(
            iter(rowfeed.ParquetDataset(tmp_path, 2, columns=columns, **options))
        )
        assert batch[0]["__valid"].tolist() == [7, 8]
    with pytest.raises(ValueError, match="remainder='pad' adds '__valid'"):
        rowfeed.ParquetDataset(tmp_path, 2, remainder="pad")


def write_pandas(path: Path, index: list[str], name: str = INDEX) -> Path:
    table = pa.table({"x": [1.0, 2.0], name: [5, 6]})
    metadata = {"pandas": json.dumps({"index_columns": index, "columns": []})}
    pq.write_table(table.replace_schema_metadata(metadata), path / "x.parquet")
    return path


@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
def test_the_index_of_a_pandas_table_is_no_feature_unless_it_is_named(
    tmp_path: Path, face: str
) -> None:
    make = dataset_class(face)
    data = write_pandas(tmp_path, [INDEX])
    assert list(next(iter(make(data, 2)))) == ["x"]
    features = next(iter(make(data, 2, columns=["x", INDEX])))
    assert np.asarray(features[INDEX]).tolist() == [5, 6]
    features, label = next(iter(make(data, 2, label=INDEX)))
    assert (list(features), np.asarray(label).tolist()) == (["x"], [5, 6])


def test_a_catalog_has_the_index_and_keeps_what_it_is(tmp_path: Path) -> None:
    catalog = Catalog.open(write_pandas(tmp_path, [INDEX]))
    catalog.save(tmp_path / "catalog")
    for known in (catalog, Catalog.load(tmp_path / "catalog")):
        assert [field.name for field in known.schema] == ["x", INDEX]
        assert list(next(iter(rowfeed.ParquetDataset(known, 2)))) == ["x"]
        named = rowfeed.ParquetDataset(known, 2, columns=[INDEX])
        assert next(iter(named))[INDEX].tolist() == [5, 6]


def test_an_index_with_a_name_of_its_own_is_a_feature(tmp_path: Path) -> None:
    data = write_pandas(tmp_path, ["day"], "day")
    assert list(next(iter(rowfeed.ParquetDataset(data, 2)))) == ["x", "day"]


def test_a_column_that_pandas_does_not_call_an_index_is_a_feature(
    tmp_path: Path,
) -> None:
    data = write_pandas(tmp_path, [])
    assert list(next(iter(rowfeed.ParquetDataset(data, 2)))) == ["x", INDEX]


def test_a_state_does_not_know_which_features_there_are(tmp_path: Path) -> None:
    data = write_pandas(tmp_path, [INDEX])
    every = rowfeed.ParquetDataset(data, 1, columns=["x", INDEX], shuffle=True)
    batches = iter(every)
    next(batches)
    fewer = rowfeed.ParquetDataset(data, 1, shuffle=True)
    fewer.load_state_dict(batches.state_dict())
    assert [b["x"].tolist() for b in fewer] == [b["x"].tolist() for b in batches]
