# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Directories that rowfeed writes to, full or not to be written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from growing import Folder

WRITE = """
import os, resource, signal, sys
import rowfeed, rowfeed.tensorflow

fault, what, data, target = sys.argv[1:]
if fault == "full":  # What a full disk does to a file, but by another number.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))
elif os.getuid() == 0:
    os.setuid(65534)  # Root may write anywhere.
growing = {"refresh": "epoch", "snapshot_dir": target}
try:
    if what == "snapshot":
        list(rowfeed.ParquetDataset(data, 16, **growing))
    elif what == "snapshot in TensorFlow":
        list(rowfeed.tensorflow.ParquetDataset(data, 16, columns=["id"], **growing))
    elif what == "counts":
        filter = [("id", "<", 30)]
        list(rowfeed.ParquetDataset(data, 16, filter=filter, cache_dir=target))
    else:
        rowfeed.Catalog.open(data).save(os.path.join(target, "catalog"))
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.fault(22)
@pytest.mark.parametrize("fault", ["full", "not to be written"])
@pytest.mark.parametrize(
    "what", ["snapshot", "snapshot in TensorFlow", "counts", "catalog"]
)
def test_a_directory_that_takes_nothing_is_named(
    fault: str, what: str, open_path: Path
) -> None:
    pytest.importorskip("tensorflow")
    folder = Folder(open_path, 0, 1)
    target = open_path / "target"
    target.mkdir()
    if fault != "full":
        target.chmod(0o555)
    said = subprocess.run(
        [sys.executable, "-c", WRITE, fault, what, str(folder.path), str(target)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    kind = {"full": "OSError", "not to be written": "PermissionError"}[fault]
    if what == "snapshot in TensorFlow":
        kind = {"OSError": "UnknownError", "PermissionError": "PermissionDeniedError"}[
            kind
        ]
    text = {"full": "File too large", "not to be written": "Permission denied"}[fault]
    assert said.stdout.startswith(f"{kind} "), said
    assert f"{target}/" in said.stdout
    assert text in said.stdout
    assert not [*target.iterdir()]  # Nothing half-written is left.
