# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`fit` of a small model with TensorFlow, which notes the rows of each step."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from random import Random
from typing import Any

import keras
import tensorflow as tf
from tests.simulation.rows import ids_of
from tests.soak.loops import Ids
from tests.soak.tf_data import in_numpy

face = "tensorflow"
has_rows = False
state_is_exact = False  # `fit` reads ahead.


class _LeftError(Exception):
    """Leaves `fit` in the middle."""


class _Noting(keras.Model):  # type: ignore[misc]
    """Learns one weight, and notes which rows each step was given."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = keras.layers.Dense(1)
        self.noted: list[Ids] = []
        self.leaves_after: int | None = None

    def call(self, number: tf.Tensor) -> tf.Tensor:
        return self.dense(number)

    def train_step(self, features: dict[str, tf.Tensor]) -> dict[str, tf.Tensor]:
        if len(self.noted) == self.leaves_after:
            raise _LeftError
        self.noted.append(ids_of(in_numpy(features)))
        with tf.GradientTape() as tape:
            number = tf.cast(features["id"], tf.float32)[:, None] / 1000
            loss = tf.reduce_mean((self(number) - 1) ** 2)
        weights = self.trainable_variables
        self.optimizer.apply_gradients(
            zip(tape.gradient(loss, weights), weights, strict=True)
        )
        return {"loss": loss}


_made: list[_Noting] = []  # The model, which all trainings of the process share.


def _model() -> _Noting:
    if not _made:
        model = _Noting()
        model(tf.zeros((1, 1)))
        model.compile("sgd", run_eagerly=True)
        _made.append(model)
    return _made[0]


def passes(
    dataset: Any,
    rng: Random,  # noqa: ARG001
    stop: int | None,
    kill_after: int | None,  # noqa: ARG001
) -> Generator[Ids, None, None]:
    """Yields the ids of each batch of one epoch of `fit`; see `Loader.passes`.

    `fit` has ended before the first batch is yielded.
    """
    model = _model()
    model.noted, model.leaves_after = [], stop
    with suppress(_LeftError):
        model.fit(dataset, epochs=1, shuffle=False, verbose=0)
    yield from model.noted
