# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Checksums of rows that come in any order: of each column, and of whole rows.

A row of a column is hashed as its bytes and how many they are; a whole row as the
hashes of its columns, in turn, so that it matters that they belong together. A checksum
is the sum of the hashes modulo 2^64: a row that is missing or comes twice changes it,
the order does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from rowfeed import Ragged

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Hashes: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]

STEP = np.uint64(0x9E3779B97F4A7C15)  # The increment of splitmix64.


@dataclass
class Checksums:
    """Checksums of the rows added so far.

    Attributes:
        rows: Number of rows.
        whole: Checksum of whole rows.
        columns: Checksum of each column, by name.
    """

    rows: int = 0
    whole: int = 0
    columns: dict[str, int] = field(default_factory=dict)

    def add(self, batch: Mapping[str, Any]) -> None:
        """Adds a batch of arrays, tensors of torch or TensorFlow, or Ragged."""
        hashes = {name: row_hashes(batch[name]) for name in sorted(batch)}
        whole = np.zeros(1, np.uint64)
        for name, of_column in hashes.items():
            self.columns[name] = _plus(self.columns.get(name, 0), of_column)
            whole = _mixed(whole + of_column)
        self.rows += len(whole)
        self.whole = _plus(self.whole, whole)


def row_hashes(column: Any) -> Hashes:
    """Returns a hash of each row of a column."""
    data, offsets = _bytes_of(column)
    lengths = np.diff(offsets)
    # The number of 8-byte words of each row; the last word may be only partly its own.
    counts = (lengths + 7) // 8
    ends = np.cumsum(counts)
    places = np.arange(counts.sum()) - np.repeat(ends - counts, counts)
    words = _words_at(data, np.repeat(offsets[:-1], counts) + 8 * places)
    tails = lengths % 8
    last = ends[tails > 0] - 1
    bits = 8 * tails[tails > 0].astype(np.uint64)
    words[last] &= (np.uint64(1) << bits) - np.uint64(1)
    sums = np.cumsum(_mixed(words + _keys(places)))
    sums = np.concatenate([np.zeros(1, np.uint64), sums])
    return _mixed(sums[ends] - sums[ends - counts] + _keys(lengths))


def _bytes_of(column: Any) -> tuple[Array, Array]:
    """Returns the bytes of all rows, end to end, and the offset of each row."""
    if hasattr(column, "row_splits"):  # The column is a tensor of TensorFlow.
        column = Ragged(column.values, column.row_splits)
    if isinstance(column, Ragged):
        values = np.ascontiguousarray(_array(column.values))
        return values.view(np.uint8), _array(column.offsets) * values.itemsize
    rows = np.ascontiguousarray(_array(column))
    if rows.dtype == object:  # TensorFlow gives strings as an array of bytes objects.
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        return np.frombuffer(b"".join(rows), np.uint8), offsets
    row_bytes = rows.nbytes // len(rows)
    return rows.reshape(-1).view(np.uint8), np.arange(len(rows) + 1) * row_bytes


def _array(tensor: Any) -> Array:
    return tensor.numpy() if hasattr(tensor, "numpy") else np.asarray(tensor)


def _words_at(data: Array, begins: Array) -> Hashes:
    """Returns the 8-byte words that begin at these bytes, aligned or not."""
    padded = np.concatenate([data, np.zeros(8, np.uint8)])
    every = np.ndarray(len(data) + 1, np.dtype("<u8"), buffer=padded, strides=(1,))
    return every[begins]


def _keys(numbers: Array) -> Hashes:
    return (numbers.astype(np.uint64) + np.uint64(1)) * STEP


def _mixed(words: Hashes) -> Hashes:
    """Returns the words after the mixing function of splitmix64."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _plus(checksum: int, hashes: Hashes) -> int:
    return (checksum + int(hashes.sum(dtype=np.uint64))) % 2**64
