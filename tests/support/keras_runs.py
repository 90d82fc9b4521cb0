# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Runs trainings of Keras in processes of their own, which are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from repository import SUPPORT


def needs(backend: str, kind: str) -> None:
    """Skips a test for which something is not installed, without importing it."""
    library = {"numpy": "keras", "dataloader": "torch"}.get(kind, kind)
    for name in ("keras", backend, library):
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed")


def run_until_done(
    folder: Path, data: Path, backend: str, kind: str, steps: list[int]
) -> Any:
    """Runs keras_killed.py until it is done; returns what it writes at its end.

    Args:
        folder: Folder of the backups, which is made.
        data: Data set that `write_numbers` wrote.
        backend: Backend of Keras.
        kind: What `fit` is given: see keras_killed.py.
        steps: Number of steps after which each process but the last one is killed.
    """
    folder.mkdir()
    script = SUPPORT / "keras_killed.py"
    line = [sys.executable, *map(str, (script, folder, data, kind, *steps))]
    for start in range(len(steps) + 1):
        done = subprocess.run(
            line,
            env={**os.environ, "KERAS_BACKEND": backend},
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )
        expected = 0 if start == len(steps) else -signal.SIGKILL
        assert done.returncode == expected, done.stderr
    assert "ran out of data" not in done.stderr
    return json.loads((folder / "result.json").read_text())
