# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Converts the values that users give for a column of a `SampleWriter` to Arrow's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from rowfeed._columns.ragged import Ragged

_Tensor: TypeAlias = np.ndarray[Any, Any]
_Mask: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]  # True marks a null value.


def arrow_type(dtype: np.dtype[Any]) -> pa.DataType:
    """Returns Arrow's type for a NumPy dtype; raises TypeError if there is none."""
    if dtype.kind in "Mm" and np.datetime_data(dtype)[1] != 1:
        raise TypeError("Arrow counts time in single units")
    try:
        return pa.from_numpy_dtype(dtype)
    except pa.ArrowNotImplementedError as error:
        raise TypeError(str(error)) from error


def array_of(value: Any, field: pa.Field) -> pa.Array:
    """Returns a column as an Arrow array; the values of all but Arrow's are copied.

    Raises:
        TypeError: The values have another type than the field.
        ValueError: The rows have another shape than the field says, or there are nulls
            where the field allows none.
    """
    if isinstance(value, pa.ChunkedArray):
        value = value.combine_chunks()
    try:
        if isinstance(value, Ragged):
            value = pa.concat_arrays([value.to_pyarrow()])  # This copies.
        if not isinstance(value, pa.Array):
            value = _converted(value, field)
        if value.type != field.type and _plain(value.type) == _plain(field.type):
            value = value.cast(field.type)
    except pa.ArrowException as error:
        raise TypeError(
            f"column {field.name!r}: expected {field.type}, found {value!r}: {error}"
        ) from error
    if value.type != field.type:
        raise TypeError(
            f"column {field.name!r}: expected {field.type}, found {value.type}"
        )
    _check_nulls(value, field, f"column {field.name!r}: expected no nulls")
    return value


def _plain(kind: pa.DataType) -> pa.DataType:
    """Returns the type of the same values in the layout that Arrow uses by default.

    Arrow has several layouts for strings, for binaries and for lists of any length.
    """
    types = pa.types
    if types.is_large_string(kind) or types.is_string_view(kind):
        return pa.string()
    if types.is_large_binary(kind) or types.is_binary_view(kind):
        return pa.binary()
    if types.is_list(kind) or types.is_large_list(kind):
        return pa.list_(_plain(kind.value_type))
    return kind


def _check_nulls(array: pa.Array, field: pa.Field, complaint: str) -> None:
    """Refuses nulls where the field allows none.

    Parquet's writer would refuse them too, but later, with the whole row group.
    """
    if array.null_count and not field.nullable:
        raise ValueError(f"{complaint}, found {array.null_count}")
    for child, values in _children(array):
        _check_nulls(values, child, f"{complaint} in {child.name}")


def _children(array: pa.Array) -> Iterator[tuple[pa.Field, pa.Array]]:
    """Yields the fields nested in an array, with their values in rows that have one."""
    kind = array.type
    if isinstance(kind, pa.FixedShapeTensorType):
        element = pa.field("element", kind.value_type, nullable=False)
        yield element, array.storage.flatten()
    elif isinstance(kind, pa.BaseExtensionType):
        yield from _children(array.storage)
    elif pa.types.is_struct(kind):
        rows = array.drop_null()
        for i in range(kind.num_fields):
            yield kind.field(i), rows.field(i)
    elif hasattr(kind, "value_field"):  # It is a list of any kind.
        yield kind.value_field, array.flatten()


def _converted(value: Any, field: pa.Field) -> pa.Array:
    """Returns a copy of NumPy's or Python's values as an Arrow array."""
    element, shape = _tensor_of(field.type)
    is_array = hasattr(value, "__array__")
    mask = _mask_of(value, field, shape)
    if not is_array:
        filled = (row for row in value if row is not None) if shape else iter(())
        first = next(filled, None)
        is_array = hasattr(first, "__array__")
        if first is None or isinstance(first, bytes):
            return _by_arrow(value, field)
        if any(True for _ in _found(value, type(None))):
            raise ValueError(
                f"column {field.name!r}: expected no nulls in rows of shape {shape}, "
                "found None"
            )
    try:
        tensor = np.asarray(value) if is_array else _of_lists(value, field, element)
    except OverflowError as error:
        raise TypeError(
            f"column {field.name!r}: expected {field.type}: {error}"
        ) from error
    except ValueError as error:  # The rows have different shapes.
        raise ValueError(
            f"column {field.name!r}: expected rows of shape {shape}: {error}"
        ) from error
    if tensor.dtype.kind in "OSU":
        return _by_arrow(tensor, field, mask)
    _check_tensor(tensor, field, element, shape)
    return _nested(_copied(tensor, mask, field, element), field.type)


def _by_arrow(value: Any, field: pa.Field, mask: _Mask | None = None) -> pa.Array:
    try:
        return pa.array(value, type=field.type, mask=mask)
    except (pa.ArrowException, TypeError, OverflowError) as error:
        raise TypeError(
            f"column {field.name!r}: expected {field.type}: {error}"
        ) from error


