# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Killed with -9 at each of 50 random batches, a loop goes on with exactly the rest."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import killed_loop
import rowfeed
from numbered_rows import write_numbers

NUM_KILLS = 50
NUM_ROWS = 1200


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_numbers(tmp_path_factory.mktemp("numbers"), [40] * 30)


@pytest.fixture(scope="module")
def uninterrupted(data: Path) -> list[dict[str, Any]]:
    """What the log of a loop that nobody kills says."""
    dataset = rowfeed.ParquetDataset(
        data, killed_loop.BATCH_SIZE, **killed_loop.OPTIONS
    )
    batches = iter(dataset)
    return [
        {"rows": batch["id"].tolist(), "state": batches.state_dict()}
        for batch in batches
    ]


@pytest.mark.fault(11, 12)
@pytest.mark.parametrize("face", ["rowfeed", "rowfeed.torch", "rowfeed.tensorflow"])
def test_killed_at_random_batches(
    face: str, data: Path, uninterrupted: Any, tmp_path: Path
) -> None:
    if face != "rowfeed":
        pytest.importorskip(face.removeprefix("rowfeed."))
    num_batches = len(uninterrupted)
    assert num_batches == 2 * NUM_ROWS // killed_loop.BATCH_SIZE
    kills = random.Random(face).sample(range(1, num_batches + 1), NUM_KILLS)
    log = tmp_path / "log"
    script = killed_loop.__file__
    done = subprocess.run(
        [sys.executable, script, face, str(data), str(log), *map(str, sorted(kills))],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [-signal.SIGKILL] * NUM_KILLS + [0], done.stderr
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert [r["rows"] for r in records] == [r["rows"] for r in uninterrupted]
    for record, expected in zip(records, uninterrupted, strict=True):
        assert record["state"] == expected["state"]
    both = [row for record in records for row in record["rows"]]
    for epoch in (both[:NUM_ROWS], both[NUM_ROWS:]):
        assert sorted(epoch) == list(range(NUM_ROWS))
