# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A Keras training that can be killed: `python -m demo.train_keras MODE FOLDER`."""

from __future__ import annotations

import os
from typing import Any

os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import numpy as np
import tensorflow as tf

from demo import flights, order
from demo.progress import Progress
from demo.run import Run
from rowfeed.keras import BackupAndRestore
from rowfeed.tensorflow import ParquetDataset

LADDER = order.powers(flights.BATCH_SIZE)


class Model(keras.Model):  # type: ignore[misc]
    """A functional model that also hashes the order of the rows it is trained on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Adds the hash to the variables, so that checkpoints hold it."""
        super().__init__(*args, **kwargs)
        self.order = self.add_weight(
            (1,), "zeros", "int64", trainable=False, name="order"
        )

    def train_step(self, data: Any) -> Any:
        """Trains on one batch."""
        features, late = dict(data[0]), data[1]
        rows = tf.cast(features.pop("row"), tf.int64)
        ladder = tf.constant(LADDER)[-tf.size(rows) :]
        self.order.assign(order.extend(self.order, rows, ladder, tf.reduce_sum))
        return super().train_step((features, late))


def make_model() -> Model:
    """Returns a compiled model: hashed strings, embeddings and two layers."""
    keras.utils.set_random_seed(flights.SEED)
    numbers = [keras.Input((), name=name) for name in flights.NUMBERS]
    strings = [keras.Input((), dtype="string", name=name) for name in flights.STRINGS]
    scaled = [keras.layers.Rescaling(1 / flights.SCALES[n.name])(n) for n in numbers]
    parts = [keras.ops.stack(scaled, axis=-1)]
    for text in strings:
        bins = 4096 if text.name == "tailnum" else 512
        hashed = keras.layers.Hashing(bins)(text)
        parts.append(keras.layers.Embedding(bins, 8)(hashed))
    hidden = keras.layers.Dense(64, "relu")(keras.layers.concatenate(parts))
    hidden = keras.layers.Dropout(0.1)(hidden)
    late = keras.layers.Dense(1, "sigmoid")(hidden)
    model = Model({i.name: i for i in (*numbers, *strings)}, late)
    model.compile("adam", "binary_crossentropy", jit_compile=False)
    return model


class Watch(keras.callbacks.Callback):  # type: ignore[misc]
    """Shows progress, and kills the process if that is its mode."""

    def __init__(self, run: Run, progress: Progress) -> None:
        """Makes the callback, which tells `run` and `progress` of each step."""
        super().__init__()
        self._run, self._progress = run, progress
        self._started = False

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        """Starts the clock at the first epoch, after a backup has been restored."""
        if not self._started:
            self._progress.start(int(self.model.optimizer.iterations))
            self._started = True

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
        """Reports the number of steps done, which the optimizer counts."""
        step = int(self.model.optimizer.iterations)
        self._progress.reach(step, logs["loss"])
        self._run.survive(step, self._progress)


def prepare(features: dict[str, Any], delay: tf.Tensor) -> Any:
    """Returns the model's inputs for a batch; `ParquetDataset.map` runs it in TF."""
    features["weekday"] = flights.weekday(features.pop("time_hour"))
    return features, delay > flights.LATE_MINUTES


def main() -> None:
    """Trains as the command line says."""
    # One thread of the CPU adds in one order, so that results are equal bit for bit.
    tf.config.set_visible_devices([], "GPU")
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    run = Run.from_arguments(__doc__)
    model = make_model()
    dataset = ParquetDataset(run.training, **flights.OPTIONS)
    callbacks: list[keras.callbacks.Callback] = []
    if run.mode != "uninterrupted":
        every_steps = run.checkpoint_steps
        backup = BackupAndRestore(run.checkpoint, dataset, every_steps=every_steps)
        callbacks.append(backup)
    with run.progress() as progress:
        model.fit(
            dataset.map(prepare),
            epochs=flights.EPOCHS,
            callbacks=[Watch(run, progress), *callbacks],
            verbose=0,
            shuffle=False,
        )
    test = ParquetDataset(run.test, **flights.TEST_OPTIONS).map(prepare)
    test_loss = model.evaluate(test, verbose=0)
    variables = [*model.variables, *model.optimizer.variables]
    run.finish(variables, np.asarray(model.order).item(), test_loss)


if __name__ == "__main__":
    main()
