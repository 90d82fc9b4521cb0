# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What is in a batch of the NumPy or torch face, or of a peer with such batches.

Where a peer has a pyarrow of its own, Ragged is all there is of rowfeed.
"""

from __future__ import annotations

from typing import Any

from rowfeed import Ragged


def num_rows(batch: dict[str, Any]) -> int:
    """Returns the rows of a batch of the NumPy or torch face."""
    first = next(iter(batch.values()))
    return len(first) if hasattr(first, "shape") else len(first.offsets) - 1


def arrays(batch: dict[str, Any]) -> list[Any]:
    """Returns all tensors of a batch: values and offsets of the ragged."""
    found: list[Any] = []
    for value in batch.values():
        if isinstance(value, Ragged):
            found += (value.values, value.offsets)
        else:
            found.append(value)
    return found
