# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Blocks of other sizes, with which an epoch reads less or begins sooner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from rowfeed._look.forecasts import forecast_with
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._process.usable import usable_memory

WINDOW_BLOCKS: Final = 8  # The number of blocks in an advised window.
_LEAST_BLOCK: Final = 32  # The smallest block to advise, as in the kernel.
_MOST_TIMES: Final = 2  # How many times the bytes an advised option may read.
_TOO_MANY_TIMES: Final = 4  # How many times what whole row groups read, to be too many.

Changes = dict[str, int]


def median_group(parameters: Parameters) -> int:
    """Returns the median number of rows in the row groups that have any; 0 for none."""
    groups = parameters.catalog.group_rows
    groups = np.sort(groups[groups > 0])
    return int(groups[len(groups) // 2]) if len(groups) else 0


def smaller_blocks(
    parameters: Parameters, forecast: core.EpochForecast, wanted_bytes: int
) -> tuple[Changes, core.EpochForecast] | None:
    """Returns options with which the first batch waits for less, and their forecast.

    Each block is read by whole pages, which may be too much for many narrow columns.
    Then there are none.

    Args:
        parameters: Parameters of the dataset.
        forecast: Forecast of its epoch.
        wanted_bytes: Number of bytes for which the first batch should wait.
    """
    waits, order = forecast.first_batch_bytes, parameters.stream.order
    group = median_group(parameters)
    wanted = min(group, order.block_rows or group) * wanted_bytes // max(waits, 1)
    if order.shuffle:  # The first batch waits for all blocks of its windows.
        wanted = wanted * max(forecast.window_blocks, 1) // WINDOW_BLOCKS
    if wanted < _LEAST_BLOCK:
        return None
    changes = {"block_rows": 1 << (wanted.bit_length() - 1)}  # A power of two.
    if order.shuffle:
        changes["shuffle_window"] = WINDOW_BLOCKS * changes["block_rows"]
    found = forecast_with(parameters, **changes)
    if found is None:
        return None
    _, then = found
    is_sooner = then.first_batch_bytes <= waits // 2
    reads_little = then.read_bytes <= _MOST_TIMES * forecast.read_bytes
    return (changes, then) if is_sooner and reads_little else None


def stored_bytes(parameters: Parameters) -> int | None:
    """Returns the bytes that an epoch of whole row groups reads, if that is known."""
    largest = int(max(parameters.catalog.group_rows, default=0))
    found = forecast_with(parameters, block_rows=largest) if largest else None
    return None if found is None else found[1].read_bytes


def larger_blocks(
    parameters: Parameters, forecast: core.EpochForecast
) -> tuple[Changes, int, int] | None:
    """Returns options of blocks that do not read their pages many times.

    The other results are the bytes that an epoch reads with them, and those that an
    epoch of whole row groups reads. None if the blocks in force are large enough.
    """
    order = parameters.stream.order
    largest = int(max(parameters.catalog.group_rows, default=0))
    if not 0 < order.block_rows < largest:
        return None
    whole = stored_bytes(parameters)
    if whole is None or forecast.read_bytes <= _TOO_MANY_TIMES * whole:
        return None
    best: tuple[int, Changes] = (forecast.read_bytes // 2, {})
    block = order.block_rows
    while best[0] > _MOST_TIMES * whole and block < largest:
        block *= 2
        changes = {"block_rows": block}
        if order.shuffle:
            changes["shuffle_window"] = max(order.shuffle_window, WINDOW_BLOCKS * block)
        found = forecast_with(parameters, **changes)
        if found is None or not fits(found[0]):
            break
        best = min(best, (found[1].read_bytes, changes), key=lambda read: read[0])
    read, changes = best
    return (changes, read, whole) if changes else None


def fits(parameters: Parameters) -> bool:
    """Returns whether the budget leaves half of the memory to the model."""
    return parameters.stream.memory_budget_bytes <= usable_memory() // 2


def pasted(changes: Mapping[str, int]) -> str:
    """Returns options as a user writes them."""
    return ", ".join(f"{name}={value}" for name, value in changes.items())
