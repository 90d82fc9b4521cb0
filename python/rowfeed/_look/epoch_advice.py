# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Sentences about what to change, where the numbers of an epoch give reason."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Final

import numpy as np

from rowfeed._look.block_sizes import (
    fits,
    larger_blocks,
    median_group,
    pasted,
    smaller_blocks,
)
from rowfeed._look.forecasts import changed
from rowfeed._mix.mixture_parameters import MixtureParameters
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._process.usable import usable_memory
from rowfeed._sheet.text import sized

_FEW_BLOCKS: Final = 4
_FEW_SHARES: Final = 8  # Advised options need at most this fraction of the memory.
_LONG_WAIT_BYTES: Final = 512_000_000  # Bytes before the first batch, to be too many.
_WORTH_A_COPY: Final = 16_000_000  # Bytes of an epoch from which on copies are advised.
_TIMES_OF_COPY: Final = 4  # How many times the bytes of a copy are too many to read.
_TIMES_BY_INDEX: Final = 2  # How many times less rows by index must read.
_SHORT_WAIT_BYTES: Final = 64_000_000  # Bytes that an advised option aims at.


def advice_of(
    parameters: Parameters,
    memory: core.MemoryPlan,
    forecast: core.EpochForecast | None,
) -> Iterator[str]:
    """Yields sentences, each of which ends with the option to paste, or with a page.

    Options of the order belong to the sources of a mixture, so a mixture gets advice
    about its budget alone.

    Args:
        parameters: Parameters of the dataset.
        memory: Memory that the stream needs.
        forecast: Numbers of the epoch; None if they are not known.
    """
    budget = list(_about_budget(parameters, memory))
    yield from budget
    if isinstance(parameters, MixtureParameters) or forecast is None:
        return
    yield from _about_mixing(parameters, forecast)
    yield from _about_lanes(parameters, forecast)
    yield from _about_reads(parameters, forecast)
    yield from _about_filter(parameters, forecast)
    if not budget:  # The advice about the budget makes blocks smaller as well.
        yield from _about_first_batch(parameters, forecast)


def _about_budget(parameters: Parameters, memory: core.MemoryPlan) -> Iterator[str]:
    usable, budget = usable_memory(), parameters.stream.memory_budget_bytes
    if budget > usable // 2:
        found = (
            f"the memory budget is {sized(budget)} of the {sized(usable)} that this "
            "process may use"
        )
        if memory.with_read_ahead <= usable // 2:
            yield f"{found}: memory_budget_bytes={memory.with_read_ahead}"
            return
        advised = core.advised_blocks(
            parameters.catalogs, parameters.stream, usable // _FEW_SHARES
        )
        if advised is None:
            yield f"{found}: reduce batch_size, shuffle_window, num_lanes or columns"
            return
        block_rows, window, needed = advised
        changes = {"block_rows": block_rows}
        if window:
            changes["shuffle_window"] = window
        yield (
            f"{found}, but {sized(needed)} suffice with smaller blocks: "
            f"{pasted(changes)}"
        )
    elif budget < memory.with_read_ahead <= usable // 2:
        yield (
            f"the memory budget of {sized(budget)} has no room to read the next window "
            f"ahead: memory_budget_bytes={memory.with_read_ahead}"
        )


def _about_mixing(
    parameters: Parameters, forecast: core.EpochForecast
) -> Iterator[str]:
    order, delivery = parameters.stream.order, parameters.stream.delivery
    if not order.shuffle or forecast.num_windows == 0:
        return
    own_lanes = order.num_lanes // gcd(order.num_lanes, delivery.world_size)
    at_once = own_lanes * forecast.window_blocks
    default = core.default_shuffle_window(parameters.catalog)
    is_cut = forecast.num_windows > own_lanes  # Windows have not all rows of a lane.
    if not is_cut or at_once >= _FEW_BLOCKS or order.shuffle_window >= default:
        return
    wider = changed(parameters, shuffle_window=default)
    if wider is not None and fits(wider):
        blocks = "1 block" if at_once == 1 else f"{at_once} blocks"
        yield (
            f"the rows of a batch come from {blocks} of the data set at a time, which "
            f"shuffles them weakly: shuffle_window={default}"
        )


def _about_lanes(parameters: Parameters, forecast: core.EpochForecast) -> Iterator[str]:
    lanes = parameters.stream.order.num_lanes
    world = parameters.stream.delivery.world_size
    times = world // gcd(world, lanes)
    advised = lanes * times  # The least common multiple.
    groups = np.count_nonzero(parameters.catalog.group_rows)
    groups -= forecast.excluded_row_groups
    if times == 1 or groups < advised:
        return
    more = changed(parameters, num_lanes=advised)
    if more is not None and fits(more):
        yield (
            f"{times} ranks read each row group, because world_size={world} does not "
            f"divide num_lanes={lanes}: num_lanes={advised}"
        )


def _about_reads(parameters: Parameters, forecast: core.EpochForecast) -> Iterator[str]:
    larger = larger_blocks(parameters, forecast)
    if larger is not None:
        changes, read, whole = larger
        block = parameters.stream.order.block_rows
        yield (
            f"blocks of {block:,} rows read {sized(forecast.read_bytes)} "
            f"where row groups have {sized(whole)}, because each block reads whole "
            f"pages; larger ones read about {sized(read)}: {pasted(changes)}"
        )


def _about_filter(
    parameters: Parameters, forecast: core.EpochForecast
) -> Iterator[str]:
    if parameters.options.filter is None or not forecast.copied_bytes:
        return
    copied, by_index = forecast.copied_bytes, forecast.by_index_bytes
    if (
        forecast.read_bytes > _TIMES_OF_COPY * copied
        and forecast.read_bytes > _WORTH_A_COPY
    ):
        others = (
            f", and rows by index about {sized(by_index)}: "
            "rowfeed.ParquetMapDataset(..., filter=...)"
            if _TIMES_BY_INDEX * by_index < forecast.read_bytes
            else ""
        )
        yield (
            f"each epoch reads {sized(forecast.read_bytes)} for rows that have about "
            f"{sized(copied)}; a copy of these rows reads only that "
            f'("Few rows" in docs/filters.md){others}'
        )


def _about_first_batch(
    parameters: Parameters, forecast: core.EpochForecast
) -> Iterator[str]:
    waits = forecast.first_batch_bytes
    if waits <= _LONG_WAIT_BYTES:
        return
    smaller = smaller_blocks(parameters, forecast, _SHORT_WAIT_BYTES)
    if smaller is not None:
        changes, then = smaller
        yield (
            f"the first batch waits for {sized(waits)}, because row groups have "
            f"{median_group(parameters):,} rows, and would wait for about "
            f"{sized(then.first_batch_bytes)} with smaller blocks: {pasted(changes)}"
        )
