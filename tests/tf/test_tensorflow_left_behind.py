# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What datasets of TensorFlow leave behind in a process that makes many of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("tensorflow")

# Prints by how many kB the process has grown with each dataset. Memory that is free
# goes back to the system first. sys.argv: a folder of data.
PROGRAM = """
import ctypes, gc, os, sys
from rowfeed.tensorflow import ParquetDataset

def anonymous_kb():
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm") as numbers:
        resident, of_files = map(int, numbers.read().split()[1:3])
    return (resident - of_files) * os.sysconf("SC_PAGESIZE") / 1024

def make(times):
    for seed in range(times):
        ParquetDataset(sys.argv[1], 32, shuffle=True, seed=seed)
    return anonymous_kb()

before = make(30)
print((make(200) - before) / 200)
"""


def test_each_dataset_left_its_kernels_to_tensorflow_for_ever(numbers: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(numbers)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert float(done.stdout) < 20  # It was 63 with two columns.
