# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Pickles name classes by public names, and load by the names of earlier versions."""

import pickle
import subprocess
import sys
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
from rowfeed._native import core


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


def test_a_mixture_by_its_earlier_class(catalog: Catalog) -> None:
    source = ParquetDataset(catalog, 5)
    made = pickle.dumps(rowfeed.mix([source, source], weights=[1, 1]), protocol=2)
    now = b"crowfeed._mix.mixture_parameters\nMixtureParameters\n"
    assert now in made
    loaded = pickle.loads(made.replace(now, b"crowfeed.mixed\nMixedResolved\n"))
    assert loaded.state_dict() == pickle.loads(made).state_dict()


def test_a_map_dataset_of_torch(catalog: Catalog) -> None:
    torch = pytest.importorskip("rowfeed.torch")
    made = pickle.dumps(torch.ParquetMapDataset(catalog), protocol=2)
    old = made.replace(b"crowfeed.torch\n", b"crowfeed.torch_map_dataset\n")
    assert old != made
    # A process that loads the pickle need not have imported rowfeed.torch.
    program = (
        "import pickle, sys, rowfeed; assert 'torch' not in sys.modules; "
        "print(len(pickle.load(sys.stdin.buffer)))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], input=old, check=True, capture_output=True
    )
    assert loaded.stdout.strip() == b"10"


def test_options_of_another_version_are_refused_with_what_to_do() -> None:
    with pytest.raises(ValueError, match=r"another version of rowfeed.*state_dict"):
        core.StreamOptions.parse(b"ROF8" + bytes(200))


def test_every_public_name_is_of_the_public_module() -> None:
    for name in rowfeed.__all__:
        if name != "__version__":
            assert getattr(rowfeed, name).__module__ == "rowfeed"
