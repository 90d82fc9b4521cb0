# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the ranks of test_distributed_torch.py run, each in a process of its own."""

from __future__ import annotations

import hashlib
import os
import signal
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch
import torch.distributed
from torch.nn.parallel import DistributedDataParallel
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.utils.data import DataLoader

import rowfeed
from rowfeed.torch import ParquetDataset

END = "end"


def train(
    rank: int,  # noqa: ARG001
    world_size: int,  # noqa: ARG001
    pipe: Connection,
    data: Path,
    batch_size: int,
    keywords: dict[str, Any],
    state: dict[str, Any] | None = None,
) -> str:
    """Trains a step whenever the test says so; sends its ids, state and weight."""
    dataset = ParquetDataset(data, batch_size, label="half", **keywords)
    if state is not None:
        dataset.load_state_dict(state)
    model = DistributedDataParallel(torch.nn.Linear(1, 1))
    optimizer = torch.optim.SGD(model.parameters(), 1e-6)
    batches = iter(dataset)
    for features, half in batches:
        pipe.recv()
        predicted = model(features["id"].float().unsqueeze(1)).squeeze(1)
        optimizer.zero_grad()
        loss: Any = torch.nn.functional.mse_loss(predicted, half)
        loss.backward()
        optimizer.step()
        weight = model.module.weight.item()
        pipe.send((features["id"].tolist(), batches.state_dict(), weight))
    pipe.recv()
    return END


def evaluate(
    rank: int,  # noqa: ARG001
    world_size: int,  # noqa: ARG001
    pipe: Connection,  # noqa: ARG001
    data: Path,
    batch_size: int,
    keywords: dict[str, Any],
) -> tuple[int, float, list[int], int]:
    """Returns a count and a mean over all ranks, and this one's rows and steps."""
    dataset = ParquetDataset(data, batch_size, remainder="pad", **keywords)
    totals = torch.zeros(3, dtype=torch.float64)
    rows: list[int] = []
    steps = 0
    for batch in dataset:
        valid = batch["__valid"]
        half = torch.where(valid, batch["half"].double(), 0)
        even = batch["even"] & valid
        totals += torch.stack([valid.sum(), even.sum(), half.sum()])
        rows += batch["id"][valid].tolist()
        steps += 1
    torch.distributed.all_reduce(totals)
    num_valid, num_even, half_sum = totals.tolist()
    return int(num_even), half_sum / num_valid, rows, steps


def feed(
    rank: int, world_size: int, pipe: Connection, data: Path, keywords: dict[str, Any]
) -> None:
    """Sends a step's rows and state when asked; goes on as another rank when told."""
    state = None
    while True:
        dataset = rowfeed.ParquetDataset(
            data, rank=rank, world_size=world_size, **keywords
        )
        if state is not None:
            dataset.load_state_dict(state)
        batches = iter(dataset)
        while (told := pipe.recv()) is None:
            batch = next(batches, None)
            if batch is None:
                pipe.send(END)
            else:
                rows = batch["id"][batch["__valid"]].tolist()
                pipe.send((rows, batches.state_dict()))
        rank, world_size, state = told
        # Seven ranks decode lanes of eight, and make other global batches.
        warnings.filterwarnings("ignore", "world_size=7 does not divide")
        warnings.filterwarnings("ignore", "the state was taken with a global batch")


def compare(
    rank: int,
    world_size: int,  # noqa: ARG001
    pipe: Connection,  # noqa: ARG001
    cases: list[list[dict[str, Any]]],
) -> list[str]:
    """Returns what each case, which has keywords for each rank, comes to."""
    warnings.filterwarnings("ignore", "each of the|This DataLoader will create")
    found = []
    for case in cases:
        try:
            found.append(_batches(**case[rank]))
        except (OSError, ValueError) as error:
            found.append(f"{type(error).__name__}: {error}")
    return found


def _batches(
    paths: Path,
    batch_size: int = 4,
    *,
    begin: tuple[int, int] | None = None,
    num_workers: int | None = None,
    method: str | None = None,
    **keywords: Any,
) -> str:
    options: dict[str, Any] = {"columns": ["id"], "shuffle": True, **keywords}
    dataset = ParquetDataset(paths, batch_size, **options)
    if begin is not None:
        dataset.load_state_dict(dataset.state_at(*begin))
    source: Any = dataset
    if num_workers is not None:
        source = DataLoader(
            dataset,
            batch_size=None,
            num_workers=num_workers,
            multiprocessing_context=method,
        )
    sizes = {len(batch["id"]) for batch in source}
    return f"{max(sizes)} rows of {delivery(dataset)}"


def delivery(dataset: ParquetDataset) -> str:
    found = dataset._parameters.stream.delivery
    return f"rank {found.rank} of {found.world_size}"


def digest(
    rank: int,  # noqa: ARG001
    world_size: int,  # noqa: ARG001
    pipe: Connection,  # noqa: ARG001
    data: Path,
    keywords: dict[str, Any],
) -> str:
    """Returns a hash of all bytes of all batches that this rank gets."""
    found = hashlib.sha256()
    for batch in ParquetDataset(data, 16, **keywords):
        for name, tensor in batch.items():
            found.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
            found.update(tensor.numpy().tobytes())
    return found.hexdigest()


def run_script(
    rank: int,
    world_size: int,
    pipe: Connection,  # noqa: ARG001
    code: str,
    folder: Path,
    port: int,
    fatal_step: int | None = None,
) -> None:
    """Runs a script as torchrun would; rank 1 is killed after `fatal_step`."""
    os.chdir(folder)
    os.environ.update(
        RANK=str(rank),
        WORLD_SIZE=str(world_size),
        MASTER_ADDR="localhost",
        MASTER_PORT=str(port),
        TORCHELASTIC_USE_AGENT_STORE="True",
    )
    torch.set_num_threads(1)
    steps = 0

    def count(*_: Any) -> None:
        nonlocal steps
        steps += 1
        if steps == fatal_step and rank == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    register_optimizer_step_post_hook(count)
    exec(compile(code, "script", "exec"), {"__name__": "__main__"})
