# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The model of Flax NNX of docs/jax.md on a mesh, in one process and in two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from documented_data import write_data
from process_groups import Failure, free_addresses, processes, results, script
from trainers import installed

installed("torch")
installed("flax")
installed("orbax.checkpoint")

import jax_ranks  # noqa: E402

# New processes import JAX, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)

BATCH, RATE = 120, 0.1
STEPS = 2 * 134  # Two epochs of 16,000 rows.
SAVED, KILLED = 150, 167  # The step of the newest checkpoint, and of the kill.
# How many devices each of how many processes has.
MESHES = [(4, 1), (2, 2)]

# By how much the order in which a mesh adds may change a weight: a sum of n numbers of
# float32 has a relative error of at most n * 2**-24, in each of two orders. The terms
# of a gradient are below 1 in the mean, and steps down a convex loss bring two weights
# no further apart. So the errors of the steps add up.
TOLERANCE = STEPS * RATE * 2 * BATCH * 2**-24


def train(num_devices: int, world_size: int, name: str, folder: Path) -> list[Any]:
    """Returns the weights, and two numbers of steps, of each process."""
    [address] = free_addresses(1)
    code = script(name, "jax.md")
    if "num_lanes" not in code:  # It belongs to the order of rows.
        assert code.count("num_epochs=2,\n") == 1
        code = code.replace("num_epochs=2,\n", "num_epochs=2,\n    num_lanes=8,\n")
    found = results(jax_ranks.scripted, world_size, address, code, folder, num_devices)
    for report in found:
        assert not isinstance(report, Exception), report
    return found


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The weights of the training on one device, without a mesh."""
    folder = tmp_path_factory.mktemp("alone")
    write_data(folder / "data")
    [(weights, done, _)] = train(1, 1, "train_nnx.py", folder)
    assert done == STEPS
    return weights


@pytest.mark.parametrize(("num_devices", "world_size"), MESHES)
def test_a_mesh_trains_the_weights_of_one_device_and_goes_on_exactly_after_a_kill(
    num_devices: int, world_size: int, alone: list[float], tmp_path: Path
) -> None:
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
        write_data(tmp_path / name / "data")
    whole = train(num_devices, world_size, "train_on_a_mesh.py", tmp_path / "whole")
    for weights, done, own in whole:
        assert (weights, done, own) == (whole[0][0], STEPS, STEPS)
    np.testing.assert_allclose(whole[0][0], alone, rtol=0, atol=TOLERANCE)

    code = script("train_on_a_mesh.py", "jax.md")
    [address] = free_addresses(1)
    arguments: Any = (address, code, tmp_path / "killed", num_devices, KILLED)
    with processes(jax_ranks.scripted, world_size, *arguments) as ranks:
        for rank in ranks:
            with pytest.raises((EOFError, ConnectionResetError, Failure)):
                rank.receive()
    resumed = train(num_devices, world_size, "train_on_a_mesh.py", tmp_path / "killed")
    # Each weight to the last bit.
    assert resumed == [(whole[0][0], STEPS, STEPS - SAVED)] * world_size


def test_two_processes_go_on_from_what_one_has_saved(
    alone: list[float], tmp_path: Path
) -> None:
    write_data(tmp_path / "data")
    code = script("train_on_a_mesh.py", "jax.md")
    arguments: Any = ("", code, tmp_path, 4, KILLED)
    with (
        processes(jax_ranks.scripted, 1, *arguments) as [rank],
        pytest.raises((EOFError, ConnectionResetError)),
    ):
        rank.receive()
    for weights, done, own in train(2, 2, "train_on_a_mesh.py", tmp_path):
        assert (done, own) == (STEPS, STEPS - SAVED)
        np.testing.assert_allclose(weights, alone, rtol=0, atol=TOLERANCE)
