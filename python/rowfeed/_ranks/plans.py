# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the ranks of a group must have in common, and how they differ in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rowfeed._mix.mixed import MixedResolved
from rowfeed._native import core
from rowfeed._options.resolved import Resolved
from rowfeed._state import state

LAST_ITERATION: Final = "the last iteration"
_PLACE: Final = ("epoch", "row", "next_epoch", "epochs_done")
_NAMED_RANKS: Final = 8  # More than these are counted in messages.
_ADVICE: Final = (
    ". A batch that one rank alone takes from an iterator, or set_epoch or "
    "load_state_dict on one rank alone, parts it from the others: to look at a batch "
    "use batch_at(epoch, step), which moves nothing, and call set_epoch or "
    "load_state_dict on all ranks"
)


def plan_of(
    resolved: Resolved, place: core.Progress | None, *, begins: bool = True
) -> state.State:
    """Returns what the ranks must have in common, as a JSON-able dict.

    Args:
        resolved: The dataset.
        place: Where its iteration begins; None: it is not known yet.
        begins: Whether `place` is the same on all ranks; else it is left out.
    """
    stands = state.make(place or state.start_of(0), resolved)
    delivery, num_epochs = resolved.stream.delivery, resolved.options.num_epochs
    plan = {
        **_identity(stands),
        "order_version": stands["order_version"],
        "remainder": delivery.remainder,
        "batch_size": delivery.batch_size,
        "num_epochs": None if num_epochs is None else int(num_epochs),
    }
    if place is None:
        if resolved.snapshots is not None:  # Each epoch has its own.
            del plan["fingerprint"]
        return plan
    if isinstance(resolved, MixedResolved):
        later = resolved.schedule_from(place.epoch)[1:]
        plan["weights of later epochs"] = [list(each) for each in later]
    fields = _PLACE if begins else ()  # First: what follows may differ with it.
    return {**{name: stands[name] for name in fields}, **plan}


def _identity(state: state.State) -> state.State:
    """Returns data and order, of each source of a mixture, field by field.

    Each has all that matters, since a field that one rank lacks is no difference.
    """
    if "mixture" not in state:
        order = {"filter": None, **state["order"]}
        if not order["shuffle"]:
            del order["shuffle_window"]  # By default it is that of what a rank found.
        return {"sources": 1, "fingerprint": state["fingerprint"], **order}
    mixture, sources = state["mixture"], state["mixture"]["sources"]
    fields = {"stop": mixture["stop"], "weights": mixture["weights"]}
    fields["sources"] = len(sources)
    for i, source in enumerate(sources):
        for name, value in _identity(source).items():
            fields[f"{name} of source {i}"] = value
    return fields


def difference(plans: Sequence[Mapping[str, Any]]) -> str:
    """Returns what to say of the first field that differs; "" if none does.

    Args:
        plans: Plans of the ranks, in their order. A rank whose plan lacks a field
            agrees with the others.

    Example:
        >>> difference([{"seed": 7}, {"seed": 8}, {"seed": 7}])
        'the ranks have different plans: seed is 7 on ranks 0, 2 and 8 on rank 1'
    """
    for rank, plan in enumerate(plans):
        if "error" in plan:
            return f"rank {rank} could not make its dataset: {plan['error']}"
    for name in dict.fromkeys(name for plan in plans for name in plan):
        ranks_of: dict[str, list[int]] = {}
        for rank, plan in enumerate(plans):
            if name in plan:
                ranks_of.setdefault(repr(plan[name]), []).append(rank)
        if len(ranks_of) > 1:
            each = [f"{value} on {named(ranks)}" for value, ranks in ranks_of.items()]
            return _said(name, each)
    return ""


def late(theirs: Mapping[str, Any], mine: Mapping[str, Any], rank: int) -> str:
    """Returns what to say where the other ranks have compared without this one's plan.

    Args:
        theirs: The plan that all of them had.
        mine: The plan of this rank.
        rank: This rank.
    """
    for name in mine:
        if name in theirs and mine[name] != theirs[name]:
            each = [f"{theirs[name]!r} on the other ranks", f"{mine[name]!r} on rank"]
            return _said(name, [each[0], f"{each[1]} {rank}"])
    return ""


def _said(name: str, each: Sequence[str]) -> str:
    moved = name in (*_PLACE, LAST_ITERATION)
    said = f"the ranks have different plans: {name} is {' and '.join(each)}"
    return said + (_ADVICE if moved else "")


def named(ranks: Sequence[int]) -> str:
    """Returns the names of ranks for messages."""
    names = ", ".join(map(str, ranks[:_NAMED_RANKS]))
    more = len(ranks) - _NAMED_RANKS
    rest = f" and {more} more" if more > 0 else ""
    return f"rank{'s' if len(ranks) > 1 else ''} {names}{rest}"
