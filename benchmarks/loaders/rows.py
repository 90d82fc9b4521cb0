# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Single rows, for formats that store them one by one, and batches of them.

A row is a dictionary of Python's numbers and strings, and of arrays: of what there is,
that is the fastest to load.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from loaders.columns import array_of, is_bytes, is_list
from rowfeed import Ragged


def rows_of(table: pa.Table) -> Iterator[dict[str, Any]]:
    """Yields the rows of a table."""
    columns = [_values(column) for column in table.columns]
    for row in zip(*columns, strict=True):
        yield dict(zip(table.column_names, row, strict=True))


def kinds_of(path: Path) -> dict[str, pa.DataType]:
    """Returns the type of each column of a Parquet file."""
    return {field.name: field.type for field in pq.read_schema(path)}


def stacked(
    rows: Iterable[Mapping[str, Any]], kinds: Mapping[str, pa.DataType]
) -> dict[str, Any]:
    """Returns the columns of a batch, an array or a Ragged each."""
    rows = list(rows)
    return {name: _stacked([row[name] for row in rows], t) for name, t in kinds.items()}


def _stacked(values: list[Any], kind: pa.DataType) -> Any:
    if is_bytes(kind):
        values = [v.encode() if isinstance(v, str) else v for v in values]
        joined: Any = np.frombuffer(b"".join(values), np.uint8)
    elif is_list(kind):
        joined = np.concatenate(values)
    else:
        number = kind.value_type if pa.types.is_fixed_size_list(kind) else kind
        return np.array(values, number.to_pandas_dtype())
    return Ragged(joined, np.cumsum([0, *map(len, values)]))


def _values(column: pa.ChunkedArray) -> Any:
    if pa.types.is_fixed_size_list(column.type):
        return array_of(column)
    if is_list(column.type):
        rows = array_of(column)
        return np.split(rows.values, rows.offsets[1:-1])
    return column.to_pylist()
