# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The share of a global batch that a process has to read, by the sharding."""

from __future__ import annotations

from jax import Device
from jax.sharding import Sharding


def num_shards(sharding: Sharding) -> int:
    """Returns into how many parts a sharding divides the rows of a batch."""
    return len(set(_starts(sharding).values()))


def share_of(sharding: Sharding, process: int) -> tuple[int, int]:
    """Returns the rank and the number of ranks of a process.

    Processes whose devices hold the same rows are one rank, and read the same rows.

    Args:
        sharding: Sharding of arrays whose first dimension is the batch.
        process: Index of the process.

    Raises:
        ValueError: No device of the sharding is the process's, or the rows of two
            processes overlap without being the same.
    """
    shares: dict[int, set[int]] = {}
    for device, start in _starts(sharding).items():
        shares.setdefault(device.process_index, set()).add(start)
    if process not in shares:
        raise ValueError(
            f"sharding: none of its devices is of process {process}, so that this "
            "process has no rows to read"
        )
    found = sorted({tuple(sorted(share)) for share in shares.values()})
    if len(set(map(len, found))) > 1:
        raise ValueError(
            "sharding: some processes have more rows of a batch than others: give the "
            "mesh as many devices of each process"
        )
    if sum(map(len, found)) != num_shards(sharding):
        raise ValueError(
            "sharding: some rows of a batch are on devices of two processes that have "
            "other rows beside them: order the devices of the mesh by process"
        )
    return found.index(tuple(sorted(shares[process]))), len(found)


def _starts(sharding: Sharding) -> dict[Device, int]:
    """Returns the first row of each device in a batch of one row per device."""
    rows = len(sharding.device_set)
    try:
        indices = sharding.devices_indices_map((rows,))
    except (IndexError, ValueError) as error:
        raise ValueError(
            "sharding must divide the first dimension, which is the batch, and no "
            f"other, as PartitionSpec('data') does: {sharding}"
        ) from error
    return {device: index[0].start or 0 for device, index in indices.items()}
