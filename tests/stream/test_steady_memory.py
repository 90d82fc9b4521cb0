# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Memory over many epochs: it stays within the budget, and does not grow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

MB = 1 << 20

# Prints the resident memory after each epoch, and the peak of all.
CHILD = """
import importlib, sys
face = importlib.import_module(sys.argv[1])

def resident(key):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith(key))

dataset = face.ParquetDataset(
    sys.argv[2], 512, shuffle=True, num_threads=2, memory_budget_bytes=256 << 20)
before = resident("VmRSS")
after = []
for _ in range(10):
    for batch in dataset:
        pass
    del batch
    after.append(resident("VmRSS"))
print(before, resident("VmHWM"), *after)
"""


@pytest.mark.fault(48)
@pytest.mark.parametrize("face", ["rowfeed", "rowfeed.torch"])
def test_ten_epochs_stay_within_the_budget_and_do_not_grow(
    face: str, tmp_path: Path
) -> None:
    if face != "rowfeed":
        pytest.importorskip(face.removeprefix("rowfeed."))
    values = np.random.default_rng(0).integers(0, 256, 12 * MB, np.uint8)
    pictures = pa.FixedSizeListArray.from_arrays(pa.array(values), 1024)
    table = pa.table({"x": pictures, "text": [f"{i:0500}" for i in range(12 * 1024)]})
    for i in range(4):
        pq.write_table(table, tmp_path / f"{i}.parquet", row_group_size=2048)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, face, str(tmp_path)],
        check=True,
        capture_output=True,
        text=True,
        timeout=250,
    )
    before, peak, *after = map(int, done.stdout.split())
    assert len(after) == 10
    # Less than 512 MB for what is not the framework's: no limit of that much kills it.
    assert peak - before < (256 + 64) * MB
    assert after[-1] <= after[1] * 1.05 + 8 * MB
