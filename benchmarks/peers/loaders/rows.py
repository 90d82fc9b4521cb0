# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Single rows, for formats that store them one by one, and batches of them.

A row that is written is a dictionary of strings and arrays: of what there is, that is
the fastest to load. Its numbers are one array for each type, since a format that stores
rows pays for each of their values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.peers.loaders.columns import (
    array_of,
    is_bytes,
    is_list,
    is_ragged,
    tensors_of,
)

from rowfeed import Ragged


def rows_of(table: pa.Table) -> Iterator[dict[str, Any]]:
    """Yields the rows of a table, numbers under the name of their type."""
    numbers = numbers_of({field.name: field.type for field in table.schema})
    columns = {
        kind: np.stack([table[name].to_numpy() for name in names], axis=1)
        for kind, names in numbers.items()
    }
    for name in others_of(numbers, table.column_names):
        columns[name] = _values(table[name])
    for row in zip(*columns.values(), strict=True):
        yield dict(zip(columns, row, strict=True))


def batch_of(
    rows: Iterable[Mapping[str, Any]], kinds: Mapping[str, pa.DataType]
) -> dict[str, Any]:
    """Returns torch's tensors of a batch of what `rows_of` yields.

    Numbers of a type share their memory, which a DataLoader's worker then sends once.
    """
    from torch import from_numpy

    rows = list(rows)
    numbers = numbers_of(kinds)
    others = {name: kinds[name] for name in others_of(numbers, kinds)}
    batch = tensors_of(stacked(rows, others))
    for kind, names in numbers.items():
        columns = from_numpy(np.stack([row[kind] for row in rows], axis=1))
        batch |= zip(names, columns, strict=True)
    return batch


def numbers_of(kinds: Mapping[str, pa.DataType]) -> dict[str, list[str]]:
    """Returns the names of the columns that are single numbers, by type."""
    numbers: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if not (is_ragged(kind) or pa.types.is_fixed_size_list(kind)):
            numbers.setdefault(str(kind), []).append(name)
    return numbers


def others_of(numbers: Mapping[str, list[str]], names: Iterable[str]) -> list[str]:
    """Returns those of `names` that are not among the numbers."""
    alone = {name for names in numbers.values() for name in names}
    return [name for name in names if name not in alone]


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
