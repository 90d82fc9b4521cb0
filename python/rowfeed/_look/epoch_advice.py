# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Sentences about what to change, where the numbers of an epoch give reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import gcd
from typing import Any, Final

import numpy as np

from rowfeed._mix.mixture_parameters import MixtureParameters
from rowfeed._native import core
from rowfeed._options.make_parameters import make_parameters
from rowfeed._options.options import ORDER
from rowfeed._options.parameters import Parameters
from rowfeed._process.usable import usable_memory
from rowfeed._sheet.text import sized

_FEW_BLOCKS: Final = 4
_WINDOW_BLOCKS: Final = 8  # The number of blocks in an advised window.
_LEAST_BLOCK: Final = 32  # The smallest block to advise, as in the kernel.
_FEW_SHARES: Final = 8  # Advised options need at most this fraction of the memory.
_LONG_WAIT_BYTES: Final = 512_000_000  # Bytes before the first batch, to be too many.
_MOST_TIMES: Final = 2  # How many times the bytes an advised option may read.
_TOO_MANY_TIMES: Final = 4  # How many times what whole row groups read, to be too many.
_WORTH_A_COPY: Final = 16_000_000  # Bytes of an epoch from which on copies are advised.
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
            f"{_pasted(changes)}"
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
    wider = _changed(parameters, shuffle_window=default)
    if wider is not None and _fits(wider):
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
    more = _changed(parameters, num_lanes=advised)
    if more is not None and _fits(more):
        yield (
            f"{times} ranks read each row group, because world_size={world} does not "
            f"divide num_lanes={lanes}: num_lanes={advised}"
        )


def _about_reads(parameters: Parameters, forecast: core.EpochForecast) -> Iterator[str]:
    order = parameters.stream.order
    largest = int(max(parameters.catalog.group_rows, default=0))
    if not 0 < order.block_rows < largest:
        return
    whole = _read_bytes(_changed(parameters, block_rows=largest))
    if whole is None or forecast.read_bytes <= _TOO_MANY_TIMES * whole:
        return
    best: tuple[int, dict[str, int]] = (forecast.read_bytes // 2, {})
    block = order.block_rows
    while best[0] > _MOST_TIMES * whole and block < largest:
        block *= 2
        changes = {"block_rows": block}
        if order.shuffle:
            window = max(order.shuffle_window, _WINDOW_BLOCKS * block)
            changes["shuffle_window"] = window
        larger = _changed(parameters, **changes)
        then = _read_bytes(larger)
        if larger is None or then is None or not _fits(larger):
            break
        best = min(best, (then, changes), key=lambda found: found[0])
    read, changes = best
    if changes:
        yield (
            f"blocks of {order.block_rows:,} rows read {sized(forecast.read_bytes)} "
            f"where row groups have {sized(whole)}, because each block reads whole "
            f"pages; larger ones read about {sized(read)}: {_pasted(changes)}"
        )


def _about_filter(
    parameters: Parameters, forecast: core.EpochForecast
) -> Iterator[str]:
    if parameters.options.filter is None or not forecast.copied_bytes:
        return
    copied, by_index = forecast.copied_bytes, forecast.by_index_bytes
    if (
        forecast.read_bytes > _TOO_MANY_TIMES * copied
        and forecast.read_bytes > _WORTH_A_COPY
    ):
        others = (
            f", and rows by index about {sized(by_index)}: "
            "rowfeed.ParquetMapDataset(..., filter=...)"
            if _MOST_TIMES * by_index < forecast.read_bytes
            else ""
        )
        yield (
            f"each epoch reads {sized(forecast.read_bytes)} for rows that have about "
            f"{sized(copied)}; a copy of these rows reads only that "
            f'("Few rows" in docs/filters.md){others}'
        )


def _read_bytes(parameters: Parameters | None) -> int | None:
    """Returns the bytes that an epoch reads; None if that is not known."""
    if parameters is None or not parameters.rows.is_known:
        return None
    forecast = core.forecast_epoch(parameters.stream, parameters.all_rows, epoch=0)
    return forecast.read_bytes


def _about_first_batch(
    parameters: Parameters, forecast: core.EpochForecast
) -> Iterator[str]:
    waits, order = forecast.first_batch_bytes, parameters.stream.order
    if waits <= _LONG_WAIT_BYTES:
        return
    groups = parameters.catalog.group_rows
    groups = np.sort(groups[groups > 0])
    group = int(groups[len(groups) // 2])
    wanted = min(group, order.block_rows or group) * _SHORT_WAIT_BYTES // waits
    if order.shuffle:  # The first batch waits for all blocks of its windows.
        wanted = wanted * max(forecast.window_blocks, 1) // _WINDOW_BLOCKS
    if wanted < _LEAST_BLOCK:
        return
    changes = {"block_rows": 1 << (wanted.bit_length() - 1)}  # A power of two.
    if order.shuffle:
        changes["shuffle_window"] = _WINDOW_BLOCKS * changes["block_rows"]
    smaller = _changed(parameters, **changes)
    if smaller is None or not smaller.rows.is_known:
        return
    then = core.forecast_epoch(smaller.stream, smaller.all_rows, epoch=0)
    # Each block is read by whole pages, which may be too much for many narrow columns.
    if (
        then.first_batch_bytes <= waits // 2
        and then.read_bytes <= _MOST_TIMES * forecast.read_bytes
    ):
        yield (
            f"the first batch waits for {sized(waits)}, because row groups have "
            f"{group:,} rows, and would wait for about {sized(then.first_batch_bytes)} "
            f"with smaller blocks: {_pasted(changes)}"
        )


def _changed(parameters: Parameters, **changes: Any) -> Parameters | None:
    """Returns parameters with other options; None if these are not possible."""
    order = {name: parameters.value(name) for name in ORDER}
    try:
        return make_parameters(
            parameters.catalog, replace(parameters.options, **changes), order
        )
    except ValueError:
        return None


def _fits(parameters: Parameters) -> bool:
    return parameters.stream.memory_budget_bytes <= usable_memory() // 2


def _pasted(changes: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in changes.items())
