# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Columns of any nesting: their types, random values, and what is delivered of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

LEAVES = [pa.int32(), pa.int64(), pa.float64(), pa.bool_(), pa.string(), pa.binary(3)]
FILLS: dict[pa.DataType, Any] = {
    pa.int32(): -1,
    pa.int64(): -2,
    pa.float64(): 0.5,
    pa.bool_(): True,
    pa.string(): "none",
    pa.binary(3): 7,
}


def types(depth: int) -> st.SearchStrategy[pa.DataType]:
    leaf = st.sampled_from(LEAVES)
    if depth == 0:
        return leaf
    inner = types(depth - 1)
    return st.one_of(
        leaf,
        inner.map(pa.list_),
        inner.map(pa.large_list),
        st.tuples(inner, st.integers(1, 3)).map(lambda t: pa.list_(*t)),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda fields: pa.struct([(f"f{i}", f) for i, f in enumerate(fields)])
        ),
        inner.map(lambda value: pa.map_(pa.string(), value)),
    )


def random_value(kind: pa.DataType, rng: np.random.Generator, nulls: float) -> Any:
    """Returns a Python value of the type; None now and then."""
    if rng.random() < nulls:
        return None
    if pa.types.is_struct(kind):
        return {f.name: random_value(f.type, rng, nulls) for f in kind}
    if pa.types.is_map(kind):
        size = int(rng.integers(0, 4))
        return [
            (f"k{i}", random_value(kind.item_type, rng, nulls)) for i in range(size)
        ]
    if pa.types.is_fixed_size_list(kind):
        return [
            random_value(kind.value_type, rng, nulls) for _ in range(kind.list_size)
        ]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        size = int(rng.integers(0, 4))
        return [random_value(kind.value_type, rng, nulls) for _ in range(size)]
    number = int(rng.integers(-5, 5))
    if pa.types.is_string(kind):
        return "x" * abs(number)
    if pa.types.is_fixed_size_binary(kind):
        return bytes([number % 256] * 3)
    return bool(number % 2) if pa.types.is_boolean(kind) else number


def leaves(kind: pa.DataType, path: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Returns the paths below a type, with the names of struct and map fields."""
    if pa.types.is_struct(kind):
        return [leaf for f in kind for leaf in leaves(f.type, (*path, f.name))]
    if pa.types.is_map(kind):
        below = leaves(kind.item_type, (*path, "value"))
        return [(*path, "key"), *below]
    if hasattr(kind, "value_type"):
        return leaves(kind.value_type, path)
    return [path]


def expected(value: Any, kind: pa.DataType, path: tuple[str, ...]) -> Any:
    """Returns what is delivered of a value: nulls filled, lists of the leaf below."""
    if pa.types.is_struct(kind):
        field = kind.field(path[0])
        below = None if value is None else value[path[0]]
        return expected(below, field.type, path[1:])
    if pa.types.is_map(kind):
        index, below = (0, kind.key_type) if path[0] == "key" else (1, kind.item_type)
        return [expected(pair[index], below, path[1:]) for pair in value or []]
    if pa.types.is_fixed_size_list(kind) and is_dense(kind, path):
        value = [None] * kind.list_size if value is None else value
    if hasattr(kind, "value_type"):
        return [expected(v, kind.value_type, path) for v in value or []]
    if value is None:
        value = FILLS[kind]
        return [value] * 3 if pa.types.is_fixed_size_binary(kind) else value
    return list(value) if pa.types.is_fixed_size_binary(kind) else value


def is_dense(kind: pa.DataType, path: tuple[str, ...]) -> bool:
    """Whether all down to a leaf has one size: a null list then has so many nulls."""
    if pa.types.is_struct(kind):
        return is_dense(kind.field(path[0]).type, path[1:])
    if pa.types.is_fixed_size_list(kind):
        return is_dense(kind.value_type, path)
    return not (pa.types.is_map(kind) or hasattr(kind, "value_type")) and (
        not pa.types.is_string(kind)
    )


def leaf_type(kind: pa.DataType, path: tuple[str, ...]) -> pa.DataType:
    if pa.types.is_struct(kind):
        return leaf_type(kind.field(path[0]).type, path[1:])
    if pa.types.is_map(kind):
        below = kind.key_type if path[0] == "key" else kind.item_type
        return leaf_type(below, path[1:])
    return leaf_type(kind.value_type, path) if hasattr(kind, "value_type") else kind
