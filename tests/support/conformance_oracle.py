# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What pyarrow makes of the leaves of a file, by the rules of docs/types.md."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from conformance_flat import Flat, offsets_of

# What is delivered as numbers though Arrow has a type of its own for it.
STORED = [
    (pa.types.is_date, pa.int32()),
    (pa.types.is_time32, pa.int32()),
    (pa.types.is_time64, pa.int64()),
    (pa.types.is_timestamp, pa.int64()),
    (pa.types.is_duration, pa.int64()),
]


class NoRuleError(Exception):
    """A type that is not delivered."""


class RowsError(Exception):
    """A column has not as many rows as the footer says."""


@dataclass(frozen=True)
class Expected:
    """A leaf: its values, zero or empty where `mask` is False, and the mask.

    A null list is an empty one, but it is a null. `column` has one value for each row,
    and is None where rows have lists.
    """

    values: Flat
    mask: Flat
    has_nulls: bool
    column: pa.Array | None = None


class Oracle:
    """A file as pyarrow reads it, leaf by leaf."""

    def __init__(self, path: Path) -> None:
        self._file = pq.ParquetFile(path)
        self.num_leaves = len(self._file.schema)
        footer = self._file.metadata  # Some writers leave its num_rows at 0.
        groups = [footer.row_group(i) for i in range(footer.num_row_groups)]
        self._num_rows = sum(group.num_rows for group in groups)
        self.footer_bytes = sum(group.total_byte_size for group in groups)

    def leaf(self, index: int) -> Expected:
        """Reads one leaf column of the Parquet schema."""
        table = self._file.reader.read_all(column_indices=[index])
        (column,) = table.columns
        array = column.combine_chunks()
        if isinstance(array, pa.ChunkedArray):  # Some types cannot be one chunk.
            array = pa.concat_arrays(array.chunks or [pa.array([], array.type)])
        if len(array) != self._num_rows:
            raise RowsError(f"{len(array)} rows, {self._num_rows} by the row groups")
        leaf = expected(array, np.ones(len(array), bool))
        return replace(leaf, column=one_per_row(array))


def one_per_row(array: pa.Array) -> pa.Array | None:
    """Returns the leaf below structs; None if rows have lists of it."""
    array = stored(array)
    while pa.types.is_struct(array.type):
        array = stored(pc.struct_field(array, [0]))
    if hasattr(array.type, "value_type") or pa.types.is_map(array.type):
        return None
    for view, kind in (
        (pa.string_view(), pa.string()),
        (pa.binary_view(), pa.binary()),
    ):
        if array.type == view:  # Arrow compares none.
            return array.cast(kind)
    return array


def expected(array: pa.Array, alive: np.ndarray[Any, Any]) -> Expected:
    """The leaf below an array of a single path, where its parents are `alive`."""
    array = stored(array)
    kind = array.type
    alive = alive & validity(array)
    if pa.types.is_struct(kind):
        return expected(array.field(0), alive)
    if pa.types.is_fixed_size_list(kind) and is_dense(kind):
        return _fixed(array, alive)
    if pa.types.is_fixed_size_list(kind):
        sizes = np.where(alive, kind.list_size, 0)
        begins = np.arange(len(array)) * kind.list_size + array.offset * kind.list_size
        return _below(array.values, begins, sizes, has_nulls=not alive.all())
    if is_list(kind):
        begins, sizes = _bounds(array, alive)
        return _below(array.values, begins, sizes, has_nulls=not alive.all())
    return _leaf(array, alive)


def stored(array: pa.Array) -> pa.Array:
    """Without extension types and dictionaries."""
    if isinstance(array, pa.ExtensionArray):
        shape = getattr(array.type, "shape", None)
        inner = array.storage
        if shape is None:
            return stored(inner)
        kind = array.type.value_type  # A tensor: lists of its shape.
        for size in reversed(shape):
            kind = pa.list_(kind, size)
        return _reshaped(inner, kind, list(shape))
    if pa.types.is_dictionary(array.type):
        return stored(array.dictionary_decode())
    return array


def _reshaped(array: pa.Array, kind: pa.DataType, shape: list[int]) -> pa.Array:
    values = array.values.slice(
        array.offset * array.type.list_size, len(array) * array.type.list_size
    )
    for size in reversed(shape[1:]):
        values = pa.FixedSizeListArray.from_arrays(values, size)
    mask = pa.array(~validity(array))
    made = pa.FixedSizeListArray.from_arrays(values, shape[0], mask=mask)
    assert made.type.list_size == kind.list_size
    return made


def validity(array: pa.Array) -> np.ndarray[Any, Any]:
    valid: np.ndarray[Any, Any] = array.is_valid().to_numpy(zero_copy_only=False)
    return valid


