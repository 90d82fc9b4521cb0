# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A DataLoader that makes batches of batches is noticed at its first batch."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rowfeed

torch = pytest.importorskip("torch")

from torch.utils.data import DataLoader, IterableDataset, default_collate  # noqa: E402

from rowfeed.torch import ParquetDataset  # noqa: E402

SAID = r"makes batches of what are batches already.*batch_size=None"


def first_of(loader: Any) -> Any:
    return next(iter(loader))


@pytest.mark.parametrize("batch_size", [1, 2], ids=["default", "given"])
def test_a_loader_that_collates_batches_is_told_how_to_do_it_right(
    batch_size: int, numbers: Path
) -> None:
    loader: Any = DataLoader(ParquetDataset(numbers, 8, columns=["id"]), batch_size)
    with pytest.warns(rowfeed.DataWarning, match=SAID) as caught:
        batch = first_of(loader)
    assert batch["id"].shape == (batch_size, 8)
    assert len(caught) == 1
    assert caught[0].filename.startswith(str(Path(torch.__file__).parent))


def test_each_dataset_warns_once(numbers: Path) -> None:
    loader: Any = DataLoader(ParquetDataset(numbers, 8, columns=["id"]))
    with pytest.warns(rowfeed.DataWarning, match=SAID):
        first_of(loader)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first_of(loader)


class Wrapping(IterableDataset[Any]):
    """A dataset of the user's own, which takes batches apart."""

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset

    def __iter__(self) -> Iterator[Any]:
        for batch in self.dataset:
            yield from batch["id"]


class InRows(ParquetDataset):
    """A derived class whose elements are rows."""

    def __iter__(self) -> Any:
        for batch in super().__iter__():
            yield from batch["id"]


def test_a_loader_that_does_right_is_left_alone(numbers: Path) -> None:
    loaders: list[Any] = [
        DataLoader(ParquetDataset(numbers, 8, columns=["id"]), batch_size=None),
        DataLoader(ParquetDataset(numbers, None, columns=["id"]), batch_size=4),
        DataLoader(
            ParquetDataset(numbers, 8, columns=["id"]),
            collate_fn=lambda batches: batches[0],
        ),
        DataLoader(Wrapping(ParquetDataset(numbers, 8, columns=["id"])), 4),
        DataLoader(InRows(numbers, 8, columns=["id"]), 4),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for loader in loaders:
            first_of(loader)
        for _ in ParquetDataset(numbers, 8, columns=["id"]):
            default_collate([{"x": 1}])  # Where no loader asks, nothing is said.
            break


def test_a_loader_with_workers_is_told_once(numbers: Path) -> None:
    program = f"""
from torch.utils.data import DataLoader
from rowfeed.torch import ParquetDataset
if __name__ == "__main__":
    dataset = ParquetDataset({str(numbers)!r}, 8, columns=["id"])
    loader = DataLoader(dataset, num_workers=2)
    print(next(iter(loader))["id"].shape)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "torch.Size([1, 8])" in done.stdout
    assert done.stderr.count("batches of what are batches already") == 1
