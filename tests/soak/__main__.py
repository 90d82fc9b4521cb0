# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Soaks each face in a process of its own, and appends what came of it to a table.

python -m tests.soak --minutes 15 --seed 7                # all faces, one by one
python -m tests.soak --runs 1 --seed 8123 --faces numpy   # what a failure names
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.soak.faces import FACES
from tests.soak.gauges import BOUNDS
from tests.soak.planted import LEAKS
from tests.soak.process import soaked

_SEEDS = 100_000  # Seeds of one face; those of the next face follow.
_COUNTS = ("batches", "rows", "kills", "resumes", "forks")


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--minutes", type=float, help="time for all faces together")
    parser.add_argument("--runs", type=int, help="number of trainings of each face")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first one")
    parser.add_argument(
        "--different", type=int, default=2**63, help="trainings that come again"
    )
    parser.add_argument("--faces", nargs="+", choices=FACES, default=list(FACES))
    parser.add_argument("--plant", choices=LEAKS, help="a leak to find")
    parser.add_argument("--results", type=Path, help="table that gets a row a face")
    parser.add_argument("--samples", type=Path, help="folder that keeps all samples")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if (given.minutes is None) == (given.runs is None):
        parser.error("give --minutes or --runs")
    return given


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def row_of(result: dict[str, Any]) -> dict[str, Any]:
    """Returns the row of the table for the process of a face."""
    row = {name: result[name] for name in ("face", "seed", "minutes", "runs")}
    row["minutes"] = f"{row['minutes']:.1f}"
    row |= {name: result["counts"].get(name, 0) for name in _COUNTS}
    row["failures"] = len(result["failures"])
    for gauge in BOUNDS:
        slope, error = result["slopes"][gauge]
        row[f"{gauge}_per_run"] = f"{slope:.4g}"
        row[f"{gauge}_error"] = f"{error:.2g}"
    return row


def append(path: Path, row: dict[str, Any]) -> None:
    """Appends a row to a table, which it begins if there is none."""
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        if is_new:
            file.write("# python -m tests.soak --minutes M --seed S\n")
        writer = csv.DictWriter(file, list(row), lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(row)


def _in_process(given: argparse.Namespace, face: str, seed: int) -> Any:
    """Returns the result of the process of a face; None if it died."""
    with tempfile.TemporaryDirectory() as folder:
        path = (given.samples or Path(folder)) / f"{face}-{seed}.json"
        words = ["--faces", face, "--seed", str(seed), "--child", str(path)]
        words += ["--different", str(given.different)]
        if given.minutes is not None:
            words += ["--minutes", str(given.minutes / len(given.faces))]
        if given.runs is not None:
            words += ["--runs", str(given.runs)]
        if given.plant is not None:
            words += ["--plant", given.plant]
        done = subprocess.run([sys.executable, "-m", "tests.soak", *words], check=False)
        if not path.exists():
            _say(f"the process of {face} ended with {done.returncode}")
            return None
        return json.loads(path.read_text())


def main() -> int:
    """Soaks the faces; returns 1 if one fails."""
    given = _parsed()
    if given.child is not None:
        seconds = None if given.minutes is None else 60 * given.minutes
        (face,) = given.faces
        result = soaked(
            face,
            given.seed,
            seconds=seconds,
            runs=given.runs,
            different=given.different,
            leak=given.plant,
        )
        given.child.write_text(json.dumps(result))
        return 0
    has_failed = False
    for i, face in enumerate(given.faces):
        result = _in_process(given, face, given.seed + _SEEDS * i)
        if result is None:
            has_failed = True
            continue
        row = row_of(result)
        _say(" ".join(f"{name}={value}" for name, value in row.items()))
        for failure in result["failures"]:
            _say(failure)
        has_failed |= bool(result["failures"])
        if given.results is not None:
            append(given.results, row)
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main())
