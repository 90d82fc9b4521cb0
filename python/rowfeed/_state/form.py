# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the form of a state: which fields it has, and which values they may have."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Mapping
from typing import Any, Final

from rowfeed._mix.mixture_parameters import STOPS
from rowfeed._mix.weights import MAX_PERIOD
from rowfeed._native import core
from rowfeed._options.options import MAX_EPOCH, OPTIONS, ORDER

FORMAT: Final = 1
PROGRESS: Final = ("epoch", "row", "next_epoch", "epochs_done")
_ORDER: Final = (*ORDER, "pinned_epoch")
# The greatest values of fields. A state may be some epochs beyond MAX_EPOCH, but the
# kernel must be able to count on from it in 64 bits.
_MOST: Final = {
    **dict.fromkeys(("epoch", "next_epoch", "epochs_done"), MAX_EPOCH + 2**40),
    **dict.fromkeys(("row", "global_batch"), 2**63 - 1),
}
_FIELDS: Final = ("format", "order_version", *PROGRESS, "global_batch")
# The fields that identify the data and order of a dataset, or of a source of a mixture.
_IDENTITY: Final = ("order", "fingerprint")
_FINGERPRINT: Final = re.compile("[0-9a-f]{32}")


def checked(state: object) -> Mapping[str, Any]:
    """Returns `state`, which may come from anywhere, if it has the form of a state.

    Raises:
        TypeError: `state` is not a dict.
        ValueError: A field is missing, unknown or of an impossible value, or the state
            has another format or order version. The message names the field.
    """
    if not isinstance(state, Mapping):
        raise TypeError(f"a state is a dict, not {type(state).__name__}")
    is_mixture = "mixture" in state
    identity = ("mixture",) if is_mixture else _IDENTITY
    _check_fields("state", state, (*_FIELDS, *identity))
    for name, known in (("format", FORMAT), ("order_version", core.ORDER_VERSION)):
        if _integer(state, name) != known:
            raise ValueError(
                f"state: {name} is {state[name]}, this rowfeed reads {known} only"
            )
    if is_mixture:
        _check_mixture(state["mixture"])
    else:
        _check_order(state["order"])
    for name, most in _MOST.items():
        _integer(state, name, high=most)
    # Before an epoch of a growing data set begins, it has no fingerprint.
    if not is_mixture and (state["fingerprint"] is not None or state["row"]):
        _check_fingerprint(state["fingerprint"])
    return state


def _check_mixture(mixture: object) -> None:
    what = "state: mixture"
    if not isinstance(mixture, Mapping):
        raise ValueError(f"{what} must be a dict, not {_short(mixture)}")
    _check_fields(what, mixture, ("stop", "weights", "sources"))
    if mixture["stop"] not in STOPS:
        raise ValueError(f"{what}: stop is {_short(mixture['stop'])}")
    sources, weights = mixture["sources"], mixture["weights"]
    for name, value in (("sources", sources), ("weights", weights)):
        if not isinstance(value, list) or not 1 <= len(value) <= MAX_PERIOD:
            raise ValueError(f"{what}: {name} must be a list, not {_short(value)}")
    is_period = all(type(n) is int and 1 <= n <= MAX_PERIOD for n in weights)
    if not is_period or sum(weights) > MAX_PERIOD or len(weights) != len(sources):
        raise ValueError(
            f"{what}: weights must be rounds of the sources in a period of at most "
            f"{MAX_PERIOD}, not {_short(weights)}"
        )
    for source in sources:
        if not isinstance(source, Mapping):
            raise ValueError(f"{what}: a source must be a dict, not {_short(source)}")
        _check_fields(f"{what}: a source", source, _IDENTITY)
        _check_order(source["order"])
        _check_fingerprint(source["fingerprint"])


def _check_fingerprint(fingerprint: object) -> None:
    if not isinstance(fingerprint, str) or not _FINGERPRINT.fullmatch(fingerprint):
        raise ValueError(
            "state: fingerprint must be 32 hexadecimal digits, not "
            f"{_short(fingerprint)}"
        )


def _check_order(order: object) -> None:
    if not isinstance(order, Mapping):
        raise ValueError(f"state: order must be a dict, not {_short(order)}")
    _check_fields("state: order", {"filter": "", **order}, (*_ORDER, "filter"))
    if not isinstance(order.get("filter", ""), str):
        raise ValueError(f"state: filter must be a str, not {_short(order['filter'])}")
    for name in ORDER:
        declared, value = OPTIONS[name], order[name]
        expected = declared.check and declared.check.expected(value, declared.unset)
        if expected:
            raise ValueError(f"state: {name} must be {expected}, not {_short(value)}")
    if order["pinned_epoch"] is not None:
        _integer(order, "pinned_epoch", high=MAX_EPOCH)


def _check_fields(what: str, given: Mapping[Any, Any], names: tuple[str, ...]) -> None:
    missing = [name for name in names if name not in given]
    if missing:
        raise ValueError(f"{what} has no field {missing[0]!r}")
    extra = [name for name in given if name not in names]
    if extra:
        raise ValueError(f"{what} has a field {_short(extra[0])} that is not known")


def _integer(
    fields: Mapping[str, Any], name: str, low: int = 0, high: int = 2**63 - 1
) -> int:
    value = fields[name]
    if type(value) is not int or not low <= value <= high:
        raise ValueError(
            f"state: {name} must be an integer in [{low}, {high}], not {_short(value)}"
        )
    return value


class _ShortRepr(reprlib.Repr):
    """A repr that looks at a few levels and members of a value.

    The value comes from a state that may be damaged, so the work must not grow with it.
    """

    def repr_int(self, x: int, level: int) -> str:  # noqa: ARG002
        """Returns the digits of a number that has few."""
        return f"a number of {x.bit_length()} bits" if abs(x) >= 2**64 else repr(x)


def _short(value: object) -> str:
    """Returns the repr of a value of any size, cut to at most 80 characters."""
    short = _ShortRepr()
    short.maxstring = short.maxother = 80
    text = short.repr(value[:60] if isinstance(value, (str, bytes)) else value)
    return text if len(text) <= 80 else f"{text[:77]}..."
