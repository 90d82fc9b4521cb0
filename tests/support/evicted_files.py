# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Directories of a SampleWriter's files, from which the oldest are removed."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

import rowfeed
from rowfeed import SampleWriter

SCHEMA = {"x": ("float32", (16,))}
ROWS = 100


def write_files(directory: Path, num_files: int, **options: object) -> None:
    with SampleWriter(directory, SCHEMA, rows_per_file=ROWS, **options) as writer:  # type: ignore[arg-type]
        for i in range(num_files):
            writer.write({"x": np.full((ROWS, 16), i, np.float32)})


def save_snapshot(data: Path, snapshots: Path, epoch: int) -> set[str]:
    """Saves the catalog of an epoch, as readers do; returns the files that it names."""
    catalog = rowfeed.Catalog.open(data)
    snapshots.mkdir(exist_ok=True)
    catalog.save(snapshots / f"epoch-{epoch:08}-{catalog.fingerprint}.catalog")
    return {file.name for file in catalog.files}


def write_and_evict(
    directory: Path, seconds: float, max_bytes: int, snapshots: Path | None = None
) -> None:
    with SampleWriter(
        directory,
        SCHEMA,
        rows_per_file=ROWS,
        max_bytes=max_bytes,
        snapshot_dir=snapshots,
    ) as writer:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            writer.write({"x": np.full((ROWS, 16), os.getpid(), np.float32)})
