# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Processes that end, are interrupted or fork at drawn instants, of the day's seeds."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime

import pytest
from tests.exits.__main__ import KINDS

from repository import ROOT

pytest.importorskip("torch")

# How many runs `make check` plays of each kind, and the slow tier.
SHARES = {
    "exit": (12, 200),
    "interrupt": (12, 200),
    "fork": (8, 200),
    "spawn": (1, 10),
    "forkserver": (1, 10),
}


def first_seed() -> int:
    """Returns the first seed of the day: CI plays others each day."""
    return int(datetime.now(UTC).strftime("%Y%m%d")) * 1000


def play(kind: str, num_runs: int, seed: int) -> None:
    words = ["--kind", kind, "--runs", str(num_runs), "--seed", str(seed)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.exits", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{num_runs} runs, 0 failed" in done.stdout


@pytest.mark.fault(13, 14, 15, 20)
@pytest.mark.parametrize("kind", KINDS)
def test_a_share_of_the_runs_of_the_day(kind: str) -> None:
    play(kind, SHARES[kind][0], first_seed())


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", KINDS)
def test_all_runs_of_the_day(kind: str) -> None:
    play(kind, SHARES[kind][1], first_seed() + 500)
