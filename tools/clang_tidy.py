# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over the sources of a CMake build, one process per core."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def tidy(build: Path, source: str) -> str:
    """Returns what clang-tidy has to say about one source; empty if nothing."""
    tool = Path(sys.executable).parent / "clang-tidy"
    done = subprocess.run(
        [tool, "--quiet", "-p", build, source],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr if done.returncode else ""


def main() -> int:
    """Checks every source of the build folder given as the only argument."""
    build = Path(sys.argv[1])
    commands = json.loads((build / "compile_commands.json").read_text())
    sources = sorted({command["file"] for command in commands})
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        reports = list(pool.map(lambda source: tidy(build, source), sources))
    sys.stdout.writelines(reports)
    return 1 if any(reports) else 0


if __name__ == "__main__":
    sys.exit(main())
