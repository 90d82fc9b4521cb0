# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What Keras does with `rowfeed.keras.Loader`, and what is refused.

    KERAS_BACKEND=jax python keras_loading.py DATA RESULT

It is run by test_keras_loader.py, and TensorFlow cannot be imported in it. The loss is
the label, so that the loss of an epoch is the mean label of its rows.
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.modules["tensorflow"] = None  # type: ignore[assignment]

import keras  # noqa: E402
import numpy as np  # noqa: E402
import torch.utils.data  # noqa: E402

import rowfeed  # noqa: E402
import rowfeed.keras  # noqa: E402
import rowfeed.torch  # noqa: E402
from rowfeed.keras import BackupAndRestore, Loader, StartAt  # noqa: E402

DATA, RESULT = Path(sys.argv[1]), Path(sys.argv[2])
BATCH_SIZE = 16
OPTIONS: dict[str, Any] = {
    "columns": [rowfeed.Column("id", dtype="int32")],
    "label": "half",
    "shuffle": True,
    "seed": 7,
    "remainder": "drop",
}


class Counted(keras.callbacks.Callback):  # type: ignore[misc]
    """Counts the steps of each epoch."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[int] = []

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        self.steps.append(0)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
        self.steps[-1] += 1


def label_of(y: Any, prediction: Any) -> Any:
    return keras.ops.cast(y, "float32") + 0 * prediction[:, 0]


def model() -> Any:
    number = keras.Input((1,), name="id")
    scaled = keras.ops.cast(number, "float32") / 1000
    made = keras.Model([number], keras.layers.Dense(1)(scaled))
    made.compile("sgd", label_of)
    return made


def rows(**options: Any) -> Any:
    return rowfeed.ParquetDataset(DATA, **{"batch_size": 16, **OPTIONS, **options})


def of_torch(**options: Any) -> Any:
    found = {"batch_size": BATCH_SIZE, **OPTIONS, **options}
    return rowfeed.torch.ParquetDataset(DATA, **found)


def fit(data: Any, *callbacks: Any, epochs: int = 2, **keywords: Any) -> Any:
    """Returns the losses of the epochs, and the number of their steps."""
    counted = Counted()
    options = {"epochs": epochs, "verbose": 0, "shuffle": False, **keywords}
    history = model().fit(data, callbacks=[counted, *callbacks], **options)
    return history.history["loss"], counted.steps


def backup(data: Any) -> Any:
    return BackupAndRestore(tempfile.mkdtemp(), data, every_steps=4)


def begun_at(epoch: int, step: int) -> Any:
    data = rows()
    data.load_state_dict(data.state_at(epoch, step))
    return fit(Loader(data), StartAt(Loader(data)))


def looking(data: Any) -> Any:
    """Returns a callback that takes a batch of a dataset as each epoch begins."""
    return keras.callbacks.LambdaCallback(on_epoch_begin=lambda *_: next(iter(data)))


def looked_at(data: Any, given: Any, *, is_last: bool) -> Any:
    saves = backup(data)
    order = [looking(data), saves] if is_last else [saves, looking(data)]
    return fit(given, *order)


def predicted() -> list[int]:
    """Returns the ids of an epoch, which the model predicts."""
    number = keras.Input((1,), dtype="int32", name="id")
    same = keras.Model([number], keras.ops.cast(number, "float32"))
    data = rows(shuffle=False, remainder="uneven")
    return [int(i) for i in same.predict(Loader(data), verbose=0).ravel()]


class Same(keras.Model):  # type: ignore[misc]
    """A model that is built by the first batch that it sees."""

    def call(self, inputs: Any) -> Any:
        return keras.ops.cast(inputs["id"], "float32")


def predicted_by_a_new_model() -> list[int]:
    """Returns the ids that the first call predicts, of shuffled rows."""
    predicted = Same().predict(Loader(rows(remainder="uneven")), verbose=0)
    return [int(i) for i in predicted.ravel()]


def mixture(**options: Any) -> Any:
    sources = [rows(num_epochs=1), rows(num_epochs=1)]
    return rowfeed.mix(sources, **{"weights": [1, 1], **options})


def generator(data: Any) -> Iterator[Any]:
    yield from data


def of_wide_numbers(*, in_a_list: bool) -> Any:
    def widened(element: Any) -> Any:
        features, label = element
        wide = features["id"].astype(np.int64) + 2**40
        return [wide] if in_a_list else {"id": wide}, label

    return fit(Loader(rows(transform=widened)))


def with_another(data: Any, given: Any) -> Any:
    return fit(given, backup(data))


WORKS: dict[str, Callable[[], Any]] = {
    "fit": lambda: fit(Loader(rows())),
    "fit, start": lambda: (lambda data: fit(data, StartAt(data)))(Loader(rows())),
    "fit, loaded, start": lambda: begun_at(1, 10),
    "fit, mixture": lambda: fit(Loader(mixture()), epochs=1)[1],
    "predict": predicted,
    "predict, not built": predicted_by_a_new_model,
    "looked at before": lambda: (
        lambda data: looked_at(data, Loader(data), is_last=True)
    )(rows()),
}
REFUSED: dict[str, Callable[[], Any]] = {
    "looked at afterwards": lambda: (
        lambda data: looked_at(data, Loader(data), is_last=False)
    )(rows()),
    "another dataset": lambda: with_another(rows(), Loader(rows())),
    "a generator": lambda: (lambda data: with_another(data, generator(data)))(rows()),
    "a list": lambda: backup([1, 2]),
    "steps": lambda: (lambda data: fit(Loader(data), backup(data), steps_per_epoch=3))(
        rows()
    ),
    "epochs of the dataset": lambda: backup(Loader(rows(num_epochs=2))),
    "ranks": lambda: backup(Loader(rows(rank=0, world_size=2, num_lanes=2))),
    "mixture": lambda: backup(Loader(mixture())),
    "batches of batches": lambda: backup(
        torch.utils.data.DataLoader(of_torch(), batch_size=2)
    ),
    "workers": lambda: backup(
        torch.utils.data.DataLoader(of_torch(), batch_size=None, num_workers=2)
    ),
    "loader of torch": lambda: Loader(of_torch()),
    "loader of a list": lambda: Loader([1, 2]),
    "single rows": lambda: Loader(rows(batch_size=None, remainder="uneven")),
    "growing": lambda: Loader(
        rows(refresh="epoch", snapshot_dir=tempfile.mkdtemp(), remainder="pad")
    ),
    "weights that change": lambda: Loader(
        mixture(weights={0: [1, 1], 1: [1, 2]}, stop="all_exhausted")
    ),
    "class weights": lambda: fit(Loader(rows()), class_weight={0: 1.0, 1: 2.0}),
    "labels": lambda: fit(Loader(rows()), y=np.zeros(16)),
    "ragged": lambda: fit(Loader(rows(columns=["id", "name"]))),
    "wide numbers": lambda: of_wide_numbers(in_a_list=False),
    "wide numbers in a list": lambda: of_wide_numbers(in_a_list=True),
    "inputs": lambda: rowfeed.keras.inputs,
    "statistics": lambda: rowfeed.keras.TensorBoardStats,
}


def refusal(run: Callable[[], Any]) -> Any:
    """Returns the type and the text of an error; None and the result without one."""
    try:
        return None, run()
    except Exception as error:
        return type(error).__name__, str(error)


def main() -> None:
    warnings.simplefilter("error")
    # Keras says so at the end of an epoch that begins in its middle.
    warnings.filterwarnings("ignore", "Your input ran out of data", UserWarning)
    # Keras asks NumPy in an old way.
    warnings.filterwarnings("ignore", "__array__ implementation", DeprecationWarning)
    results = {name: run() for name, run in WORKS.items()}
    refused = {name: refusal(run) for name, run in REFUSED.items()}
    RESULT.write_text(json.dumps({"works": results, "refused": refused}))


if __name__ == "__main__":
    main()
