# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""An installation that cannot work says in one sentence what to type."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import rowfeed

PACKAGE = Path(rowfeed.__file__).parent
CORE = f"_core{EXTENSION_SUFFIXES[0]}"
FOREIGN = "_core.cpython-312-aarch64-linux-musl.so"


@pytest.fixture
def installation(tmp_path: Path) -> Path:
    """Returns a copy of the installed package."""
    copy = tmp_path / "rowfeed"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "_tf*"))
    return copy


def error_of_import(installation: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", "import rowfeed"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(installation.parent)},
    )
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


def delete_the_core(installation: Path) -> None:
    (installation / CORE).unlink()


def rename_the_core(installation: Path) -> None:
    (installation / CORE).rename(installation / FOREIGN)


def empty_the_core(installation: Path) -> None:
    (installation / CORE).write_bytes(b"")


def delete_the_kernel(installation: Path) -> None:
    for library in installation.glob("librowfeed-*.so"):
        library.unlink()


def delete_an_arrow(installation: Path) -> None:
    for library in installation.glob("librowfeed_parquet-*.so"):
        library.unlink()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (delete_the_core, f"{CORE} does not exist"),
        (rename_the_core, f"it is {FOREIGN}, but this Python needs {CORE}"),
        (empty_the_core, "file too short"),
        (delete_the_kernel, "librowfeed-"),
        (delete_an_arrow, "librowfeed_parquet-"),
    ],
)
def test_a_damaged_installation_is_one_clear_sentence(
    damage: Callable[[Path], None], reason: str, installation: Path
) -> None:
    damage(installation)
    error = error_of_import(installation)
    assert error.startswith("ImportError: cannot load rowfeed's kernel (")
    assert reason in error
    assert error.endswith(
        f": {sys.executable} -m pip install --force-reinstall rowfeed"
    )
