# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over the sources of a CMake build, one process per core."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def tidy(build: Path, source: str) -> str:
    """Returns the findings of clang-tidy for one source; "" if there are none."""
    tool = Path(sys.executable).parent / "clang-tidy"
    done = subprocess.run(
        [tool, "--quiet", "-p", build, source],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr if done.returncode else ""


def changed_within(days: int) -> set[Path]:
    """Returns the stems of the files that commits of the last days have changed.

    The days end with the newest commit. A stem is a path without its suffix, so that a
    source counts as changed if only its header is.
    """
    newest = git("log", "-1", "--format=%ct")[0]
    since = int(newest) - days * 24 * 3600
    names = git("log", f"--since=@{since}", "--format=", "--name-only")
    return {Path(name).resolve().with_suffix("") for name in names if name}


def git(*arguments: str) -> list[str]:
    """Returns the lines that a git command prints."""
    command = ["git", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=True
    ).stdout.splitlines()


def main() -> int:
    """Checks the sources of a build folder; returns 1 if there is a finding."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument(
        "--days",
        type=int,
        help="only what commits of these days before the newest changed",
    )
    arguments = parser.parse_args()
    commands = json.loads((arguments.build / "compile_commands.json").read_text())
    sources = sorted({command["file"] for command in commands})
    if arguments.days is not None:
        changed = changed_within(arguments.days)
        sources = [s for s in sources if Path(s).with_suffix("") in changed]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        reports = list(pool.map(lambda s: tidy(arguments.build, s), sources))
    sys.stdout.writelines(reports)
    with_findings = sum(map(bool, reports))
    sys.stdout.write(f"{len(sources)} sources, {with_findings} with findings\n")
    return 1 if any(reports) else 0


if __name__ == "__main__":
    sys.exit(main())
