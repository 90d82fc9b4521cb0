# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the fuzz targets of cc/fuzzing: replays kept inputs, and searches for new ones.

    python tools/fuzz.py BUILD --seconds 60              # in all, over all targets
    python tools/fuzz.py BUILD --seconds 600 chunk_fuzz  # one target

`BUILD` is the folder in which CMake built the targets. The inputs that reached new code
are kept in the folder `--corpus`, from which the next search begins. An input that
makes a target fail is left in the folder `--failures`: once the fault is mended, move
it to cc/fuzzing/found/TARGET/, so that it is replayed from then on. The last lines are
a table of the targets: executions, places of the code that were reached, inputs kept.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
FOUND: Final = ROOT / "cc" / "fuzzing" / "found"
# No input needs more memory or time than this; one that does is a fault.
LIMITS: Final = ("-rss_limit_mb=2048", "-malloc_limit_mb=512", "-timeout=10")
# Longer inputs reach nothing that shorter ones do not, and are slower.
MAX_BYTES: Final = 4096
LARGEST: Final = "chunk_fuzz"
_LAST: Final = 6000  # So many last characters of what a target prints are shown.


@dataclass(frozen=True)
class Outcome:
    """What came of one target.

    Attributes:
        name: Name of the target.
        executions: Number of inputs that the search tried.
        reached: Number of places of the code that some input has reached.
        kept: Number of inputs in the corpus.
        failure: Last lines of a target that failed; "" if it did not.
    """

    name: str
    executions: int
    reached: int
    kept: int
    failure: str


def run(target: Path, corpus: Path, failures: Path, seconds: int) -> Outcome:
    """Replays the inputs that were found earlier, and searches for some seconds."""
    folder, found = corpus / target.name, FOUND / target.name
    folder.mkdir(parents=True, exist_ok=True)
    failures.mkdir(parents=True, exist_ok=True)
    # A single file is run as it is, whatever its length.
    for path in sorted(found.glob("*")):
        replayed = call(target, path)
        if replayed.returncode:
            return Outcome(target.name, 1, 0, 0, replayed.stderr[-_LAST:])
    done = call(
        *(target, f"-max_len={MAX_BYTES}", f"-max_total_time={seconds}"),
        *("-print_final_stats=1", f"-artifact_prefix={failures}/{target.name}-"),
        *(folder, *([found] if found.is_dir() else [])),
    )
    executions = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    reached = re.findall(r"cov: (\d+)", done.stderr)
    return Outcome(
        target.name,
        int(executions[1]) if executions else 0,
        int(reached[-1]) if reached else 0,
        sum(1 for _ in folder.iterdir()),
        done.stderr[-_LAST:] if done.returncode else "",
    )


def call(target: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a target."""
    return subprocess.run(
        [target, *LIMITS, *arguments],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        # What Arrow keeps until the process ends is no leak.
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
    )


def seconds_of(names: list[str], seconds: int) -> dict[str, int]:
    """Shares out seconds of CPUs: half of them to the target with the most code."""
    shares = {name: 1.0 / len(names) for name in names}
    if LARGEST in names and len(names) > 1:
        shares = {name: 0.5 / (len(names) - 1) for name in names} | {LARGEST: 0.5}
    return {name: max(1, int(seconds * share)) for name, share in shares.items()}


def main() -> int:
    """Runs the targets, prints the table, and returns 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=60, help="in all (default: 60)")
    parser.add_argument("--corpus", type=Path, default=ROOT / ".build/fuzz-corpus")
    parser.add_argument("--failures", type=Path, default=ROOT / ".build/fuzz-failures")
    options = parser.parse_intermixed_args()
    folder = options.build / "fuzzing"
    targets = sorted(path for path in folder.glob("*_fuzz") if path.is_file())
    names = [path.name for path in targets]
    if unknown := set(options.targets) - set(names):
        parser.error(f"there is no target {min(unknown)}: there are {', '.join(names)}")
    if options.targets:
        targets = [path for path in targets if path.name in options.targets]
    if not targets:
        parser.error(f"{folder} has no target: run `make fuzz`, which builds them")
    subprocess.run([folder / "write_seeds", options.corpus], check=True)
    cpus = len(os.sched_getaffinity(0))
    seconds = seconds_of(
        [path.name for path in targets], options.seconds * min(2, cpus)
    )
    with ThreadPoolExecutor(min(2, cpus)) as pool:
        outcomes = list(
            pool.map(
                lambda t: run(t, options.corpus, options.failures, seconds[t.name]),
                sorted(targets, key=lambda t: -seconds[t.name]),
            )
        )
    report(outcomes)
    return 1 if any(outcome.failure for outcome in outcomes) else 0


def report(outcomes: list[Outcome]) -> None:
    """Prints what made targets fail, then the table."""
    write = sys.stdout.write
    for found in outcomes:
        if found.failure:
            write(f"\n{found.name} failed:\n{found.failure}\n")
    write(f"\n{'target':18}{'executions':>12}{'reached':>9}{'kept':>7}\n")
    for found in outcomes:
        figures = f"{found.executions:12}{found.reached:9}{found.kept:7}"
        write(f"{found.name:18}{figures}{'  FAILED' if found.failure else ''}\n")


if __name__ == "__main__":
    sys.exit(main())
