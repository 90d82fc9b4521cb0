# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the dataset below the data of a `fit` that can go on within an epoch."""

from __future__ import annotations

import sys
from typing import Any

import keras

from rowfeed._keras.loader import Loader
from rowfeed._stream.dataset import Dataset


def resumable(data: Any) -> Any:
    """Returns the dataset below `data`, whose batches `fit` gets one to one.

    Args:
        data: Data that `fit` trains on, or the dataset below it.

    Raises:
        NotImplementedError: Under JAX or PyTorch several processes train.
        TypeError: `data` is nothing that Keras takes under this backend, or no dataset
            of rowfeed lies below it.
        ValueError: What is between the dataset and `fit` may change the batches or
            their order, or the dataset has `num_epochs` other than 1.
    """
    on_tensorflow = keras.backend.backend() == "tensorflow"
    if on_tensorflow or _is_of("tensorflow", "data.Dataset", data):
        # This import needs TensorFlow, which is not there for each user of Keras.
        from rowfeed._keras.pipeline import source_of

        source: Any = source_of(data)
    else:
        source = _dataset_of(data)
        if not isinstance(source, Dataset):
            raise TypeError(
                "dataset must be what fit trains on: a rowfeed.keras.Loader, a "
                "rowfeed.torch.Loader, or a rowfeed.tensorflow.ParquetDataset with map "
                f"and prefetch over it; or its dataset; not a {type(data).__name__}"
            )
        num_epochs = source._parameters.options.num_epochs
        if num_epochs != 1:
            raise ValueError(
                "each epoch of fit is one of the dataset, so num_epochs must be 1, not "
                f"{num_epochs}: give epochs to fit"
            )
    ranks = max(source._parameters.stream.delivery.world_size, _num_processes())
    if ranks > 1 and not on_tensorflow:
        raise NotImplementedError(
            f"BackupAndRestore is for one process under {keras.backend.backend()}, but "
            f"this is one of {ranks} ranks: save state_dict() and the weights in a "
            "callback of your own"
        )
    return source


def _num_processes() -> int:
    """Returns how many processes train under JAX or PyTorch, as far as these know."""
    found: int = 1
    if keras.backend.backend() == "jax":
        import jax

        found = jax.process_count()
    elif keras.backend.backend() == "torch":
        from torch import distributed

        if distributed.is_available() and distributed.is_initialized():
            found = distributed.get_world_size()
    return found


def _dataset_of(data: Any) -> Any:
    """Returns the dataset of a loader, and other data as it is."""
    if isinstance(data, Loader):
        return data.dataset
    if not _is_of("torch", "utils.data.DataLoader", data):
        return data
    if data.batch_size is not None or data.num_workers:
        raise ValueError(
            f"the DataLoader has batch_size={data.batch_size} and num_workers="
            f"{data.num_workers}: to go on within an epoch, give fit a "
            "rowfeed.torch.Loader(dataset), or DataLoader(dataset, batch_size=None)"
        )
    return data.dataset


def _is_of(library: str, name: str, data: Any) -> bool:
    """Returns whether `data` is of a class of a library, without importing that."""
    found: Any = sys.modules.get(library)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is not None and isinstance(data, found)
