# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Leaks planted between the library and the soak, each of which a short soak finds."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from tests.simulation import ranks, rows


def _kept_batches() -> Callable[[Any], None]:
    kept: list[Any] = []
    return lambda element: kept.append({name: element[name] for name in element})


def _open_descriptors() -> Callable[[Any], None]:
    def open_one(element: Any) -> None:  # noqa: ARG001
        os.open("/", os.O_RDONLY)

    return open_one


def _threads_that_stay() -> Callable[[Any], None]:
    def start_one(element: Any) -> None:  # noqa: ARG001
        threading.Thread(target=threading.Event().wait, daemon=True).start()

    return start_one


# For each gauge that a leak makes grow: what is done with each 16th batch.
LEAKS: Final[dict[str, Callable[[], Callable[[Any], None]]]] = {
    "resident_kb": _kept_batches,
    "descriptors": _open_descriptors,
    "threads": _threads_that_stay,
}
_EVERY = {"resident_kb": 1, "descriptors": 16, "threads": 16}


@contextmanager
def planted(name: str | None) -> Iterator[None]:
    """Leaks what a gauge counts, with the batches of the simulator's ranks."""
    if name is None:
        yield
        return
    leak, every, num_batches = LEAKS[name](), _EVERY[name], 0
    ids_of = rows.ids_of

    def leaking(element: Any) -> Any:
        nonlocal num_batches
        num_batches += 1
        if num_batches % every == 0:
            leak(element)
        return ids_of(element)

    with patch.object(ranks, "ids_of", leaking):
        yield
