# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A training that kills itself the first time: run by test_keras_backup.py.

    python keras_training.py FOLDER DATA STRATEGY STEP...

Started again with the same line it goes on, up to the next of the steps; then it says
as JSON what came of it beside a training that nothing interrupts.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from rowfeed.keras import BackupAndRestore
from tf_numbers import make

EPOCHS = 3


class Kill(keras.callbacks.Callback):  # type: ignore[misc]
    """Notes the batches of every epoch; kills the process after steps, once each."""

    def __init__(self, folder: Path, steps: list[int]) -> None:
        super().__init__()
        self._folder, self._steps = folder, steps
        self.batches: list[tuple[int, int]] = []

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        self._epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
        self.batches.append((self._epoch, batch))
        step = self.model.optimizer.iterations.numpy()
        mark = self._folder / f"killed-{step}"
        if step in self._steps and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)


def make_model() -> keras.Model:
    keras.utils.set_random_seed(3)
    model = keras.Sequential(
        [
            keras.Input((1,)),
            keras.layers.Dense(16, "relu"),
            keras.layers.BatchNormalization(),
            keras.layers.Dropout(0.3),
            keras.layers.Dense(1),
        ]
    )
    schedule = keras.optimizers.schedules.CosineDecay(0.01, 100)
    model.compile(
        keras.optimizers.Adam(schedule), "mse", metrics=["mae"], jit_compile=False
    )
    return model


def train(folder: Path, data: Path, strategy: Any, steps: list[int]) -> Any:
    """Returns the variables, the history and the batches of a training."""
    dataset = make(data, label="half", remainder="drop", num_threads=1)
    with strategy.scope():
        model = make_model()
    folder.mkdir(exist_ok=True)
    kill = Kill(folder, steps)
    history = model.fit(
        dataset.map(lambda x, y: (tf.cast(x["id"], tf.float32)[:, None] / 100, y)),
        epochs=EPOCHS,
        shuffle=False,
        verbose=0,
        callbacks=[kill, BackupAndRestore(folder / "backup", dataset, every_steps=4)],
    )
    assert not (folder / "backup").exists()
    variables = [v.numpy() for v in (*model.variables, *model.optimizer.variables)]
    return variables, history, kill.batches


def main() -> None:
    folder, data, strategy_name = sys.argv[1:4]
    steps = [int(step) for step in sys.argv[4:]]
    # One thread adds in one order: equal to the last bit.
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    strategies = {
        "default": tf.distribute.get_strategy,
        "mirrored": lambda: tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]),
    }
    strategy = strategies[strategy_name]()
    got, history, batches = train(Path(folder), Path(data), strategy, steps)
    expected, whole, _ = train(Path(folder) / "whole", Path(data), strategy, [])
    result = {
        "equal": [np.array_equal(*pair) for pair in zip(got, expected, strict=True)],
        "history": [history.epoch, history.history],
        "whole": [whole.epoch, whole.history],
        "batches": batches,
    }
    (Path(folder) / "result.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main()
