# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files whose pages have checksums, and where their pages lie."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 3000


def table() -> pa.Table:
    random = np.random.default_rng(5)
    offsets = np.cumsum([0, *random.integers(0, 4, ROWS)]).astype(np.int32)
    values = random.integers(0, 1 << 40, offsets[-1])
    words = [f"word {i % 40}" for i in range(ROWS)]
    wide = random.integers(0, 256, (ROWS, 300), dtype=np.uint8)
    return pa.table(
        {
            "number": random.random(ROWS),
            "word": pa.array(words),
            "null": pa.array([None if i % 3 else i for i in range(ROWS)]),
            "list": pa.ListArray.from_arrays(offsets, values),
            "wide": pa.FixedSizeListArray.from_arrays(wide.ravel(), 300),
        }
    )


WRITING: dict[str, dict[str, Any]] = {
    "v1": {"compression": "none"},
    "v2": {"compression": "none", "data_page_version": "2.0"},
    "zstd": {"compression": "zstd"},
    "snappy-v2": {"compression": "snappy", "data_page_version": "2.0"},
}


def written(path: Path, **writing: Any) -> Path:
    path.parent.mkdir(exist_ok=True)
    pq.write_table(
        table(),
        path,
        write_page_checksum=True,
        use_dictionary=["word"],
        data_page_size=4000,
        write_page_index=True,
        row_group_size=ROWS,
        **writing,
    )
    return path


@dataclass
class Page:
    """Where the body of a page lies in a file."""

    column: str
    begin: int
    end: int


def pages_of(path: Path) -> Iterator[Page]:
    """Finds pages by their checksums: where a body that matches begins."""
    data = path.read_bytes()
    group = pq.read_metadata(path).row_group(0)
    for i in range(group.num_columns):
        chunk = group.column(i)
        begin = chunk.data_page_offset
        if chunk.has_dictionary_page:
            begin = min(begin, chunk.dictionary_page_offset)
        end = begin + chunk.total_compressed_size
        while begin < end:
            body, size = body_of(data, begin)
            yield Page(chunk.path_in_schema.split(".")[0], body, body + size)
            begin = body + size


def varint(data: bytes, at: int) -> tuple[int, int]:
    """Returns a zigzag varint and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        shift, at = shift + 7, at + 1
        if byte < 128:
            return value >> 1 ^ -(value & 1), at


def body_of(data: bytes, at: int) -> tuple[int, int]:
    """Returns where the body of the page at `at` begins, and its size."""
    fields = []
    at += 1
    for _ in range(4):  # Type, two sizes and the checksum, all i32.
        value, at = varint(data, at)
        fields.append(value)
        at += 1
    size, checksum = fields[2], fields[3] & 0xFFFFFFFF
    begin = next(
        b for b in range(at, at + 200) if zlib.crc32(data[b : b + size]) == checksum
    )
    return begin, size


def flipped(path: Path, place: int) -> Path:
    data = bytearray(path.read_bytes())
    data[place] ^= 0x10
    path.write_bytes(data)
    return path
