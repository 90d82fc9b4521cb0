# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The leaves of a file's schema: the columns that Parquet stores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Leaf:
    """A column of Parquet.

    Attributes:
        index: Index of the column in the footer.
        type: Type of its values.
        levels: Number of definition levels below that of a value.
        null_levels: Number of places where a list can be null as a whole: the outermost
            list, and each struct around it, unless they are required. None if the
            column is in no list.
        element_levels: Definition levels that stand for a null within a list: a null
            value, or a null list or struct around values. () if the column is in no
            list, or its lists can have no nulls.
    """

    index: int
    type: pa.DataType
    levels: int
    null_levels: int | None
    element_levels: tuple[int, ...]


class _Place(NamedTuple):
    """A place in a schema; the attributes are those of `Leaf`."""

    levels: int = 0
    null_levels: int | None = None
    element_levels: tuple[int, ...] = ()

    def field(self, *, nullable: bool) -> _Place:
        """Returns the place within a field."""
        if not nullable:
            return self
        null = () if self.null_levels is None else (self.levels,)
        return _Place(self.levels + 1, self.null_levels, (*self.element_levels, *null))

    def list(self) -> _Place:
        """Returns the place within a list, one level above that of an empty list."""
        outer = self.levels if self.null_levels is None else self.null_levels
        return _Place(self.levels + 1, outer, self.element_levels)


def leaves_of(schema: pa.Schema) -> dict[str, Leaf]:
    """Returns the leaves by their paths of names joined by dots.

    Leaves that share a path are left out, since the path does not tell which is meant.
    """
    found = [
        leaf
        for field in schema
        for leaf in _below(
            field.type, field.name, _Place().field(nullable=field.nullable)
        )
    ]
    counts = Counter(name for name, _, _ in found)
    return {
        name: Leaf(index, type_, *place)
        for index, (name, type_, place) in enumerate(found)
        if counts[name] == 1
    }


def _below(
    type_: pa.DataType, name: str, place: _Place
) -> Iterator[tuple[str, pa.DataType, _Place]]:
    """Yields the name, the type and the place of each leaf of a field."""
    if isinstance(type_, pa.BaseExtensionType):
        yield from _below(type_.storage_type, name, place)
    elif pa.types.is_map(type_):
        value = place.list().field(nullable=type_.item_field.nullable)
        yield from _below(type_.key_type, f"{name}.key", place.list())
        yield from _below(type_.item_type, f"{name}.value", value)
    elif pa.types.is_struct(type_):
        for inner in type_:
            within = place.field(nullable=inner.nullable)
            yield from _below(inner.type, f"{name}.{inner.name}", within)
    elif type_.num_fields:
        element = type_.field(0)
        within = place.list().field(nullable=element.nullable)
        yield from _below(element.type, name, within)
    else:
        yield name, type_, place
