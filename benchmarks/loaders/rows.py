# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Single rows, for formats that store them one by one, and batches of them.

A row is a dictionary of Python's numbers and of arrays: of what there is, that is the
fastest to load.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def rows_of(table: pa.Table) -> Iterator[dict[str, Any]]:
    """Yields the rows of a table."""
    columns = [_values(column) for column in table.columns]
    for row in zip(*columns, strict=True):
        yield dict(zip(table.column_names, row, strict=True))


def kinds_of(path: Path) -> dict[str, Any]:
    """Returns the NumPy type of each column of a Parquet file."""
    return {field.name: _kind(field.type) for field in pq.read_schema(path)}


def stacked(
    rows: Iterable[Mapping[str, Any]], kinds: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns the columns of a batch, an array each."""
    rows = list(rows)
    return {name: np.array([row[name] for row in rows], t) for name, t in kinds.items()}


def _values(column: pa.ChunkedArray) -> Any:
    if pa.types.is_fixed_size_list(column.type):
        flat = column.combine_chunks().flatten().to_numpy()
        return flat.reshape(len(column), -1)
    return column.to_pylist()


def _kind(kind: pa.DataType) -> Any:
    number = kind.value_type if pa.types.is_fixed_size_list(kind) else kind
    return number.to_pandas_dtype()
