# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Keras on JAX and PyTorch trains on `rowfeed.keras.Loader`, and what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rowfeed
from numbered_rows import NUM_ROWS
from repository import SUPPORT

STEPS = 15  # Steps of an epoch, with remainder="drop".


# A new process imports frameworks, on a machine that is shared.
@pytest.fixture(scope="module", params=["jax", "torch"])
def found(
    request: pytest.FixtureRequest,
    numbers: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[str, dict[str, Any]]:
    """What keras_loading.py found out under a backend."""
    for library in ("keras", "torch", request.param):
        if find_spec(library) is None:
            pytest.skip(f"{library} is not installed")
    result = tmp_path_factory.mktemp(request.param) / "result.json"
    subprocess.run(
        [sys.executable, SUPPORT / "keras_loading.py", numbers, result],
        env={**os.environ, "KERAS_BACKEND": request.param},
        check=True,
    )
    return request.param, json.loads(result.read_text())


@pytest.fixture(scope="module")
def labels(numbers: Path) -> list[list[float]]:
    """The mean label of each step of each epoch."""
    options: dict[str, Any] = {"label": "half", "shuffle": True, "seed": 7}
    data = rowfeed.ParquetDataset(
        numbers, 16, columns=["id"], remainder="drop", **options
    )
    return [[float(label.mean()) for _, label in data] for _ in range(3)]


def test_predict_of_a_model_that_is_not_built_has_the_rows_of_the_first_epoch(
    found: tuple[str, dict[str, Any]], numbers: Path
) -> None:
    data = rowfeed.ParquetDataset(numbers, 16, columns=["id"], shuffle=True, seed=7)
    ids = [int(i) for batch in data for i in batch["id"]]
    assert found[1]["works"]["predict, not built"] == ids


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("name", "epochs"),
    [
        ("fit", [(0, 0), (1, 0)]),
        ("fit, start", [(0, 0), (1, 0)]),
        ("fit, loaded, start", [(1, 10), (2, 0)]),
        ("looked at before", [(0, 0), (1, 0)]),
    ],
)
def test_fit_trains_on_the_epochs_of_the_dataset(
    found: tuple[str, dict[str, Any]],
    labels: list[list[float]],
    name: str,
    epochs: list[tuple[int, int]],
) -> None:
    losses, steps = found[1]["works"][name]
    assert steps == [STEPS - step for _, step in epochs]
    expected = [np.mean(labels[epoch][step:]) for epoch, step in epochs]
    np.testing.assert_allclose(losses, expected, rtol=1e-5)


def test_other_uses_of_a_loader(found: tuple[str, dict[str, Any]]) -> None:
    works = found[1]["works"]
    assert works["predict"] == list(range(NUM_ROWS))
    [steps] = works["fit, mixture"]
    assert steps >= STEPS


REFUSED = {
    "another dataset": ("ValueError", "fit trains on another dataset than the one"),
    "a generator": ("TypeError", "dataset must be what fit trains on"),
    "a list": ("TypeError", "a rowfeed.keras.Loader, a rowfeed.torch.Loader"),
    "steps": ("ValueError", "an epoch of fit has 3 steps"),
    "epochs of the dataset": ("ValueError", "num_epochs must be 1, not 2"),
    "ranks": ("NotImplementedError", "this is one of 2 ranks"),
    "mixture": ("NotImplementedError", "datasets that are no mixtures"),
    "batches of batches": ("ValueError", "has batch_size=2 and num_workers=0"),
    "workers": ("ValueError", "has batch_size=None and num_workers=2"),
    "loader of torch": ("TypeError", "rowfeed.torch goes into rowfeed.torch.Loader"),
    "loader of a list": ("TypeError", "not a list of builtins"),
    "single rows": ("ValueError", "give the dataset a batch_size"),
    "growing": ("NotImplementedError", "datasets that do not grow"),
    "weights that change": ("NotImplementedError", "weights of the mixture change"),
    "class weights": ("ValueError", "fit is given class_weight beside"),
    "labels": ("ValueError", "fit is given y beside"),
    "ragged": ("TypeError", "feature 'name' has rows of different lengths"),
    "inputs": ("ImportError", "rowfeed.keras.inputs needs TensorFlow"),
    "statistics": ("ImportError", "TensorBoardStats needs Keras on TensorFlow"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_served_is_refused(
    found: tuple[str, dict[str, Any]], name: str
) -> None:
    kind, text = REFUSED[name]
    error, said = found[1]["refused"][name]
    assert (error, text in said) == (kind, True), said


def test_a_callback_that_moves_the_dataset_later_is_harmless_or_refused(
    found: tuple[str, dict[str, Any]],
) -> None:
    backend, results = found
    error, said = results["refused"]["looked at afterwards"]
    if backend == "jax":  # There the place is set once more, before the first batch.
        assert (error, said) == (None, results["works"]["looked at before"])
    else:  # Keras on PyTorch has pulled the first batch by then.
        assert error == "RuntimeError"
        assert "put BackupAndRestore last in callbacks" in said


def test_integers_that_jax_would_cut_are_refused(
    found: tuple[str, dict[str, Any]],
) -> None:
    backend, results = found
    for name, part in (("", "feature 'id'"), (" in a list", "an array")):
        error, said = results["refused"][f"wide numbers{name}"]
        if backend == "jax":
            assert error == "ValueError"
            assert f"{part} has int64 numbers that do not fit into the int32" in said
        elif not name:
            assert error is None
