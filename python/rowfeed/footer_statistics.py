# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What footers know of the values of columns. It is pyarrow that reads them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from rowfeed.catalog import Field, File


class Known(NamedTuple):
    """What is known of the values of a column, in one place or in several.

    Attributes:
        nulls: How many there are; None: not known.
        bounds: The least and the greatest; None: not known.
        is_empty: Whether there are no values that could have bounds.
    """

    nulls: int | None
    bounds: tuple[Any, Any] | None
    is_empty: bool


_NOTHING = Known(0, None, is_empty=True)
_UNKNOWN = Known(None, None, is_empty=False)


def read(files: Sequence[File], fields: Sequence[Field]) -> list[Known]:
    """Reads the footers of all files, in parallel.

    Returns:
        What they know of each field; of one that is not supported, nothing.

    Raises:
        OSError: A file cannot be read, or has changed since it was catalogued.
    """
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        found = threads.map(lambda file: _of_file(file, fields), files)
        first = [_NOTHING] * len(fields)
        return reduce(lambda a, b: list(map(_both, a, b)), found, first)


def _of_file(file: File, fields: Sequence[Field]) -> list[Known]:
    metadata = pq.read_metadata(file.path)
    if metadata.num_rows != file.rows or Path(file.path).stat().st_size != file.size:
        raise OSError(f"{file.path} changed since it was catalogued")
    leaves = _only_leaves(metadata.schema.to_arrow_schema())
    return [_of_leaf(metadata, leaves.get(field.name), field) for field in fields]


def _of_leaf(metadata: Any, leaf: int | None, field: Field) -> Known:
    if leaf is None or field.unsupported:
        return _UNKNOWN
    known = _NOTHING
    for group in range(metadata.num_row_groups):
        chunk = metadata.row_group(group).column(leaf)
        known = _both(known, _of_chunk(chunk, field))
    never_null = metadata.schema.column(leaf).max_definition_level == 0
    return known._replace(nulls=0) if never_null else known


def _of_chunk(chunk: Any, field: Field) -> Known:
    statistics = chunk.statistics
    if chunk.num_values == 0:
        return _NOTHING
    if statistics is None:
        return _UNKNOWN
    counted = statistics.null_count if statistics.has_null_count else None
    nulls = None if _is_list(field) else counted
    if counted == chunk.num_values:
        return Known(nulls, None, is_empty=True)
    if not statistics.has_min_max:
        return Known(nulls, None, is_empty=False)
    least, most = (_value(statistics, which, field) for which in ("min", "max"))
    is_number = least == least and most == most  # Old writers counted NaN.
    return Known(nulls, (least, most) if is_number else None, is_empty=False)


def _value(statistics: Any, which: str, field: Field) -> Any:
    """Returns a bound as rowfeed delivers the values of the field."""
    if field.unit:
        return getattr(statistics, f"{which}_raw")
    if field.dtype == "string":  # Writers that cut long strings may cut characters.
        return getattr(statistics, f"{which}_raw").decode(errors="backslashreplace")
    value = getattr(statistics, which)
    if field.dtype == "float16":
        return float(np.frombuffer(value, np.float16)[0])
    return value


def _is_list(field: Field) -> bool:
    """Whether a value of the file is not a row, so that nulls are not rows either."""
    return field.shape != () and not field.type.startswith("fixed_size_binary")


def _both(a: Known, b: Known) -> Known:
    nulls = None if a.nulls is None or b.nulls is None else a.nulls + b.nulls
    if a.is_empty or b.is_empty:
        other = b if a.is_empty else a
        return Known(nulls, other.bounds, is_empty=a.is_empty and b.is_empty)
    bounds = None
    if a.bounds is not None and b.bounds is not None:
        bounds = min(a.bounds[0], b.bounds[0]), max(a.bounds[1], b.bounds[1])
    return Known(nulls, bounds, is_empty=False)


def _only_leaves(schema: pa.Schema) -> dict[str, int]:
    """Returns the column chunk of each top-level column that has just one."""
    leaves, leaf = {}, 0
    for field in schema:
        count = _num_leaves(field.type)
        if count == 1:
            leaves[field.name] = leaf
        leaf += count
    return leaves


def _num_leaves(type_: pa.DataType) -> int:
    if isinstance(type_, pa.BaseExtensionType):
        return _num_leaves(type_.storage_type)
    inner = [type_.field(i).type for i in range(type_.num_fields)]
    return sum(map(_num_leaves, inner)) if inner else 1
