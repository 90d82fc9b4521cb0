# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Counts the rows and lists the tensors of a batch, of rowfeed or of a peer.

It needs only `Ragged` of rowfeed, since the environment of a peer may have no more.
"""

from __future__ import annotations

from typing import Any

from rowfeed import Ragged


def num_rows(batch: dict[str, Any]) -> int:
    """Returns the number of rows of a batch."""
    first = next(iter(batch.values()))
    return len(first) if hasattr(first, "shape") else len(first.offsets) - 1


def arrays(batch: dict[str, Any]) -> list[Any]:
    """Returns all tensors of a batch; for ragged columns, their values and offsets."""
    found: list[Any] = []
    for value in batch.values():
        if isinstance(value, Ragged):
            found += (value.values, value.offsets)
        else:
            found.append(value)
    return found
