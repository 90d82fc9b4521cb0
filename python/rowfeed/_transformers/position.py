# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The position in the data, in the checkpoints of a Trainer of Hugging Face."""

from __future__ import annotations

from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState
from transformers import TrainingArguments as Arguments
from transformers.trainer_callback import ExportableState

from rowfeed._native import core
from rowfeed._state.state import State
from rowfeed._torch.loader import Loader


class RowfeedPosition(TrainerCallback, ExportableState):  # type: ignore[misc]
    """Saves the position in the data in checkpoints, and goes on from there.

    A Trainer saves the `state` of each such callback, under the name of its class.
    """

    def __init__(self) -> None:
        """Makes the callback, before the Trainer has a loader."""
        self._dataset: Any = None  # The dataset that is trained on.
        self.position: State | None = None  # Set where a Trainer restores callbacks.

    def state(self) -> dict[str, Any]:
        """Returns what a checkpoint holds: the state of the dataset."""
        position = None if self._dataset is None else self._dataset.state_dict()
        return {"args": {}, "attributes": {"position": position}}

    def on_train_begin(
        self,
        args: Arguments,
        state: TrainerState,
        control: TrainerControl,  # noqa: ARG002
        **kwargs: Any,
    ) -> None:
        """Sets the epoch in which a Trainer resumes.

        The Trainer then skips the first steps of that epoch, as it counts them.

        Raises:
            ValueError: The checkpoint was saved at another place than the Trainer
                counts, or over other data or another order.
        """
        loader = kwargs.get("train_dataloader")
        self._dataset = loader.dataset if isinstance(loader, Loader) else None
        # A Trainer fails to save what the checkpoint did not have.
        nothing = {"args": {}, "attributes": {"position": None}}
        saved = state.stateful_callbacks.setdefault(type(self).__name__, nothing)
        if self._dataset is None or args.ignore_data_skip:
            return
        if not 0 < state.global_step < state.max_steps:  # It begins, or has ended.
            return
        steps = state.max_steps  # A Trainer takes endless data for one epoch.
        if self._dataset._parameters.num_batches_from(0) is not None:
            accumulated = args.gradient_accumulation_steps
            steps = max(-(-len(self._dataset) // accumulated), 1)
        epoch, step = divmod(state.global_step, steps)
        step *= args.gradient_accumulation_steps
        position = saved["attributes"]["position"]
        if position is not None:
            self._check(position, epoch, step)
        self._dataset.set_epoch(epoch)

    def _check(self, position: State, epoch: int, step: int) -> None:
        """Checks that a step of an epoch is the place of a checkpoint."""
        dataset = self._dataset
        # More accumulated gradients make up for fewer rows in a batch.
        global_batch = dataset._parameters.stream.delivery.global_batch
        dataset.load_state_dict({**position, "global_batch": global_batch})
        saved: core.Progress = dataset._after(0, dataset._next_place())
        if dataset._parameters.steps_in(saved.epoch, saved.row) == 0:
            saved = core.Progress(saved.next_epoch, 0, saved.next_epoch + 1, 0)
        dataset.set_epoch(epoch)
        counted: core.Progress = dataset._after(step, dataset._next_place())
        if (saved.epoch, saved.row) != (counted.epoch, counted.row):
            raise ValueError(
                f"resume_from_checkpoint: the checkpoint was saved at row {saved.row} "
                f"of epoch {saved.epoch}, but the Trainer would go on at row "
                f"{counted.row} of epoch {counted.epoch}, as it counts steps, and a "
                "step has another number of rows now: choose "
                "per_device_train_batch_size and gradient_accumulation_steps so that "
                "their product, times the number of processes, is what it was"
            )
