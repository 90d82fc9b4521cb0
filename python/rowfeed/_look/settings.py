# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The options of a dataset as its constructor takes them, with defaults filled in."""

from __future__ import annotations

import os
from typing import Any

from rowfeed._mix.mixture_parameters import MixtureParameters
from rowfeed._options.data import REFRESH
from rowfeed._options.options import OPTIONS
from rowfeed._options.parameters import Parameters


def settings_of(parameters: Parameters) -> dict[str, Any]:
    """Returns the options in force, by their names.

    A mixture has the options that its sources share, and those of `mix`.
    """
    if isinstance(parameters, MixtureParameters):
        shared = [name for name in OPTIONS if OPTIONS[name].of_mixture is not None]
        found = {name: _in_force(name, parameters) for name in shared}
        weights = {epoch: list(rounds) for epoch, rounds in parameters.schedule}
        changes = len(weights) > 1
        found["weights"] = weights if changes else next(iter(weights.values()))
        return {**found, "stop": parameters.stop}
    found = {name: _in_force(name, parameters) for name in OPTIONS}
    growth, row_filter = found.pop("growth"), found["filter"]
    found["cache_dir"] = found["cache_dir"] or None
    found["filter"] = None if row_filter is None else row_filter.expression
    found["refresh"] = None if growth is None else REFRESH
    found["snapshot_dir"] = None if growth is None else os.fsdecode(growth.snapshot_dir)
    return found


def _in_force(name: str, parameters: Parameters) -> Any:
    """Returns the value of an option: the kernel's, where that is of the same form."""
    given, declared = getattr(parameters.options, name), OPTIONS[name]
    if declared.part is None or declared.encode is not None:
        return given
    value = parameters.value(name)
    return None if given is None and value == declared.unset else value
