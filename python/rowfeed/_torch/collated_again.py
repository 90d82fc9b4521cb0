# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A warning where a DataLoader makes batches of the batches of a dataset."""

from __future__ import annotations

import sys
from typing import Any, Final

from torch.utils.data import IterableDataset
from torch.utils.data._utils.fetch import _BaseDatasetFetcher

from rowfeed._process.caller_warnings import DataWarning, warn_caller

# Libraries whose trainers make a DataLoader of the user's dataset, or wrap the dataset
# to give each rank a share.
_TRAINERS: Final = ("torch", "transformers", "accelerate", "lightning")
# The file of PyTorch whose functions ask datasets for elements.
_FETCH: Final = _BaseDatasetFetcher.fetch.__code__.co_filename


def warn_if_collated_again(dataset: IterableDataset[Any]) -> bool:
    """Warns if a DataLoader iterates over the dataset and collates its batches.

    It does so unless it has `batch_size=None`. A `collate_fn` of the user's own is
    taken to know what it gets, and so is a dataset of the user's own between the
    loader and this dataset.

    Args:
        dataset: Dataset whose elements are batches, and whose `__iter__` was called.

    Returns:
        Whether it has warned.
    """
    fetcher = _fetcher()
    if fetcher is None or not fetcher.auto_collation:
        return False
    collate = getattr(fetcher.collate_fn, "__module__", None) or ""
    if not _is_of_trainer(collate) or not _delivers(fetcher.dataset, dataset):
        return False
    warn_caller(
        DataWarning(
            "the DataLoader makes batches of what are batches already, so that tensors "
            "get one more dimension: give it DataLoader(dataset, batch_size=None), and "
            "batch_size to the ParquetDataset. The Trainer of transformers takes the "
            "batches with rowfeed.integrations.transformers.TrainerMixin. Another "
            "trainer that makes the DataLoader by itself takes rows: "
            "ParquetDataset(..., batch_size=None)"
        )
    )
    return True


def _fetcher() -> Any:
    """Returns PyTorch's object that asks for elements now; None if there is none."""
    frame = sys._getframe(1)
    while frame is not None:
        is_fetching = frame.f_code.co_filename == _FETCH
        asking = frame.f_locals.get("self") if is_fetching else None
        if isinstance(asking, _BaseDatasetFetcher):
            return asking
        frame = frame.f_back  # type: ignore[assignment]
    return None


def _delivers(given: Any, dataset: Any) -> bool:
    """Returns whether a loader's dataset delivers the elements of `dataset`."""
    if given is dataset:
        return str(type(dataset).__iter__.__module__).startswith("rowfeed.")
    if not _is_of_trainer(type(given).__module__):
        return False
    return any(value is dataset for value in vars(given).values())


def _is_of_trainer(module: str) -> bool:
    return module.partition(".")[0] in _TRAINERS
