# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A training under any backend that kills itself: run by test_keras_killed.py.

    KERAS_BACKEND=jax python keras_killed.py FOLDER DATA KIND STEPS...

KIND says what `fit` is given: data of "numpy", "jax", "torch" or "tensorflow", or a
"dataloader" of PyTorch. TensorFlow cannot be imported unless KIND is "tensorflow".
Started again with the same line, the training goes on; the n-th process kills itself
after the n-th number of STEPS. The process after these writes as JSON what came of it,
beside a training that nothing interrupts.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

KIND = sys.argv[3]
if KIND == "tensorflow":
    import tensorflow as tf
else:
    sys.modules["tensorflow"] = None  # type: ignore[assignment]
# One thread adds in one order: equal to the last bit.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"

import keras  # noqa: E402
import numpy as np  # noqa: E402

import rowfeed  # noqa: E402
from rowfeed.keras import BackupAndRestore, Loader, StartAt  # noqa: E402

BATCH_SIZE = 16
EPOCHS = 3
EVERY_STEPS = 4
OPTIONS: dict[str, Any] = {
    "columns": [rowfeed.Column("id", dtype="int32")],
    "label": "half",
    "shuffle": True,
    "seed": 7,
    "shuffle_window": 100,
    "block_rows": 20,
    "num_threads": 1,
}


class Kill(keras.callbacks.Callback):  # type: ignore[misc]
    """Notes the batches of every epoch; kills the process after a number of steps."""

    def __init__(self, after: int | None) -> None:
        super().__init__()
        self._after = after
        self.batches: list[tuple[int, int]] = []

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        self._epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
        self.batches.append((self._epoch, batch))
        if len(self.batches) == self._after:
            os.kill(os.getpid(), signal.SIGKILL)


def make_model() -> Any:
    keras.utils.set_random_seed(3)
    number = keras.Input((1,), dtype="int32", name="id")
    scaled = keras.ops.cast(number, "float32") / 100
    hidden = keras.layers.Dense(16, "relu")(scaled)
    hidden = keras.layers.BatchNormalization()(hidden)
    # Under PyTorch these two draw from the generator that a Dropout has without a seed.
    seed = 5 if KIND in ("dataloader", "tensorflow") else None
    hidden = keras.layers.Dropout(0.3, seed=seed)(hidden)
    of_row = keras.layers.Flatten()(keras.layers.Embedding(512, 1)(number))
    model = keras.Model([number], keras.layers.Dense(1)(hidden) + of_row)
    schedule = keras.optimizers.schedules.CosineDecay(0.01, 100)
    model.compile(keras.optimizers.Adam(schedule), "mse", metrics=["mae"])
    return model


def make(data: Path, **chosen: Any) -> Any:
    """Returns what `fit` is given, over a dataset with chosen options."""
    options = {**OPTIONS, "remainder": "drop", **chosen}
    if KIND == "tensorflow":
        from rowfeed.tensorflow import ParquetDataset as OfTensorFlow

        dataset: Any = OfTensorFlow(data, BATCH_SIZE, **options)
        return dataset.map(lambda x, y: ({"id": x["id"]}, y)).prefetch(2)
    if KIND in ("torch", "dataloader"):
        from torch.utils.data import DataLoader

        from rowfeed.torch import Loader as LoaderOfTorch
        from rowfeed.torch import ParquetDataset as OfTorch

        dataset = OfTorch(data, BATCH_SIZE, **options)
        if KIND == "torch":
            return LoaderOfTorch(dataset)
        return DataLoader(dataset, batch_size=None)
    if KIND == "jax":
        from rowfeed.jax import ParquetDataset as OfJax

        return Loader(OfJax(data, BATCH_SIZE, **options))
    return Loader(rowfeed.ParquetDataset(data, BATCH_SIZE, **options))


def train(
    folder: Path,
    data: Path,
    after: int | None,
    callback: Callable[[Path, Any], Any] = lambda folder, given: BackupAndRestore(
        folder / "backup", given, every_steps=EVERY_STEPS
    ),
) -> Any:
    """Returns the variables, the history and the batches of a training."""
    given, held = make(data), make(data, shuffle=False, remainder="uneven")
    model = make_model()
    kill = Kill(after)
    history = model.fit(
        given,
        validation_data=held,
        epochs=EPOCHS,
        shuffle=False,
        verbose=0,
        callbacks=[kill, callback(folder, given)],
    )
    assert not (folder / "backup").exists()
    variables = [v.numpy() for v in (*model.variables, *model.optimizer.variables)]
    return variables, history, kill.batches


def main() -> None:
    folder, data = Path(sys.argv[1]), Path(sys.argv[2])
    backend = keras.backend.backend()
    if KIND == "tensorflow":
        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)
    if backend == "torch":
        import torch

        torch.set_num_threads(1)
    marks = len(list(folder.glob("begun-*")))
    (folder / f"begun-{marks}").touch()
    steps = [*map(int, sys.argv[4:]), None]
    got, history, batches = train(folder, data, steps[marks])
    # Another callback than the one that is tested sets the place here.
    expected, whole, _ = train(
        folder / "whole", data, None, lambda _, given: StartAt(given)
    )
    result = {
        "backend": backend,
        "equal": [np.array_equal(*pair) for pair in zip(got, expected, strict=True)],
        "history": [history.epoch, history.history],
        "whole": [whole.epoch, whole.history],
        "batches": batches,
    }
    (folder / "result.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main()
