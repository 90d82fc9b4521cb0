# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`fit` under JAX and PyTorch goes on where it was killed; with no TensorFlow, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from keras_runs import needs, run_until_done

STEPS = 15  # Steps of an epoch, with remainder="drop".
SLOW = [
    *(("jax", "jax"), ("jax", "torch"), ("torch", "dataloader"), ("torch", "numpy")),
    *((backend, "tensorflow") for backend in ("jax", "torch", "tensorflow")),
]
KINDS = [
    *(("jax", "numpy"), ("torch", "torch")),
    *(pytest.param(*pair, marks=pytest.mark.slow) for pair in SLOW),
]

# New processes import frameworks, on a machine that is shared.
pytestmark = pytest.mark.timeout(1200)


def check(result: dict[str, Any], first_epoch: int) -> None:
    """Checks weights, and the history from an epoch on, of a training that was killed.

    An epoch that goes on has the loss and metrics of all its batches.
    """
    assert all(result["equal"])
    epochs, history = result["history"]
    whole = result["whole"][1]
    assert epochs == list(range(first_epoch, 3))
    assert {"loss", "mae", "val_loss", "val_mae"} == set(history)
    assert history == {name: whole[name][first_epoch:] for name in history}


@pytest.mark.parametrize(("backend", "kind"), KINDS)
def test_fit_that_is_killed_within_an_epoch_ends_with_the_same_weights(
    numbers: Path, tmp_path: Path, backend: str, kind: str
) -> None:
    needs(backend, kind)
    result = run_until_done(tmp_path / "run", numbers, backend, kind, [STEPS + 6])
    assert result["backend"] == backend
    check(result, first_epoch=1)
    goes_on = 4  # The last backup was made after 4 of the 6 steps.
    assert result["batches"] == [
        *([1, batch] for batch in range(STEPS - goes_on)),
        *([2, batch] for batch in range(STEPS)),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "kind"), [("jax", "numpy"), ("torch", "torch")])
def test_fit_that_is_killed_three_times_ends_with_the_same_weights(
    numbers: Path, tmp_path: Path, backend: str, kind: str
) -> None:
    needs(backend, kind)
    # The first process dies within epoch 1, the second at its last step, before it is
    # saved as a whole, and the third in epoch 2, right after epoch 1 was saved.
    steps = [STEPS + 6, STEPS - 4, 4]
    result = run_until_done(tmp_path / "run", numbers, backend, kind, steps)
    check(result, first_epoch=2)
    assert result["batches"] == [[2, batch] for batch in range(STEPS)]
