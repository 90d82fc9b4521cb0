# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a face makes of the kernel's batches: arrays or tensors, arranged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from rowfeed._columns import dtypes
from rowfeed._columns.dtypes import BFLOAT16
from rowfeed._columns.ragged import Kind, Ragged
from rowfeed._native import core
from rowfeed._options.resolved import Resolved

Maker: TypeAlias = Callable[[Any], Any]


class Elements:
    """Makes elements of batches: NumPy's; another face says what a tensor is."""

    def convert(self, outputs: Sequence[core.Column]) -> None:
        """Takes what batches hold; before the first `element`."""
        makers = [self._maker(column) for column in outputs]
        self._makers = [(i, make) for i, make in enumerate(makers) if make is not None]

    def element(self, batch: core.Batch, resolved: Resolved) -> Any:
        """Returns a native batch as this face's element."""
        element = self.batch_element(batch, resolved)
        return self._row_of(element, 0) if resolved.single else element

    def batch_element(self, batch: core.Batch, resolved: Resolved) -> Any:
        """Returns all rows of a native batch, whose list changes, as an element."""
        tensors, valid = batch
        for i, make in self._makers:
            tensors[i] = make(tensors[i])
        flags = valid
        if valid is not None and self._tensor is not None:
            flags = self._tensor(valid)
        return resolved.layout.arrange(tensors, flags, self._weight)

    def _maker(self, column: core.Column) -> Maker | None:
        """Returns what makes of the column's arrays what is delivered."""
        of_values = self._bfloat16 if column.dtype == BFLOAT16 else self._tensor
        kinds = _kinds(column)
        if not kinds:
            return of_values
        if len(kinds) == 1 and of_values is None and self._tensor is None:
            return partial(_of_one_level, kinds[0])
        return partial(_ragged, kinds[::-1], of_values, self._tensor)

    # By which the kernel makes this face's tensors; None: it makes NumPy arrays.
    dlpack_exchange: object = None

    @property
    def _tensor(self) -> Maker | None:
        """Makes this face's tensor of what the kernel made; None: it is one."""
        return None

    @property
    def _bfloat16(self) -> Maker | None:
        """The same of bfloat16, of which an array has the bits."""
        return _view_bfloat16

    @staticmethod
    def _row_of(element: Any, index: int) -> Any:
        """Returns one row of a batch, without the batch dimension."""
        return row_of(element, index)

    @staticmethod
    def _weight(valid: Any) -> Any:
        """Returns the weight of rows that have none of their own."""
        return valid.astype(np.float32)


def _view_bfloat16(bits: Any) -> Any:
    return bits.view(dtypes.to_numpy(BFLOAT16))


def _of_one_level(kind: Kind, arrays: tuple[Any, Any]) -> Ragged:
    """What `_ragged` returns where there is nothing to convert, for a third."""
    values, offsets = arrays
    return Ragged(values, offsets, kind)


def _ragged(
    kinds: Sequence[Kind],
    of_values: Maker | None,
    of_offsets: Maker | None,
    arrays: Sequence[Any],
) -> Any:
    """Returns arrays of values and offsets as what the kinds say, from within."""
    values, *splits = arrays
    made = values if of_values is None else of_values(values)
    if of_offsets is not None:
        splits = [of_offsets(array) for array in splits]
    for offsets, kind in zip(reversed(splits), kinds, strict=True):
        made = Ragged(made, offsets, kind)
    return made


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
