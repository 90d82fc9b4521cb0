# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How the files store a column: size, compression, encodings and indexes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

# Encodings of definition and repetition levels, which every list or nullable column
# has. RLE is also one of values, but only of booleans.
_OF_LEVELS: Final = {"BIT_PACKED", "RLE"}


@dataclass(frozen=True, slots=True)
class Storage:
    """How a column is stored, in one or more column chunks.

    Attributes:
        chunks: Number of column chunks, one for each row group that has the column.
        bytes: Size of the chunks in the files, compressed.
        compression: Codecs of the chunks, such as "snappy", sorted.
        encodings: Encodings of the values, such as "RLE_DICTIONARY", sorted. "PLAIN" is
            left out beside a dictionary, since footers name it for the dictionary
            itself.
        page_indexes: Number of chunks that have a page index.
        bloom_filters: Number of chunks that have a bloom filter. None if the installed
            pyarrow does not tell.
    """

    chunks: int = 0
    bytes: int = 0
    compression: tuple[str, ...] = ()
    encodings: tuple[str, ...] = ()
    page_indexes: int = 0
    bloom_filters: int | None = 0

    def __add__(self, other: Storage) -> Storage:
        """Returns how the chunks of both are stored."""
        blooms = [self.bloom_filters, other.bloom_filters]
        known = [number for number in blooms if number is not None]
        return Storage(
            chunks=self.chunks + other.chunks,
            bytes=self.bytes + other.bytes,
            compression=_both(self.compression, other.compression),
            encodings=_both(self.encodings, other.encodings),
            page_indexes=self.page_indexes + other.page_indexes,
            bloom_filters=sum(known) if len(known) == 2 else None,
        )


def storage_of(chunk: Any) -> Storage:
    """Returns how a column chunk is stored, by pyarrow's metadata of it."""
    encodings = set(chunk.encodings)
    if chunk.physical_type == "BOOLEAN" and "PLAIN" not in encodings:
        encodings -= {"BIT_PACKED"}
    else:
        encodings -= _OF_LEVELS
    if any("DICTIONARY" in name for name in encodings):
        encodings -= {"PLAIN"}
    blooms = None  # Earlier versions of pyarrow do not tell of bloom filters.
    if hasattr(chunk, "bloom_filter_offset"):
        blooms = int(chunk.bloom_filter_offset is not None)
    return Storage(
        chunks=1,
        bytes=chunk.total_compressed_size,
        compression=(chunk.compression.lower(),),
        encodings=tuple(sorted(encodings)),
        page_indexes=int(chunk.has_offset_index and chunk.has_column_index),
        bloom_filters=blooms,
    )


def _both(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    return a if a == b else tuple(sorted({*a, *b}))
