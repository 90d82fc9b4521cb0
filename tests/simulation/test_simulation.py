# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Drawn trainings deliver what the model says, each row of an epoch exactly once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.simulation.draw import case_of
from tests.simulation.files import Library
from tests.simulation.play import play
from tests.simulation.shrink import shrunk
from tests.simulation.steps import STEPS
from tests.simulation.xxh3 import of_number, xxh3

from repository import ROOT

NUM_SEEDS = int(os.environ.get("ROWFEED_SIMULATIONS", "100"))


def first_seed() -> int:
    """Returns the first seed of the day: CI plays others each day."""
    return int(datetime.now(UTC).strftime("%Y%m%d")) * 10_000


def test_trainings_of_the_seeds_of_the_day(tmp_path: Path) -> None:
    library, counts = Library(tmp_path / "data"), Counter[str]()
    for seed in range(first_seed(), first_seed() + NUM_SEEDS):
        failure = play(case_of(seed), library, tmp_path / "own", counts)
        assert failure is None, (
            f"python -m tests.simulation --seed {seed} fails: {failure}"
        )
    assert counts["batches"] > 10 * NUM_SEEDS
    assert counts["kills"] > 0
    assert counts["resumes"] > 0


def test_a_seed_always_draws_the_same_case() -> None:
    for seed in range(50):
        case = case_of(seed)
        assert case == case_of(seed)
        assert json.loads(json.dumps(case)) == case
    assert len({json.dumps(case_of(seed)["schedule"]) for seed in range(50)}) > 40


def test_every_step_and_kind_of_data_is_drawn() -> None:
    cases = [case_of(seed) for seed in range(400)]
    assert {name for case in cases for name, *_ in case["schedule"]} == set(STEPS)
    assert {len(case["sources"]) for case in cases} == {1, 2, 3}
    assert any(case["run"]["processes"] for case in cases)
    assert any(case["grows"] for case in cases)
    sizes = {case["run"]["world_size"] for case in cases}
    assert {1, 2, 3, 4} < sizes
    assert max(sizes) > 32


@pytest.mark.parametrize(
    ("data", "seed", "expected"),
    [
        # These numbers are those of xxHash's own xxhsum and of Arrow's copy of it.
        (b"", 0, 0x2D06800538D394C2),
        (b"", 0x9E3779B185EBCA8D, 0xA8A6B918B2F0364A),
    ],
)
def test_hashes_of_nothing_are_those_of_xxhash(
    data: bytes, seed: int, expected: int
) -> None:
    assert xxh3(data, seed) == expected


def test_hashes_spread_over_all_words() -> None:
    hashes = [of_number(row, 7) for row in range(2000)]
    hashes += [xxh3(f"a{row:04}.parquet".encode(), 7) for row in range(2000)]
    assert len(set(hashes)) == 4000
    for bit in range(64):
        assert 1800 < sum(h >> bit & 1 for h in hashes) < 2200


def test_a_failing_case_is_shrunk_to_what_fails() -> None:
    """The smallest case has no step but the one that fails, and plain options."""

    def fails(case: dict[str, Any]) -> bool:
        return any(name == "resize" for name, *_ in case["schedule"])

    seed = next(seed for seed in range(1000) if fails(case_of(seed)))
    case = shrunk(case_of(seed), fails)
    assert [name for name, *_ in case["schedule"]] == ["resize"]
    assert case["run"]["world_size"] == 1
    assert case["mixture"] is None
    (source,) = case["sources"]
    assert source["filter"] is source["split"] is None
    assert [file["groups"] for file in source["files"]] == [[1]]


def test_a_failure_prints_the_command_that_replays_it() -> None:
    command = [sys.executable, "-m", "tests.simulation", "--runs", "50"]
    planted = ["--plant", "fill_rows_are_marked_valid"]
    done = subprocess.run(
        [*command, *planted], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "the smallest case:\npython -m tests.simulation --case " in done.stdout
    line = done.stdout.partition("the smallest case:\n")[2].splitlines()[0]
    again = subprocess.run(
        f"{sys.executable}{line.removeprefix('python')}",
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        shell=True,
    )
    assert again.returncode == 1, again.stderr
    assert "1 runs, 1 failed" in again.stdout
