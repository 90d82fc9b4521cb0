# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A rare source has rows in batches far ahead, which take no memory yet."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from rowfeed import ParquetDataset

pytestmark = pytest.mark.filterwarnings("ignore:a global batch")


def write(folder: Path, *sizes: int) -> list[Path]:
    """Writes data sets of so many rows."""
    paths = [folder / f"{i}.parquet" for i in range(len(sizes))]
    for path, size in zip(paths, sizes, strict=True):
        table = pa.table({"x": np.arange(size, dtype=np.float32)})
        pq.write_table(table, path, row_group_size=max(32, size // 4))
    return paths


def test_the_budget_is_that_of_the_windows(tmp_path: Path) -> None:
    paths = write(tmp_path, 300, 200, 64)

    def mix(weights: list[int], budget: int | None = None) -> ParquetDataset:
        sources = [
            ParquetDataset(
                path, 8, shuffle=True, num_lanes=4, memory_budget_bytes=budget
            )
            for path in paths
        ]
        return rowfeed.mix(sources, weights)

    budgets = [
        mix(weights)._parameters.stream.memory_budget_bytes
        for weights in ([1, 1, 1], [1000, 1000, 1])
    ]
    assert budgets[0] == budgets[1]
    # A budget of no more than what must be there is enough.
    assert len(list(mix([1000, 1000, 1], budgets[0]))) > 10


def test_a_window_does_not_make_the_millions_of_batches_that_it_has_rows_in(
    tmp_path: Path,
) -> None:
    lines = (
        "import resource, sys, rowfeed",
        "options = dict(shuffle=True, shuffle_window=10_000)",
        "open = lambda path: rowfeed.ParquetDataset(path, 1, **options)",
        "sources = [open(path) for path in sys.argv[1:]]",
        "mixture = rowfeed.mix(sources, [1000, 1], stop='all_exhausted')",
        "mixture._parameters.stream.max_batches_per_arena = 1",  # One of large rows.
        "rows = iter(mixture)",
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss",
        "before = peak()",
        "for _ in range(2002): next(rows)",
        "print(peak() - before)",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines), *write(tmp_path, 1000, 10_000)],
        check=True,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert int(done.stdout) < 100_000  # Ten million batches took 2,000,000 KiB.
