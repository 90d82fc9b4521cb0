# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Reads rows of files that differ, through any face."""

from __future__ import annotations

from typing import Any

import numpy as np

from reading import module_of


def dataset_class(face: str) -> Any:
    return module_of(face).ParquetDataset


def plain(value: Any) -> list[Any]:
    """Returns a tensor of any face as a list of Python objects."""
    if hasattr(value, "numpy") and not hasattr(value, "tolist"):
        value = value.numpy()
    return [text(part) for part in value.tolist()]


def text(value: Any) -> Any:
    if isinstance(value, (list, tuple, np.ndarray)):
        return [text(part) for part in value]
    if isinstance(value, bytes):
        return value.decode()
    return value.item() if hasattr(value, "item") else value


def rows_of(batches: Any) -> dict[int, Any]:
    """Returns the value of "x" by id; each id comes once."""
    pairs: list[tuple[Any, Any]] = []
    for batch in batches:
        pairs.extend(zip(plain(batch["id"]), plain(batch["x"]), strict=True))
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)
