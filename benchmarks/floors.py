# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Scans by pyarrow alone, without shuffle or tensors: floors for the comparisons.

The floors call pyarrow as its users do. Row groups read in threads can be faster.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.fs as fs
import pyarrow.parquet as pq
from benchmarks.harness import Epoch, count

Touch: TypeAlias = Callable[[Sequence[Any]], int]


def read_row_groups(path: Path, touch: Touch, threads: int) -> Epoch:
    """Opens the file; an epoch reads one row group after the other as a table."""
    pa.set_cpu_count(threads)
    file = pq.ParquetFile(path)

    def parts() -> Iterator[tuple[int, int]]:
        for group in range(file.num_row_groups):
            table = file.read_row_group(group, use_threads=threads > 1)
            buffers = [b for column in table.columns for b in _buffers(column)]
            yield table.num_rows, touch(buffers)

    return lambda: count(parts())


def read_row_groups_in_threads(path: Path, touch: Touch, threads: int) -> Epoch:
    """Opens the mapped file in each thread; the threads share an epoch's row groups."""
    pa.set_cpu_count(threads)
    own = threading.local()
    pool = ThreadPoolExecutor(threads)
    num_groups = pq.read_metadata(path).num_row_groups

    def read(group: int) -> pa.Table:
        if not hasattr(own, "file"):
            own.file = pq.ParquetFile(path, memory_map=True)
        return own.file.read_row_group(group, use_threads=False)

    def parts() -> Iterator[tuple[int, int]]:
        ahead: deque[Future[pa.Table]] = deque()
        for group in range(num_groups + threads):
            if group < num_groups:
                ahead.append(pool.submit(read, group))
            if group >= threads:
                table = ahead.popleft().result()
                buffers = [b for column in table.columns for b in _buffers(column)]
                yield table.num_rows, touch(buffers)

    return lambda: count(parts())


def scan_dataset(
    path: Path | str,
    touch: Touch,
    threads: int,
    rows: pc.Expression | None = None,
    store: fs.FileSystem | None = None,
) -> Epoch:
    """Opens a pyarrow dataset; an epoch reads the batches of its scanner."""
    pa.set_cpu_count(threads)
    dataset = ds.dataset(path, filesystem=store)

    def parts() -> Iterator[tuple[int, int]]:
        for batch in dataset.to_batches(filter=rows, use_threads=threads > 1):
            buffers = [b for column in batch.columns for b in _buffers(column)]
            yield batch.num_rows, touch(buffers)

    return lambda: count(parts())


FLOORS = {
    "pyarrow read_row_group": read_row_groups,
    "pyarrow scanner": scan_dataset,
}
IN_THREADS = "pyarrow, row groups in threads"
SCANS = FLOORS | {IN_THREADS: read_row_groups_in_threads}


def _buffers(column: pa.Array | pa.ChunkedArray) -> Iterator[pa.Buffer]:
    """Yields the buffers of values and offsets that a consumer of a column reads."""
    if isinstance(column, pa.ChunkedArray):
        for chunk in column.chunks:
            yield from _buffers(chunk)
    elif pa.types.is_list(column.type):
        yield _slice(column.buffers()[1], column.offset, len(column) + 1, 4)
        yield from _buffers(column.flatten())
    elif pa.types.is_fixed_size_list(column.type):
        yield from _buffers(column.flatten())
    elif pa.types.is_string(column.type) or pa.types.is_binary(column.type):
        _, offsets, values = column.buffers()
        yield _slice(offsets, column.offset, len(column) + 1, 4)
        ends = pa.Array.from_buffers(
            pa.int32(), len(column) + 1, [None, offsets], offset=column.offset
        )
        begin, end = ends[0].as_py(), ends[-1].as_py()
        yield values.slice(begin, end - begin)
    else:
        width = column.type.bit_width // 8
        yield _slice(column.buffers()[1], column.offset, len(column), width)


def _slice(buffer: pa.Buffer, offset: int, length: int, width: int) -> pa.Buffer:
    return buffer.slice(offset * width, length * width)
