# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of Hugging Face's Trainer train, in this process or in ranks."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch
import transformers

from accelerate_ranks import launched
from rowfeed.integrations.transformers import TrainerMixin
from rowfeed.torch import ParquetDataset
from trainers import die, options_of


class Trainer(TrainerMixin, transformers.Trainer):  # type: ignore[misc]
    """The Trainer that a user would derive."""


class Model(torch.nn.Module):
    """A model that remembers the rows that it has seen, and may die.

    Attributes:
        batches: Rows of each batch in training.
        evaluated: Rows of each batch in evaluation.
    """

    def __init__(self, die_at: int = -1) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)
        self.batches: list[list[int]] = []
        self.evaluated: list[list[int]] = []
        self._die_at = die_at

    def forward(
        self,
        id: Any,
        return_loss: bool = True,  # noqa: ARG002
    ) -> dict[str, Any]:
        seen = self.batches if self.training else self.evaluated
        if len(seen) == self._die_at:
            die()
        seen.append(id.tolist())
        return {"loss": self.layer(id.reshape(-1, 1).float()).square().mean()}


def arguments(folder: Path, batch_size: int, **options: Any) -> Any:
    """Returns TrainingArguments for a small training on the CPU."""
    return transformers.TrainingArguments(
        str(folder),
        **{
            "per_device_train_batch_size": batch_size,
            "per_device_eval_batch_size": batch_size,
            "use_cpu": True,
            "report_to": "none",
            "disable_tqdm": True,
            "logging_strategy": "no",
            "save_strategy": "no",
            **options,
        },
    )


def with_transformers(
    rank: int,
    world_size: int,
    pipe: Connection,  # noqa: ARG001
    port: int,
    numbers: Path,
    folder: Path,
    options: dict[str, Any],
    die_at: int = -1,
) -> tuple[list[list[int]], float, int]:
    """Trains with Trainer, from the newest checkpoint in `folder` if there is one.

    Args:
        rank: Index of this process.
        world_size: Number of processes.
        pipe: Pipe to the test.
        port: Port of the store where processes find each other.
        numbers: Folder of the data.
        folder: Folder of the checkpoints.
        options: Options of TrainingArguments.
        die_at: Number of batches after which the process is killed.

    Returns:
        Rows of each batch of this rank, the weight of the model, and the number of
        batches that the dataset has delivered.
    """
    if world_size > 1:
        launched(rank, world_size, folder, port)
    torch.manual_seed(0)
    own = options_of(world_size)
    own["batch_size"] //= options.get("gradient_accumulation_steps", 1)
    args = arguments(folder, own["batch_size"], **options)
    model, train = Model(die_at), ParquetDataset(numbers, **own)
    trainer = Trainer(model, args, train_dataset=train)
    has_saved = any(folder.glob("checkpoint-*"))
    trainer.train(resume_from_checkpoint=has_saved)
    weight = model.layer.weight.item()
    return model.batches, weight, train.stats().batches
