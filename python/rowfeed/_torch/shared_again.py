# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""An error where a trainer shares out once more what is a rank's share already.

Accelerate, and the trainers that use it, do so with a DataLoader over an iterable
dataset in one of two ways. Either rank 0 alone iterates the dataset and sends batches
to the others, or each rank iterates it and keeps one batch of as many as there are
ranks. A dataset that has a rank delivers that rank's rows alone, so in both ways the
rows of other ranks would never be trained on.
"""

from __future__ import annotations

import sys
from typing import Final

_REMEDY: Final = (
    "prepare rowfeed.torch.Loader(dataset) in place of the DataLoader, so that each "
    "rank reads its own rows. Or give the dataset rank=0, world_size=1"
)
# What classes of trainers do with the dataset, by the names of the classes.
_SHARES: Final = {
    "DataLoaderDispatcher": (
        "Accelerate iterates the dataset on rank 0 alone and sends its batches to all "
        "ranks"
    ),
    "IterableDatasetShard": (
        "Accelerate keeps on each rank one batch of as many as there are ranks"
    ),
}
_TRAINERS: Final = ("accelerate", "transformers")


def refuse_to_be_shared_again(rank: int, world_size: int) -> None:
    """Raises an error if a trainer that shares out batches has called `iter(dataset)`.

    Args:
        rank: Rank of the dataset.
        world_size: Number of ranks of the dataset.

    Raises:
        RuntimeError: The dataset has more than one rank, and a trainer shares out its
            batches once more.
    """
    if world_size == 1:
        return
    frame = sys._getframe(1)
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.partition(".")[0] in _TRAINERS:
            name = type(frame.f_locals.get("self")).__name__
            if name in _SHARES:
                raise RuntimeError(
                    f"{_SHARES[name]}, but this dataset has only the rows of rank "
                    f"{rank} of {world_size}, and the others would be lost: {_REMEDY}"
                )
        frame = frame.f_back  # type: ignore[assignment]