def _mask_of(value: Any, field: pa.Field, shape: tuple[int, ...]) -> _Mask | None:
    """Returns the mask of a masked array; None if no value is masked.

    Raises ValueError for masked values inside rows, which must not have nulls.
    """
    if isinstance(value, np.ma.MaskedArray) and value.ndim == 1 and not shape:
        return np.ma.getmaskarray(value) if np.ma.is_masked(value) else None
    if any(map(np.ma.is_masked, _found([value], np.ma.MaskedArray))):
        raise ValueError(
            f"column {field.name!r}: expected {field.type}, found masked values in an "
            "array that is not one-dimensional, or in a list of arrays"
        )
    return None


def _found(value: Sequence[Any], kind: type) -> Iterator[Any]:
    """Yields the objects of type `kind` in a list, and in lists nested in it."""
    kinds = set(map(type, value))  # This is fast for the usual list of numbers.
    if any(issubclass(each, (list, tuple, kind)) for each in kinds):
        for row in value:
            if isinstance(row, kind):
                yield row
            elif isinstance(row, (list, tuple)):
                yield from _found(row, kind)


def _of_lists(value: Any, field: pa.Field, element: pa.DataType) -> _Tensor:
    # Arrow's to_pandas_dtype gives the dtype too, but imports pandas in version 25.
    dtype = pa.array([], element).to_numpy(zero_copy_only=False).dtype
    if dtype.kind in "biu":
        return _exact(value, dtype, field)
    return np.asarray(value, dtype)


def _exact(value: Any, dtype: np.dtype[Any], field: pa.Field) -> _Tensor:
    """Returns Python's numbers as integers or bools; refuses a number that changes."""
    numbers = np.asarray(value)
    with np.errstate(invalid="ignore"):
        tensor = numbers.astype(dtype)
    if not np.array_equal(numbers, tensor):
        found = numbers[numbers != tensor].flat[0]
        raise TypeError(f"column {field.name!r}: expected {field.type}, found {found}")
    return tensor


def _check_tensor(
    tensor: _Tensor, field: pa.Field, element: pa.DataType, shape: tuple[int, ...]
) -> None:
    """Refuses a tensor with another shape or dtype than the field, or NaT in a row."""
    if tensor.ndim == 0 or tensor.shape[1:] != shape:
        raise ValueError(
            f"column {field.name!r}: expected shape {('rows', *shape)}, found "
            f"{tensor.shape}"
        )
    try:
        is_it = arrow_type(tensor.dtype) == element
    except TypeError:
        is_it = False
    if not is_it:
        raise TypeError(
            f"column {field.name!r}: expected {element}, found {tensor.dtype}"
        )
    if shape and tensor.dtype.kind in "Mm" and np.isnat(tensor).any():
        raise ValueError(
            f"column {field.name!r}: expected no nulls in rows of shape {shape}, found "
            "NaT"
        )


def _copied(
    tensor: _Tensor, mask: _Mask | None, field: pa.Field, element: pa.DataType
) -> pa.Array:
    """Returns a copy of the elements, end to end, in memory of Arrow's pool."""
    if mask is not None or tensor.dtype.kind in "Mm":
        return _with_nulls(tensor, mask, field, element)
    if pa.types.is_boolean(element):
        return pa.array(tensor.reshape(-1))  # Arrow stores a bool as one bit.
    buffer = pa.allocate_buffer(tensor.nbytes)
    native = tensor.dtype.newbyteorder("=")
    np.frombuffer(buffer, native).reshape(tensor.shape)[...] = tensor
    return pa.Array.from_buffers(element, tensor.size, [None, buffer])


def _with_nulls(
    tensor: _Tensor, mask: _Mask | None, field: pa.Field, element: pa.DataType
) -> pa.Array:
    """Returns a copy of the elements, with nulls where they are masked or NaT."""
    values = tensor.astype(tensor.dtype.newbyteorder("=")).reshape(-1)
    nulls = np.zeros(values.shape, bool) if mask is None else mask
    if values.dtype.kind in "Mm":
        nulls = nulls | np.isnat(values)
    if pa.types.is_date32(element):  # Arrow lets 32-bit days overflow silently.
        days = values.view(np.int64)
        beyond = values[~nulls & (days != days.astype(np.int32))]
        if beyond.size:
            raise TypeError(
                f"column {field.name!r}: expected {element}, found {beyond[0]}"
            )
    return pa.array(values, element, mask=nulls)


def _nested(values: pa.Array, of: pa.DataType) -> pa.Array:
    """Makes rows of type `of` from all their elements, which lie end to end."""
    if isinstance(of, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(of, _nested(values, of.storage_type))
    if pa.types.is_fixed_size_binary(of):
        length = len(values) // of.byte_width
        return pa.Array.from_buffers(of, length, [None, values.buffers()[1]])
    if not pa.types.is_fixed_size_list(of):
        return values
    inner = _nested(values, of.value_type)
    return pa.FixedSizeListArray.from_arrays(inner, type=of)


def _tensor_of(of: pa.DataType) -> tuple[pa.DataType, tuple[int, ...]]:
    """Returns the element type and the shape of a row; () for a single value."""
    shape: tuple[int, ...] = ()
    if isinstance(of, pa.FixedShapeTensorType):
        shape, of = tuple(of.shape), of.value_type
    while pa.types.is_fixed_size_list(of):
        shape, of = (*shape, of.list_size), of.value_type
    if pa.types.is_fixed_size_binary(of):
        shape, of = (*shape, of.byte_width), pa.uint8()
    return of, shape
