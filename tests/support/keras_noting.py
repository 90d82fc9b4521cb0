# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Models that note their rows, and trainings of them that die, within one process."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import pytest
import tensorflow as tf

from rowfeed.keras import BackupAndRestore
from tf_numbers import ids, make

BATCH_SIZE = 16
EPOCHS = 3


class Died(Exception):
    """Stands for a kill where one process is enough."""


class Noting(keras.Model):  # type: ignore[misc]
    """Notes which rows each step was given."""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self.rows: list[list[int]] = []

    def note(self, rows: tf.Tensor) -> None:
        self.rows.append(rows.numpy().tolist())

    def taken(self) -> list[int]:
        return list(itertools.chain.from_iterable(self.rows))

    def train_step(self, data: Any) -> Any:
        tf.py_function(self.note, [data[0]], [])
        return super().train_step(data)


def noting(units: int = 1, **keywords: Any) -> Noting:
    number = keras.Input((), dtype="int64")
    scaled = keras.ops.cast(number, "float32")[:, None] / 1000
    model = Noting(number, keras.layers.Dense(units)(scaled))
    model.compile(optimizer="sgd", loss="mse", **keywords)
    return model


def labelled(path: Path, **keywords: Any) -> Any:
    return make(path, **{"label": "half", "remainder": "drop", **keywords})


def inputs(x: dict[str, Any], y: Any) -> Any:
    return x["id"], y


def fit(model: Any, dataset: Any, *callbacks: Any, **keywords: Any) -> Any:
    return model.fit(
        dataset.map(inputs),
        **{"epochs": EPOCHS, "shuffle": False, "verbose": 0, **keywords},
        callbacks=list(callbacks),
    )


def at_step(step: int, action: Callable[[], None], epoch: int = 1) -> Any:
    """Returns a callback that acts after a step of an epoch of `fit`."""
    now = [0]

    def act(batch: int, logs: Any) -> None:  # noqa: ARG001
        if (now[0], batch + 1) == (epoch, step):
            action()

    return keras.callbacks.LambdaCallback(
        on_epoch_begin=lambda epoch, logs: now.__setitem__(0, epoch),  # noqa: ARG005
        on_train_batch_end=act,
    )


def die() -> None:
    raise Died


def die_within_an_epoch(
    folder: Path, path: Path, *callbacks: Any, **options: Any
) -> Any:
    """Leaves a backup after step 8 of epoch 1; returns the model at step 10."""
    model, dataset = noting(), labelled(path)
    backup = BackupAndRestore(folder, dataset, **{"every_steps": 4, **options})
    with pytest.raises(Died):
        fit(model, dataset, *callbacks, at_step(10, die), backup)
    return model


def epochs_of(path: Path, first: int = 0) -> list[list[int]]:
    dataset = labelled(path, first_epoch=first)
    return [ids(dataset) for _ in range(EPOCHS)]


def rest_of(path: Path, row: int = 8 * BATCH_SIZE) -> list[int]:
    """Returns the rows from a row of epoch 1 on."""
    _, second, third = epochs_of(path)
    return second[row:] + third
