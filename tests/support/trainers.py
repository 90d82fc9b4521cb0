# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of trainers share: which are installed, the data, and the ranks."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from documented_data import write_data
from numbered_rows import NUM_ROWS
from process_groups import Failure, processes, script

GLOBAL_BATCH = 24
STEPS = NUM_ROWS // GLOBAL_BATCH  # The steps of an epoch.


def installed(name: str) -> Any:
    """Returns a module, and skips the tests where it is not installed.

    In the environment that is made for trainers its absence is an error. Only there
    JAX is imported: it warns whenever its process is forked, and other tests fork.
    """
    if os.environ.get("ROWFEED_TRAINERS"):
        return importlib.import_module(name)
    if name == "jax":
        pytest.skip(
            "make check-trainers runs the tests of JAX", allow_module_level=True
        )
    return pytest.importorskip(name)


@contextmanager
def port_of_a_store() -> Iterator[int]:
    """Hosts a store where processes find each other, and yields its port."""
    distributed: Any = importlib.import_module("torch.distributed")
    store = distributed.TCPStore("localhost", 0, is_master=True, wait_for_workers=False)
    yield store.port
    del store  # It has to live until here.


def options_of(world_size: int) -> dict[str, Any]:
    """Returns options with which a number of ranks share the global batches."""
    return {
        "batch_size": GLOBAL_BATCH // world_size,
        "columns": ["id"],
        "shuffle": True,
        "seed": 7,
        "num_lanes": 2,
        "remainder": "drop",
    }


def expected_steps(numbers: Path, num_epochs: int) -> list[list[int]]:
    """Returns the sorted rows of each global batch, over some epochs."""
    dataset = rowfeed.ParquetDataset(numbers, num_epochs=num_epochs, **options_of(1))
    steps = [sorted(batch["id"].tolist()) for batch in dataset]
    assert len(steps) == STEPS * num_epochs
    return steps


def steps_of(ranks: list[list[list[int]]]) -> list[list[int]]:
    """Returns the sorted rows of each step, from those that each rank delivered."""
    assert len({len(steps) for steps in ranks}) == 1
    return [sorted(chain(*parts)) for parts in zip(*ranks, strict=True)]


def run(work: Any, world_size: int, *arguments: Any) -> list[Any]:
    """Returns what each rank returned."""
    with (
        port_of_a_store() as port,
        processes(work, world_size, port, *arguments) as ranks,
    ):
        # A rank that fails lets the others wait, so the ranks answer in any order.
        pending = dict(enumerate(ranks))
        found = {}
        while pending:
            ready = wait([rank.pipe for rank in pending.values()])
            for index in [i for i, rank in pending.items() if rank.pipe in ready]:
                found[index] = pending.pop(index).receive()
        return [found[index] for index in range(world_size)]


def run_until_killed(work: Any, world_size: int, *arguments: Any) -> None:
    """Runs ranks that end with SIGKILL."""
    with (
        port_of_a_store() as port,
        processes(work, world_size, port, *arguments) as ranks,
    ):
        for rank in ranks:
            # A rank may fail first, because its peer was killed before it.
            with pytest.raises((EOFError, ConnectionResetError, Failure)):
                rank.receive()


