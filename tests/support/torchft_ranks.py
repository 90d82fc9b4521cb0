# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Replicas of torchft, which fail and join while they train."""

from __future__ import annotations

import importlib
import os
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from trainers import die

# A step that was committed: its number, the rows of this replica, and its share.
Step = tuple[int, list[float], tuple[int, int]]


def replica(
    rank: int,  # noqa: ARG001
    world_size: int,  # noqa: ARG001
    pipe: Connection,
    code: str,
    folder: Path,
    lighthouse: str,
    name: str,
    die_at: int = -1,
    wait_at: int = -1,
) -> None:
    """Runs a script as one replica, and sends each step that it has committed.

    It asks the test, and waits for it, before the others hear of it, before its first
    quorum, and before quorum `wait_at`. It is killed within step `die_at`, when it has
    read its rows.
    """
    os.chdir(folder)
    import torch
    import torchft
    from torch.optim.optimizer import register_optimizer_step_post_hook

    warnings.simplefilter("ignore")  # torchft warns.
    torch.set_num_threads(1)
    distributed: Any = importlib.import_module("torch.distributed")
    store = distributed.TCPStore("localhost", 0, is_master=True)
    os.environ.update(
        RANK="0",
        WORLD_SIZE="1",
        MASTER_ADDR="localhost",
        MASTER_PORT=str(store.port),
        TORCHFT_LIGHTHOUSE=lighthouse,
    )
    found: dict[str, Any] = {"__name__": "__main__"}
    quorums = 0

    def ask() -> None:
        pipe.send("ready")
        pipe.recv()

    class Manager(torchft.Manager):  # type: ignore[misc]
        def __init__(self, **options: Any) -> None:
            ask()
            super().__init__(**options, replica_id=name, hostname="localhost")

        def start_quorum(self, *arguments: Any) -> None:
            nonlocal quorums
            if quorums in (0, wait_at):
                ask()
            quorums += 1
            super().start_quorum(*arguments)

        def allreduce(self, *arguments: Any) -> Any:
            if self.current_step() == die_at:
                die()
            return super().allreduce(*arguments)

    torchft.Manager = Manager

    def told(*_: Any) -> None:
        rows = found["features"]["vector"][:, 0].tolist()
        pipe.send((found["manager"].current_step() - 1, rows, found["share"]()))

    register_optimizer_step_post_hook(told)
    exec(compile(code, "script", "exec", dont_inherit=True), found)
    weights = torch.cat([w.detach().ravel() for w in found["model"].parameters()])
    pipe.send(weights.tolist())
