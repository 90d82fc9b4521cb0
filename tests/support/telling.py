# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How a lie of lies.py is declared: its columns, its layout and what it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lying_files import Chunk, Layout, Lie

SOME = ("i64", "text", "day", "s.x")
NARROW = ("i8", "i16", "u16", "flag")
STRINGS = ("text", "key")

INDEX = Layout()
NO_INDEX = Layout(has_index=False)
DICTIONARY = Layout(has_index=False, use_dictionary=True)
BLOOMS = Layout(has_index=False, has_blooms=True)
INT96 = Layout(int96=True)

LIES: dict[str, Lie] = {}
Tell = Callable[[Chunk], None]


def lie(
    columns: tuple[str, ...] = SOME, layout: Layout = INDEX, **more: Any
) -> Callable[[Tell], Tell]:
    """Puts a function that tells a lie among LIES, under its own name."""

    def add(tell: Tell) -> Tell:
        name = tell.__name__.replace("_", " ")
        LIES[name] = Lie(name, tell, columns, layout, **more)
        return tell

    return add


def signed_bounds(values: list[Any]) -> tuple[Any, Any]:
    """Returns the bounds by an order in which the upper bits of bytes are signs."""

    def key(value: Any) -> Any:
        if isinstance(value, bytes):
            return [b - 256 if b > 127 else b for b in value]
        return value - (1 << 64) if value >> 63 else value

    return min(values, key=key), max(values, key=key)


def reversed_bounds(values: list[Any]) -> tuple[Any, Any]:
    """Returns bounds by an order of values read from their ends."""

    def key(value: Any) -> Any:
        return value[::-1] if isinstance(value, bytes) else str(value)[::-1]

    return min(values, key=key), max(values, key=key)


def unfit(chunk: Chunk, value: Any) -> int:
    """Returns a number that becomes another one in the narrow type of the column."""
    return int(value) + {"i8": 1 << 8, "flag": 2}.get(chunk.name, 1 << 16)


def sorting(value: Any) -> Any:
    return (value is None, value)
