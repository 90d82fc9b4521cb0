# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Converts the schema and the rows that users give to a `SampleWriter` to Arrow's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow as pa

from rowfeed._write.sample_column import array_of, arrow_type

# A schema is a dict from each column to a dtype, a (dtype, shape) or an Arrow type, or
# it is a schema of Arrow.
SchemaLike: TypeAlias = "pa.Schema | Mapping[str, Any]"
# Rows are a dict of columns, an Arrow table or batch, or a list with a dict per row.
RowsLike: TypeAlias = (
    "Mapping[str, Any] | pa.RecordBatch | pa.Table | Sequence[Mapping[str, Any]]"
)
# The types whose names may stand in a schema although NumPy has no such dtypes.
_NAMED: Final = {"string": pa.string(), "binary": pa.binary()}


def schema_of(given: SchemaLike) -> pa.Schema:
    """Returns Arrow's schema for one in any form that users may give.

    Columns given by a dict do not allow nulls. So files store no definition levels,
    which would say of each value whether it is null.

    Raises:
        TypeError: `given` is no schema, or a column's type is none.
        ValueError: The schema has no columns or two of one name, or a size of a shape
            is below 1.
    """
    if isinstance(given, pa.Schema):
        schema = given.remove_metadata()
    elif isinstance(given, Mapping):
        schema = pa.schema(
            [
                pa.field(str(name), _type_of(str(name), spec), nullable=False)
                for name, spec in given.items()
            ]
        )
    else:
        raise TypeError(
            "schema must be a pyarrow.Schema or a dict from columns to a dtype, "
            f"(dtype, shape) or pyarrow.DataType, not {given!r}"
        )
    if not schema.names:
        raise ValueError("schema has no columns")
    if len(set(schema.names)) < len(schema.names):
        raise ValueError(f"schema has two columns of one name: {schema.names}")
    return schema


def _type_of(name: str, spec: Any) -> pa.DataType:
    if isinstance(spec, pa.DataType):
        return spec
    if isinstance(spec, str) and spec in _NAMED:
        return _NAMED[spec]
    dtype, shape = spec if isinstance(spec, tuple) else (spec, ())
    try:
        arrow = arrow_type(np.dtype(dtype))
    except TypeError as error:
        raise TypeError(
            f"schema: column {name!r}: {spec!r} is no dtype, nor 'string', 'binary', a "
            "(dtype, shape) of numbers or a pyarrow.DataType"
        ) from error
    for size in shape:
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(f"schema: column {name!r}: no shape of ints: {shape!r}")
        if size < 1:
            raise ValueError(f"schema: column {name!r}: {shape!r} has a size below 1")
    return _tensor_type(arrow, tuple(shape))


def _tensor_type(element: pa.DataType, shape: tuple[int, ...]) -> pa.DataType:
    """Returns the Arrow type in which tensors are written and read fastest.

    Rows of bytes become fixed-size binaries, since Parquet has no 8-bit integers: it
    would store each byte in four. Tensors of several dimensions become Arrow's
    fixed-shape tensors and not lists of lists, which store levels for each dimension.
    """
    if shape and pa.types.is_uint8(element):
        element, shape = pa.binary(shape[-1]), shape[:-1]
    if len(shape) > 1:
        return pa.fixed_shape_tensor(element, shape)
    for size in shape:
        element = pa.list_(pa.field("element", element, nullable=False), size)
    return element


def batch_of(rows: RowsLike, schema: pa.Schema) -> pa.RecordBatch:
    """Returns rows as an Arrow batch, with the columns of the schema in its order.

    NumPy arrays, and tensors that share memory with NumPy, are copied, so that the
    caller may change them afterwards.

    Raises:
        TypeError: A column has another type than in the schema, or `rows` is in none of
            the forms of rows.
        ValueError: A column is missing, unknown, of another shape or of another length
            than the others, or has nulls where the schema allows none.
    """
    if isinstance(rows, (pa.RecordBatch, pa.Table)):
        columns: dict[str, Any] = dict(
            zip(rows.schema.names, rows.columns, strict=True)
        )
    elif isinstance(rows, Mapping):
        columns = dict(rows)
    elif isinstance(rows, Sequence) and all(isinstance(row, Mapping) for row in rows):
        columns = _columns_of(rows, schema)
    else:
        raise TypeError(
            "rows must be a dict of arrays, a pyarrow.RecordBatch or Table, or a list "
            f"of dicts, not {type(rows).__name__}"
        )
    _check_names(columns, schema)
    arrays = [array_of(columns[field.name], field) for field in schema]
    lengths = {
        field.name: len(array) for field, array in zip(schema, arrays, strict=True)
    }
    if len(set(lengths.values())) > 1:
        raise ValueError(f"columns have different numbers of rows: {lengths}")
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _columns_of(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> dict[str, Any]:
    for index, row in enumerate(rows):
        try:
            _check_names(row, schema)
        except ValueError as error:
            raise ValueError(f"row {index}: {error}") from None
    return {name: [row[name] for row in rows] for name in schema.names}


def _check_names(found: Mapping[str, Any], schema: pa.Schema) -> None:
    missing = [name for name in schema.names if name not in found]
    unknown = [name for name in found if name not in schema.names]
    for names, what in ((missing, "missing"), (unknown, "not in the schema")):
        if names:
            raise ValueError(
                f"{', '.join(map(repr, names))} {what}: expected the columns "
                f"{schema.names}, found {[*found]}"
            )
