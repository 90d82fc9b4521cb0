# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a face makes of the kernel's batches: arrays or tensors, arranged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rowfeed import dtypes
from rowfeed._native import core
from rowfeed.dtypes import BFLOAT16
from rowfeed.ragged import Kind, Ragged
from rowfeed.resolved import Resolved


class Elements:
    """Makes elements of batches: NumPy's; another face says what a tensor is."""

    def convert(self, outputs: Sequence[core.Column]) -> None:
        """Takes what batches hold; before the first `element`."""
        self._kinds = [_kinds(column) for column in outputs]
        self._converters = [
            self._bfloat16 if column.dtype == BFLOAT16 else self._tensor
            for column in outputs
        ]

    def element(self, batch: core.Batch, resolved: Resolved) -> Any:
        """Returns a native batch as this face's element."""
        element = self.batch_element(batch, resolved)
        return row_of(element, 0) if resolved.single else element

    def batch_element(self, batch: core.Batch, resolved: Resolved) -> Any:
        """Returns all rows of a native batch, whatever the batch size asked for."""
        tensors, valid = batch
        made = [
            self._ragged(t, kinds, convert) if kinds else convert(t)
            for t, kinds, convert in zip(
                tensors, self._kinds, self._converters, strict=True
            )
        ]
        flags = None if valid is None else self._tensor(valid)
        return resolved.layout.arrange(made, flags, self._weight)

    def _ragged(
        self, arrays: Any, kinds: list[Kind], convert: Callable[[Any], Any]
    ) -> Any:
        values = convert(arrays[0])
        splits = [self._tensor(array) for array in arrays[1:]]
        for offsets, kind in zip(reversed(splits), reversed(kinds), strict=True):
            values = Ragged(values, offsets, kind)
        return values

    @staticmethod
    def _tensor(array: Any) -> Any:
        """Returns a NumPy array as this face's tensor, without a copy."""
        return array

    @staticmethod
    def _bfloat16(array: Any) -> Any:
        """Returns an array of the bits of bfloat16 as this face's tensor of it."""
        return array.view(dtypes.to_numpy(BFLOAT16))

    @staticmethod
    def _weight(valid: Any) -> Any:
        """Returns the weight of rows that have none of their own."""
        return valid.astype(np.float32)


def _kinds(column: core.Column) -> list[Kind]:
    """Returns what each ragged level is, from the rows inwards."""
    lists: list[Kind] = ["list"] * column.ragged_rank
    if column.dtype == "string":
        return [*lists, "string"]
    return [*lists, "binary"] if column.dtype == "binary" else lists


def row_of(element: Any, index: int) -> Any:
    """Returns one row of a batch, without the batch dimension."""
    if isinstance(element, tuple):
        return tuple(row_of(part, index) for part in element)
    if isinstance(element, dict):
        return {name: row_of(part, index) for name, part in element.items()}
    return element[index]
