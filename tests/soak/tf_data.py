# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The TensorFlow dataset by itself, and below a step of tf.data."""

from __future__ import annotations

from collections.abc import Generator
from random import Random
from typing import Any

from tests.simulation.rows import ids_of
from tests.soak.loops import Ids

face = "tensorflow"
has_rows = True
state_is_exact = True


class _Lists:
    """A ragged tensor, which gives lists as arrays do."""

    def __init__(self, ragged: Any) -> None:
        self._ragged = ragged

    def tolist(self) -> Any:
        return self._ragged.to_list()


def in_numpy(element: dict[str, Any]) -> dict[str, Any]:
    """Returns an element in the form that `ids_of` takes."""
    return {
        name: _Lists(tensor) if hasattr(tensor, "to_list") else tensor.numpy()
        for name, tensor in element.items()
    }


def passes(
    dataset: Any,
    rng: Random,  # noqa: ARG001
    stop: int | None,  # noqa: ARG001
    kill_after: int | None,  # noqa: ARG001
) -> Generator[Ids, None, None]:
    """Yields the ids of each batch of one pass; see `Loader.passes`."""
    for element in dataset:
        yield ids_of(in_numpy(element))
