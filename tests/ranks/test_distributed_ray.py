# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ray Train runs the script of docs/distributed.md; `make check-ray` installs it."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rowfeed
from documented_data import write_data
from process_groups import results, script

torch = pytest.importorskip("torch")
if importlib.util.find_spec("ray") is None:
    pytest.skip("ray is not installed", allow_module_level=True)

import torch_ranks  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

STEPS = 2 * (16_000 // 240)

# What is added to the page's script, behind what stands there: each worker notes its
# rows, and worker 1 dies once, after a step whose checkpoint is not written yet.
ADDED = {
    "# train_ray.py\n": """
import os, signal, ray
""",
    'columns=["vector"': ', "user"',
    "        optimizer.step()\n": """
        folder, rank = Path(config["data"]).parent, context.get_world_rank()
        with (folder / f"rank-{rank}").open("a") as notes:
            print(step, *features["user"].tolist(), file=notes)
        died = folder / "died"
        if step == 50 and rank == 1 and not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
""",
    'if __name__ == "__main__":\n': """
    ray.init(num_cpus=2, include_dashboard=False)
""",
}


def killed_once() -> str:
    """Returns the page's script, with a worker that dies."""
    code = script("train_ray.py")
    for anchor, added in ADDED.items():
        assert code.count(anchor) == 1
        code = code.replace(anchor, anchor + added)
    return code


def attempts(notes: Path) -> list[list[list[int]]]:
    """Returns the rows of each step of each attempt of a worker."""
    found: list[list[list[int]]] = []
    for line in notes.read_text().splitlines():
        step, *rows = map(int, line.split())
        if step == 1:
            found.append([])
        found[-1].append(rows)
        assert len(found[-1]) == step
    return found


def check_rows(folder: Path, steps: int) -> None:
    """Both workers made the last `steps` steps, and none lost or repeated a row."""
    (first, last), (other_first, other_last) = (
        attempts(folder / f"rank-{rank}") for rank in range(2)
    )
    assert len(last) == len(other_last) == steps
    begun = STEPS - steps
    shares = zip(first[:begun] + last, other_first[:begun] + other_last, strict=True)
    whole = rowfeed.ParquetDataset(
        folder / "data",
        240,
        columns=["user"],
        shuffle=True,
        seed=7,
        num_epochs=2,
        num_lanes=6,
        remainder="drop",
    )
    for (mine, others), batch in zip(shares, whole, strict=True):
        assert len(mine) == len(others) == 120
        assert sorted(mine + others) == sorted(batch["user"])


def test_a_worker_dies_and_the_training_goes_on(tmp_path: Path) -> None:
    write_data(tmp_path / "data")
    (tmp_path / "train_ray.py").write_text(killed_once())
    done = subprocess.run(
        [sys.executable, "train_ray.py"],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},  # Ray writes to it.
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr
    # The second attempt began with the checkpoint of step 20 or 40 of the first.
    steps = ast.literal_eval(done.stdout.strip().splitlines()[-1])["steps"]
    assert steps in (STEPS - 20, STEPS - 40)
    check_rows(tmp_path, steps)
    checkpoints = sorted((tmp_path / "runs").rglob("training.pt"), key=os.path.getmtime)
    trained = torch.load(checkpoints[-1])
    assert (trained["data"]["epoch"], trained["data"]["row"]) == (2, 0)  # The end.

    store = torch.distributed.TCPStore(
        "localhost", 0, is_master=True, wait_for_workers=False
    )
    alone = (script("train_ddp.py"), tmp_path, store.port)
    assert results(torch_ranks.run_script, 1, *alone) == [None]
    for name, weights in torch.load(tmp_path / "model.pt").items():
        torch.testing.assert_close(
            trained["model"][name], weights, rtol=1e-4, atol=1e-5
        )
