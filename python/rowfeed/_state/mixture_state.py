# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the state of a mixture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rowfeed._mix.mixture_parameters import MixtureParameters, mixed
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._state import mismatch


@dataclass(frozen=True)
class Reading:
    """The result of reading a state for a mixture.

    Attributes:
        progress: Place at which the mixture goes on.
        parameters: Parameters of the mixture. Order options that the user left at None
            have the state's values.
        differences: Texts of what differs, in the order of fields.
    """

    progress: core.Progress
    parameters: MixtureParameters
    differences: list[str]

    @property
    def given_up(self) -> str:
        """Text that says what going on in spite of the differences gives up."""
        place = f"it goes on at epoch {self.progress.epoch}, row {self.progress.row}"
        if self.progress.row == 0:
            return f"{place}, in this mixture's order"
        return f"{place}: rows of this epoch may come twice or not at all"


def read(
    state: Mapping[str, Any],
    parameters: Parameters,
    adopt: Callable[[Mapping[str, Any], Parameters], Parameters] | None,
) -> Reading:
    """Reads a state where the state, the dataset or both are of a mixture.

    Weights and the stop rule of the two may differ at the beginning of an epoch, and at
    its end, which is then taken for the beginning of the next epoch.

    Args:
        state: State in the right form.
        parameters: Parameters of the dataset that is to go on from the state.
        adopt: Function that gives order options which the user left at None the state's
            values. None if they stay as they are.

    Raises:
        ValueError: Only one of the two is of a mixture, or both are, but with different
            numbers of sources; or the epoch has no such row.
    """
    if not isinstance(parameters, MixtureParameters):
        raise ValueError("state: it is of a mixture, but this dataset is none")
    if "mixture" not in state:
        raise ValueError("state: it is of one dataset, but this one is a mixture")
    theirs = state["mixture"]
    sources = theirs["sources"]
    if len(sources) != len(parameters.sources):
        raise ValueError(
            f"state: it is of a mixture of {len(sources)} datasets, but this one is of "
            f"{len(parameters.sources)}"
        )
    if adopt is not None:
        parameters = _adopted(sources, parameters, adopt)
    epoch, row = state["epoch"], state["row"]
    place = (epoch, row, state["next_epoch"], state["epochs_done"])
    ours = (parameters.stop, parameters.rounds_in(epoch))
    found = _of_sources(sources, parameters)
    if row > 0 and (theirs["stop"], theirs["weights"]) != ours:
        rounds = list(theirs["weights"])
        before = mixed(parameters.sources, [(0, rounds)], theirs["stop"])
        if row == before.epochs.rows_in(epoch) and not found:
            place = (place[2], 0, place[2] + 1, place[3] + 1)
        else:
            found += _of_weights(theirs, *ours)
    rows = parameters.epochs.rows_in(place[0])
    if place[1] > rows and not found:
        raise ValueError(f"state: row is {row}, but epoch {epoch} has {rows} rows")
    progress = core.Progress(place[0], min(place[1], rows), *place[2:])
    return Reading(progress, parameters, found)


def _adopted(
    states: list[Mapping[str, Any]],
    parameters: MixtureParameters,
    adopt: Callable[[Mapping[str, Any], Parameters], Parameters],
) -> MixtureParameters:
    sources = [
        adopt(state["order"], source)
        for state, source in zip(states, parameters.sources, strict=True)
    ]
    if all(a is b for a, b in zip(sources, parameters.sources, strict=True)):
        return parameters
    return mixed(sources, parameters.schedule, parameters.stop)


def _of_sources(
    states: list[Mapping[str, Any]], parameters: MixtureParameters
) -> list[str]:
    found = []
    for i, (state, source) in enumerate(zip(states, parameters.sources, strict=True)):
        found += [
            f"{name} of source {i} is {theirs!r}, but {own!r} in this mixture"
            for name, theirs, own in mismatch.of_order(state["order"], source.order)
        ]
        fingerprint = source.catalog.fingerprint
        if state["fingerprint"] != fingerprint:
            found.append(
                f"fingerprint of source {i} is {state['fingerprint']!r}, but "
                f"{fingerprint!r} in this mixture, which is of other data"
            )
    return found


def _of_weights(state: Mapping[str, Any], stop: str, rounds: list[int]) -> list[str]:
    found = []
    if state["stop"] != stop:
        found.append(f"stop is {state['stop']!r}, but {stop!r} in this mixture")
    if state["weights"] != rounds:
        found.append(
            f"weights are {state['weights']} rounds, but {rounds} in this mixture: in "
            "the middle of an epoch they must be the same"
        )
    return found
