# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The data sets of the benchmarks, equal on every machine.

    A  tabular: 40 float32, 10 int64, 5 category strings; snappy; 100,000 rows a group
    N  the 50 numeric columns of A
    B  tensors: a fixed-size list of 1024 float32 and a label; uncompressed, random;
       row groups of 64 MiB
    C  tokens and text: list<int64> of mean length 200 and a string of about 500 bytes;
       zstd; 10,000 rows a group
    D  images: 20 to 100 KB of binary and a label; uncompressed; 1,000 rows a group

Each row group is drawn from its own random numbers, so that a smaller data set is the
start of a larger one. Apart from what the list above says, files are written with
pyarrow's defaults: floats get dictionaries as long as these stay below 1 MB.

    python -m benchmarks.datasets --data DIR N B      # About 1 GB decoded each.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

DEFAULT_FOLDER = Path(tempfile.gettempdir()) / "rowfeed-benchmarks"
DEFAULT_BYTES = 10**9
VERSION = 1  # Version of the data: raise it with any change to what is written.

_VOCABULARY = 32_000


@dataclass(frozen=True)
class Dataset:
    """One data set, and the options with which rowfeed shuffles it.

    Attributes:
        name: Letter of the data set.
        make_group: Function make_group(random, rows) that makes a row group.
        group_rows: Number of rows in a row group.
        row_bytes: Approximate size of a decoded row, in bytes.
        writer: Options for pyarrow's writer.
        batch_size: Number of rows in a batch.
        order: Order options of ParquetDataset. A window has at least four row groups,
            or as many blocks of rows.
    """

    name: str
    make_group: Callable[[np.random.Generator, range], pa.Table]
    group_rows: int
    row_bytes: int
    writer: Mapping[str, Any] = field(default_factory=dict)
    batch_size: int = 1024
    order: Mapping[str, int] = field(default_factory=dict)

    def num_groups(self, num_bytes: int) -> int:
        """Returns the number of row groups for about `num_bytes` decoded bytes."""
        return max(1, round(num_bytes / (self.group_rows * self.row_bytes)))

    @property
    def window_blocks(self) -> int:
        """Row groups of a window, or blocks, of which a row group has equal ones."""
        block_rows = self.order.get("block_rows", self.group_rows)
        per_group = -(-self.group_rows // block_rows)
        return -(-self.order["shuffle_window"] * per_group // self.group_rows)


def _numeric(random: np.random.Generator, rows: range) -> dict[str, pa.Array]:
    columns = {}
    for i in range(40):
        values = random.standard_normal(len(rows), dtype=np.float32)
        columns[f"f{i:02}"] = pa.array(values)
    for i in range(9):  # Columns of 10, 100, ... 10**9 different values.
        columns[f"i{i}"] = pa.array(random.integers(0, 10 ** (i + 1), len(rows)))
    columns["row"] = pa.array(np.asarray(rows))
    return columns


def _make_n(random: np.random.Generator, rows: range) -> pa.Table:
    return pa.table(_numeric(random, rows))


def _make_a(random: np.random.Generator, rows: range) -> pa.Table:
    columns = _numeric(random, rows)
    for i in range(5):  # Columns of 4, 16, ... 1024 different values.
        names = pa.array([f"category-{k:04}" for k in range(4 ** (i + 1))])
        columns[f"s{i}"] = names.take(
            pa.array(random.integers(0, len(names), len(rows)))
        )
    return pa.table(columns)


def _make_b(random: np.random.Generator, rows: range) -> pa.Table:
    values = pa.array(random.standard_normal(len(rows) * 1024, dtype=np.float32))
    return pa.table(
        {
            "embedding": pa.FixedSizeListArray.from_arrays(values, 1024),
            "label": pa.array(random.integers(0, 10, len(rows))),
        }
    )


def _make_c(random: np.random.Generator, rows: range) -> pa.Table:
    offsets = _offsets(random.integers(100, 301, len(rows)))
    # Frequencies fall with rank, as those of words do.
    tokens = (_VOCABULARY ** random.random(offsets[-1])).astype(np.int64)
    text_offsets = _offsets(random.integers(300, 701, len(rows)))
    letters = np.frombuffer(b"etaoinshrdlucmfwypvbgkjqxz      ", np.uint8)
    words = letters[random.integers(0, len(letters), 1 << 16)]
    # Text made of a few thousand words of 8 letters compresses about as real text does.
    text = words.reshape(-1, 8)[random.integers(0, 8192, text_offsets[-1] // 8 + 1)]
    buffers = [None, pa.py_buffer(text_offsets.astype(np.int32)), pa.py_buffer(text)]
    return pa.table(
        {
            "tokens": pa.ListArray.from_arrays(offsets.astype(np.int32), tokens),
            "text": pa.Array.from_buffers(pa.string(), len(rows), buffers),
        }
    )


def _make_d(random: np.random.Generator, rows: range) -> pa.Table:
    offsets = _offsets(random.integers(20_000, 100_001, len(rows)))
    image = random.bytes(int(offsets[-1]))
    buffers = [None, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(image)]
    return pa.table(
        {
            "image": pa.Array.from_buffers(pa.binary(), len(rows), buffers),
            "label": pa.array(random.integers(0, 1000, len(rows))),
        }
    )


def _offsets(lengths: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.concatenate([[0], np.cumsum(lengths)])


DATASETS: Mapping[str, Dataset] = MappingProxyType(
    {
        dataset.name: dataset
        for dataset in (
            Dataset(
                "A",
                _make_a,
                group_rows=100_000,
                row_bytes=40 * 4 + 10 * 8 + 5 * (13 + 4),
                writer={"compression": "snappy"},
                order={"shuffle_window": 400_000},
            ),
            Dataset(
                "N",
                _make_n,
                group_rows=100_000,
                row_bytes=40 * 4 + 10 * 8,
                writer={"compression": "snappy"},
                order={"shuffle_window": 400_000},
            ),
            Dataset(
                "B",
                _make_b,
                group_rows=16_384,
                row_bytes=1024 * 4 + 8,
                writer={
                    "compression": "none",
                    "use_dictionary": ["label"],
                },
                order={"shuffle_window": 10_000, "block_rows": 2_000},
            ),
            Dataset(
                "C",
                _make_c,
                group_rows=10_000,
                row_bytes=200 * 8 + 4 + 500 + 4,
                writer={"compression": "zstd"},
                order={"shuffle_window": 40_000},
            ),
            Dataset(
                "D",
                _make_d,
                group_rows=1_000,
                row_bytes=60_000,
                writer={"compression": "none", "use_dictionary": ["label"]},
                batch_size=64,
                order={"shuffle_window": 5_000},
            ),
        )
    }
)


def prepare(name: str, folder: Path, num_bytes: int = DEFAULT_BYTES) -> Path:
    """Returns the file of a data set, and makes it if the folder has none."""
    dataset = DATASETS[name]
    groups = dataset.num_groups(num_bytes)
    path = folder / f"{name}-v{VERSION}-{groups * dataset.group_rows}.parquet"
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    write(dataset, unfinished, groups)
    return unfinished.rename(path)


def write(dataset: Dataset, path: Path, groups: int) -> None:
    """Writes a file with the first `groups` row groups of a data set."""
    writer = None
    for group in range(groups):
        random = np.random.default_rng([VERSION, ord(dataset.name), group])
        first = group * dataset.group_rows
        table = dataset.make_group(random, range(first, first + dataset.group_rows))
        if writer is None:
            writer = pq.ParquetWriter(path, table.schema, **dataset.writer)
        writer.write_table(table, row_group_size=dataset.group_rows)
    assert writer is not None
    writer.close()


def main() -> None:
    """Makes the data sets named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[*DATASETS, []], default=[])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--bytes", type=int, default=DEFAULT_BYTES)
    options = parser.parse_args()
    for name in options.names or DATASETS:
        path = prepare(name, options.data, options.bytes)
        size = path.stat().st_size
        sys.stdout.write(f"{path}: {size / 1e6:.0f} MB\n")


if __name__ == "__main__":
    main()
