# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Keras and distribution strategies: every epoch of `fit` has an order of its own."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import keras
import pytest
import tensorflow as tf

from rowfeed.tensorflow import ParquetDataset
from tf_numbers import ids, make

EPOCHS = 5
ROWS = 240  # Rows of an epoch, with remainder="drop".


def flat(parts: list[list[int]]) -> list[int]:
    return list(itertools.chain.from_iterable(parts))


class Recorder(keras.Model):  # type: ignore[misc]
    """Notes which rows each step was given."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = keras.layers.Dense(1)
        self.rows: list[list[int]] = []

    def call(self, features: dict[str, tf.Tensor]) -> tf.Tensor:
        return self.dense(tf.cast(features["id"], tf.float32)[:, None] / ROWS)

    def note(self, rows: tf.Tensor) -> None:
        self.rows.append(rows.numpy().tolist())

    def taken(self) -> list[int]:
        return flat(self.rows)

    def train_step(self, data: Any) -> Any:
        tf.py_function(self.note, [data[0]["id"]], [])
        return super().train_step(data)


def recorder() -> Recorder:
    model = Recorder()
    model.compile(optimizer="sgd", loss="mse", metrics=["mae"])
    return model


def fit(model: Recorder, dataset: Any, **keywords: Any) -> Any:
    return model.fit(dataset, shuffle=False, verbose=0, **keywords)


def labelled(path: Path, **keywords: Any) -> ParquetDataset:
    return make(path, label="half", **{"remainder": "drop", **keywords})


def epochs_of(path: Path, first: int = 0) -> list[list[int]]:
    dataset = labelled(path, first_epoch=first)
    return [ids(dataset) for _ in range(EPOCHS)]


def test_epochs_of_fit_have_five_orders(numbers: Path) -> None:
    model = recorder()
    dataset = labelled(numbers)
    history = fit(model, dataset, epochs=EPOCHS)
    seen = model.taken()
    assert seen == flat(epochs_of(numbers))
    orders = {tuple(seen[k * ROWS : (k + 1) * ROWS]) for k in range(EPOCHS)}
    assert len(orders) == EPOCHS
    assert len(history.history["loss"]) == EPOCHS


def test_a_map_made_anew_for_each_fit_goes_on(numbers: Path) -> None:
    model = recorder()
    dataset = labelled(numbers)
    for _ in range(EPOCHS):
        fit(model, dataset.map(lambda x, y: (x, y / 2)))
    assert model.taken() == flat(epochs_of(numbers))


def test_validation_takes_no_epoch_of_training(numbers: Path) -> None:
    model = recorder()
    fit(model, labelled(numbers), validation_data=labelled(numbers), epochs=EPOCHS)
    assert model.taken() == flat(epochs_of(numbers))


def test_fit_goes_on_within_an_epoch(numbers: Path) -> None:
    model = recorder()
    dataset = labelled(numbers)
    dataset.load_state_dict(dataset.state_at(epoch=2, step=6))
    with pytest.warns(UserWarning, match="ran out of data"):
        fit(model, dataset, initial_epoch=2, epochs=EPOCHS)
    whole = epochs_of(numbers)
    assert model.taken() == whole[2][6 * 16 :] + whole[3] + whole[4]


def test_steps_per_epoch_of_an_endless_dataset(numbers: Path) -> None:
    model = recorder()
    dataset = labelled(numbers, num_epochs=None)
    fit(model, dataset, steps_per_epoch=7, epochs=EPOCHS)
    assert model.taken() == flat(epochs_of(numbers))[: 7 * EPOCHS * 16]


def test_weights_of_padded_rows_reach_fit(numbers: Path) -> None:
    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer="sgd", weighted_metrics=["mae"], loss="mse")

    def inputs(x: Any, y: Any, weight: Any) -> Any:
        return tf.cast(x["id"], tf.float32)[:, None], y, weight

    padded = labelled(numbers, remainder="pad").map(inputs)
    uneven = labelled(numbers, remainder="uneven").map(
        lambda x, y: inputs(x, y, tf.ones_like(y))
    )
    results = [model.evaluate(d, verbose=0, return_dict=True) for d in (padded, uneven)]
    assert results[0]["mae"] == pytest.approx(results[1]["mae"])


@pytest.mark.parametrize("devices", [["CPU:0"], ["CPU:0", "CPU:1"]])
def test_epochs_under_a_mirrored_strategy(numbers: Path, devices: list[str]) -> None:
    strategy = tf.distribute.MirroredStrategy(devices)
    with strategy.scope():
        model = recorder()
    fit(model, labelled(numbers), epochs=EPOCHS)
    seen = model.taken()
    epochs = [seen[k * ROWS : (k + 1) * ROWS] for k in range(EPOCHS)]
    # Keras builds the model with a batch of the first epoch. Replicas run side by side.
    assert list(map(sorted, epochs)) == list(map(sorted, epochs_of(numbers, first=1)))
    assert len(model.rows[0]) == 16 // len(devices)


def test_a_state_loaded_as_training_begins_holds_under_a_strategy(
    numbers: Path,
) -> None:
    with tf.distribute.MirroredStrategy(["CPU:0"]).scope():
        model = recorder()
    dataset = labelled(numbers)
    state = dataset.state_at(epoch=1, step=6)
    resume = keras.callbacks.LambdaCallback(
        on_train_begin=lambda _: dataset.load_state_dict(state)
    )
    with pytest.warns(UserWarning, match="ran out of data"):
        fit(model, dataset, initial_epoch=4, epochs=5, callbacks=[resume])
    assert model.taken() == epochs_of(numbers)[1][6 * 16 :]


@pytest.mark.fault(53)
def test_pipelines_of_a_strategy_share_the_rows(numbers: Path) -> None:
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

    def pipeline(context: tf.distribute.InputContext) -> ParquetDataset:
        return make(
            numbers,
            rank=context.input_pipeline_id,
            world_size=context.num_input_pipelines,
        )

    dataset = strategy.distribute_datasets_from_function(pipeline)
    got = [
        int(i)
        for batch in dataset
        for part in strategy.experimental_local_results(batch["id"])
        for i in part.numpy()
    ]
    assert sorted(got) == sorted(ids(make(numbers)))
