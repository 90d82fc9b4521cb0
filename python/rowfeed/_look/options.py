# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The options of a dataset that are not at their defaults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, Final

from rowfeed._mix.mixture_parameters import MixtureParameters
from rowfeed._options.options import OPTIONS, ORDER, Options
from rowfeed._options.parameters import Parameters
from rowfeed._sheet.text import clipped

# Options that decide the order of rows, in the form of `name=value`.
_OF_ORDER: Final = (*ORDER, "reshuffle_each_iteration")
# Options that a sheet shows in lines of their own.
_ELSEWHERE: Final = frozenset(
    {
        *("batch_size", "columns", "label", "sample_weight", "filter", "growth"),
        *("split", "rank", "world_size"),
    }
)
_DEFAULTS: Final = {field.name: field.default for field in fields(Options)}
_WIDEST: Final = 60  # The greatest width of one value.


def of_order(parameters: Parameters) -> str:
    """Returns the order options that are not at their defaults; "" for none.

    Those of a mixture are the ones that its sources share.
    """
    return _joined(parameters, _own(parameters, _OF_ORDER))


def of_source(parameters: Parameters) -> str:
    """Returns the order options of a mixture's source that others need not share."""
    own = [name for name in _OF_ORDER if OPTIONS[name].of_mixture is None]
    return _joined(parameters, own)


def of_the_rest(parameters: Parameters) -> str:
    """Returns the other options that are not at their defaults; "" for none."""
    rest = [name for name in OPTIONS if name not in (*_OF_ORDER, *_ELSEWHERE)]
    return _joined(parameters, _own(parameters, rest))


def _own(parameters: Parameters, names: Sequence[str]) -> Sequence[str]:
    if not isinstance(parameters, MixtureParameters):
        return names
    return [name for name in names if OPTIONS[name].of_mixture is not None]


def _joined(parameters: Parameters, names: Sequence[str]) -> str:
    return ", ".join(
        f"{name}={_shown(value)}" for name, value in _set(parameters, names)
    )


def _set(parameters: Parameters, names: Sequence[str]) -> Iterator[tuple[str, Any]]:
    for name in names:
        value = getattr(parameters.options, name)
        if value is None and name in ORDER:
            value = _adopted(name, parameters)
        if value != _DEFAULTS[name]:
            yield name, value


def _adopted(name: str, parameters: Parameters) -> Any:
    """Returns the value that a loaded state gave an option; None for the default."""
    value = parameters.value(name)
    default = parameters.options.of_kernel(name, parameters.catalog)
    return None if value == default else value


def _shown(value: object) -> str:
    name = getattr(value, "__qualname__", None)  # Functions have one.
    return clipped(repr(value) if name is None else name, _WIDEST)
