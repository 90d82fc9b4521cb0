# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files as old writers made them: levels bit-packed and not in runs.

No writer of today makes such files. rowfeed leaves their columns to Arrow's reader, so
they show whether that path reads what the other does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hand_made import BINARY, I32, I64, LIST, STRUCT, Fields, struct

TRUE, FALSE, I8, I16 = 1, 2, 3, 4
DATA_PAGE, BIT_PACKED = 0, 4
CODECS = {1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4_raw"}


class Reader:
    """Reads Thrift's compact protocol."""

    def __init__(self, data: bytes, place: int = 0) -> None:
        self.data, self.place = data, place

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.place]
            self.place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def number(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def take(self, size: int) -> bytes:
        self.place += size
        return self.data[self.place - size : self.place]

    def value(self, kind: int) -> Any:
        if kind in (TRUE, FALSE):
            return None
        if kind == I8:
            return self.take(1)
        if kind == BINARY:
            return self.take(self.varint())
        if kind == LIST:
            (header,) = self.take(1)
            size = header >> 4 if header < 0xF0 else self.varint()
            of = header & 15
            if of in (TRUE, FALSE):
                return of, [self.take(1) for _ in range(size)]
            return of, [self.value(of) for _ in range(size)]
        if kind == STRUCT:
            return self.struct()
        assert kind in (I16, I32, I64), kind
        return self.number()

    def struct(self) -> Fields:
        fields: Fields = {}
        number = 0
        while header := self.take(1)[0]:
            number = number + (header >> 4) if header >> 4 else self.number()
            fields[number] = (header & 15, self.value(header & 15))
        return fields


def pack_levels(path: Path) -> None:
    """Rewrites a file of pyarrow, with data pages of version 1 and no indexes."""
    data = path.read_bytes()
    size = int.from_bytes(data[-8:-4], "little")
    footer: Any = Reader(data[-8 - size : -8]).struct()
    schema = pq.ParquetFile(path).schema
    out = bytearray(b"PAR1")
    for group in footer[4][1][1]:
        for i, chunk in enumerate(group[1][1][1]):
            meta = chunk[3][1]
            leaf = schema.column(i)
            levels = leaf.max_repetition_level, leaf.max_definition_level
            begin = len(out)
            uncompressed = 0
            first: dict[int, int] = {}
            for kind, header, body in _pages(data, meta):
                codec = CODECS.get(meta[4][1])
                page = header, body
                if kind == DATA_PAGE and any(levels):
                    page = _packed(header, body, codec, levels)
                first.setdefault(kind, len(out))
                encoded = struct(page[0]) + page[1]
                uncompressed += len(encoded) - len(page[1]) + page[0][2][1]
                out += encoded
            meta[6] = (I64, uncompressed)
            meta[7] = (I64, len(out) - begin)
            meta[9] = (I64, first[DATA_PAGE])
            if 11 in meta:
                meta[11] = (I64, first[2])
        for number in (5, 6):
            group.pop(number, None)
    encoded = struct(footer)
    out += encoded + len(encoded).to_bytes(4, "little") + b"PAR1"
    path.write_bytes(out)


def _pages(data: bytes, meta: Any) -> Iterator[tuple[int, Any, bytes]]:
    """Yields each page's type, header and body."""
    reader = Reader(data, min(meta[n][1] for n in (9, 11) if n in meta))
    end = reader.place + meta[7][1]
    while reader.place < end:
        header: Any = reader.struct()
        yield header[1][1], header, reader.take(header[3][1])


def _packed(
    header: Any, body: bytes, codec: str | None, max_levels: tuple[int, int]
) -> tuple[Any, bytes]:
    if codec is not None:
        body = pa.Codec(codec).decompress(body, header[2][1], asbytes=True)
    page = header[5][1]
    packed = b""
    for field, most in zip((4, 3), max_levels, strict=True):  # Repetition, definition.
        if not most:
            continue
        size = int.from_bytes(body[:4], "little")
        levels = _runs(body[4 : 4 + size], most.bit_length(), page[1][1])
        bits = sum(n << (i * most.bit_length()) for i, n in enumerate(levels))
        packed += bits.to_bytes(-(-len(levels) * most.bit_length() // 8), "little")
        body = body[4 + size :]
        page[field] = (I32, BIT_PACKED)
    body = packed + body
    header[2] = (I32, len(body))
    if codec is not None:
        body = pa.Codec(codec).compress(body, asbytes=True)
    header[3] = (I32, len(body))
    return header, body


def _runs(data: bytes, width: int, count: int) -> list[int]:
    """Returns `count` levels of the hybrid of runs and groups of eight."""
    reader, levels = Reader(data), list[int]()
    while len(levels) < count:
        header = reader.varint()
        if header & 1:
            packed = int.from_bytes(reader.take((header >> 1) * width), "little")
            mask = (1 << width) - 1
            levels += [packed >> i * width & mask for i in range((header >> 1) * 8)]
        else:
            level = int.from_bytes(reader.take((width + 7) // 8), "little")
            levels += [level] * (header >> 1)
    return levels[:count]