def is_dense(kind: pa.DataType) -> bool:
    """Whether all down to the leaf has one size."""
    if isinstance(kind, pa.ExtensionType):
        return is_dense(kind.storage_type)
    if pa.types.is_struct(kind):
        return is_dense(kind.field(0).type)
    if pa.types.is_fixed_size_list(kind):
        return is_dense(kind.value_type)
    varies = pa.types.is_map(kind) or hasattr(kind, "value_type")
    return not varies and not is_bytes(kind)


def is_bytes(kind: pa.DataType) -> bool:
    t = pa.types
    is_kinds = (t.is_string, t.is_large_string, t.is_binary, t.is_large_binary,
                t.is_string_view, t.is_binary_view)  # fmt: skip
    return any(is_kind(kind) for is_kind in is_kinds)


def is_list(kind: pa.DataType) -> bool:
    t = pa.types
    is_kinds = (t.is_list, t.is_large_list, t.is_list_view, t.is_large_list_view)
    return any(is_kind(kind) for is_kind in is_kinds)


def _bounds(
    array: pa.Array, alive: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    offsets = array.offsets.to_numpy().astype(np.int64)
    if pa.types.is_list_view(array.type) or pa.types.is_large_list_view(array.type):
        return offsets, np.where(alive, array.sizes.to_numpy(), 0)
    return offsets[:-1], np.where(alive, np.diff(offsets), 0)


def _below(
    elements: pa.Array,
    begins: np.ndarray[Any, Any],
    sizes: np.ndarray[Any, Any],
    *,
    has_nulls: bool,
) -> Expected:
    """Lists of elements: those of null lists are left out."""
    offsets = offsets_of(sizes)
    index = np.repeat(begins - offsets[:-1], sizes) + np.arange(offsets[-1])
    if len(index) != len(elements) or (index != np.arange(len(index))).any():
        elements = elements.take(pa.array(index, pa.int64()))
    inner = expected(elements, np.ones(len(elements), bool))
    return Expected(
        Flat([offsets, *inner.values.offsets], inner.values.values),
        Flat([offsets, *inner.mask.offsets], inner.mask.values),
        has_nulls or inner.has_nulls,
    )


def _fixed(array: pa.Array, alive: np.ndarray[Any, Any]) -> Expected:
    size = array.type.list_size
    elements = array.values.slice(array.offset * size, len(array) * size)
    inner = expected(elements, np.repeat(alive, size))
    values, mask = (
        Flat([], flat.values.reshape(len(array), size, *flat.values.shape[1:]))
        for flat in (inner.values, inner.mask)
    )
    return Expected(values, mask, inner.has_nulls)


def _leaf(array: pa.Array, alive: np.ndarray[Any, Any]) -> Expected:
    kind = array.type
    if is_bytes(kind):
        return _bytes(array, alive)
    values = _numbers(array)
    dead = ~alive.reshape(-1, *[1] * (values.ndim - 1))
    values = np.where(dead, np.zeros((), values.dtype), values)
    return Expected(Flat([], values), Flat([], alive), not alive.all())


def _bytes(array: pa.Array, alive: np.ndarray[Any, Any]) -> Expected:
    array = array.cast(pa.large_binary())
    _, offsets, data = array.buffers()
    bounds = np.frombuffer(offsets or bytes(8), np.int64)
    bounds = bounds[array.offset : array.offset + len(array) + 1]
    sizes = np.where(alive, np.diff(bounds), 0)
    flat = Flat([bounds], np.frombuffer(data or b"", np.uint8))
    if not np.array_equal(sizes, np.diff(bounds)) or bounds[0] != 0:
        starts = offsets_of(sizes)
        index = np.repeat(bounds[:-1] - starts[:-1], sizes) + np.arange(starts[-1])
        flat = Flat([starts], flat.values[index])
    used = flat.values[: flat.offsets[0][-1]]
    return Expected(Flat(flat.offsets, used), Flat([], alive), not alive.all())


def _numbers(array: pa.Array) -> np.ndarray[Any, Any]:
    """The values of a leaf of fixed width; anything where they are null."""
    kind = array.type
    if pa.types.is_boolean(kind):
        flags: np.ndarray[Any, Any] = array.fill_null(False).to_numpy(
            zero_copy_only=False
        )
        return flags
    if pa.types.is_decimal(kind):
        floats = [0.0 if v is None else float(v) for v in array.to_pylist()]
        return np.array(floats, np.float64)
    if pa.types.is_date64(kind):
        return (_buffer(array, np.int64) // 86_400_000).astype(np.int32)
    if pa.types.is_fixed_size_binary(kind):
        rows = _buffer(array, np.uint8, kind.byte_width)
        return rows.reshape(len(array), kind.byte_width)
    for is_kind, integer in STORED:
        if is_kind(kind):
            return _buffer(array, integer.to_pandas_dtype())
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise NoRuleError(str(kind))
    return _buffer(array, kind.to_pandas_dtype())


def _buffer(array: pa.Array, dtype: Any, width: int = 1) -> np.ndarray[Any, Any]:
    data = array.buffers()[1] or b""
    begin = array.offset * width
    return np.frombuffer(data, dtype)[begin : begin + len(array) * width]
