# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files of right pages whose statistics, page indexes or bloom filters lie.

`write` takes a file of pyarrow apart, lets a lie of `lies.LIES` change what the footer
and the indexes say, and writes them behind the untouched pages.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from hand_made import BINARY, I32, I64, LIST, STRUCT, encoded, struct
from old_levels import Reader

GROUP_ROWS, PAGE_ROWS = 600, 100
NUM_ROWS = 2 * GROUP_ROWS
# The sizes of physical types in bytes, by their number in the format.
SIZES = {0: 1, 1: 4, 2: 8, 4: 4, 5: 8}


@functools.cache
def table() -> pa.Table:
    """Sorted columns with nulls, among them a page of nulls, and row numbers."""
    rows = np.arange(NUM_ROWS)
    epoch = date(1970, 1, 1)
    second = "ékzaßü"
    columns = {
        "i8": pa.array(rows // 10 - 60, pa.int8()),
        "i16": pa.array(rows - 700, pa.int16()),
        "u16": pa.array(rows * 50, pa.uint16()),
        "i32": pa.array(rows * 1000 - 10**6, pa.int32()),
        "i64": pa.array(rows // 2 * 10 - 3000, pa.int64()),
        "u64": pa.array(rows.astype(np.uint64) << np.uint64(53), pa.uint64()),
        "f64": pa.array(rows / 8 - 70.0),
        "flag": pa.array(rows % 200 < 100),
        "text": pa.array([f"{'ab'[r // 600]}{second[r % 6]}{r:05}" for r in rows]),
        "key": pa.array([b"%03d\xff\xff\xff" % (r // 4) for r in rows]),
        "day": pa.array([epoch + timedelta(int(r) - 500) for r in rows]),
        "time": pa.array(rows * 10**6, pa.timestamp("us")),
        "price": pa.array([Decimal(int(r)) / 4 for r in rows], pa.decimal128(9, 2)),
    }
    is_null = pa.array((rows % 7 == 3) | ((rows >= 300) & (rows < 400)))
    for name, values in columns.items():
        columns[name] = pc.if_else(is_null, pa.scalar(None, values.type), values)
    inner = pa.StructArray.from_arrays([columns["i64"]], ["x"])
    return pa.table({"row": rows, **columns, "s": inner})


@dataclass(frozen=True)
class Layout:
    """How pyarrow writes the file before the lie is told."""

    has_index: bool = True
    use_dictionary: bool = False
    has_blooms: bool = False
    int96: bool = False


@dataclass
class Chunk:
    """What the footer and the indexes say of one column in one row group."""

    name: str
    pages: list[list[Any]]  # The values of each page as the file stores them, or None.
    meta: Any  # ColumnMetaData, as the fields of Thrift's struct by number.
    index: Any  # ColumnIndex; None if the file has none.
    offsets: Any  # OffsetIndex; None if the file has none.
    bloom: tuple[Any, bytes] | None  # BloomFilterHeader and bits.

    @property
    def statistics(self) -> Any:
        """The fields of Statistics: 3 counts nulls, 5 is max_value, 6 is min_value."""
        return self.meta[12][1]

    @property
    def values(self) -> list[Any]:
        """All values but nulls."""
        return [v for page in self.pages for v in page if v is not None]

    @property
    def is_bytes(self) -> bool:
        """Whether values are strings or binaries."""
        return bool(self.meta[1][1] == 6)

    def stored(self, value: Any) -> bytes:
        """Returns a bound as the format stores it."""
        if isinstance(value, bytes):
            return value
        if isinstance(value, float):
            return np.float64(value).tobytes()
        size = SIZES[self.meta[1][1]]
        return (int(value) % (1 << 8 * size)).to_bytes(size, "little")

    def say(self, least: Any, greatest: Any) -> None:
        """Sets the bounds in the statistics."""
        put(self.statistics, 5, BINARY, self.stored(greatest))
        put(self.statistics, 6, BINARY, self.stored(least))

    def say_of_pages(self, bounds: Callable[[list[Any]], tuple[Any, Any]]) -> None:
        """Sets the bounds of each page with values to what `bounds` makes of them."""
        for i, page in enumerate(self.pages):
            values = [v for v in page if v is not None]
            if values:
                least, greatest = bounds(values)
                self.index[2][1][1][i] = self.stored(least)
                self.index[3][1][1][i] = self.stored(greatest)

    def say_nulls(self, counts: list[int]) -> None:
        """Sets the number of nulls of each page."""
        put(self.index, 5, LIST, (I64, counts))

    def say_null_pages(self, are_null: list[bool]) -> None:
        """Sets which pages have nulls only."""
        of = self.index[1][1][0]
        self.index[1] = (LIST, (of, [b"\1" if n else b"\2" for n in are_null]))


def put(fields: Any, number: int, kind: int, value: Any) -> None:
    """Sets a field of a struct; the writer wants them in the order of their numbers."""
    fields[number] = (kind, value)
    ordered = sorted(fields.items())
    fields.clear()
    fields.update(ordered)


@dataclass(frozen=True)
class Lie:
    """What is told of every chunk of `columns`, or by the footer as a whole."""

    name: str
    tell: Callable[[Chunk], None]
    columns: tuple[str, ...]
    layout: Layout = Layout()
    footer: Callable[[Any], None] | None = None
    created_by: str | None = None
    # Whether a reader can know, by the format's rules, by a writer's known faults or by
    # another part of the file, that it must not believe. Otherwise rows of pages that
    # were skipped cannot be found.
    is_detectable: bool = True


def write(path: Path, lie: Lie) -> pa.Table:
    """Writes the file and returns the table that it holds."""
    data = _honest(lie.layout)
    out, footer = _apart(data)
    for number, group in enumerate(footer[4][1][1]):
        for column in group[1][1][1]:
            chunk = _chunk(data, column, number)
            if chunk.name in lie.columns:
                lie.tell(chunk)
                _append(out, column, chunk)
    if lie.created_by is not None:
        put(footer, 6, BINARY, lie.created_by.encode())
    if lie.footer is not None:
        lie.footer(footer)
    path.write_bytes(_together(out, footer))
    return table()


def rewrite_footer(path: Path, change: Callable[[Any], None]) -> None:
    """Rewrites a file with another footer."""
    out, footer = _apart(path.read_bytes())
    change(footer)
    path.write_bytes(_together(out, footer))


def _apart(data: bytes) -> tuple[bytearray, Any]:
    """Returns what precedes the footer of a file, and the footer."""
    size = int.from_bytes(data[-8:-4], "little")
    return bytearray(data[: -8 - size]), Reader(data[-8 - size : -8]).struct()


def _together(out: bytearray, footer: Any) -> bytes:
    end = struct(footer)
    return bytes(out) + end + len(end).to_bytes(4, "little") + b"PAR1"


@functools.cache
def _honest(layout: Layout) -> bytes:
    blooms = {name: {"ndv": NUM_ROWS} for name in table().column_names if name != "s"}
    blooms.pop("flag")
    out = io.BytesIO()
    pq.write_table(
        table(),
        out,
        row_group_size=GROUP_ROWS,
        max_rows_per_page=PAGE_ROWS,
        write_batch_size=PAGE_ROWS,
        use_dictionary=layout.use_dictionary,
        write_page_index=layout.has_index,
        store_decimal_as_integer=True,
        use_deprecated_int96_timestamps=layout.int96,
        bloom_filter_options=blooms if layout.has_blooms else None,
    )
    return out.getvalue()


def _chunk(data: bytes, column: Any, group: int) -> Chunk:
    meta = column[3][1]
    name = b".".join(meta[3][1][1]).decode()
    index = offsets = bloom = None
    if 6 in column:
        index = Reader(data, column[6][1]).struct()
        offsets = Reader(data, column[4][1]).struct()
    if 14 in meta:
        reader = Reader(data, meta[14][1])
        header: Any = reader.struct()
        bloom = header, reader.take(header[1][1])
    values = _stored_values(name)[group * GROUP_ROWS : (group + 1) * GROUP_ROWS]
    pages = [values[i : i + PAGE_ROWS] for i in range(0, GROUP_ROWS, PAGE_ROWS)]
    return Chunk(name, pages, meta, index, offsets, bloom)


@functools.cache
def _stored_values(name: str) -> list[Any]:
    array = column_of(name)
    kind = array.type
    if pa.types.is_date32(kind):
        array = array.cast(pa.int32())
    elif pa.types.is_timestamp(kind):
        array = array.cast(pa.int64())
    values = array.to_pylist()
    if pa.types.is_string(kind):
        return [None if v is None else v.encode() for v in values]
    if pa.types.is_decimal(kind):
        return [None if v is None else int(v.scaleb(kind.scale)) for v in values]
    return list(values)


def column_of(name: str) -> pa.ChunkedArray:
    """Returns a column of the table by the name of its leaf."""
    if name == "s.x":
        return pc.struct_field(table()["s"], "x")
    return table()[name]


def _append(out: bytearray, column: Any, chunk: Chunk) -> None:
    """Writes the indexes and the bloom filter anew, and says where they are."""
    for fields, place, length in ((chunk.offsets, 4, 5), (chunk.index, 6, 7)):
        if fields is not None:
            body = encoded(STRUCT, fields)
            put(column, place, I64, len(out))
            put(column, length, I32, len(body))
            out += body
    if chunk.bloom is not None:
        body = struct(chunk.bloom[0]) + chunk.bloom[1]
        put(chunk.meta, 14, I64, len(out))
        put(chunk.meta, 15, I32, len(body))
        out += body