def numbers_printed(
    name: str, page: str, folder: Path, epochs_option: str, printed: str
) -> list[int]:
    """Runs a script of a page for one epoch, and then for two, in one folder.

    Args:
        name: Name of the script.
        page: Page of docs that shows it.
        folder: Folder in which it is run, in which the data is written first.
        epochs_option: Option of the script that says `=2` epochs.
        printed: Expression for a number, which is printed at the script's end.

    Returns:
        The number of each run.
    """
    write_data(folder / "data")
    code = script(name, page)
    assert f"{epochs_option}=2" in code
    found = []
    for epochs in (1, 2):
        this = code.replace(f"{epochs_option}=2", f"{epochs_option}={epochs}")
        ran = subprocess.run(
            [sys.executable, "-c", f"{this}print({printed})\n"],
            cwd=folder,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        found.append(int(ran.stdout.split()[-1]))
    return found


def die() -> None:
    """Ends this process as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def accelerated(
    rank: int,
    world_size: int,
    pipe: Connection,  # noqa: ARG001
    port: int,
    numbers: Path,
    folder: Path,
    options: dict[str, Any],
    num_epochs: int,
    save_at: int = -1,
    die_at: int = -1,
) -> list[list[int]]:
    """Trains with Accelerate, from the state in `folder` if there is one.

    Returns the rows of each step of this rank.
    """
    import torch

    from accelerate_ranks import launched

    launched(rank, world_size, folder, port)
    from accelerate import Accelerator
    from accelerate.utils import DataLoaderConfiguration

    from rowfeed.torch import Loader, ParquetDataset

    saved = folder / "saved"
    # Accelerate keeps the place in an accumulation in a file for each rank, so that the
    # accumulations of more ranks than have saved would differ, and wait for ever.
    is_kept = saved.exists() or save_at > 0
    accelerator = Accelerator(
        dataloader_config=DataLoaderConfiguration(**options),
        gradient_accumulation_steps=1 if is_kept else 4,
    )
    dataset = ParquetDataset(numbers, **options_of(world_size))
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, Loader(dataset))
    assert len(loader) == STEPS
    first = 0
    if saved.exists():
        accelerator.load_state(saved)
        first = loader.state_dict()["epoch"]
    steps = []
    for _ in range(first, num_epochs):
        for batch in loader:
            steps.append(batch["id"].tolist())
            with accelerator.accumulate(model):
                accelerator.backward(model(batch["id"][:, None].float()).mean())
                optimizer.step()
                optimizer.zero_grad()
            if len(steps) == save_at:
                accelerator.save_state(saved)
                accelerator.wait_for_everyone()
            if len(steps) == die_at:
                die()
        # Four does not divide the number of steps; the last gradients are applied too.
        assert accelerator.sync_gradients
    return steps


def with_lightning(
    rank: int,
    world_size: int,
    pipe: Connection,  # noqa: ARG001
    port: int,
    numbers: Path,
    folder: Path,
    num_epochs: int,
    save_every: int | None,
    die_at: int = -1,
    **options: Any,
) -> list[list[int]]:
    """Trains with Lightning, from the newest checkpoint in `folder` if there is one.

    Without `save_every` it saves at the end of each epoch. Returns the rows of each
    step of this rank.
    """
    import torch

    from accelerate_ranks import launched

    launched(rank, world_size, folder, port)
    import lightning
    from lightning.pytorch.callbacks import ModelCheckpoint

    from rowfeed.torch import Loader, ParquetDataset

    steps: list[list[int]] = []

    class Model(lightning.LightningModule):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)

        def training_step(self, batch: Any, _: int) -> Any:
            steps.append(batch["id"].tolist())
            return self.layer(batch["id"][:, None].float()).mean()

        def on_train_batch_start(self, *_: Any) -> None:
            if len(steps) == die_at:
                die()

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), 0.1)

    class Data(lightning.LightningDataModule):  # type: ignore[misc]
        def train_dataloader(self) -> Any:
            return Loader(ParquetDataset(numbers, **options_of(world_size)))

    saves = ModelCheckpoint(
        folder,
        filename="{step:04}",
        auto_insert_metric_name=False,
        save_top_k=-1,
        every_n_train_steps=save_every,
    )
    trainer = lightning.Trainer(
        accelerator="cpu",
        devices=world_size,
        strategy="ddp" if world_size > 1 else "auto",
        max_epochs=num_epochs,
        callbacks=[saves],
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        **options,
    )
    saved = max(folder.glob("*.ckpt"), default=None)
    trainer.fit(Model(), datamodule=Data(), ckpt_path=saved)
    return steps
