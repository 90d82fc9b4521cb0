# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What one face has read or counted, another face of the process need not.

The files are elsewhere while nobody may read them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import rowfeed
import rowfeed.tensorflow
from numbered_rows import NUM_ROWS, write_numbers


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_numbers(tmp_path / "data", [NUM_ROWS])


@contextmanager
def elsewhere(data: Path) -> Iterator[None]:
    away = data.rename(data.with_name("elsewhere"))
    yield
    away.rename(data)


def test_keras_and_pytorch_read_the_footers_of_one_catalog_once(data: Path) -> None:
    pytest.importorskip("torch")
    import rowfeed.torch

    catalog = rowfeed.Catalog.open(data)
    with elsewhere(data):
        keras = rowfeed.tensorflow.ParquetDataset(catalog, 16, columns=["id"])
        torch = rowfeed.torch.ParquetDataset(catalog, 16, columns=["id"])
        assert len(keras) == len(torch) == -(-NUM_ROWS // 16)
    ours = [row for batch in keras for row in batch["id"].numpy().tolist()]
    theirs = [row for batch in torch for row in batch["id"].tolist()]
    assert ours == theirs


def test_the_op_knows_what_python_has_counted(data: Path) -> None:
    dataset = rowfeed.tensorflow.ParquetDataset(data, 16, filter=[("id", "<", 100)])
    assert dataset.begin_epoch() == 7
    with elsewhere(data):
        assert int(dataset.cardinality()) == 7


def test_python_knows_what_the_op_has_counted(data: Path) -> None:
    dataset = rowfeed.tensorflow.ParquetDataset(data, 16, filter=[("id", "<", 100)])
    assert int(dataset.cardinality()) == 7
    with elsewhere(data):
        assert dataset.begin_epoch() == 7
        assert len(dataset) == 7
