# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ray Train runs the script of docs/distributed.md, also when a worker dies."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from process_groups import results, script
from test_readme import write_data

torch = pytest.importorskip("torch")
if importlib.util.find_spec("ray") is None:
    pytest.skip("ray is not installed", allow_module_level=True)

import torch_ranks  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

STEPS = 2 * (16_000 // 240)

# Worker 1 dies once, after a step whose checkpoint is not written yet.
DIE = """
        died = Path(config["data"]).parent / "died"
        if step == 50 and context.get_world_rank() == 1 and not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
"""
BEFORE = """
import os, signal, ray
"""
START = """
    ray.init(num_cpus=2, include_dashboard=False)
"""


def killed_once() -> str:
    """Returns the page's script, with a worker that dies."""
    code = script("train_ray.py")
    for anchor, added in (
        ("# train_ray.py\n", BEFORE),
        ("        optimizer.step()\n", DIE),
        ('if __name__ == "__main__":\n', START),
    ):
        assert code.count(anchor) == 1
        code = code.replace(anchor, anchor + added)
    return code


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
    assert (tmp_path / "died").exists()
    # The second attempt began with the checkpoint of step 20 or 40 of the first.
    steps = ast.literal_eval(done.stdout.strip().splitlines()[-1])["steps"]
    assert steps in (STEPS - 20, STEPS - 40)
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
