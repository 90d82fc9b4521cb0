# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Arrow's columns as arrays and tensors, without a copy where that can be.

Lists and strings become a Ragged, values and offsets, as rowfeed's own faces have them:
of what there is, that is the fastest to make.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from rowfeed import Ragged


def is_ragged(kind: pa.DataType) -> bool:
    """Returns whether rows of this type differ in length."""
    return is_list(kind) or is_bytes(kind)


def is_list(kind: pa.DataType) -> bool:
    """Returns whether rows are lists of any length."""
    return pa.types.is_list(kind) or pa.types.is_large_list(kind)


def is_bytes(kind: pa.DataType) -> bool:
    """Returns whether rows are strings or binaries."""
    return kind in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())


def array_of(column: pa.ChunkedArray | pa.Array) -> Any:
    """Returns the values of a column; a row is one of the array, however long."""
    if is_ragged(column.type):
        return _ragged(column)
    if pa.types.is_fixed_size_list(column.type):
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        flat = [chunk.flatten().to_numpy() for chunk in chunks]
        whole = flat[0] if len(flat) == 1 else np.concatenate(flat)
        return whole.reshape(-1, column.type.list_size)
    return column.to_numpy()


def arrays_of(table: pa.Table | pa.RecordBatch) -> dict[str, Any]:
    """Returns all columns of a table."""
    return {name: array_of(table[name]) for name in table.schema.names}


def tensors_of(arrays: Mapping[Any, Any]) -> dict[Any, Any]:
    """Returns torch's tensors over the same memory."""
    from torch import from_numpy

    def tensor(array: Any) -> Any:
        if isinstance(array, Ragged):
            return Ragged(tensor(array.values), tensor(array.offsets), array.kind)
        return from_numpy(array)

    return {name: tensor(array) for name, array in arrays.items()}


def _ragged(column: pa.ChunkedArray | pa.Array) -> Ragged:
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if is_list(array.type):
        offsets, values = array.offsets.to_numpy(), array.values.to_numpy()
    else:
        is_large = array.type in (pa.large_string(), pa.large_binary())
        _, ends, data = array.buffers()
        offsets = np.frombuffer(ends, np.int64 if is_large else np.int32)
        offsets = offsets[array.offset : array.offset + len(array) + 1]
        values = np.frombuffer(data, np.uint8)
    begin, end = offsets[0], offsets[-1]
    kind = "list" if is_list(array.type) else "string"
    return Ragged(values[begin:end], offsets.astype(np.int64) - begin, kind)
