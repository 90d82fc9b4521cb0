# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Batches and `Ragged` go to Arrow, pandas and Polars without a copy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from numbered_rows import NUM_ROWS

COLUMNS = ["id", "half", "name", "parts"]


def table_of(numbers: Path) -> pa.Table:
    files = sorted(numbers.glob("*.parquet"))
    return pa.concat_tables(pq.read_table(file) for file in files)


def batches(numbers: Path, face: str, **options: Any) -> Any:
    if face == "torch":
        pytest.importorskip("torch")
        from rowfeed.torch import ParquetDataset

        return ParquetDataset(numbers, 30, **options)
    return rowfeed.ParquetDataset(numbers, 30, **options)


@pytest.mark.parametrize("face", ["numpy", "torch"])
def test_batches_have_the_rows_of_the_files(face: str, numbers: Path) -> None:
    found = [
        rowfeed.to_pyarrow(batch) for batch in batches(numbers, face, columns=COLUMNS)
    ]
    for batch in found:
        batch.validate(full=True)
    table = pa.Table.from_batches(found)
    assert table.num_rows == NUM_ROWS
    assert table.to_pylist() == table_of(numbers).select(COLUMNS).to_pylist()
    assert [str(field.type) for field in table.schema] == [
        *("int64", "float", "large_string", "large_list<item: int32>")
    ]


def test_memory_is_shared(numbers: Path) -> None:
    batch = next(iter(batches(numbers, "numpy", columns=COLUMNS)))
    arrow = rowfeed.to_pyarrow(batch)
    assert arrow["id"].buffers()[1].address == batch["id"].ctypes.data
    assert arrow["name"].buffers()[2].address == batch["name"].values.ctypes.data


def test_label_and_weight_are_columns_too(numbers: Path) -> None:
    made = batches(
        numbers,
        "numpy",
        columns=["id"],
        label="even",
        remainder="pad",
        world_size=2,
        rank=1,
    )
    *_, last = made
    features, label, weight = last
    arrow = rowfeed.to_pyarrow(last)
    assert arrow.schema.names == ["id", "label", "sample_weight"]
    assert arrow["label"].to_pylist() == label.tolist()
    assert arrow["sample_weight"].to_pylist() == weight.tolist()
    assert arrow["id"].to_pylist() == features["id"].tolist()


def test_arrays_with_more_dimensions_are_lists_and_dicts_are_structs() -> None:
    element: dict[str, Any] = {
        "picture": np.arange(12, dtype=np.float16).reshape(2, 3, 2),
        "both": {"a": np.array([1, 2]), "b": np.array([True, False])},
    }
    arrow = rowfeed.to_pyarrow(element)
    assert arrow["picture"].to_pylist() == element["picture"].tolist()
    assert arrow["both"].to_pylist() == [{"a": 1, "b": True}, {"a": 2, "b": False}]


def test_pandas_and_polars_take_them(numbers: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    batch = next(iter(batches(numbers, "numpy", columns=COLUMNS)))
    arrow = rowfeed.to_pyarrow(batch)
    assert arrow.to_pandas()["name"].tolist() == batch["name"].tolist()
    assert polars.from_arrow(arrow)["parts"].to_list() == batch["parts"].tolist()
    assert polars.DataFrame(arrow).to_dicts() == arrow.to_pylist()
    # Without to_pyarrow, by Arrow's C interfaces.
    assert polars.Series(batch["parts"]).to_list() == batch["parts"].tolist()
    assert pandas.Series.from_arrow(batch["name"]).tolist() == batch["name"].tolist()
    assert pa.array(batch["name"]).to_pylist() == batch["name"].tolist()
    assert pa.chunked_array(batch["parts"]).to_pylist() == batch["parts"].tolist()


@pytest.mark.parametrize(
    ("element", "error", "message"),
    [
        (np.arange(3), TypeError, "takes a batch of a ParquetDataset, .* not ndarray"),
        ((np.arange(3), np.arange(3)), TypeError, "takes a batch"),
        (
            ({"label": np.arange(3)}, np.arange(3)),
            ValueError,
            "feature 'label' beside its label: give the feature another name",
        ),
        (
            {"a": np.arange(3), "b": np.arange(2)},
            ValueError,
            "'b' has 2 rows, but 'a' has 3",
        ),
        ({"a": np.zeros(2, complex)}, TypeError, "'a': Arrow has no array of ndarray"),
    ],
)
def test_what_is_no_batch_is_refused(element: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        rowfeed.to_pyarrow(element)


def test_bfloat16_is_refused() -> None:
    torch = pytest.importorskip("torch")
    batch = {"a": torch.zeros(2, dtype=torch.bfloat16)}
    with pytest.raises(TypeError, match=r"'a': Arrow has no array .* torch\.bfloat16"):
        rowfeed.to_pyarrow(batch)
