# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A program in which the Arrow inside rowfeed and pyarrow read the same data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import rowfeed

# The program reads by both Arrows, compares the values, and does so again in a process
# that it forks. sys.argv: "local" or "global" (scope), modules in the order in which
# they are imported, a folder of data, and optionally a URI of the same data. Where a
# framework is among the modules, its face of rowfeed reads as well.
PROGRAM = """
import importlib, os, sys
scope, modules, folder, *uris = sys.argv[1:]
if scope == "global":
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
for module in modules.split():
    importlib.import_module(module)
import pyarrow.compute as pc
import pyarrow.dataset
import pyarrow.fs
import rowfeed

STARTS = pc.starts_with(pc.field("name"), "row 1")
frameworks = [name for name in ("tensorflow", "torch") if name in sys.modules]
faces = [rowfeed, *(importlib.import_module(f"rowfeed.{name}") for name in frameworks)]

def by_rowfeed(face, path, condition):
    read = face.ParquetDataset(path, 32, filter=condition, shuffle=True, seed=1)
    return sorted(int(row) for batch in read for row in batch["id"])

def by_pyarrow(path, condition):
    store = None
    if "://" in path:
        store, path = pyarrow.fs.FileSystem.from_uri(path)
    data = pyarrow.dataset.dataset(path, filesystem=store)
    return sorted(data.to_table(filter=condition)["id"].to_pylist())

def compare():
    for path in (folder, *uris):
        for condition in (None, pc.field("id") > 40, STARTS):
            expected = by_pyarrow(path, condition)
            for face in faces:
                assert by_rowfeed(face, path, condition) == expected
        batch = next(iter(rowfeed.ParquetDataset(path, 32)))
        batch["name"].to_pyarrow().validate(full=True)
        batch["parts"].to_pyarrow().validate(full=True)
        print(rowfeed.Catalog.open(path).describe())

compare()
child = os.fork()
if child == 0:
    # TensorFlow does not work in a child, and the client for S3 of a pyarrow neither
    # reads nor exits in one.
    leave = os._exit if uris or frameworks else sys.exit
    del faces[1:], uris[:]
    compare()
    leave(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
print("equal")
"""


def run_program(*arguments: str) -> None:
    """Runs the program in a new process, and fails if it fails, crashes or hangs."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=200,
        env={**os.environ, "PYTHONPATH": str(Path(rowfeed.__file__).parents[1])},
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    assert done.stdout.endswith("equal\n")
