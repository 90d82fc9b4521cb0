# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Plans of ranks: what all ranks must have in common, and how plans differ.

A plan is a dict of the data, the order and the place that a rank is about to deliver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rowfeed._mix.mixture_parameters import MixtureParameters
from rowfeed._native import core
from rowfeed._options.options import OPTIONS
from rowfeed._options.parameters import Parameters
from rowfeed._state import state

LAST_ITERATION: Final = "the last iteration"
_PLACE: Final = ("epoch", "row", "next_epoch", "epochs_done")
_NAMED_RANKS: Final = 8  # The most ranks that a message names; further ones it counts.
_ADVICE: Final = (
    ". A batch that one rank alone takes from an iterator, or set_epoch or "
    "load_state_dict on one rank alone, parts it from the others: to look at a batch "
    "use peek() or batch_at(epoch, step), which move nothing, and call set_epoch or "
    "load_state_dict on all ranks"
)


def plan_of(
    parameters: Parameters, place: core.Progress | None, *, begins: bool = True
) -> state.State:
    """Returns what the ranks must have in common, as a JSON-able dict.

    Args:
        parameters: Parameters of the dataset.
        place: Place at which its iteration begins. None if it is not known yet.
        begins: Whether all ranks must begin at the same place. If not, the plan leaves
            the place out.
    """
    stands = state.make(place or state.start_of(0), parameters)
    delivered = (name for name, it in OPTIONS.items() if it.of_ranks)
    plan = {
        **_identity(stands),
        "order_version": stands["order_version"],
        **{name: parameters.value(name) for name in delivered},
    }
    if place is None:
        if parameters.options.growth is not None:  # Each epoch has other files.
            del plan["fingerprint"]
        return plan
    if isinstance(parameters, MixtureParameters):
        later = parameters.schedule_from(place.epoch)[1:]
        plan["weights of later epochs"] = [list(each) for each in later]
    # The place comes first, so that a difference in it is named before differences in
    # other fields that follow from it.
    fields = _PLACE if begins else ()
    return {**{name: stands[name] for name in fields}, **plan}


def _identity(state: state.State) -> state.State:
    """Returns the data and order of a state as one flat dict, also for a mixture.

    All fields that matter are always there, even without a value: `difference` takes a
    field that one rank lacks for equal.
    """
    if "mixture" not in state:
        order = {"filter": None, **state["order"]}
        if not order["shuffle"]:
            # Without shuffle it has no effect, and its default depends on the files
            # that the rank found.
            del order["shuffle_window"]
        return {"sources": 1, "fingerprint": state["fingerprint"], **order}
    mixture, sources = state["mixture"], state["mixture"]["sources"]
    fields = {"stop": mixture["stop"], "weights": mixture["weights"]}
    fields["sources"] = len(sources)
    for i, source in enumerate(sources):
        for name, value in _identity(source).items():
            fields[f"{name} of source {i}"] = value
    return fields


def difference(plans: Sequence[Mapping[str, Any]]) -> str:
    """Returns the message for the first field that differs; "" if no field does.

    Args:
        plans: Plans of the ranks, in the order of the ranks. A rank whose plan lacks a
            field agrees with the others in it.

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
    """Returns how a rank's plan differs from one that the other ranks agreed on.

    It is for a rank that wrote a new plan after the others compared. Returns "" if no
    field differs.

    Args:
        theirs: Plan that all other ranks had.
        mine: Plan of the late rank.
        rank: Number of the late rank.
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
    """Returns ranks as text for messages, such as "ranks 0, 2"."""
    names = ", ".join(map(str, ranks[:_NAMED_RANKS]))
    more = len(ranks) - _NAMED_RANKS
    rest = f" and {more} more" if more > 0 else ""
    return f"rank{'s' if len(ranks) > 1 else ''} {names}{rest}"
