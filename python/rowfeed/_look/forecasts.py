# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Forecasts of an epoch, with the options in force and with others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rowfeed._native import core
from rowfeed._options.make_parameters import make_parameters
from rowfeed._options.options import ORDER
from rowfeed._options.parameters import Parameters


def are_counted(parameters: Parameters) -> bool:
    """Returns whether the rows that filters and splits let pass are counted."""
    return all(rows.is_known for rows in parameters.all_rows)


def forecast_of(parameters: Parameters, epoch: int = 0) -> core.EpochForecast | None:
    """Foresees an epoch; None if it has no end, or its rows are not counted yet."""
    if parameters.is_endless or not are_counted(parameters):
        return None
    return core.forecast_epoch(parameters.stream, parameters.all_rows, epoch)


def changed(parameters: Parameters, **changes: Any) -> Parameters | None:
    """Returns parameters with other options; None if these are not possible."""
    order = {name: parameters.value(name) for name in ORDER}
    try:
        return make_parameters(
            parameters.catalog, replace(parameters.options, **changes), order
        )
    except ValueError:
        return None


def forecast_with(
    parameters: Parameters, **changes: Any
) -> tuple[Parameters, core.EpochForecast] | None:
    """Returns parameters with other options, and their forecast, if both are known."""
    other = changed(parameters, **changes)
    forecast = None if other is None else forecast_of(other)
    return None if other is None or forecast is None else (other, forecast)
