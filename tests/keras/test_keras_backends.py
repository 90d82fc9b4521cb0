# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What Keras trains on under each backend, where it builds the model with a batch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from repository import SUPPORT

pytest.importorskip("tensorflow")
pytest.importorskip("torch")

import rowfeed
from keras_backends import BATCH_SIZE, EPOCH, OPTIONS, STEP
from numbered_rows import write_numbers

Place = tuple[int, int]  # An epoch, and the step that it begins at.


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_numbers(tmp_path_factory.mktemp("data"), [20, 20, 20])


@pytest.fixture(scope="module")
def steps(data: Path) -> list[list[float]]:
    """The mean label of each step of each epoch."""
    dataset = rowfeed.ParquetDataset(data, BATCH_SIZE, **OPTIONS)
    return [
        [
            float(np.mean(dataset.batch_at(epoch, step)[1]))
            for step in range(len(dataset))
        ]
        for epoch in range(6)
    ]


@pytest.fixture(scope="module", params=["tensorflow", "jax", "torch"])
def trained(
    request: pytest.FixtureRequest,
    data: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[str, dict[str, Any]]:
    backend = request.param
    if find_spec(backend) is None:
        pytest.skip(f"{backend} is not installed")
    result = tmp_path_factory.mktemp(backend) / "result.json"
    script = SUPPORT / "keras_backends.py"
    subprocess.run(
        [sys.executable, script, data, result],
        env={**os.environ, "KERAS_BACKEND": backend},
        check=True,
    )
    return backend, json.loads(result.read_text())


LOADED: Place = (EPOCH, STEP)
# Where training begins, without and with a batch that builds the model first.
BEGINNINGS: dict[str, tuple[Place, Place]] = {
    "fit": ((0, 0), (1, 0)),
    "fit, start": ((0, 0), (0, 0)),
    "fit, loaded": (LOADED, (1, 0)),
    "fit of map, loaded": (LOADED, (1, 0)),
    "fit, loaded, start": (LOADED, LOADED),
    "fit of map, loaded, start": (LOADED, LOADED),
    # Keras on TensorFlow takes two batches of a loader, too.
    "fit of loader, loaded": ((1, 0), (1, 0)),
    "fit of loader, start": ((0, 0), (0, 0)),
    "fit of loader, loaded, start": (LOADED, LOADED),
    "fit, set_epoch": ((3, 0), (4, 0)),
    "fit, set_epoch, start": ((3, 0), (3, 0)),
    "fit, state, start": (LOADED, LOADED),
    "fit twice, start": ((0, 0), (0, 0)),
    "validation, start": (LOADED, LOADED),
}


@pytest.mark.parametrize("name", BEGINNINGS)
def test_fit_goes_on_from_a_state_under_every_backend(
    trained: tuple[str, dict[str, Any]], steps: list[list[float]], name: str
) -> None:
    backend, results = trained
    epoch, step = BEGINNINGS[name][backend != "tensorflow"]
    expected = [*steps[epoch][step:], *steps[epoch + 1]]
    np.testing.assert_allclose(results[name]["means"], expected, atol=1e-3)


# Where prediction begins, without and with a batch that builds the model first. JAX
# alone takes such a batch.
PREDICTED: dict[str, tuple[Place, Place]] = {
    "predict": ((0, 0), (1, 0)),
    "predict, built": ((0, 0), (0, 0)),
    "predict, start": ((0, 0), (0, 0)),
    "predict, loaded": (LOADED, (1, 0)),
    "predict, set_epoch": ((3, 0), (4, 0)),
    "predict of map, loaded": (LOADED, (1, 0)),
    "predict, loaded, built": (LOADED, LOADED),
    "predict, loaded, start": (LOADED, LOADED),
    "predict of map, loaded, start": (LOADED, LOADED),
    "predict of loader, loaded, start": (LOADED, LOADED),
}


@pytest.mark.parametrize("name", PREDICTED)
def test_predict_goes_on_from_a_state_under_every_backend(
    trained: tuple[str, dict[str, Any]], steps: list[list[float]], name: str
) -> None:
    backend, results = trained
    epoch, step = PREDICTED[name][backend == "jax"]
    means = results[name]["means"]
    np.testing.assert_allclose(means, steps[epoch][step:], atol=1e-3)


# One epoch, or less, where a callback has set the place, whatever the backend.
ONE_EPOCH: dict[str, tuple[Place, int]] = {
    "evaluate, loaded, start": (LOADED, 2),
    "predict, loaded, start, fit": ((1, 0), 7),
    "adapt, fit": ((1, 0), 7),
    "adapt, loaded, fit": ((1, 0), 7),
    "next, fit": ((1, 0), 7),
    "next, loaded, fit": ((1, 0), 7),
    "break, fit": ((1, 0), 7),
    "break, loaded, fit": ((1, 0), 7),
    "one step": ((0, 0), 3),
    "one step, loaded": (LOADED, 2),  # Then its iterator has no more.
}


@pytest.mark.parametrize("name", ONE_EPOCH)
def test_every_iteration_but_that_of_keras_is_an_epoch(
    trained: tuple[str, dict[str, Any]], steps: list[list[float]], name: str
) -> None:
    (epoch, step), count = ONE_EPOCH[name]
    means = trained[1][name]["means"]
    np.testing.assert_allclose(means, steps[epoch][step:][:count], atol=1e-3)


def test_a_place_that_is_set_between_two_fits_holds(
    trained: tuple[str, dict[str, Any]], steps: list[list[float]]
) -> None:
    means = trained[1]["fit, load, fit, start"]["means"]
    expected = [*steps[0], *steps[EPOCH][STEP:]]
    np.testing.assert_allclose(means, expected, atol=1e-3)


def test_only_a_place_that_is_lost_warns_and_the_callback_is_named(
    trained: tuple[str, dict[str, Any]],
) -> None:
    backend, results = trained
    lost = {
        "fit, loaded": "fit",
        "fit of map, loaded": "fit",
        "fit of loader, loaded": "fit",
        "fit, set_epoch": "fit",
        "evaluate, loaded": "evaluate",
    }
    if backend == "jax":
        lost |= {
            "predict, loaded": "predict",
            "predict, set_epoch": "predict",
            "predict of map, loaded": "predict",
            "predict of loader, loaded": "predict",
        }
    for name, result in results.items():
        if name == "refusals":
            continue
        if backend == "tensorflow" or name not in lost:
            assert result["said"] == [], name
        else:
            (said,) = result["said"]
            assert said.startswith(f"{lost[name]} has built the model"), name
            assert "callbacks=[rowfeed.keras.StartAt(dataset)]" in said


def test_what_needs_tensorflow_says_so_by_name(
    trained: tuple[str, dict[str, Any]],
) -> None:
    backend, results = trained
    refused = results["refusals"]
    if backend == "tensorflow":
        assert refused == {}
        return
    assert set(refused) == {"TensorBoardStats"}
    said = refused["TensorBoardStats"]
    name = "rowfeed.keras.TensorBoardStats"
    assert f"{name} needs Keras on TensorFlow, not on {backend}" in said


@pytest.mark.parametrize(
    ("method", "told"),
    [
        ("fit", "by nothing"),
        ("fit", "by start"),
        ("evaluate", "by nothing"),
        ("evaluate", "by start"),
        ("evaluate", "by backup"),  # It sets the place of `fit` alone.
    ],
)
def test_a_strategy_of_tensorflow_that_uses_up_a_state_warns(
    data: Path, tmp_path: Path, method: str, told: str
) -> None:
    import keras
    import tensorflow as tf

    from rowfeed.keras import BackupAndRestore, StartAt
    from rowfeed.tensorflow import ParquetDataset

    with tf.distribute.MirroredStrategy(["CPU:0"]).scope():
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    dataset = ParquetDataset(data, BATCH_SIZE, **OPTIONS)
    pairs = dataset.map(lambda x, y: (tf.cast(x["id"], tf.float32)[:, None], y))
    dataset.load_state_dict(dataset.state_at(EPOCH, STEP))
    is_told = told == "by start"
    callbacks: list[Any] = [StartAt(dataset)] if is_told else []
    if told == "by backup":
        callbacks.append(BackupAndRestore(tmp_path / "backup", dataset))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        getattr(model, method)(pairs, verbose=0, callbacks=callbacks)
    found = [str(w.message) for w in caught if "StartAt(dataset)" in str(w.message)]
    assert len(found) == (0 if is_told else 1)
    assert all(said.startswith(f"{method} has built the model") for said in found)
    assert dataset.state_dict()["epoch"] == EPOCH + (1 if is_told else 2)
