# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Plays the cases of many seeds, and shrinks the first one that fails.

python -m tests.simulation --seed 7 --runs 1000     # seeds 7 to 1006
python -m tests.simulation --case '{"seed": 7, ...}'  # what a failure prints
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.simulation.draw import case_of
from tests.simulation.files import Library
from tests.simulation.planted import PLANTED, planted
from tests.simulation.play import play
from tests.simulation.shrink import shrunk
from tests.simulation.stores import serving_store
from tests.simulation.told import told_of


def _kind(failure: str) -> str:
    """Returns the part of a failure that a smaller case must have, too."""
    last = failure.strip().splitlines()[-1]
    said = last.partition(" the batch is")[0]
    return "".join(letter for letter in said if not letter.isdigit())[:40]


def _command(case: dict[str, Any], plant: str | None) -> str:
    words = ["python", "-m", "tests.simulation", "--case", json.dumps(case)]
    return shlex.join([*words, *(["--plant", plant] if plant else [])])


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--runs", type=int, default=1, help="number of seeds")
    parser.add_argument("--seconds", type=float, help="time after which no run begins")
    parser.add_argument("--case", help="one case, as a failure prints it")
    parser.add_argument("--face", choices=["numpy", "torch"], default="numpy")
    parser.add_argument("--store", choices=["files", "s3"], default="files")
    parser.add_argument("--plant", choices=sorted(PLANTED), help="a fault to find")
    parser.add_argument("--hang-seconds", type=float, default=120.0)
    parser.add_argument("--keep-going", action="store_true", help="play all seeds")
    return parser.parse_args()


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    """Plays the cases that the command line asks for; returns 1 if one fails."""
    given, counts, failed = _parsed(), Counter[str](), 0
    wall, busy = time.monotonic(), time.process_time()
    seeds = range(given.seed, given.seed + given.runs)
    done = 0
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(planted(given.plant))
        store = None
        if given.store == "s3":
            store = stack.enter_context(serving_store(latency_s=0.002))
        library = Library(Path(folder) / "data")
        cases = [json.loads(given.case)] if given.case else map(case_of, seeds)
        for case in cases:
            if given.seconds and time.monotonic() - wall > given.seconds:
                break
            case["run"]["face"] = given.face
            own = Path(folder) / "own"
            failure = play(
                case, library, own, counts, hang_s=given.hang_seconds, store=store
            )
            done += 1
            counts.update(told_of(case))
            if failure is None:
                continue
            failed += 1
            _say(f"seed {case['seed']} fails:\n{failure}")
            if given.keep_going:
                continue
            if not given.case:
                kind = _kind(failure)

                def fails(smaller: dict[str, Any], kind: str = kind) -> bool:
                    own = Path(folder) / "own"
                    found = play(smaller, library, own, Counter(), store=store)
                    return found is not None and _kind(found) == kind

                smallest = shrunk(case, fails)
                _say(f"the smallest case:\n{_command(smallest, given.plant)}")
            break
    wall, busy = time.monotonic() - wall, time.process_time() - busy
    _say(
        f"{done} runs, {failed} failed: {done / wall:.1f} runs a second, "
        f"{done / busy:.1f} in a second of CPU time"
    )
    for what, count in sorted(counts.items()):
        _say(f"{count:8} {what}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
