# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Features that rowfeed adds: there where they are named, in every face."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from conftest import NUM_ROWS
from rowfeed import Column


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
