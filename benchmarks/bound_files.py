# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files that are hard to read in little memory: large groups, outliers and bombs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

GROUPS: Final = 2
NUMBERS: Final = 16  # Columns of float64 in "numbers".
LARGE_MB: Final = 1000


@dataclass(frozen=True)
class Case:
    """A file, and how it is read.

    Attributes:
        rows: Number of its rows.
        batch: Number of rows in a batch.
        group: Number of rows in a row group.
        size_mb: About the size of a row group, in MB.
        parts: Function that returns the rows, a row group at a time.
        compression: Codec of the column chunks.
    """

    rows: int
    batch: int
    group: int
    size_mb: int
    parts: Callable[[], Iterator[pa.Table]]
    compression: str = "none"

    @property
    def is_large(self) -> bool:
        """Whether the file should not be kept."""
        return self.size_mb >= LARGE_MB

    def make(self, path: Path) -> None:
        """Writes the file if it is missing, and holds one row group at a time."""
        import pyarrow.parquet as pq

        if path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        writer = None
        for table in self.parts():
            writer = writer or pq.ParquetWriter(
                *(unfinished, table.schema),
                compression=self.compression,
                use_dictionary=False,
            )
            writer.write_table(table, row_group_size=self.group)
        if writer is not None:
            writer.close()
        unfinished.rename(path)


def numbers(size_mb: int) -> Case:
    """Returns row groups of `size_mb` of random float64."""
    group = size_mb * 1_000_000 // (8 * NUMBERS)
    rows = GROUPS * group

    def parts() -> Iterator[pa.Table]:
        import pyarrow as pa

        random = np.random.default_rng(0)
        for _ in range(GROUPS):
            yield pa.table({f"x{i}": random.random(group) for i in range(NUMBERS)})

    return Case(rows, 1024, group, size_mb, parts)


def blobs(size_mb: int) -> Case:
    """Returns row groups of `size_mb` of random bytes, 100 kB in each row."""
    group = size_mb * 10
    rows = GROUPS * group

    def parts() -> Iterator[pa.Table]:
        import pyarrow as pa

        random = np.random.default_rng(0)
        for _ in range(GROUPS):
            yield pa.table({"x": [random.bytes(100_000) for _ in range(group)]})

    return Case(rows, 16, group, size_mb, parts)


def outliers(largest: int) -> Case:
    """Returns lists of ten int32, of which one in a row group has `largest`."""
    group = 20_000
    rows = GROUPS * group

    def parts() -> Iterator[pa.Table]:
        import pyarrow as pa

        for _ in range(GROUPS):
            lengths = np.full(group, 10, np.int32)
            lengths[group // 3] = largest
            offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
            values = np.arange(offsets[-1], dtype=np.int32)
            lists = pa.ListArray.from_arrays(offsets, values)
            yield pa.table({"x": lists, "id": np.arange(group)})

    return Case(rows, 256, group, 4 * largest // 1_000_000, parts)


def one_row(size_mb: int, compression: str = "none") -> Case:
    """Returns a row of `size_mb` among rows of 1 kB; zeros if it is compressed."""
    rows, is_bomb = 1000, compression != "none"

    def parts() -> Iterator[pa.Table]:
        import pyarrow as pa

        random = np.random.default_rng(0)
        small: list[Any] = [random.bytes(1000) for _ in range(rows)]
        size = size_mb * 1_000_000
        small[rows // 2] = bytes(size) if is_bomb else random.bytes(size)
        yield pa.table({"x": pa.array(small, pa.binary())})

    return Case(rows, 10, rows, size_mb, parts, compression)


FILES: dict[str, Case] = {
    **{f"numbers-{size}": numbers(size) for size in (1, 8, 64, 256, 1000, 2000)},
    **{f"blobs-{size}": blobs(size) for size in (8, 64, 512)},
    **{f"outliers-{size}": outliers(size * 250_000) for size in (8, 80)},
    "row-50": one_row(50),
    "row-500": one_row(500),
    "bomb-50": one_row(50, "zstd"),
    "bomb-500": one_row(500, "zstd"),
}
