# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Plays runs of one kind, each in a forked process, and judges how each of them ends.

python -m tests.exits --kind exit --runs 200 --seed 7
python -m tests.exits --kind fork --runs 1 --seed 93    # what a failure names
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.exits import exiting, forking, interrupted
from tests.exits.children import ended
from tests.exits.scenes import GROUP_ROWS

from numbered_rows import write_numbers

# What draws a plan, does the work of a run, and judges its end, for each kind of runs.
KINDS: Final[dict[str, tuple[Any, Any, Any]]] = {
    "exit": (exiting.drawn, exiting.run, exiting.judged),
    "interrupt": (interrupted.drawn, interrupted.run, interrupted.judged),
    **{
        kind: (partial(forking.drawn, kind=kind), forking.run, interrupted.judged)
        for kind in ("fork", "spawn", "forkserver")
    },
}


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.exits")
    parser.add_argument("--kind", choices=KINDS, required=True)
    parser.add_argument("--runs", type=int, default=1, help="number of seeds")
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    return parser.parse_args()


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _write(data: Path) -> None:
    write_numbers(data, GROUP_ROWS)


def _played(given: argparse.Namespace, folder: Path) -> int:
    draw, run, judge = KINDS[given.kind]
    data = folder / "data"
    # A child writes the data, so that this process has none of Arrow's threads.
    written = ended(partial(_write, data), folder)
    if written.code:
        raise RuntimeError(written.errors)
    failed, counts = 0, Counter[str]()
    for seed in range(given.seed, given.seed + given.runs):
        plan = draw(seed)
        end = ended(partial(run, plan, str(data)), folder)
        counts[plan["scene"]] += 1
        wrong = judge(plan, end)
        if wrong is not None:
            failed += 1
            _say(
                f"--kind {given.kind} --seed {seed} fails: {json.dumps(plan)}\n{wrong}"
            )
    told = ", ".join(f"{count} {scene}" for scene, count in sorted(counts.items()))
    _say(f"{given.runs} runs, {failed} failed: {told}")
    return 1 if failed else 0


def main() -> int:
    """Plays the runs; returns 1 if one fails."""
    given, owner = _parsed(), os.getpid()
    warnings.simplefilter("ignore")  # Python 3.12 warns of forks beside threads.
    try:
        importlib.import_module("rowfeed.torch")
    except ImportError:
        _say("PyTorch is not installed")
        return 2
    folder = Path(tempfile.mkdtemp())
    try:
        return _played(given, folder)
    finally:
        if os.getpid() == owner:  # A child comes by here, too.
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
