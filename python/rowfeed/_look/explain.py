# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What an epoch will do, by footers and arithmetic alone."""

from __future__ import annotations

from rowfeed._look.epoch_advice import advice_of
from rowfeed._look.explanation import Explanation
from rowfeed._look.forecasts import are_counted, forecast_of
from rowfeed._look.peak_memory import peak_memory
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._process.usable import (
    available_memory,
    container_memory,
    machine_memory,
)


def explain(name: str, parameters: Parameters, epoch: int) -> Explanation:
    """Explains an epoch. It opens no file, counts no rows and lists no directory.

    Args:
        name: Public name of the dataset's class.
        parameters: Parameters of the dataset.
        epoch: Number of the epoch.
    """
    memory = core.plan_memory(parameters.catalogs, parameters.stream)
    forecast = forecast_of(parameters, epoch)
    mixing = None if forecast is None else forecast.mixing
    has_filter = any(part.options.condition is not None for part in parameters.parts)
    filtered = forecast if has_filter else None
    num_steps = _steps(parameters, epoch)
    return Explanation(
        dataset=name,
        epoch=epoch,
        num_files=None if forecast is None else forecast.num_files,
        num_row_groups=None if forecast is None else forecast.num_row_groups,
        read_bytes=None if forecast is None else forecast.read_bytes,
        is_read_exact=forecast is not None and forecast.is_read_exact,
        first_batch_bytes=None if forecast is None else forecast.first_batch_bytes,
        num_requests=None if forecast is None else forecast.num_requests,
        window_memory_bytes=memory.window,
        least_memory_bytes=memory.minimum,
        read_ahead_memory_bytes=memory.with_read_ahead,
        memory_budget_bytes=parameters.stream.memory_budget_bytes,
        peak_memory_bytes=peak_memory(parameters, memory, forecast, num_steps),
        machine_memory_bytes=machine_memory(),
        available_memory_bytes=available_memory(),
        cgroup_limit_bytes=container_memory(),
        num_lanes=parameters.stream.order.num_lanes,
        num_windows=None if forecast is None else forecast.num_windows,
        window_rows=None if forecast is None else forecast.window_rows,
        window_blocks=None if forecast is None else forecast.window_blocks,
        row_groups_per_batch=None if mixing is None else mixing.row_groups_per_batch,
        files_per_batch=None if mixing is None else mixing.files_per_batch,
        displacement_rows=None if mixing is None else mixing.displacement_rows,
        passing_rows=None if filtered is None else _passing(parameters),
        excluded_row_groups=None if filtered is None else filtered.excluded_row_groups,
        decided_rows=None if filtered is None else filtered.decided_rows,
        copied_bytes=None if filtered is None else filtered.copied_bytes,
        by_index_bytes=None if filtered is None else filtered.by_index_bytes,
        num_steps=num_steps,
        unknown=" ".join(_reasons(parameters, epoch)),
        advice=tuple(advice_of(parameters, memory, forecast)),
    )


def _passing(parameters: Parameters) -> int:
    sources = zip(parameters.parts, parameters.all_rows, strict=True)
    return sum(
        rows.num_rows() for part, rows in sources if part.options.condition is not None
    )


def _conditions(parameters: Parameters) -> str:
    """Returns what the rows must satisfy that are not counted: `filter`, or `split`."""
    sources = zip(parameters.parts, parameters.all_rows, strict=True)
    open_ones = [part.options for part, rows in sources if not rows.is_known]
    said = []
    if any(part.filter is not None for part in open_ones):
        said.append("the filter lets pass")
    if any(part.split is not None for part in open_ones):
        said.append("the split has")
    return " and ".join(said)


def _steps(parameters: Parameters, epoch: int) -> int | None:
    if parameters.is_endless or not parameters.epochs.knows(epoch):
        return None
    return parameters.steps_in(epoch)


def _reasons(parameters: Parameters, epoch: int) -> list[str]:
    """Returns sentences that say why numbers are None, or may differ."""
    found = []
    if parameters.is_endless:
        found.append("Epochs of this mixture have no end.")
    elif not are_counted(parameters):
        found.append(
            f"The rows that {_conditions(parameters)} are not counted yet; "
            "dataset.peek() counts them."
        )
    if parameters.options.growth is not None:
        found.append(
            "Files are listed anew for each epoch; bytes, windows and memory are those "
            "of the files that were there when the dataset was made."
        )
        if not parameters.epochs.knows(epoch):
            found.append("The steps are known when the epoch has begun (begin_epoch).")
    return found
