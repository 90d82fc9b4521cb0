# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A column as flat arrays, whichever face it comes from, and how two of them differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Flat:
    """Values end to end, and offsets for each level of what varies, outermost first.

    Strings and binaries are one more level over uint8.
    """

    offsets: list[np.ndarray[Any, Any]]
    values: np.ndarray[Any, Any]

    def __len__(self) -> int:
        return len(self.offsets[0]) - 1 if self.offsets else len(self.values)

    def take(self, index: np.ndarray[Any, Any]) -> Flat:
        """The rows at `index`, in its order."""
        offsets, rows = [], index
        for level in self.offsets:
            begin, size = level[rows], np.diff(level)[rows]
            taken = offsets_of(size)
            offsets.append(taken)
            rows = np.repeat(begin - taken[:-1], size) + np.arange(taken[-1])
        return Flat(offsets, self.values[rows])


def offsets_of(sizes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])


def concatenate(parts: Sequence[Flat]) -> Flat:
    """The rows of batches one after another."""
    levels = [
        offsets_of(np.concatenate([np.diff(part.offsets[i]) for part in parts]))
        for i in range(len(parts[0].offsets))
    ]
    return Flat(levels, np.concatenate([part.values for part in parts]))


def flat_of(tensor: Any) -> Flat:
    """What a face delivers, as flat arrays."""
    offsets = []
    while hasattr(tensor, "offsets"):  # rowfeed.Ragged, of NumPy or torch.
        offsets.append(np.asarray(tensor.offsets))
        tensor = tensor.values
    if hasattr(tensor, "nested_row_splits"):  # tf.RaggedTensor
        offsets = [np.asarray(splits) for splits in tensor.nested_row_splits]
        tensor = tensor.flat_values
    values = np.asarray(tensor)
    if values.dtype == object:  # Strings of TensorFlow.
        strings = values.tolist()
        offsets.append(offsets_of(np.fromiter(map(len, strings), np.int64)))
        values = np.frombuffer(b"".join(strings), np.uint8)
    return Flat(offsets, values)


def difference(got: Flat, want: Flat) -> str:
    """Says how they differ, bit by bit; "" if they do not."""
    if len(got.offsets) != len(want.offsets):
        return f"{len(got.offsets)} levels, not {len(want.offsets)}"
    if len(got) != len(want):
        return f"{len(got)} rows, not {len(want)}"
    for depth, (a, b) in enumerate(zip(got.offsets, want.offsets, strict=True)):
        if not np.array_equal(a, b):
            at = int(np.argmax(a != b)) if len(a) == len(b) else min(len(a), len(b))
            return f"the lengths of level {depth} differ from element {at - 1} on"
    return _of_values(got.values, want.values)


def _of_values(got: np.ndarray[Any, Any], want: np.ndarray[Any, Any]) -> str:
    if got.dtype != want.dtype:
        return f"{got.dtype}, not {want.dtype}"
    if got.shape != want.shape:
        return f"values of shape {got.shape}, not {want.shape}"
    a, b = (np.ascontiguousarray(v).reshape(-1) for v in (got, want))
    bits = f"u{a.itemsize}"
    unequal = np.flatnonzero(a.view(bits) != b.view(bits))
    if not len(unequal):
        return ""
    at = int(unequal[0])
    return f"{len(unequal)} values differ, element {at}: {a[at]!r}, not {b[at]!r}"
