# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The candidates of benchmarks.peers.compare deliver every row once, and shuffled."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rowfeed
from repository import ROOT

COMPARE = [sys.executable, "-m", "benchmarks.peers.compare"]


def test_a_peer_with_a_pyarrow_of_its_own_needs_nothing_but_ragged(
    tmp_path: Path,
) -> None:
    text = importlib.import_module("benchmarks.peers.environments").RAGGED_ALONE
    package = tmp_path / "rowfeed"
    package.mkdir()
    place = str(Path(rowfeed.__file__).parent)
    (package / "__init__.py").write_text(text.format(package=place))
    done = subprocess.run(
        [*COMPARE, "--help"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.timeout(600)  # A process for each, most of which import a framework.
def test_loaders_deliver_every_row_once_and_shuffled(
    tmp_path: Path,
) -> None:
    for framework in ("tensorflow", "torch"):
        pytest.importorskip(framework)
    loaders = importlib.import_module("benchmarks.peers.loaders").LOADERS
    names = [name for name, loader in loaders.items() if not loader.packages]
    done = subprocess.run(
        [*COMPARE, "--check", "--data", tmp_path, "--only", *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shuffled = [f"{name}: every row once, shuffled" for name in names]
    assert done.stdout.splitlines() == shuffled
