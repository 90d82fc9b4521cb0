# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""explain() foresees the memory by which a process then grows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from rowfeed._look.explanation import Explanation

pytestmark = pytest.mark.filterwarnings("ignore::rowfeed.PerformanceWarning")

# Reads an iteration, and lets loading get ahead of each batch. Prints the foreseen and
# the measured growth of the process, the budget, and the median of bytes in flight: a
# busy machine may complete an epoch's first batches late, beside those of the next.
READ = """
import json, sys, time
from statistics import median
import rowfeed

def resident(key):
    with open("/proc/self/status") as status:
        (line,) = [line for line in status if line.startswith(key + ":")]
    return 1024 * int(line.split()[1])

dataset = rowfeed.ParquetDataset(sys.argv[1], **json.loads(sys.argv[2]))
foreseen = dataset.explain().peak_memory_bytes
before, in_flight = resident("VmRSS"), []
for batch in dataset:
    while (stats := dataset.stats()).queued_tasks + stats.running_tasks:
        time.sleep(0.001)
    in_flight.append(stats.bytes_in_flight)
grown = resident("VmHWM") - before
budget = stats.memory_budget_bytes
print(json.dumps([foreseen, grown, budget, median(in_flight)]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Numbers, which take as much in each row, and images, which do not."""
    found = tmp_path_factory.mktemp("memory")
    generator = np.random.default_rng(0)
    values = generator.standard_normal((40, 400_000), dtype=np.float32)
    numbers = {f"x{i}": values[i] for i in range(len(values))}
    plain: Any = {"use_dictionary": False, "compression": "none"}
    pq.write_table(pa.table(numbers), found / "numbers", row_group_size=25_000, **plain)
    sizes = generator.integers(20_000, 100_000, 1800)
    images = {"image": [generator.bytes(int(size)) for size in sizes]}
    pq.write_table(pa.table(images), found / "images", row_group_size=200, **plain)
    return found


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("numbers", {"batch_size": 1000, "shuffle_window": 100_000}),
        # A window has all rows, so that there is nothing left to be read ahead.
        ("numbers", {"batch_size": 1000, "shuffle_window": 400_000}),
        ("images", {"batch_size": 64, "shuffle_window": 1000}),
        ("images", {"batch_size": 64, "shuffle_window": 1000, "num_epochs": 3}),
        ("numbers", {"batch_size": 10**9, "shuffle_window": 100_000}),
    ],
    ids=["windows", "one window", "images", "epochs of images", "one batch"],
)
def test_the_process_grows_as_foreseen(
    folder: Path, name: str, options: dict[str, Any]
) -> None:
    foreseen, measured, _, _ = read(folder / name, **options)
    assert foreseen == pytest.approx(measured, rel=0.15)


def test_the_next_epoch_was_completed_beyond_the_budget(folder: Path) -> None:
    options: dict[str, Any] = {"batch_size": 64, "shuffle_window": 1000}
    _, _, budget, in_flight = read(folder / "images", num_epochs=3, **options)
    # The budget has room for the batches of mean size that are completed ahead.
    assert in_flight < 1.25 * budget


def read(path: Path, **options: Any) -> list[int]:
    """Returns what READ prints in a process of its own."""
    given = json.dumps({**options, "shuffle": True, "num_threads": 2})
    printed = subprocess.run(
        [sys.executable, "-c", READ, str(path), given],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    found: list[int] = json.loads(printed)
    return found


def explained(path: Path, **options: Any) -> Explanation:
    more: dict[str, Any] = {"shuffle": True, "num_threads": 2, **options}
    found: Explanation = rowfeed.ParquetDataset(path, 1000, **more).explain()
    return found


def test_an_iteration_needs_no_more_than_its_rows(folder: Path) -> None:
    """A window that has all rows is read ahead if another epoch follows."""
    numbers, window = folder / "numbers", {"shuffle_window": 400_000}
    one = explained(numbers, **window)
    more = explained(numbers, **window, num_epochs=2)
    assert one.peak_memory_bytes == pytest.approx(one.least_memory_bytes, rel=0.01)
    assert more.peak_memory_bytes == pytest.approx(more.memory_budget_bytes, rel=0.01)
    rank = explained(numbers, **window, num_lanes=2, rank=0, world_size=2)
    assert rank.peak_memory_bytes < 0.6 * one.peak_memory_bytes


def test_what_the_loop_has_counts_beside_the_budget(folder: Path) -> None:
    said = explained(folder / "numbers", shuffle_window=50_000)
    batch = 1000 * 40 * 4
    assert said.peak_memory_bytes == said.memory_budget_bytes + 2 * batch
    assert "the process grows by about" in str(said)
