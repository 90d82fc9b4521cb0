# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Two billion equal rows in a few bytes: a legal file, which blocks make readable."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hand_made import I32, INT32, STRUCT, Fields, Stored, struct, varint, write_pages
from numbered_rows import NUM_ROWS
from rowfeed import ParquetDataset
from rowfeed._native import core

ROWS = 2**31 - 1
VALUE = 7
RLE, RLE_DICTIONARY = 3, 8
PAGE_ROWS = 1 << 20
BATCH = 4096


def page(kind: int, field: int, counts: Fields, body: bytes) -> bytes:
    size = (I32, len(body))
    header: Fields = {1: (I32, kind), 2: size, 3: size, field: (STRUCT, counts)}
    return struct(header) + body


@pytest.fixture
def equal_rows(tmp_path: Path) -> Path:
    """Pages of one run each, which say the only entry of the dictionary ROWS times."""
    path = tmp_path / "x.parquet"
    pages = []
    for row in range(0, ROWS, PAGE_ROWS):
        rows = min(PAGE_ROWS, ROWS - row)
        run = bytes([1]) + varint(rows << 1) + bytes([0])
        counts: Fields = {1: (I32, rows), 2: (I32, RLE_DICTIONARY)}
        levels: Fields = {3: (I32, RLE), 4: (I32, RLE)}
        pages.append((page(0, 5, {**counts, **levels}, run), row))
    write_pages(
        *(path, Stored(INT32), pages, ROWS, ROWS),
        encodings=(0, RLE, RLE_DICTIONARY),
        dictionary=page(2, 7, {1: (I32, 1), 2: (I32, 0)}, VALUE.to_bytes(4, "little")),
    )
    return path


@pytest.mark.fault(9, 10)
@pytest.mark.parametrize("shuffle", [False, True])
def test_rows_beyond_the_memory_were_only_warned_of(
    equal_rows: Path, monkeypatch: pytest.MonkeyPatch, *, shuffle: bool
) -> None:
    usable = 2 << 30
    monkeypatch.setattr("rowfeed._options.memory.usable_memory", lambda: usable)
    with pytest.raises(ValueError, match=f"this process may use {usable}: ") as refused:
        ParquetDataset(equal_rows, BATCH, shuffle=shuffle)
    said = str(refused.value)
    needed = re.search(r"needs (\d+) bytes of memory.*memory_budget_bytes=(\d+)$", said)
    assert needed is not None
    assert int(needed[2]) >= int(needed[1]) >= 4 * ROWS
    # A budget that the user gives is believed.
    dataset = ParquetDataset(
        *(equal_rows, BATCH), shuffle=shuffle, memory_budget_bytes=int(needed[2])
    )
    assert len(dataset) == -(-ROWS // BATCH)


READ = """
import sys
import rowfeed

def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) >> 10 for line in lines if "VmHWM" in line)

path, batch, value, shuffle = sys.argv[1], *map(int, sys.argv[2:])
order = {"block_rows": 1 << 16, "num_threads": 2}
if shuffle:
    order |= {"shuffle": True, "shuffle_window": 1 << 19}
dataset = rowfeed.ParquetDataset(path, batch, memory_budget_bytes=2**38, **order)
before, batches = peak(), iter(dataset)
for _ in range(3):
    assert next(batches)["x"].tolist() == [value] * batch
last = dataset.batch_at(0, len(dataset) - 1)["x"]
assert set(last.tolist()) == {value}
print(peak() - before)
"""


@pytest.mark.fault(10)
@pytest.mark.parametrize("shuffle", [0, 1])
def test_blocks_make_two_billion_equal_rows_readable(
    equal_rows: Path, shuffle: int
) -> None:
    """The budget is far above the memory; what is taken follows the blocks alone."""
    line = [sys.executable, "-c", READ, str(equal_rows)]
    numbers = map(str, (BATCH, VALUE, shuffle))
    done = subprocess.run(
        [*line, *numbers], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 400


def test_a_default_budget_was_more_than_the_process_may_use(
    numbers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ParquetDataset(numbers, 16, shuffle=True)._parameters
    plan = core.plan_memory(before.catalogs, before.stream)
    assert plan.minimum + 1 < plan.with_read_ahead
    usable = "rowfeed._options.memory.usable_memory"
    monkeypatch.setattr(usable, lambda: plan.minimum + 1)
    with pytest.warns(UserWarning, match="memory_budget_bytes is .* by default"):
        dataset = ParquetDataset(numbers, 16, shuffle=True)
    assert dataset._parameters.stream.memory_budget_bytes == plan.minimum + 1
    assert sum(len(batch["id"]) for batch in dataset) == NUM_ROWS


def test_a_row_group_was_refused_for_threads_that_have_nothing_to_decode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Containers see all CPUs of a large machine, and a small part of its memory."""
    path, texts = tmp_path / "x.parquet", [f"{i:0100}" for i in range(10_000)]
    pq.write_table(pa.table({"x": texts}), path, use_dictionary=False)
    alone = ParquetDataset(path, 16, num_threads=1)._parameters
    usable = 2 * core.plan_memory(alone.catalogs, alone.stream).minimum
    monkeypatch.setattr("rowfeed._options.memory.usable_memory", lambda: usable)
    with pytest.warns(UserWarning, match="memory_budget_bytes is .* threads are many"):
        dataset = ParquetDataset(path, 16, num_threads=128)
    plan = core.plan_memory(dataset._parameters.catalogs, dataset._parameters.stream)
    assert plan.minimum > usable
    assert dataset._parameters.stream.memory_budget_bytes == plan.minimum
    assert sum(len(batch["x"]) for batch in dataset) == len(texts)
