# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes elements from the kernel's batches: arrays or tensors in their arrangement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import methodcaller
from typing import Any, TypeAlias

import numpy as np

from rowfeed._columns import dtypes
from rowfeed._columns.array_spec import ArraySpec
from rowfeed._columns.ragged import Kind, Ragged
from rowfeed._native import core
from rowfeed._options.parameters import Parameters

Maker: TypeAlias = Callable[[Any], Any]


def row_of(element: Any, index: int) -> Any:
    """Returns one row of a batch, without the batch dimension."""
    if isinstance(element, tuple):
        return tuple(row_of(part, index) for part in element)
    if isinstance(element, dict):
        return {name: row_of(part, index) for name, part in element.items()}
    return element[index]


class Elements:
    """Makes elements of NumPy arrays; PyTorch's subclass makes them of tensors."""

    def _convert(self, outputs: Sequence[core.Column]) -> None:
        """Prepares the conversion of the batches' columns, before any `element`.

        Raises:
            ModuleNotFoundError: A dtype is of ml_dtypes, and that is not installed.
        """
        makers = [self._maker(column) for column in outputs]
        self._makers = [(i, make) for i, make in enumerate(makers) if make is not None]

    def _element(self, batch: core.Batch, parameters: Parameters) -> Any:
        """Returns the element of a native batch: a batch, or a single row."""
        element = self._batch_element(batch, parameters)
        return self._row_of(element, 0) if parameters.single else element

    def _batch_element(self, batch: core.Batch, parameters: Parameters) -> Any:
        """Returns all rows of a native batch as an element; changes its list."""
        tensors, valid = batch
        for i, make in self._makers:
            tensors[i] = make(tensors[i])
        flags = valid
        if valid is not None and self._tensor is not None:
            flags = self._tensor(valid)
        return parameters.layout.arrange(tensors, flags, self._weight)

    def _spec(self, parameters: Parameters, rows: tuple[int | None, ...]) -> Any:
        """Returns an element with an `ArraySpec` in the place of each array.

        Args:
            parameters: Parameters of the dataset.
            rows: Begin of each shape, before that of one row: the batch, or nothing.
        """
        return parameters.layout.arrange(
            [self._array_spec(column, rows) for column in parameters.outputs],
            ArraySpec(self._dtype("bool"), rows),
            lambda _: ArraySpec(self._dtype("float32"), rows),
        )

    def _array_spec(
        self, column: core.Column, rows: tuple[int | None, ...]
    ) -> ArraySpec:
        is_bytes = column.dtype in dtypes.BYTES
        ragged = column.ragged_rank + int(is_bytes)
        dtype = self._dtype("uint8" if is_bytes else column.dtype)
        return ArraySpec(dtype, (*rows, *[None] * ragged, *column.dense_shape))

    @staticmethod
    def _dtype(name: str) -> Any:
        """Returns the framework's dtype of this name."""
        return dtypes.to_numpy(name)

    def _maker(self, column: core.Column) -> Maker | None:
        """Returns the function that converts a column's arrays; None if none is due."""
        is_bits = column.dtype in dtypes.OF_ML_DTYPES
        of_values = self._of_bits(column.dtype) if is_bits else self._tensor
        kinds = _kinds(column)
        if not kinds:
            return of_values
        if len(kinds) == 1 and of_values is None and self._tensor is None:
            return partial(_of_one_level, kinds[0])
        return partial(_ragged, kinds[::-1], of_values, self._tensor)

    # The table of DLPack functions with which the kernel makes tensors. None if the
    # kernel makes NumPy arrays.
    _dlpack_exchange: object = None

    @property
    def _tensor(self) -> Maker | None:
        """Function that makes a tensor of a kernel's array; None if none is due."""
        return None

    def _of_bits(self, dtype: str) -> Maker | None:
        """Returns `_tensor` for a dtype of ml_dtypes, of which the array has bits."""
        return methodcaller("view", dtypes.to_numpy(dtype))

    _row_of = staticmethod(row_of)

    @staticmethod
    def _weight(valid: Any) -> Any:
        """Returns the weights of rows: 1 for a row of the data, 0 for a fill row."""
        return valid.astype(np.float32)


def _of_one_level(kind: Kind, arrays: tuple[Any, Any]) -> Ragged:
    """Returns what `_ragged` would for one level without conversion, in less time."""
    values, offsets = arrays
    return Ragged(values, offsets, kind)


def _ragged(
    kinds: Sequence[Kind],
    of_values: Maker | None,
    of_offsets: Maker | None,
    arrays: Sequence[Any],
) -> Any:
    """Returns a `Ragged` of arrays of values and offsets.

    Args:
        kinds: Kind of each level, from the innermost outwards.
        of_values: Conversion of the array of values; None for none.
        of_offsets: Conversion of the arrays of offsets; None for none.
        arrays: Values, and then the offsets of each level, from the rows inwards.
    """
    values, *splits = arrays
    made = values if of_values is None else of_values(values)
    if of_offsets is not None:
        splits = [of_offsets(array) for array in splits]
    for offsets, kind in zip(reversed(splits), kinds, strict=True):
        made = Ragged(made, offsets, kind)
    return made


def _kinds(column: core.Column) -> list[Kind]:
    """Returns the kind of each ragged level, from the rows inwards."""
    lists: list[Kind] = ["list"] * column.ragged_rank
    if column.dtype == "string":
        return [*lists, "string"]
    return [*lists, "binary"] if column.dtype == "binary" else lists
