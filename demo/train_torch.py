# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A PyTorch training that can be killed: `python -m demo.train_torch MODE FOLDER`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn

from demo import flights, order
from demo.run import Run
from rowfeed.torch import ParquetDataset


class Model(nn.Module):
    """A model of whether a flight will be late: embeddings and two layers."""

    def __init__(self) -> None:
        """Makes the layers."""
        super().__init__()
        # A column of strings is a Ragged of bytes, and its values and offsets are what
        # an EmbeddingBag takes: a string is embedded as the sum of its letters.
        self.strings = nn.ModuleDict(
            {
                name: nn.EmbeddingBag(256, 16, mode="sum", include_last_offset=True)
                for name in flights.STRINGS
            }
        )
        width = 16 * len(flights.STRINGS) + len(flights.NUMBERS)
        self.layers = nn.Sequential(
            *(nn.Linear(width, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 1))
        )

    def forward(self, features: dict[str, Any]) -> torch.Tensor:
        """Returns the logits, one for each row."""
        features = {**features, "weekday": flights.weekday(features["time_hour"])}
        numbers = [features[n] / flights.SCALES[n] for n in flights.NUMBERS]
        strings = [
            embed(features[name].values.int(), features[name].offsets.int())
            for name, embed in self.strings.items()
        ]
        inputs = torch.cat([torch.stack(numbers, 1), *strings], 1)
        logits: torch.Tensor = self.layers(inputs)
        return logits.squeeze(1)


class Training:
    """A training, with all that a checkpoint holds."""

    def __init__(self) -> None:
        """Makes a new training, with the same weights every time."""
        torch.manual_seed(flights.SEED)
        self.model = Model()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.step_index = 0
        self.order = order.start()  # The hash of the rows trained on.
        self._ladder = order.powers(flights.BATCH_SIZE)

    def step(self, features: dict[str, Any], delay: torch.Tensor) -> float:
        """Trains on one batch and returns its loss."""
        loss = self.loss(features, delay)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        rows = features["row"].numpy()
        self.order = order.extend(self.order, rows, self._ladder[-len(rows) :])
        self.step_index += 1
        return loss.item()

    def loss(self, features: dict[str, Any], delay: torch.Tensor) -> torch.Tensor:
        """Returns the mean loss of one batch."""
        late = (delay > flights.LATE_MINUTES).float()
        return nn.functional.binary_cross_entropy_with_logits(
            self.model(features), late
        )

    @torch.no_grad()
    def test(self, dataset: ParquetDataset) -> float:
        """Returns the mean loss of all rows of a dataset, without Dropout."""
        self.model.eval()
        losses = [(self.loss(*batch).item(), len(batch[1])) for batch in dataset]
        return sum(loss * rows for loss, rows in losses) / sum(n for _, n in losses)

    def save(self, path: Path, dataset_state: dict[str, Any]) -> None:
        """Writes the checkpoint; it replaces the old one in a single step."""
        checkpoint = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "dataset": dataset_state,
            "step": self.step_index,
            "order": torch.from_numpy(self.order),
        }
        torch.save(checkpoint, path.with_suffix(".tmp"))
        path.with_suffix(".tmp").rename(path)

    def load(self, path: Path) -> dict[str, Any]:
        """Reads a checkpoint and returns the dataset's state in it."""
        checkpoint = torch.load(path)
        self.model.load_state_dict(checkpoint["model"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])
        torch.set_rng_state(checkpoint["random"])
        self.step_index = checkpoint["step"]
        self.order = checkpoint["order"].numpy()
        state: dict[str, Any] = checkpoint["dataset"]
        return state

    def arrays(self) -> Iterator[torch.Tensor]:
        """Yields the weights, and Adam's state of each."""
        for parameter in self.model.parameters():
            yield parameter.detach()
            yield from self.optimizer.state[parameter].values()


def main() -> None:
    """Trains as the command line says."""
    torch.set_num_threads(1)  # One thread adds in one order: equal bit for bit.
    run = Run.from_arguments(__doc__)
    training = Training()
    dataset = ParquetDataset(run.training, **flights.OPTIONS, num_epochs=flights.EPOCHS)
    if run.mode == "resumed":
        dataset.load_state_dict(training.load(run.checkpoint))
    with run.progress() as progress:
        progress.start(training.step_index)
        batches = iter(dataset)
        for features, delay in batches:
            loss = training.step(features, delay)
            progress.reach(training.step_index, loss)
            if run.is_checkpoint(training.step_index):
                training.save(run.checkpoint, batches.state_dict())
            run.survive(training.step_index, progress)
    test_loss = training.test(ParquetDataset(run.test, **flights.TEST_OPTIONS))
    run.finish(training.arrays(), training.order.item(), test_loss)


if __name__ == "__main__":
    main()
