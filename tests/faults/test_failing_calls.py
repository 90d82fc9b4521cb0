# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The n-th allocation, thread start or call on a file fails, for n = 1, 2, …

Each time the result is right or a clear error comes, and the next try in the same
process works. No file stays open, and no thread is left.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rowfeed
from numbered_rows import GROUP_ROWS, write_numbers

SUPPORT = Path(__file__).parents[1] / "support"
FILES = ("open", "read", "write", "sync", "rename")

pytestmark = pytest.mark.skipif(
    shutil.which("g++") is None, reason="there is no C++ compiler"
)


@pytest.fixture(scope="module")
def preloaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that lets calls fail."""
    library = tmp_path_factory.mktemp("preloaded") / "fail_nth.so"
    line = ["g++", "-std=c++17", "-shared", "-fPIC", "-O1", "-o", str(library)]
    subprocess.run([*line, str(SUPPORT / "fail_nth.cc"), "-ldl"], check=True)
    return library


def fail_each(
    preloaded: Path, folder: Path, scenario: str, kind: str, *options: str
) -> tuple[int, int]:
    """Returns how many calls failed, and how many of these came to an error."""
    write_numbers(folder / "data", GROUP_ROWS)
    package = Path(rowfeed.__file__).parents[1]
    done = subprocess.run(
        [
            sys.executable,
            SUPPORT / "failing_calls.py",
            scenario,
            kind,
            folder,
            *options,
        ],
        check=False,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "LD_PRELOAD": str(preloaded),
            "PYTHONPATH": f"{package}:{SUPPORT}",
        },
    )
    assert done.returncode == 0, done.stderr[-4000:]
    words = done.stdout.split()
    return int(words[0]), int(words[3])


@pytest.mark.parametrize(
    ("scenario", "kind"),
    [
        *(("numpy", kind) for kind in ("open", "read", "thread")),
        *(("catalog", kind) for kind in FILES),
        *(("writer", kind) for kind in ("open", "write", "sync", "rename")),
        *(("growing", kind) for kind in ("write", "sync", "rename")),
    ],
)
def test_a_call_that_fails_is_an_error_or_costs_nothing(
    preloaded: Path, tmp_path: Path, scenario: str, kind: str
) -> None:
    num_failed, num_errors = fail_each(preloaded, tmp_path, scenario, kind)
    assert 0 < num_errors <= num_failed


@pytest.mark.fault(46)
def test_an_allocation_that_fails_is_an_error_or_costs_nothing(
    preloaded: Path, tmp_path: Path
) -> None:
    _, num_errors = fail_each(preloaded, tmp_path, "numpy", "memory", "--stride", "211")
    assert num_errors > 0


@pytest.mark.fault(47)
@pytest.mark.parametrize("kind", ["open", "read"])
def test_a_disk_that_is_gone_is_an_error(
    preloaded: Path, tmp_path: Path, kind: str
) -> None:
    num_failed, num_errors = fail_each(preloaded, tmp_path, "numpy", kind, "--on")
    assert num_errors == num_failed > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["open", "read", "thread", "memory"])
@pytest.mark.parametrize("scenario", ["torch", "tensorflow", "take", "growing"])
def test_a_call_of_each_face_that_fails_is_an_error_or_costs_nothing(
    preloaded: Path, tmp_path: Path, scenario: str, kind: str
) -> None:
    if scenario in ("torch", "tensorflow"):
        pytest.importorskip(scenario)
    stride = ["--stride", "37"] if kind == "memory" else []
    _, num_errors = fail_each(preloaded, tmp_path, scenario, kind, *stride)
    assert num_errors > 0


@pytest.mark.slow
def test_every_allocation_that_fails_is_an_error_or_costs_nothing(
    preloaded: Path, tmp_path: Path
) -> None:
    _, num_errors = fail_each(preloaded, tmp_path, "numpy", "memory")
    assert num_errors > 0
