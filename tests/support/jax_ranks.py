# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Processes of JAX, with two devices each, that train on a mesh of all of them."""

from __future__ import annotations

import os
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from trainers import die, options_of


def trained(
    rank: int,
    world_size: int,
    pipe: Connection,  # noqa: ARG001
    address: str,
    numbers: Path,
    folder: Path,
    num_epochs: int,
    save_at: int = -1,
    die_at: int = -1,
) -> tuple[list[list[int]], list[int]]:
    """Trains with JAX, from Orbax's checkpoint in `folder` if there is one.

    Returns the rows of each step on the devices of this process, and the sum of the
    rows of each step over all processes.
    """
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax

    if world_size > 1:
        jax.distributed.initialize(address, world_size, rank)
    import jax.numpy as jnp
    import orbax.checkpoint as ocp
    from jax import sharding

    from rowfeed import Column
    from rowfeed.jax import ParquetDataset

    mesh = jax.make_mesh((2 * world_size,), ("data",))
    spec: Any = sharding.PartitionSpec
    rows = sharding.NamedSharding(mesh, spec("data"))
    options = {**options_of(world_size), "columns": {"id": Column("id", dtype="int32")}}
    train = ParquetDataset(numbers, num_epochs=num_epochs, sharding=rows, **options)
    step = jax.jit(lambda total, batch: total + jnp.sum(batch["id"]))
    total = jax.device_put(jnp.int32(0), sharding.NamedSharding(mesh, spec()))
    saved = ocp.Checkpointer(ocp.CompositeCheckpointHandler())
    place = folder / "saved"
    if place.exists():
        restored = saved.restore(
            place,
            ocp.args.Composite(
                weights=ocp.args.StandardRestore({"total": total}),
                data=ocp.args.JsonRestore(),
            ),
        )
        total = restored.weights["total"]
        train.load_state_dict({**restored.data, "global_batch": 24})
    own, totals = [], []
    for number, batch in enumerate(train, 1):
        total = step(total, batch)
        totals.append(int(total))
        shards = batch["id"].addressable_shards
        own.append([row for shard in shards for row in shard.data.tolist()])
        if number == save_at:
            arguments = ocp.args.Composite(
                weights=ocp.args.StandardSave({"total": total}),
                data=ocp.args.JsonSave(train.state_dict()),
            )
            saved.save(place, arguments)
        if number == die_at:
            die()
    return own, totals


def scripted(
    rank: int,
    world_size: int,
    pipe: Connection,  # noqa: ARG001
    address: str,
    code: str,
    folder: Path,
    num_devices: int,
    die_at: int = -1,
) -> tuple[list[float], int, int]:
    """Runs a script that trains with Flax NNX, with some devices in each process.

    With `die_at` the process is killed after so many steps.

    Returns the weights, the step of the optimizer and the steps of this process.
    """
    os.chdir(folder)
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={num_devices}"
    os.environ["JAX_PLATFORMS"] = "cpu"
    warnings.simplefilter("ignore")  # Orbax warns.
    import jax
    import numpy as np

    if world_size > 1:
        jax.distributed.initialize(address, world_size, rank)
    assert jax.device_count() == num_devices * world_size

    def count(steps: int, checkpoints: Any) -> None:
        if steps == die_at:
            checkpoints.wait_until_finished()
            die()

    step = "steps += 1\n"
    assert code.count(step) == 1
    code = code.replace(step, f"{step}        count(steps, checkpoints)\n")
    found: dict[str, Any] = {"__name__": "__main__", "count": count}
    exec(compile(code, "script", "exec", dont_inherit=True), found)
    model = found["model"]
    weights = np.append(np.asarray(model.kernel.value), np.asarray(model.bias.value))
    return weights.tolist(), int(found["optimizer"].step.value), found["steps"]
