# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Keras on JAX and on PyTorch, in an environment without TensorFlow."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from keras_runs import run_until_done
from trainers import installed, numbers_printed

installed("jax")  # Elsewhere tests/keras has tests with and without TensorFlow.

# New processes import frameworks, on a machine that is shared.
pytestmark = pytest.mark.timeout(1200)


def test_there_is_no_tensorflow() -> None:
    assert find_spec("keras") is not None
    assert find_spec("tensorflow") is None


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_the_script_of_the_page_trains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    monkeypatch.setenv("KERAS_BACKEND", backend)
    steps = "int(model.optimizer.iterations.numpy())"
    found = numbers_printed("train_keras.py", "trainers.md", tmp_path, "epochs", steps)
    assert found == [133, 266]


@pytest.mark.parametrize(("backend", "kind"), [("jax", "jax"), ("torch", "torch")])
def test_fit_that_is_killed_goes_on_exactly(
    numbers: Path, tmp_path: Path, backend: str, kind: str
) -> None:
    result = run_until_done(tmp_path / "run", numbers, backend, kind, [21])
    assert result["backend"] == backend
    assert all(result["equal"])
    assert result["history"][0] == [1, 2]
