# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Finds rowfeed's dataset below the data that a call of Keras was given."""

from __future__ import annotations

from typing import Any


def source_below(data: Any) -> Any:
    """Returns rowfeed's dataset below the data that `fit` is given, or None."""
    loader = getattr(data, "dataset", None)  # `data` may be a DataLoader.
    if _is_source(loader):
        return loader
    below = [data]
    while below:
        dataset = below.pop()
        if _is_source(dataset):
            return dataset
        inputs = getattr(dataset, "_inputs", None)
        below.extend(inputs() if callable(inputs) else ())
    return None


def _is_source(data: Any) -> bool:
    return all(
        hasattr(data, name) for name in ("_next_place", "_placed", "_parameters")
    )
