# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The memory by which a process grows while it reads an epoch."""

from __future__ import annotations

import sys
from math import gcd, prod
from typing import Final

from rowfeed._columns.dtypes import BYTES, width_of
from rowfeed._native import core
from rowfeed._options.parameters import Parameters

# The idle memory that the kernel keeps for the next batches, beyond the memory budget.
_IDLE_BYTES: Final = 16 << 20


def peak_memory(
    parameters: Parameters,
    memory: core.MemoryPlan,
    forecast: core.EpochForecast | None,
    num_steps: int | None,
) -> int:
    """Returns about how many bytes a process grows by, if loading is ahead.

    Then the kernel loads all that the memory budget has room for. It loads less if the
    rows of the iteration need less.

    Args:
        parameters: Parameters of the dataset.
        memory: Memory that the stream needs.
        forecast: Numbers of the epoch; None if they are not known.
        num_steps: Number of batches in the epoch; None if it is not known.
    """
    in_use = max(parameters.stream.memory_budget_bytes, memory.minimum)
    # What the consumer has no longer counts in the budget: the batch that it works on,
    # and the one that it gets next.
    consumed = 2 * _batch_bytes(parameters, forecast, num_steps)
    rows = _rows_in_memory(parameters, memory, forecast)
    if not any(map(_varies, parameters.outputs)):
        return min(in_use + consumed, rows)  # These batches are among the rows.
    in_use = min(in_use, rows)
    # What one batch gives back may be too small for the next one. No buffer gets memory
    # of more than 1.5 times its size.
    return in_use + consumed + min(_IDLE_BYTES, in_use // 2)


def _rows_in_memory(
    parameters: Parameters,
    memory: core.MemoryPlan,
    forecast: core.EpochForecast | None,
) -> int:
    """Returns the most bytes that rows of the iteration can take at once."""
    if forecast is None or len(parameters.parts) > 1 or not memory.window_rows:
        return sys.maxsize
    delivery, lanes = parameters.stream.delivery, parameters.stream.order.num_lanes
    # Ranks that share lanes load the same windows.
    common = gcd(lanes, delivery.world_size)
    rows = parameters.rows.num_rows() / common
    # A window has memory for its own rows, and for those of one batch more.
    own = memory.window_rows * common / delivery.world_size
    most = -(-parameters.catalog.num_rows // delivery.world_size)
    rows *= own / max(own, min(own + _batch_rows(parameters), most))
    if parameters.options.num_epochs != 1:
        rows *= 2  # The next epoch is read ahead.
    decoding = memory.minimum - memory.num_windows * memory.window
    return int(rows * memory.window / memory.window_rows) + decoding


def _batch_bytes(
    parameters: Parameters, forecast: core.EpochForecast | None, num_steps: int | None
) -> int:
    """Returns about the bytes of a batch; values of any length are as in the files."""
    fixed = _batch_rows(parameters) * sum(
        width_of(column.dtype) * prod(column.dense_shape)
        for column in parameters.outputs
        if not _varies(column)
    )
    if forecast is None or not num_steps:
        return fixed
    varies = any(map(_varies, parameters.outputs))
    return max(fixed, forecast.read_bytes // num_steps) if varies else fixed


def _batch_rows(parameters: Parameters) -> int:
    """Returns the most rows of a batch: no more than an epoch has, unless it is filled.

    The epochs of mixtures and of growing data may have any number of rows.
    """
    delivery = parameters.stream.delivery
    fills_up = delivery.remainder in ("pad", "wrap")
    if fills_up or len(parameters.parts) > 1 or parameters.options.growth is not None:
        return int(delivery.batch_size)
    return min(
        delivery.batch_size, -(-parameters.catalog.num_rows // delivery.world_size)
    )


def _varies(column: core.Column) -> bool:
    """Returns whether the rows of a column differ in length."""
    return column.ragged_rank > 0 or column.dtype in BYTES
