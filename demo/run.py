# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""One process of the demo: it trains to the end, is killed, or resumes."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import rowfeed
from demo import flights, loader
from demo.progress import Progress

CHECKPOINT_STEPS = 200
KILL_STEP = 950  # This step is in the second epoch, and not at a checkpoint.
MODES = ("uninterrupted", "killed", "resumed")


@dataclass(frozen=True)
class Run:
    """One process of a training.

    Attributes:
        mode: Mode of the process: "uninterrupted" trains all epochs, "killed" dies
            after `kill_step`, "resumed" goes on from the last checkpoint of "killed".
        folder: Folder of the checkpoint, and of the results of all three processes.
        training: Files to train on.
        test: Files to test on, which no training reads.
        kill_step: Step after which "killed" dies.
        checkpoint_steps: Number of steps between two checkpoints.
    """

    mode: str
    folder: Path
    training: rowfeed.Catalog
    test: rowfeed.Catalog
    kill_step: int
    checkpoint_steps: int

    @classmethod
    def from_arguments(cls, description: str | None) -> Run:
        """Reads the command line."""
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("mode", choices=MODES)
        parser.add_argument("folder", type=Path, help="for checkpoint and results")
        parser.add_argument("--data", type=Path, default=flights.DATA)
        parser.add_argument("--kill-step", type=int, default=KILL_STEP)
        parser.add_argument("--checkpoint-steps", type=int, default=CHECKPOINT_STEPS)
        arguments = parser.parse_args()
        training, test = flights.split(arguments.data)
        return cls(
            arguments.mode,
            arguments.folder,
            rowfeed.Catalog.open(training),
            rowfeed.Catalog.open(test),
            arguments.kill_step,
            arguments.checkpoint_steps,
        )

    @property
    def checkpoint(self) -> Path:
        """Path of the checkpoint, which "killed" writes and "resumed" reads."""
        return self.folder / "checkpoint"

    def finish(self, arrays: Iterable[Any], order: int, test_loss: float) -> None:
        """Writes the results of a training that came to its end.

        Args:
            arrays: Weights, and the state of the optimizer.
            order: Hash of the rows in the order in which they were trained on.
            test_loss: Mean loss of the rows of the test files.
        """
        with (self.folder / f"{self.mode}.npz").open("wb") as file:
            np.savez(
                file,
                *map(np.asarray, arrays),
                order=np.int64(order),
                test_loss=test_loss,
            )

    def progress(self) -> Progress:
        """Returns the progress bar of this run."""
        columns = [*flights.OPTIONS["columns"], flights.OPTIONS["label"]]
        return Progress(
            self.mode,
            num_rows=self.training.num_rows,
            batch_size=flights.BATCH_SIZE,
            epochs=flights.EPOCHS,
            row_bytes=loader.row_bytes(self.training, columns),
        )

    def is_checkpoint(self, step: int) -> bool:
        """Returns whether a checkpoint is due when `step` steps are done."""
        return self.mode == "killed" and step % self.checkpoint_steps == 0

    def survive(self, step: int, progress: Progress) -> None:
        """Kills this process at once if its mode is "killed" and `step` is the one."""
        if self.mode == "killed" and step == self.kill_step:
            progress.report(f"killed after step {step}")
            os.kill(os.getpid(), signal.SIGKILL)
