# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Finds what `stats()` may advise for a dataset, by footers and arithmetic alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rowfeed._look.block_sizes import (
    WINDOW_BLOCKS,
    larger_blocks,
    median_group,
    pasted,
    smaller_blocks,
    stored_bytes,
)
from rowfeed._look.forecasts import forecast_of, forecast_with
from rowfeed._mix.mixture_parameters import MixtureParameters
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._process.usable import usable_memory
from rowfeed._stats.remedies import Remedies

# Advised row groups have at most so many rows and bytes ...
_GROUP_ROWS: Final = 1 << 14
_GROUP_BYTES: Final = 8_000_000
# ... and where the first batch should come sooner at most this share of the rows, but
# not fewer than so many.
_GROUP_SHARES: Final = 64
_LEAST_GROUP: Final = 1 << 12
_FEW_SHARES: Final = 8  # Smaller blocks aim at this fraction of the first batch's wait.
_SHORT_WAIT_BYTES: Final = 64_000_000  # Bytes below which no wait needs to be.


def remedies_of(parameters: Parameters) -> Remedies:
    """Returns the changes that make sense for a dataset.

    Options of the order belong to the sources of a mixture, so a mixture has the budget
    alone. So has a dataset whose rows are not counted.
    """
    memory = core.plan_memory(parameters.catalogs, parameters.stream)
    found = Remedies(
        room_bytes=memory.with_read_ahead, most_budget_bytes=usable_memory() // 2
    )
    if isinstance(parameters, MixtureParameters):
        return found
    forecast = forecast_of(parameters)
    if forecast is None or not forecast.num_row_groups:
        return found
    stored = stored_bytes(parameters) or forecast.read_bytes
    row_bytes = max(stored * _world(parameters) / parameters.catalog.num_rows, 1.0)
    larger = larger_blocks(parameters, forecast)
    return replace(
        found,
        shuffle_window=_smaller_window(parameters, forecast),
        smaller_blocks=_smaller_blocks(parameters, forecast),
        larger_blocks="" if larger is None else pasted(larger[0]),
        smaller_groups=_smaller_groups(parameters, forecast, row_bytes),
        larger_groups=_power_of_two(min(_GROUP_ROWS, _GROUP_BYTES / row_bytes)),
        group_rows=median_group(parameters),
        group_bytes=stored // forecast.num_row_groups,
        num_row_groups=forecast.num_row_groups,
        num_files=forecast.num_files,
        epoch_batches=parameters.steps_in(0) if parameters.epochs.knows(0) else 0,
        has_all_columns=parameters.options.columns is None,
        has_partitions=bool(parameters.catalog.partition_types),
    )


def _world(parameters: Parameters) -> int:
    return parameters.stream.delivery.world_size


def _smaller_window(parameters: Parameters, forecast: core.EpochForecast) -> int:
    """Returns the default window, if the first batch comes much sooner with it."""
    default = core.default_shuffle_window(parameters.catalog)
    order = parameters.stream.order
    if not order.shuffle or order.block_rows or order.shuffle_window <= default:
        return 0
    then = forecast_with(parameters, shuffle_window=default)
    is_sooner = (
        then is not None
        and then[1].first_batch_bytes <= forecast.first_batch_bytes // 2
    )
    return default if is_sooner else 0


def _smaller_blocks(parameters: Parameters, forecast: core.EpochForecast) -> str:
    if parameters.stream.order.block_rows:
        return ""  # Blocks that are cut ever smaller would read ever more.
    wanted = min(forecast.first_batch_bytes // _FEW_SHARES, _SHORT_WAIT_BYTES)
    found = smaller_blocks(parameters, forecast, wanted)
    return "" if found is None else pasted(found[0])


def _smaller_groups(
    parameters: Parameters, forecast: core.EpochForecast, row_bytes: float
) -> int:
    """Returns rows of row groups with which the first batch comes much sooner, or 0."""
    order, num_rows = parameters.stream.order, parameters.catalog.num_rows
    group = _power_of_two(
        min(
            _GROUP_ROWS,
            _GROUP_BYTES / row_bytes,
            max(_LEAST_GROUP, num_rows / _GROUP_SHARES),
        )
    )
    window = group
    if order.shuffle:
        given = parameters.options.shuffle_window
        blocks = WINDOW_BLOCKS if given is None else -(-order.shuffle_window // group)
        window = min(blocks * group, num_rows)
    waits = forecast.first_batch_bytes / row_bytes
    return group if group < median_group(parameters) and 2 * window <= waits else 0


def _power_of_two(most: float) -> int:
    """Returns the largest power of two that is not above `most`, and at least 1."""
    return 1 << (max(int(most), 1).bit_length() - 1)
