# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The state of an iteration: one JSON-able dict, the same for every face.

    {"format": 1, "order_version": 1,
     "epoch": 3, "row": 51200, "next_epoch": 4, "epochs_done": 0,
     "order": {"shuffle": True, "seed": 7, "shuffle_window": 80000, "block_rows": 0,
               "num_lanes": 8, "pinned_epoch": None},
     "global_batch": 256, "fingerprint": "…32 hexadecimal digits…"}

The iteration's next row is `row` of the global stream of `epoch`; the epoch after it in
this process is `next_epoch`; `epochs_done` of the iteration's `num_epochs` lie before
`epoch`. Any rank's state serves all ranks, at any world size and in every face: only
`order` and `fingerprint` must match. `global_batch` informs.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from rowfeed._native import core
from rowfeed.options import LIMITS, MAX_EPOCH, check_integer
from rowfeed.resolved import Resolved, resolve

State: TypeAlias = dict[str, Any]

FORMAT: Final = 1
_ORDER: Final = (
    *("shuffle", "seed", "shuffle_window", "block_rows", "num_lanes", "pinned_epoch"),
)
# Where the user left one of these at None, it takes the state's value.
_ADOPTED: Final = ("shuffle_window", "block_rows", "num_lanes")
_PROGRESS: Final = ("epoch", "row", "next_epoch", "epochs_done")
# What follows is counted on in 64 bits: a state may stand behind MAX_EPOCH, not far.
_MOST: Final = {
    **dict.fromkeys(("epoch", "next_epoch", "epochs_done"), MAX_EPOCH + 2**40),
    "row": 2**63 - 1,
}
_FIELDS: Final = (
    *("format", "order_version", *_PROGRESS, "order", "global_batch", "fingerprint"),
)


def make(progress: core.Progress, resolved: Resolved) -> State:
    """Returns the state of an iteration over `resolved` that stands at `progress`."""
    return {
        "format": FORMAT,
        "order_version": core.ORDER_VERSION,
        **{name: getattr(progress, name) for name in _PROGRESS},
        "order": _order(resolved),
        "global_batch": resolved.stream.delivery.global_batch,
        "fingerprint": resolved.catalog.fingerprint,
    }


def at(epoch: int, step: int, resolved: Resolved) -> State:
    """Returns the state before step `step` of epoch `epoch`, by arithmetic.

    Behind the last step is the end of the epoch.

    Raises:
        TypeError: An argument is not an int.
        ValueError: The epoch is negative or has fewer steps.
    """
    steps = resolved.steps_per_epoch
    return make(_place(epoch, step, resolved, most=steps), resolved)


def place_of(epoch: int, step: int, resolved: Resolved) -> core.Progress:
    """Returns where step `step` of epoch `epoch` begins, if there is one.

    Raises:
        TypeError: An argument is not an int.
        ValueError: The epoch is negative or has no such step.
    """
    return _place(epoch, step, resolved, most=resolved.steps_per_epoch - 1)


def _place(epoch: int, step: int, resolved: Resolved, most: int) -> core.Progress:
    check_integer("epoch", epoch, 0, MAX_EPOCH)
    check_integer("step", step, 0)
    if step > most:
        steps = resolved.steps_per_epoch
        raise ValueError(
            f"step must be at most {most}, as an epoch has {steps}: {step}"
        )
    num_epochs = resolved.options.num_epochs
    done = epoch - resolved.options.first_epoch
    return core.Progress(
        epoch=epoch,
        row=core.row_of_step(
            resolved.catalog.num_rows, 0, step, resolved.stream.delivery
        ),
        next_epoch=epoch + 1,
        epochs_done=max(done, 0) if num_epochs is None else done % num_epochs,
    )


def check(state: object, resolved: Resolved) -> tuple[core.Progress, Resolved]:
    """Reads a state of any origin against a dataset.

    Args:
        state: What `make` or `at` returned, perhaps by way of JSON.
        resolved: The dataset that is to go on from it.

    Returns:
        The place to go on from, and the dataset's parameters: the same object, or one
        in which the order options that the user left at None have the state's values.

    Raises:
        TypeError: The state is not a dict.
        ValueError: It is malformed, or of other data or another order; the message
            names the first field that differs.
    """
    if not isinstance(state, Mapping):
        raise TypeError(f"a state is a dict, not {type(state).__name__}")
    _check_fields("state", state, _FIELDS)
    for name, known in (("format", FORMAT), ("order_version", core.ORDER_VERSION)):
        if _integer(state, name) != known:
            raise ValueError(
                f"state: {name} is {state[name]}, this rowfeed reads {known} only"
            )
    resolved = _adopt(state["order"], resolved)
    for name, ours in _order(resolved).items():
        theirs = state["order"][name]
        if theirs != ours or type(theirs) is not type(ours):
            raise ValueError(
                f"state: {name} is {_short(theirs)}, but {ours!r} in this dataset"
            )
    fingerprint = resolved.catalog.fingerprint
    if state["fingerprint"] != fingerprint:
        raise ValueError(
            f"state: fingerprint is {_short(state['fingerprint'])}, but "
            f"{fingerprint!r} here: it was taken over other data"
        )
    progress = core.Progress(
        **{name: _integer(state, name, high=_MOST[name]) for name in _PROGRESS}
    )
    if progress.row > resolved.catalog.num_rows:
        raise ValueError(
            f"state: row is {progress.row}, but an epoch has "
            f"{resolved.catalog.num_rows} rows"
        )
    global_batch = resolved.stream.delivery.global_batch
    if _integer(state, "global_batch") != global_batch:
        warnings.warn(
            f"the state was taken with a global batch of {state['global_batch']} "
            f"rows, this dataset has {global_batch}: the rows go on exactly, in other "
            "batches",
            stacklevel=3,
        )
    return progress, resolved


def _order(resolved: Resolved) -> dict[str, int | bool | None]:
    order = resolved.stream.order
    fields: dict[str, int | bool | None] = {
        name: getattr(order, name) for name in _ORDER[:-1]
    }
    return {**fields, "pinned_epoch": resolved.stream.pinned_epoch}


def _adopt(order: object, resolved: Resolved) -> Resolved:
    """Gives the order options that the user left at None the state's values."""
    if not isinstance(order, Mapping):
        raise ValueError(f"state: order must be a dict, not {_short(order)}")
    _check_fields("state: order", order, _ORDER)
    ours = _order(resolved)
    adopted = {
        name: _integer(order, name, 0 if name == "block_rows" else 1, LIMITS[name])
        for name in _ADOPTED
        if getattr(resolved.options, name) is None
    }
    if all(ours[name] == value for name, value in adopted.items()):
        return resolved
    return resolve(resolved.catalog, resolved.options, adopted)


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


def _short(value: object) -> str:
    """Returns the repr of a value of any size, cut to a size fit for a message."""
    if isinstance(value, int) and abs(value) >= 2**64:
        return f"a number of {value.bit_length()} bits"
    text = repr(value[:60] if isinstance(value, (str, bytes)) else value)
    return text if len(text) <= 80 else f"{text[:77]}..."
