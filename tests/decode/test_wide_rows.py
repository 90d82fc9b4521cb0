# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Images and other wide rows: left in the file until the batch that they belong to."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowfeed import Column, ParquetDataset

ROWS, GROUP = 96, 12


def images(null_every: int | None = None) -> list[bytes | None]:
    random = np.random.default_rng(5)
    rows: list[bytes | None] = [
        random.bytes(int(random.integers(18_000, 40_000))) for _ in range(ROWS)
    ]
    rows[3] = b""
    if null_every:
        rows[::null_every] = [None] * len(rows[::null_every])
    return rows


def write(folder: Path, rows: list[bytes | None], **options: object) -> Path:
    folder.mkdir(exist_ok=True)
    half = ROWS // 2
    for name, part in (("a", slice(0, half)), ("b", slice(half, ROWS))):
        table = pa.table(
            {
                "image": pa.array(rows[part], pa.binary()),
                "label": np.arange(ROWS)[part],
            }
        )
        path = folder / f"{name}.parquet"
        pq.write_table(table, path, row_group_size=GROUP, **options)
    return folder


# What a user may have written: the last two are not left in the file.
WRITERS: dict[str, dict[str, object]] = {
    "plain": {"compression": "none", "use_dictionary": False},
    "default": {"compression": "none", "dictionary_pagesize_limit": 60_000},
    "v2": {"compression": "none", "data_page_version": "2.0", "data_page_size": 50_000},
    "snappy": {},
    "delta": {
        "compression": "none",
        "use_dictionary": False,
        "column_encoding": {"image": "DELTA_LENGTH_BYTE_ARRAY", "label": "PLAIN"},
    },
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("block_rows", [None, 5])
@pytest.mark.parametrize("lanes", [1, 3])
def test_wide_rows_are_those_that_were_written(
    writer: str, block_rows: int | None, lanes: int, tmp_path: Path
) -> None:
    rows = images()
    data = write(tmp_path / "data", rows, **WRITERS[writer])
    dataset = ParquetDataset(
        data,
        7,
        shuffle=True,
        shuffle_window=4 * GROUP,
        block_rows=block_rows,
        num_lanes=lanes,
        num_epochs=2,
    )
    seen = []
    for batch in dataset:
        for image, label in zip(batch["image"].tolist(), batch["label"], strict=True):
            assert image == rows[label]
            seen.append(int(label))
    assert sorted(seen[:ROWS]) == sorted(seen[ROWS:]) == list(range(ROWS))
    assert seen[:ROWS] != seen[ROWS:]


def test_nulls_of_wide_rows_are_filled(tmp_path: Path) -> None:
    rows = images(null_every=4)
    data = write(tmp_path / "data", rows, **WRITERS["plain"])
    columns: list[str | Column] = [Column("image", fill=b"none"), "label"]
    for batch in ParquetDataset(data, 16, columns=columns, shuffle=True):
        for image, label in zip(batch["image"].tolist(), batch["label"], strict=True):
            assert image == (rows[label] or (b"" if label == 3 else b"none"))


def test_a_few_wide_rows_among_many_short_ones_are_those_that_were_written(
    tmp_path: Path,
) -> None:
    wide, short = images()[4:6], [b"", b"a"] * 20_000
    plain = {"compression": "none", "use_dictionary": False}
    for name, rows in (("a", wide), ("b", short)):
        labels = np.arange(len(rows)) + (len(wide) if name == "b" else 0)
        table = pa.table({"image": pa.array(rows, pa.binary()), "label": labels})
        pq.write_table(table, tmp_path / f"{name}.parquet", **plain)
    rows = [*wide, *short]
    seen = 0
    for batch in ParquetDataset(tmp_path, 100, shuffle=True, shuffle_window=60_000):
        for image, label in zip(batch["image"].tolist(), batch["label"], strict=True):
            assert image == rows[label]
            seen += 1
    assert seen == len(rows)


def test_a_window_of_wide_rows_takes_the_memory_of_a_few_batches(
    tmp_path: Path,
) -> None:
    data = write(tmp_path / "data", images(), **WRITERS["plain"])
    whole = sum(path.stat().st_size for path in data.iterdir())
    dataset = ParquetDataset(data, 1, shuffle=True, shuffle_window=ROWS, num_threads=1)
    assert dataset._parameters.stream.memory_budget_bytes < whole / 4
    kept = [batch["image"].values.nbytes for batch in dataset]
    assert len(kept) == ROWS


def test_wide_rows_of_a_file_that_changed_are_refused_by_name(tmp_path: Path) -> None:
    data = write(tmp_path / "data", images(), **WRITERS["plain"])
    batches = iter(ParquetDataset(data, 1, num_threads=1))
    next(batches)
    for path in data.iterdir():
        os.utime(path, ns=(0, 0))
    with pytest.raises(OSError, match=r"a\.parquet.*changed since") as error:
        list(batches)
    assert "column 'image'" in str(error.value)
