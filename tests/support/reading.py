# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Reads data through any face."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, settings

from rowfeed import Column

FACES = ["numpy", "torch", "tensorflow"]
WRITING: list[dict[str, Any]] = [
    {"compression": "none", "use_dictionary": False},
    {"compression": "zstd", "use_dictionary": True, "data_page_version": "2.0"},
    {"compression": "snappy", "use_dictionary": True, "data_page_size": 600},
]
examples = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def module_of(face: str) -> Any:
    """Returns rowfeed's module for a face; skips the test without its framework."""
    pytest.importorskip(face)
    return importlib.import_module("rowfeed" if face == "numpy" else f"rowfeed.{face}")


def write(path: Path, array: pa.Array, **writing: Any) -> Path:
    pq.write_table(pa.table({"x": array}), path / "x.parquet", **writing)
    return path


def read(path: Path, face: str = "numpy", **spec: Any) -> Any:
    """Column "x" of a small file, in one batch of a face."""
    dataset = module_of(face).ParquetDataset
    (batch,) = list(dataset(path, 1 << 20, columns=[Column("x", **spec)]))
    return batch["x"]


def to_array(tensor: Any) -> Any:
    """A tensor of any face as a NumPy array, bfloat16 included."""
    if str(getattr(tensor, "dtype", "")) == "torch.bfloat16":
        import torch

        return tensor.view(torch.uint16).numpy().view("bfloat16")
    return np.asarray(tensor)


def same(got: Any, expected: Any) -> None:
    """Equal dtype and values, whichever face they come from."""
    array, expected = to_array(got), np.asarray(expected)
    assert array.dtype == expected.dtype
    if array.dtype.kind == "V":  # NumPy does not know NaN in bfloat16.
        array, expected = array.astype(np.float32), expected.astype(np.float32)
    np.testing.assert_array_equal(array, expected)
