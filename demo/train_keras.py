# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A Keras training that can be killed: `python -m demo.train_keras MODE FOLDER`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import numpy as np
import tensorflow as tf

from demo import flights, order
from demo.progress import Progress
from demo.run import Run
from rowfeed.tensorflow import ParquetDataset

LADDER = order.powers(flights.BATCH_SIZE)


class Model(keras.Model):  # type: ignore[misc]
    """A functional model that also hashes the rows in the order trained on."""

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
    model.optimizer.build(model.trainable_variables)
    return model


def variables(model: Model) -> list[Any]:
    """Returns all that a training changes; `save_weights` leaves out Dropout's seed."""
    return [*model.variables, *model.optimizer.variables]


def save(path: Path, model: Model, dataset_state: dict[str, Any]) -> None:
    """Writes a checkpoint: the old one or the whole new one is there."""
    temporary = path.with_suffix(".tmp.npz")
    arrays = [np.asarray(variable) for variable in variables(model)]
    np.savez(temporary, *arrays, dataset=json.dumps(dataset_state))
    temporary.rename(path)


def load(path: Path, model: Model) -> dict[str, Any]:
    """Reads a checkpoint into the model and returns the dataset's state in it."""
    with np.load(path) as arrays:
        for index, variable in enumerate(variables(model)):
            variable.assign(arrays[f"arr_{index}"])
        state: dict[str, Any] = json.loads(str(arrays["dataset"]))
    return state


class Watch(keras.callbacks.Callback):  # type: ignore[misc]
    """Shows progress, writes checkpoints, and kills the process if told so."""

    def __init__(self, run: Run, dataset: ParquetDataset, progress: Progress) -> None:
        """Remembers whom to tell."""
        super().__init__()
        self._run, self._dataset, self._progress = run, dataset, progress

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
        """Looks at where the training is; the optimizer counts the steps."""
        step = int(self.model.optimizer.iterations)
        self._progress.reach(step, logs["loss"])
        if self._run.is_checkpoint(step):
            # `fit` pulls ahead of the training, so the dataset's own position need not
            # be the model's; that follows from the steps done.
            state = self._dataset.state_at(*divmod(step, len(self._dataset)))
            save(self._run.checkpoint, self.model, state)
        self._run.survive(step, self._progress)


def prepare(features: dict[str, Any], delay: tf.Tensor) -> Any:
    """Makes the model's inputs of a batch: `ParquetDataset.map` does it in TF."""
    features["weekday"] = flights.weekday(features.pop("time_hour"))
    return features, delay > flights.LATE_MINUTES


def fit(model: Model, dataset: ParquetDataset, watch: Watch) -> None:
    """Trains what is left of all epochs: an iteration of the dataset is an epoch."""
    batches = dataset.map(prepare)
    quietly = {"callbacks": [watch], "verbose": 0, "shuffle": False}
    steps = len(dataset)
    epoch, step = divmod(int(model.optimizer.iterations), steps)
    if step:  # The rest of an epoch that was begun before.
        model.fit(
            batches,
            initial_epoch=epoch,
            epochs=epoch + 1,
            steps_per_epoch=steps - step,
            **quietly,
        )
        epoch += 1
    model.fit(batches, initial_epoch=epoch, epochs=flights.EPOCHS, **quietly)


def main() -> None:
    """Trains as the command line says."""
    # One thread of the CPU adds in one order: equal to the last bit.
    tf.config.set_visible_devices([], "GPU")
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    run = Run.from_arguments(__doc__)
    model = make_model()
    dataset = ParquetDataset(run.training, **flights.OPTIONS)
    if run.mode == "resumed":
        dataset.load_state_dict(load(run.checkpoint, model))
    with run.progress() as progress:
        progress.start(int(model.optimizer.iterations))
        fit(model, dataset, Watch(run, dataset, progress))
    test = ParquetDataset(run.test, **flights.TEST_OPTIONS).map(prepare)
    test_loss = model.evaluate(test, verbose=0)
    run.finish(variables(model), np.asarray(model.order).item(), test_loss)


if __name__ == "__main__":
    main()
