# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the processes of test_accelerate.py run."""

from __future__ import annotations

import os
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook


def launched(rank: int, world_size: int, folder: Path, port: int) -> None:
    """Makes this process one that `accelerate launch`, or torchrun, has started."""
    os.chdir(folder)
    os.environ.update(
        ACCELERATE_USE_CPU="true",
        LOCAL_RANK=str(rank),
        RANK=str(rank),
        WORLD_SIZE=str(world_size),
        MASTER_ADDR="localhost",
        MASTER_PORT=str(port),
        TORCHELASTIC_USE_AGENT_STORE="True",
        TORCHELASTIC_RUN_ID="of a test",
    )
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # Accelerate warns.


def train(
    rank: int,
    world_size: int,
    pipe: Connection,  # noqa: ARG001
    code: str,
    folder: Path,
    port: int,
) -> tuple[list[list[float]], list[float]]:
    """Returns the first numbers of the vectors of each step, and the weights."""
    launched(rank, world_size, folder, port)
    torch.manual_seed(0)
    found: dict[str, Any] = {"__name__": "__main__"}
    seen: list[list[float]] = []
    register_optimizer_step_post_hook(
        lambda *_: seen.append(found["features"]["vector"][:, 0].tolist())
    )
    exec(compile(code, "script", "exec"), found)
    weights = torch.cat([w.detach().ravel() for w in found["model"].parameters()])
    return seen, weights.tolist()
