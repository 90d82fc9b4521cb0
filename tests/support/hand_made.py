# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Parquet files of one column, written byte by byte: what no writer makes now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

# The types of Thrift's compact protocol that are used here, and of Parquet's columns.
I16, I32, I64, BINARY, LIST, STRUCT = 4, 5, 6, 8, 9, 12
INT32, INT64, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY = 1, 2, 6, 7


# What a struct holds, by number: kind and value, or None.
Fields: TypeAlias = "dict[int, tuple[int, Any] | None]"


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def encoded(kind: int, value: Any) -> bytes:
    """Returns a value; those of LIST are (kind of items, items)."""
    if kind in (I16, I32, I64):
        return varint(value << 1 if value >= 0 else (-value << 1) - 1)
    if kind == BINARY:
        return varint(len(value)) + bytes(value)
    if kind == LIST:
        of, items = value
        header = bytes([min(len(items), 15) << 4 | of])
        if len(items) >= 15:
            header += varint(len(items))
        return header + b"".join(encoded(of, item) for item in items)
    if kind == STRUCT:
        return struct(value)
    return value or b""  # A byte, or a bool, which its kind says.


def struct(fields: Fields) -> bytes:
    """Returns a struct of its fields by number; those that are None are left out."""
    out, last = b"", 0
    for number, field in fields.items():
        if field is not None:
            out += bytes([number - last << 4 | field[0]]) + encoded(*field)
            last = number
    return out + b"\0"


@dataclass(frozen=True)
class Stored:
    """How the column "x" lies in a file: numbers of the format's own enumerations."""

    physical: int
    converted: int | None = None
    logical: int | None = None  # A member of the union LogicalType, without parameters.
    length: int | None = None  # Bytes of a FIXED_LEN_BYTE_ARRAY.
    scale: int | None = None
    precision: int | None = None
    repeated: bool = False

    def element(self) -> Fields:
        """Returns the SchemaElement."""
        numbers = {
            1: self.physical,
            2: self.length,
            3: 2 if self.repeated else 0,  # REPEATED or REQUIRED
            6: self.converted,
            7: self.scale,
            8: self.precision,
        }
        fields: Fields = {
            n: None if v is None else (I32, v) for n, v in numbers.items()
        }
        fields[4] = (BINARY, b"x")
        if self.logical is not None:
            fields[10] = (STRUCT, {self.logical: (STRUCT, {})})
        return dict(sorted(fields.items()))


def plain(values: Sequence[bytes], stored: Stored) -> bytes:
    """Returns values in the encoding PLAIN."""
    if stored.physical != BYTE_ARRAY:
        return b"".join(values)
    return b"".join(len(v).to_bytes(4, "little") + v for v in values)


def write(path: Path, stored: Stored, values: Sequence[bytes]) -> None:
    """Writes the bytes of values, each as it is stored, as one page."""
    page = page_of(1, len(values), len(values), b"", plain(values, stored))
    write_pages(path, stored, [(page, 0)], len(values), len(values))


def write_lists(
    path: Path,
    lists: Sequence[Sequence[int]],
    size: int,
    version: int,
    *,
    claim: Callable[[int, int], int] = lambda _page, rows: rows,
    num_rows: int | None = None,
    writer: str | None = None,
) -> None:
    """Writes lists of int32, in pages of `size` values wherever these end.

    None is empty. `claim` is given the number of a page and of its rows, and returns
    how many its header claims, which version 2 does. The footer claims `num_rows` (all
    that there are) and that `writer` (nobody) wrote the file.
    """
    levels = [int(i > 0) for items in lists for i in range(len(items))]
    values = [value.to_bytes(4, "little") for items in lists for value in items]
    pages: list[tuple[bytes, int]] = []
    row = 0
    for begin in range(0, len(values), size):
        repetition, body = levels[begin : begin + size], values[begin : begin + size]
        rows = repetition.count(0)
        claimed = claim(len(pages), rows)
        page = page_of(version, len(body), claimed, runs(repetition), b"".join(body))
        pages.append((page, row))
        row += rows
    rows = len(lists) if num_rows is None else num_rows
    write_pages(path, Stored(INT32, repeated=True), pages, len(values), rows, writer)


def runs(levels: Sequence[int]) -> bytes:
    """Returns levels of one bit in the encoding RLE."""
    grouped = ((level, len([*same])) for level, same in groupby(levels))
    return b"".join(varint(count << 1) + bytes([level]) for level, count in grouped)


def page_of(version: int, values: int, rows: int, levels: bytes, body: bytes) -> bytes:
    """Returns a data page without nulls; `levels`: of repetition; none: no lists."""
    defined = runs([1] * values) if levels else b""
    both = [part for part in (levels, defined) if part]
    if version == 1:
        body = b"".join(len(p).to_bytes(4, "little") + p for p in both) + body
        counts: Fields = {1: (I32, values), 2: (I32, 0), 3: (I32, 3), 4: (I32, 3)}
    else:
        body = levels + defined + body
        numbers = (values, 0, rows, 0, len(defined), len(levels))
        counts = {i: (I32, number) for i, number in enumerate(numbers, 1)}
    size = (I32, len(body))
    kind, field = (0, 5) if version == 1 else (3, 8)
    return struct({1: (I32, kind), 2: size, 3: size, field: (STRUCT, counts)}) + body


def write_pages(
    path: Path,
    stored: Stored,
    pages: Sequence[tuple[bytes, int]],
    num_values: int,
    num_rows: int,
    writer: str | None = None,
    encodings: Sequence[int] = (0, 3),
    dictionary: bytes | None = None,
) -> None:
    """Writes pages, each with the number of its first row, and an offset index.

    The footer has the numbers of `encodings`; by default PLAIN, and RLE for levels.
    `dictionary` is a page that lies before the others.
    """
    data, places = b"PAR1" + (dictionary or b""), []
    first = len(data)
    for page, row in pages:
        place = {1: (I64, len(data)), 2: (I32, len(page)), 3: (I64, row)}
        places.append(place)
        data += page
    index = struct({1: (LIST, (STRUCT, places))})
    chunk_size = (I64, len(data) - 4)
    chunk = {
        1: (I32, stored.physical),
        2: (LIST, (I32, [*encodings])),
        3: (LIST, (BINARY, [b"x"])),
        4: (I32, 0),
        5: (I64, num_values),
        6: chunk_size,
        7: chunk_size,
        9: (I64, first),
        11: None if dictionary is None else (I64, 4),
    }
    column = {
        2: (I64, 4),
        3: (STRUCT, chunk),
        4: (I64, len(data)),
        5: (I32, len(index)),
    }
    rows = (I64, num_rows)
    group = {1: (LIST, (STRUCT, [column])), 2: chunk_size, 3: rows}
    root = {4: (BINARY, b"schema"), 5: (I32, 1)}
    footer = struct(
        {
            1: (I32, 1),
            2: (LIST, (STRUCT, [root, stored.element()])),
            3: rows,
            4: (LIST, (STRUCT, [group])),
            6: None if writer is None else (BINARY, writer.encode()),
        }
    )
    path.write_bytes(
        data + index + footer + len(footer).to_bytes(4, "little") + b"PAR1"
    )
