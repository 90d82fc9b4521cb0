# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The leaves of a file's schema: the columns that Parquet stores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Leaf:
    """A column of Parquet.

    Attributes:
        index: Index of the column in the footer.
        null_levels: Number of places where a list can be null as a whole: the outermost
            list, and each struct around it, unless they are required. None if the
            column is in no list.
    """

    index: int
    null_levels: int | None


def leaves_of(schema: pa.Schema) -> dict[str, Leaf]:
    """Returns the leaves by their paths of names joined by dots.

    Leaves that share a path are left out, since the path does not tell which is meant.
    """
    found = [leaf for field in schema for leaf in _below(field.type, field.name, field)]
    counts = Counter(name for name, _ in found)
    return {
        name: Leaf(index, levels)
        for index, (name, levels) in enumerate(found)
        if counts[name] == 1
    }


def _below(
    type_: pa.DataType, name: str, field: pa.Field, above: int = 0
) -> Iterator[tuple[str, int | None]]:
    """Yields the name and the null levels of each leaf of a field outside of lists.

    Args:
        type_: Type of the field.
        name: Name of the field, after those of the structs around it.
        field: The field.
        above: Number of structs around it that can be null.
    """
    levels = above + field.nullable
    if isinstance(type_, pa.BaseExtensionType):
        yield from _below(type_.storage_type, name, field, above)
    elif pa.types.is_struct(type_):
        for inner in type_:
            yield from _below(inner.type, f"{name}.{inner.name}", inner, levels)
    elif pa.types.is_map(type_) or type_.num_fields:
        yield from ((leaf, levels) for leaf in _names(type_, name))
    else:
        yield name, None


def _names(type_: pa.DataType, name: str) -> list[str]:
    """Returns the names of the leaves of a type, lists included."""
    if isinstance(type_, pa.BaseExtensionType):
        return _names(type_.storage_type, name)
    if pa.types.is_map(type_):
        key, value = type_.key_type, type_.item_type
        return [*_names(key, f"{name}.key"), *_names(value, f"{name}.value")]
    if pa.types.is_struct(type_):
        return [n for f in type_ for n in _names(f.type, f"{name}.{f.name}")]
    return _names(type_.field(0).type, name) if type_.num_fields else [name]
