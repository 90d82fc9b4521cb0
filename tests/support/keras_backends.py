# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What Keras trains on under its backends: run by test_keras_backends.py.

    KERAS_BACKEND=jax python keras_backends.py DATA RESULT

The loss is the label, so that the mean loss of a step tells which rows it was given.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

# First: Keras asks for TensorFlow's data sets under every backend.
import tensorflow as tf

# isort: split
import keras
import numpy as np
import torch.utils.data

import rowfeed.torch
from rowfeed.keras import StartAt
from rowfeed.tensorflow import ParquetDataset

OPTIONS: dict[str, Any] = {
    "columns": ["id"],
    "label": "half",
    "shuffle": True,
    "seed": 7,
    "remainder": "drop",
}
BATCH_SIZE = 8
EPOCH, STEP = 0, 5  # Position of the state that is loaded.


class Steps(keras.callbacks.Callback):  # type: ignore[misc]
    """Notes the mean label of each step."""

    def __init__(self) -> None:
        super().__init__()
        self.means: list[float] = []

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        self._sum, self._count = 0.0, 0

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
        total = float(logs["loss"]) * (self._count + 1)
        self.means.append(total - self._sum)
        self._sum, self._count = total, self._count + 1

    def on_test_begin(self, logs: Any = None) -> None:  # noqa: ARG002
        self._sum, self._count = 0.0, 0

    on_test_batch_end = on_train_batch_end


def label_of(y: Any, prediction: Any) -> Any:
    return keras.ops.cast(y, "float32") + 0 * prediction[:, 0]


def model() -> Any:
    number = keras.Input((1,), name="id")
    scaled = keras.ops.cast(number, "float32") / 1000
    made = keras.Model([number], keras.layers.Dense(1)(scaled))
    made.compile("sgd", label_of, jit_compile=False)
    return made


