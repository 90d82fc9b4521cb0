# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Loaders with workers, and what runs in processes that are started for them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from torch.utils.data import DataLoader, IterableDataset

from rowfeed.torch import ParquetDataset

SHUFFLED: dict[str, Any] = {"columns": ["id"], "shuffle": True, "seed": 4}


def make(data: Path, **keywords: Any) -> ParquetDataset:
    return ParquetDataset(data, 16, **{**SHUFFLED, **keywords})


def load(dataset: ParquetDataset, num_workers: int, **keywords: Any) -> DataLoader[Any]:
    return DataLoader(dataset, batch_size=None, num_workers=num_workers, **keywords)


def batches(loader: Any) -> list[list[int]]:
    return [batch["id"].tolist() for batch in loader]


def begin_late(worker: int) -> None:
    time.sleep(worker)


def rank_of_two(dataset: ParquetDataset, rank: int, queue: Any) -> None:
    """What a trainer that was given the dataset does, with workers of its own."""
    own = [batches(dataset), batches(load(dataset, 2)), batches(dataset)]
    queue.put((rank, own))


class MadeInWorkers(IterableDataset[Any]):
    """Makes its dataset where it is iterated, as PyTorch's documentation shows."""

    def __init__(self, data: Path) -> None:
        self.data = data

    def __iter__(self) -> Any:
        yield from make(self.data)
