# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the rows of an epoch's stream that a rank gets in a step, and the inverse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._process.checks import check_integer

FILL = -1  # Stands for a fill row in the place of the number of a row.


def delivery_of(
    parameters: Parameters,
    rank: int | None,
    world_size: int | None,
    batch_size: int | None,
) -> core.DeliveryOptions:
    """Returns the delivery of a dataset, with other values where they are not None.

    Raises:
        TypeError: An argument is not an int.
        ValueError: An argument is out of range.
    """
    own = parameters.stream.delivery
    check_integer("batch_size", batch_size, 1, core.MAX_BATCH_SIZE, optional=True)
    check_integer("world_size", world_size, 1, core.MAX_WORLD_SIZE, optional=True)
    check_integer("rank", rank, 0, optional=True)
    rank = own.rank if rank is None else int(rank)
    world_size = own.world_size if world_size is None else int(world_size)
    if rank >= world_size:
        raise ValueError(
            f"rank must be in [0, {world_size - 1}], as world_size is {world_size}, "
            f"not {rank}"
        )
    return core.DeliveryOptions(
        batch_size=own.batch_size if batch_size is None else int(batch_size),
        rank=rank,
        world_size=world_size,
        remainder=own.remainder,
    )


def start_of_step(
    delivery: core.DeliveryOptions,
    num_rows: int,
    step: int | None,
    start_row: int | None,
) -> int:
    """Returns the row of the stream at which a step begins.

    Args:
        delivery: Delivery of the batches.
        num_rows: Number of rows of the epoch.
        step: Index of the step, counted from the first row of the epoch; or None.
        start_row: Row at which the step begins; or None.

    Raises:
        TypeError: Not exactly one of the two is given, or it is not an int.
        ValueError: The epoch has no such step for this rank.
    """
    if (step is None) == (start_row is None):
        raise TypeError("give either step or start_row")
    if step is not None:
        steps = core.batches_per_epoch(num_rows, 0, delivery)
        check_integer("step", step, 0)
        if step >= steps:
            raise ValueError(f"step must be {_below(steps, delivery)}, not {step}")
        return int(step) * delivery.global_batch
    check_integer("start_row", start_row, 0)
    assert start_row is not None
    is_last = start_row >= num_rows
    if is_last or not core.batches_per_epoch(num_rows, int(start_row), delivery):
        raise ValueError(
            f"start_row must be a row at which a step of rank {delivery.rank} begins: "
            f"{start_row} is too late, as the epoch has {num_rows} rows and "
            f"remainder={delivery.remainder!r}"
        )
    return int(start_row)


def _below(steps: int, delivery: core.DeliveryOptions) -> str:
    if steps == 0:
        return (
            "of an epoch that has steps, which this one has not for rank "
            f"{delivery.rank} with a global batch of {delivery.global_batch} rows "
            f"(batch_size {delivery.batch_size} x world_size {delivery.world_size}) "
            f"and remainder={delivery.remainder!r}"
        )
    return f"in [0, {steps - 1}], as the epoch has {steps} steps of this rank"


def rows_of_step(
    delivery: core.DeliveryOptions, num_rows: int, start: int
) -> NDArray[np.int64]:
    """Returns the rows of the stream in a batch, in its order; FILL for fill rows.

    Args:
        delivery: Delivery of the batches.
        num_rows: Number of rows of the epoch.
        start: Row of the stream at which the step begins on all ranks together.
    """
    # Row g of the stream belongs to rank g % world_size, also where a step does not
    # begin at a multiple of it.
    first = start + (delivery.rank - start) % delivery.world_size
    end = first + delivery.world_size * delivery.batch_size
    if delivery.remainder in (
        "drop",
        "uneven",
    ):  # The batch has the rows that are left.
        end = min(end, num_rows)
    rows = np.arange(first, end, delivery.world_size, dtype=np.int64)
    if delivery.remainder == "wrap":
        return rows % num_rows
    if delivery.remainder == "pad":
        return np.where(rows < num_rows, rows, FILL)
    return rows


def steps_with(
    delivery: core.DeliveryOptions, num_rows: int, row: int, end_step: int | None
) -> Iterator[tuple[int, int, int]]:
    """Yields step, rank and index in the batch, wherever a row of the stream comes.

    Args:
        delivery: Delivery of the batches; its rank does not matter.
        num_rows: Number of rows of the epoch.
        row: Row of the stream.
        end_step: Step at which the search ends; None for the end of the epoch.
    """
    global_batch = delivery.global_batch
    end = num_rows
    if delivery.remainder == "drop":
        end -= num_rows % global_batch
    elif delivery.remainder == "wrap":
        end += -num_rows % global_batch
    if end_step is not None:
        end = min(end, end_step * global_batch)
    # With "wrap" the stream goes on with its first rows, so a row may come twice.
    for at in range(row, end, num_rows):
        step, place = divmod(at, global_batch)
        index, rank = divmod(place, delivery.world_size)
        yield step, rank, index
