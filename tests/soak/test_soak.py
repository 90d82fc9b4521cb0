# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A short soak of each face is right in each row, and each planted leak is found."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.soak.faces import FACES
from tests.soak.gauges import BOUNDS, growing
from tests.soak.slope import Slope, fitted, settled

from repository import ROOT

# The framework of each face that needs one.
NEEDS = {
    "torch": "torch",
    "workers": "torch",
    "tensorflow": "tensorflow",
    "keras": "keras",
}
# Trainings that are quick, so that a leak has many runs to show in.
QUICK = ["--seed", "3", "--different", "1", "--runs", "45"]


def soak(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.soak", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "face",
    [
        "numpy",
        pytest.param("growing", marks=pytest.mark.slow),
        pytest.param("mixture", marks=pytest.mark.slow),
        pytest.param("torch", marks=pytest.mark.slow),
        "workers",
        "tensorflow",
        pytest.param("keras", marks=pytest.mark.slow),
    ],
)
def test_trainings_of_a_face_deliver_what_the_model_says(
    face: str, tmp_path: Path
) -> None:
    if face in NEEDS:
        pytest.importorskip(NEEDS[face])
    done = soak("--faces", face, "--runs", "6", "--results", str(tmp_path / "table"))
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = csv.DictReader((tmp_path / "table").read_text().splitlines()[1:])
    assert row["face"] == face
    assert (row["runs"], row["failures"]) == ("6", "0")
    assert int(row["rows"]) > int(row["batches"]) > 6


def test_every_face_is_tried() -> None:
    assert set(NEEDS) < set(FACES)


def test_a_soak_without_a_leak_is_flat(tmp_path: Path) -> None:
    done = soak("--faces", "numpy", *QUICK, "--samples", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads((tmp_path / "numpy-3.json").read_text())
    assert len(result["samples"]["runs"]) == 45


@pytest.mark.parametrize("gauge", BOUNDS)
def test_a_planted_leak_is_found(gauge: str) -> None:
    done = soak("--faces", "numpy", *QUICK, "--plant", gauge)
    assert done.returncode == 1, done.stdout + done.stderr
    # The stacks of threads are memory, too.
    assert f"{gauge} of numpy grow" in done.stdout.splitlines()[1:]


def test_the_slope_and_its_error_are_those_of_numpy() -> None:
    rng = np.random.default_rng(1)
    x = np.arange(30.0)
    y = 0.7 * x + rng.normal(size=30)
    line, covariance = np.polyfit(x, y, 1, cov=True)
    found = fitted(x.tolist(), y.tolist())
    assert found.value == pytest.approx(line[0])
    assert found.error == pytest.approx(covariance[0, 0] ** 0.5)


@pytest.mark.parametrize(
    ("growth", "is_found"), [(0.0, False), (0.5, False), (3.0, True)]
)
def test_only_a_slope_beyond_its_bound_and_its_error_is_found(
    growth: float, is_found: bool
) -> None:
    """Noise of memory is like a walk within limits, after a steep beginning."""
    rng, level, samples = np.random.default_rng(2), 0.0, list[float]()
    for run in range(300):
        level = 0.8 * level + rng.normal(0, 20)
        samples.append(1000 * (1 - 0.9**run) + growth * run + level)
    slope = settled(range(300), samples)
    assert slope.is_above(1.0) is is_found


def test_each_gauge_has_its_own_bound() -> None:
    flat: dict[str, Any] = {name: Slope(bound, 0.0) for name, bound in BOUNDS.items()}
    assert growing(flat) == []
    for name, bound in BOUNDS.items():
        assert growing({**flat, name: Slope(2 * bound, 0.1 * bound)}) == [name]
