# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Null counts and bounds of columns, taken from the footers, which pyarrow reads."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rowfeed._catalog.arrow_files import Client, check_unchanged, new_client, open_file
from rowfeed._native import core
from rowfeed._process.usable import usable_cpus

if TYPE_CHECKING:
    from rowfeed._catalog.entries import Field, File


class Known(NamedTuple):
    """Null count and bounds of a column, in a chunk, a file or all files.

    Attributes:
        nulls: Number of nulls. None if it is not known.
        bounds: Lower and upper bound of the values. None if they are not known.
        is_empty: Whether all values are null, so that there are no bounds to know.
    """

    nulls: int | None
    bounds: tuple[Any, Any] | None
    is_empty: bool


_NOTHING = Known(0, None, is_empty=True)
_UNKNOWN = Known(None, None, is_empty=False)


def read(
    files: Sequence[File],
    fields: Sequence[Field],
    differences: Sequence[tuple[int, int, bool]] = (),
) -> list[Known]:
    """Reads the footers of all files, in parallel.

    Args:
        files: Files of a catalog.
        fields: Columns of the catalog.
        differences: Tuples (file index, field index, is_null), for each file in which a
            field is missing or has another type. `is_null` tells whether all rows of
            the field are null in that file.

    Returns:
        Statistics of each field. For an unsupported field nothing is known.

    Raises:
        NotImplementedError: pyarrow cannot read from a file's store.
        OSError: A file cannot be read, or has changed since it was catalogued.
    """
    with ThreadPoolExecutor(usable_cpus()) as threads:
        client = new_client()
        differ: dict[int, dict[int, bool]] = {}
        for file, field, is_null in differences:
            differ.setdefault(file, {})[field] = is_null
        found = threads.map(
            lambda i: _of_file(files[i], fields, differ.get(i, {}), client),
            range(len(files)),
        )
        first = [_NOTHING] * len(fields)
        return reduce(lambda a, b: list(map(_both, a, b)), found, first)


def _of_file(
    file: File, fields: Sequence[Field], differ: Mapping[int, bool], client: Client
) -> list[Known]:
    with open_file(file.path, client) as opened:
        num_bytes = opened.size()
        try:
            metadata = pq.read_metadata(opened)
            leaves = _leaves(metadata.schema.to_arrow_schema())
        except pa.ArrowNotImplementedError:
            # pyarrow refuses the whole footer if it lacks the type of one column.
            return [_UNKNOWN] * len(fields)
    check_unchanged(file, metadata.num_rows, num_bytes)
    asked = [
        -1 if field.unsupported or i in differ else leaves.get(field.name, -1)
        for i, field in enumerate(fields)
    ]
    trusts = _trusts(metadata, [leaf for leaf in asked if leaf >= 0])
    found = [
        _of_leaf(metadata, leaf, field, trusts.get(leaf, []))
        for leaf, field in zip(asked, fields, strict=True)
    ]
    for index, is_null in differ.items():
        # Values of different types have no common bounds.
        found[index] = Known(file.rows, None, is_empty=True) if is_null else _UNKNOWN
    return found


def _trusts(metadata: Any, leaves: list[int]) -> dict[int, list[tuple[bool, bool]]]:
    """Returns for each leaf and row group whether its statistics can be believed.

    Each pair is (null count, bounds). The kernel decides by the rules by which filters
    use statistics, since some writers have written wrong ones. A leaf is a column of
    Parquet, given by its index in the footer.
    """
    footer = io.BytesIO()
    metadata.write_metadata_file(footer)
    groups = core.trust_of_footer(footer.getvalue(), leaves)
    return {leaf: [group[i] for group in groups] for i, leaf in enumerate(leaves)}


def _of_leaf(
    metadata: Any, leaf: int, field: Field, trusts: list[tuple[bool, bool]]
) -> Known:
    if leaf < 0:
        return _UNKNOWN
    known = _NOTHING
    for group, trust in enumerate(trusts):
        chunk = metadata.row_group(group).column(leaf)
        known = _both(known, _of_chunk(chunk, field, trust))
    stored = metadata.schema.column(leaf)
    if stored.max_repetition_level > 0:  # Statistics count null elements, not rows.
        return known._replace(nulls=None)
    return known._replace(nulls=0) if stored.max_definition_level == 0 else known


def _of_chunk(chunk: Any, field: Field, trust: tuple[bool, bool]) -> Known:
    has_null_count, has_bounds = trust
    if chunk.num_values == 0:
        return _NOTHING
    if not has_null_count and not has_bounds:
        return _UNKNOWN
    statistics = chunk.statistics
    nulls = statistics.null_count if has_null_count else None
    if nulls == chunk.num_values:
        return Known(nulls, None, is_empty=True)
    if not has_bounds:
        return Known(nulls, None, is_empty=False)
    least, most = (_value(statistics, which, field) for which in ("min", "max"))
    is_number = least == least and most == most  # Old writers took NaN for a bound.
    return Known(nulls, (least, most) if is_number else None, is_empty=False)


def _value(statistics: Any, which: str, field: Field) -> Any:
    """Returns a bound, `which` of "min" and "max", as rowfeed delivers such values."""
    if field.unit:
        return getattr(statistics, f"{which}_raw")
    if field.dtype == "string":  # A writer may shorten a bound within a character.
        return getattr(statistics, f"{which}_raw").decode(errors="backslashreplace")
    value = getattr(statistics, which)
    if field.dtype == "float16":
        return float(np.frombuffer(value, np.float16)[0])
    return float(value) if isinstance(value, Decimal) else value


def _both(a: Known, b: Known) -> Known:
    nulls = None if a.nulls is None or b.nulls is None else a.nulls + b.nulls
    if a.is_empty or b.is_empty:
        other = b if a.is_empty else a
        return Known(nulls, other.bounds, is_empty=a.is_empty and b.is_empty)
    bounds = None
    if a.bounds is not None and b.bounds is not None:
        bounds = min(a.bounds[0], b.bounds[0]), max(a.bounds[1], b.bounds[1])
    return Known(nulls, bounds, is_empty=False)


def _leaves(schema: pa.Schema) -> dict[str, int]:
    """Returns the index of each leaf of Parquet, by its path of names joined by dots.

    Leaves that share a path are left out, since the path does not tell which is meant.
    """
    names = [name for field in schema for name in _names(field.type, field.name)]
    counts = Counter(names)
    return {name: i for i, name in enumerate(names) if counts[name] == 1}


def _names(type_: pa.DataType, name: str) -> list[str]:
    if isinstance(type_, pa.BaseExtensionType):
        return _names(type_.storage_type, name)
    if pa.types.is_map(type_):
        key, value = type_.key_type, type_.item_type
        return [*_names(key, f"{name}.key"), *_names(value, f"{name}.value")]
    if pa.types.is_struct(type_):
        return [n for f in type_ for n in _names(f.type, f"{name}.{f.name}")]
    return _names(type_.field(0).type, name) if type_.num_fields else [name]