class HalfOfId(keras.Model):  # type: ignore[misc]
    """Predicts the label of each row, and is not built until it is called."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = keras.layers.Dense(1)

    def call(self, features: Any) -> Any:
        number = keras.ops.cast(features["id"], "float32")
        number = keras.ops.expand_dims(number, -1)
        return number / 2 + 0 * self.dense(number)


def dataset() -> Any:
    return ParquetDataset(sys.argv[1], BATCH_SIZE, **OPTIONS)


def of_torch() -> Any:
    return rowfeed.torch.ParquetDataset(sys.argv[1], BATCH_SIZE, **OPTIONS)


def loaded(made: Any) -> Any:
    made.load_state_dict(made.state_at(EPOCH, STEP))
    return made


def loader(made: Any) -> Any:
    return torch.utils.data.DataLoader(made, batch_size=None)


def mapped(made: Any) -> Any:
    return made.map(lambda x, y: ({"id": x["id"] * 2}, y))


def features_of(made: Any) -> Any:
    return made.map(lambda x, _: x)


def fit(data: Any, *callbacks: Any, epochs: int = 2, **keywords: Any) -> list[float]:
    steps = Steps()
    model().fit(
        data,
        epochs=epochs,
        verbose=0,
        shuffle=False,
        callbacks=[steps, *callbacks],
        **keywords,
    )
    return steps.means


def evaluate(data: Any, *callbacks: Any) -> list[float]:
    steps = Steps()
    model().evaluate(data, verbose=0, callbacks=[steps, *callbacks])
    return steps.means


def predict(data: Any, *callbacks: Any, is_built: bool = False) -> list[float]:
    """Returns the mean prediction of each step, which is its mean label."""
    made = HalfOfId()
    if is_built:
        made({"id": np.zeros(1, np.int64)})
    rows = made.predict(data, verbose=0, callbacks=list(callbacks))
    return [float(mean) for mean in rows.reshape(-1, BATCH_SIZE).mean(axis=1)]


def predict_with_start(
    made: Any, of: Callable[[Any], Any] = lambda made: made
) -> list[float]:
    return predict(of(made), StartAt(of(made)))


def after(act: Callable[[Any], object], made: Any) -> list[float]:
    """Trains where the dataset stands when something has been done with it."""
    act(made)
    return fit(made, StartAt(made), epochs=1)


def adapt(made: Any) -> None:
    features = made.map(lambda x, _: tf.cast(x["id"], tf.float32)[:, None])
    keras.layers.Normalization().adapt(features)


def take_one(made: Any) -> None:
    next(iter(made))


def break_off(made: Any) -> None:
    for _ in made:
        break


def with_start(made: Any, of: Callable[[Any], Any] = lambda made: made) -> list[float]:
    return fit(of(made), StartAt(of(made)))


def twice(made: Any) -> list[float]:
    start = StartAt(made)
    return fit(made, start, epochs=1) + fit(made, start, epochs=1)


def set_between(made: Any) -> list[float]:
    start = StartAt(made)
    first = fit(made, start, epochs=1)
    loaded(made)
    return first + fit(made, start, epochs=1)


SCENARIOS: dict[str, Callable[[], list[float]]] = {
    "fit": lambda: fit(dataset()),
    "fit, start": lambda: with_start(dataset()),
    "fit, loaded": lambda: fit(loaded(dataset())),
    "fit of map, loaded": lambda: fit(mapped(loaded(dataset()))),
    "fit of loader, loaded": lambda: fit(loader(loaded(of_torch()))),
    "fit, loaded, start": lambda: with_start(loaded(dataset())),
    "fit of map, loaded, start": lambda: with_start(loaded(dataset()), mapped),
    "fit of loader, start": lambda: with_start(of_torch(), loader),
    "fit of loader, loaded, start": lambda: with_start(loaded(of_torch()), loader),
    "fit, set_epoch": lambda: fit(at_epoch(dataset(), 3)),
    "fit, set_epoch, start": lambda: with_start(at_epoch(dataset(), 3)),
    "fit, state, start": lambda: given_state(dataset()),
    "fit twice, start": lambda: twice(dataset()),
    "fit, load, fit, start": lambda: set_between(dataset()),
    "evaluate, loaded": lambda: evaluate(loaded(dataset())),
    "evaluate, loaded, start": lambda: evaluate_with_start(loaded(dataset())),
    "validation, start": lambda: validated(loaded(dataset())),
    "predict": lambda: predict(dataset()),
    "predict, built": lambda: predict(dataset(), is_built=True),
    "predict, start": lambda: predict_with_start(dataset()),
    "predict, loaded": lambda: predict(loaded(dataset())),
    "predict, set_epoch": lambda: predict(at_epoch(dataset(), 3)),
    "predict of map, loaded": lambda: predict(features_of(loaded(dataset()))),
    "predict of loader, loaded": lambda: predict(loader(loaded(of_torch()))),
    "predict, loaded, built": lambda: predict(loaded(dataset()), is_built=True),
    "predict, loaded, start": lambda: predict_with_start(loaded(dataset())),
    "predict of map, loaded, start": lambda: predict_with_start(
        loaded(dataset()), features_of
    ),
    "predict of loader, loaded, start": lambda: predict_with_start(
        loaded(of_torch()), loader
    ),
    "predict, loaded, start, fit": lambda: after(predict_with_start, loaded(dataset())),
    "adapt, fit": lambda: after(adapt, dataset()),
    "adapt, loaded, fit": lambda: after(adapt, loaded(dataset())),
    "next, fit": lambda: after(lambda made: next(iter(made)), dataset()),
    "next, loaded, fit": lambda: after(
        lambda made: next(iter(made)), loaded(dataset())
    ),
    "break, fit": lambda: after(break_off, dataset()),
    "break, loaded, fit": lambda: after(break_off, loaded(dataset())),
    "one step": lambda: one_step(dataset()),
    "one step, loaded": lambda: one_step(loaded(dataset())),
}


def at_epoch(made: Any, epoch: int) -> Any:
    made.set_epoch(epoch)
    return made


def given_state(made: Any) -> list[float]:
    start = StartAt(made, made.state_at(EPOCH, STEP))
    return fit(made, start)


def evaluate_with_start(made: Any) -> list[float]:
    return evaluate(made, StartAt(made))


def validated(made: Any) -> list[float]:
    """Validation takes epochs of its own, and moves no place of the training."""
    steps = Steps()
    model().fit(
        made,
        epochs=2,
        verbose=0,
        shuffle=False,
        validation_data=dataset(),
        callbacks=[Training(steps), StartAt(made)],
    )
    return steps.means


class Training(keras.callbacks.Callback):  # type: ignore[misc]
    """Passes the steps of the training on, and not those of validation."""

    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self.on_epoch_begin = steps.on_epoch_begin
        self.on_train_batch_end = steps.on_train_batch_end


def one_step(made: Any) -> list[float]:
    """Keras goes on with one iterator where it is told the steps of an epoch."""
    return fit(made, StartAt(made), epochs=3, steps_per_epoch=1)


def refusals() -> dict[str, str]:
    import rowfeed.keras

    found = {}
    for name in rowfeed.keras.__all__:
        try:
            getattr(rowfeed.keras, name)
        except ImportError as error:
            found[name] = str(error)
    return found


def main() -> None:
    results: dict[str, Any] = {"refusals": refusals()}
    for name, run in SCENARIOS.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            means = run()
        said = [str(w.message) for w in caught if "StartAt" in str(w.message)]
        results[name] = {"means": means, "said": said}
    Path(sys.argv[2]).write_text(json.dumps(results))


if __name__ == "__main__":
    main()
