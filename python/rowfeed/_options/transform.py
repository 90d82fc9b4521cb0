# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The function that users give as `transform`, and what it may be told of its step."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class StepInfo:
    """The second argument of a `transform` that takes two: the step, and seeds for it.

    The seeds serve for random augmentations that can be repeated. A row has another
    seed in each epoch. After a resume it has the same one, also with another batch
    size or world size.

    Attributes:
        epoch: Number of the epoch.
        step: Index of the step in its epoch, from 0 on, the same on all ranks.
        seeds: uint64 array [batch], which cannot be written to: one seed for each row,
            a hash of the dataset's seed, the epoch and the number of the row in the
            order of the epoch. With `batch_size=None` it has one seed.

    Example:
        >>> def add_noise(batch, info):
        ...     for row, seed in zip(batch["vector"], info.seeds):
        ...         row += np.random.default_rng(seed).normal(size=row.shape)
        ...     return batch
        >>> dataset = ParquetDataset(
        ...     "data", 256, transform=add_noise
        ... )  # doctest: +SKIP
    """

    epoch: int
    step: int
    seeds: NDArray[np.uint64]

    @cached_property
    def generator(self) -> np.random.Generator:
        """Generator for what concerns the batch as a whole, seeded with all `seeds`.

        It is made when it is first asked for, and draws the same numbers only if the
        batch has the same rows in the same order.
        """
        # NumPy takes words of 32 bits as they are, and other numbers one by one.
        return np.random.default_rng(self.seeds.view(np.uint32))


Transform: TypeAlias = Callable[[Any], Any] | Callable[[Any, StepInfo], Any]


def check_arguments(function: Transform) -> None:
    """Refuses a function that takes neither an element alone nor a `StepInfo` with it.

    A function that cannot be inspected passes.

    Raises:
        TypeError: The function cannot be called with one or two positional arguments.
    """
    try:
        own = inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        return
    if not (_takes(own, 1) or _takes(own, 2)):
        raise TypeError(
            "transform is called as transform(element) or transform(element, info), "
            f"but its signature is {own}: write def transform(element) or def "
            "transform(element, info)"
        )


def takes_step_info(function: Transform) -> bool:
    """Returns whether a function must be given a second argument.

    A second parameter that has a default does not count, and neither does any parameter
    of a function that cannot be inspected.
    """
    try:
        # A decorator may take other arguments than the function that it wraps.
        own = inspect.signature(function, follow_wrapped=False)
        wrapped = inspect.signature(function)
    except (TypeError, ValueError):
        return False
    return _takes(own, 2) and _takes(wrapped, 2) and not _takes(wrapped, 1)


def _takes(signature: inspect.Signature, num_arguments: int) -> bool:
    try:
        signature.bind(*[None] * num_arguments)
    except TypeError:
        return False
    return True
