# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Pickles name classes by public names, and load by the names of earlier versions."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from rowfeed import (
    Catalog,
    Column,
    HashBuckets,
    Padded,
    ParquetDataset,
    ParquetMapDataset,
    Ragged,
    Stack,
    Vocabulary,
)


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    pq.write_table(pa.table({"x": np.arange(10)}), tmp_path / "x.parquet")
    return Catalog.open(tmp_path)


def in_words(value: Any) -> str:
    return str(value.catalog if hasattr(value, "catalog") else value)


def check(value: Any, module: str) -> None:
    """Loads a pickle that names the class by an earlier module."""
    name = type(value).__name__
    assert type(value).__module__ == "rowfeed"
    made = pickle.dumps(value, protocol=2)
    old = made.replace(
        f"crowfeed\n{name}\n".encode(), f"crowfeed.{module}\n{name}\n".encode()
    )
    assert old != made
    assert type(pickle.loads(old)) is type(value)
    assert in_words(pickle.loads(old)) == in_words(value)


def test_a_catalog(catalog: Catalog) -> None:
    check(catalog, "catalog")


@pytest.mark.parametrize(
    ("value", "module"),
    [
        (Column("x", fill=0), "features"),
        (Padded(3), "features"),
        (Stack(["x", "y"]), "stack"),
        (HashBuckets(5), "string_encodings"),
        (Vocabulary(["a", "b"]), "string_encodings"),
        (Ragged(np.arange(3), np.array([0, 1, 3])), "ragged"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_value(value: Any, module: str) -> None:
    check(value, module)


def test_a_dataset_of_this_format(catalog: Catalog) -> None:
    check(ParquetDataset(catalog, 5), "numpy_dataset")
    check(ParquetMapDataset(catalog), "map_dataset")


def test_every_public_name_is_of_the_public_module() -> None:
    for name in rowfeed.__all__:
        if name != "__version__":
            assert getattr(rowfeed, name).__module__ == "rowfeed"
