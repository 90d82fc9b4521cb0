# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The state of an iteration: a JSON-able dict, the same for NumPy, torch, TensorFlow.

    {"format": 1, "order_version": 1,
     "epoch": 3, "row": 51200, "next_epoch": 4, "epochs_done": 0,
     "order": {"shuffle": True, "seed": 7, "shuffle_window": 80000, "block_rows": 0,
               "num_lanes": 8, "pinned_epoch": None,
               "filter": "(age > 30) #…32 hexadecimal digits…"},
     "global_batch": 256, "fingerprint": "…32 hexadecimal digits…"}

In the place of `order` and `fingerprint` a mixture has those of its sources:

     "mixture": {"stop": "first_exhausted", "weights": [3, 1],
                 "sources": [{"order": {…}, "fingerprint": "…"}, …]}

The iteration goes on at row `row` of epoch `epoch`, counted over all ranks. The epoch
that follows in this process is `next_epoch`. Of the iteration's `num_epochs` epochs,
`epochs_done` were before `epoch`. Without a filter the field `filter` is missing. The
state of any rank serves all ranks, at any world size: only `order` and `fingerprint`
must match. `global_batch` serves only to warn when it differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from rowfeed._catalog import file_changes
from rowfeed._catalog.catalog import Catalog
from rowfeed._mix.mixture_parameters import MixtureParameters
from rowfeed._native import core
from rowfeed._options.options import ADOPTED, MAX_EPOCH
from rowfeed._options.parameters import Parameters
from rowfeed._options.remade import remade
from rowfeed._process.caller_warnings import StateWarning, warn_caller
from rowfeed._process.checks import check_integer
from rowfeed._state import mismatch, mixture_state
from rowfeed._state.form import FORMAT, PROGRESS, checked

State: TypeAlias = dict[str, Any]


def make(progress: core.Progress, parameters: Parameters) -> State:
    """Returns the state of an iteration over `parameters` at the place `progress`."""
    return {
        "format": FORMAT,
        "order_version": core.ORDER_VERSION,
        **{name: getattr(progress, name) for name in PROGRESS},
        **_identity(progress.epoch, parameters),
        "global_batch": parameters.stream.delivery.global_batch,
    }


def _identity(epoch: int, parameters: Parameters) -> State:
    """Returns the fields in which a state must equal its dataset: data and order."""
    if isinstance(parameters, MixtureParameters):
        sources = [_identity(epoch, source) for source in parameters.sources]
        rounds = parameters.rounds_in(epoch)
        mixture = {"stop": parameters.stop, "weights": rounds, "sources": sources}
        return {"mixture": mixture}
    return {
        "order": parameters.order,
        "fingerprint": parameters.epochs.fingerprint_in(epoch),
    }


def start_of(epoch: int) -> core.Progress:
    """Returns the place where an epoch begins.

    Raises:
        TypeError: `epoch` is not an int.
        ValueError: `epoch` is negative or too large.
    """
    check_integer("epoch", epoch, 0, MAX_EPOCH)
    return core.Progress(epoch=epoch, row=0, next_epoch=epoch + 1, epochs_done=0)


def at(epoch: int, step: int, parameters: Parameters) -> State:
    """Returns the state before step `step` of epoch `epoch`, by arithmetic.

    The step after the last one stands for the end of the epoch.

    Raises:
        TypeError: An argument is not an int.
        ValueError: The epoch is negative or has fewer steps.
    """
    return make(_place(epoch, step, parameters, behind=0), parameters)


def place_of(epoch: int, step: int, parameters: Parameters) -> core.Progress:
    """Returns the place where step `step` of epoch `epoch` begins.

    Raises:
        TypeError: An argument is not an int.
        ValueError: The epoch is negative or has no such step.
    """
    return _place(epoch, step, parameters, behind=1)


def _place(epoch: int, step: int, parameters: Parameters, behind: int) -> core.Progress:
    """Returns the place where a step of an epoch begins.

    With `behind` 1 the epoch must have the step; with 0 the step may also be the end of
    the epoch.
    """
    check_integer("epoch", epoch, 0, MAX_EPOCH)
    check_integer("step", step, 0)
    steps = parameters.steps_in(epoch)
    if step > steps - behind:
        raise ValueError(
            f"step must be at most {steps - behind}, as an epoch has {steps}: {step}"
        )
    num_epochs = parameters.options.num_epochs
    done = epoch - parameters.options.first_epoch
    return core.Progress(
        epoch=epoch,
        row=core.row_of_step(
            parameters.epochs.rows_in(epoch), 0, step, parameters.stream.delivery
        ),
        next_epoch=epoch + 1,
        epochs_done=max(done, 0) if num_epochs is None else done % num_epochs,
    )


def check(
    state: object,
    parameters: Parameters,
    *,
    strict: bool = True,
    catalog: Catalog | None = None,
    adopts: bool = True,
) -> tuple[core.Progress, Parameters]:
    """Checks a state, which may come from anywhere, against a dataset.

    Args:
        state: State that `make` or `at` returned, perhaps by way of JSON.
        parameters: Parameters of the dataset that is to go on from the state.
        strict: Whether a state of other data or another order is refused. If not, a
            warning says what differs and what is given up.
        catalog: Catalog of the data when the state was taken, to say what changed.
        adopts: Whether order options that the user left at None take the state's value.

    Returns:
        Place to go on from, and parameters of the dataset: the same object, or one in
        which the order options that the user left at None have the state's values.

    Raises:
        TypeError: The state is not a dict, or `catalog` is not a Catalog.
        ValueError: The state is malformed or does not belong to `catalog`, or with
            `strict` it is of other data or another order. The message names the first
            field that differs, and the files that do.
    """
    fields = checked(state)
    if isinstance(parameters, MixtureParameters) or "mixture" in fields:
        if catalog is not None:
            raise ValueError("catalog: it is of one dataset, but a mixture has several")
        read = mixture_state.read(fields, parameters, _adopt if adopts else None)
        ours = make(read.progress, read.parameters)
        _judge(read.differences, read.given_up, fields, ours, strict=strict)
        return read.progress, read.parameters
    if parameters.options.growth is not None:
        return _check_growing(fields, parameters, strict=strict, adopts=adopts)
    known = _data_of(fields, parameters, catalog)
    if known is not None and fields["row"] > known.num_rows:
        raise ValueError(
            f"state: row is {fields['row']}, but an epoch has {known.num_rows} rows"
        )
    if adopts:
        parameters = _adopt(fields["order"], parameters)
    progress = _progress(fields, min(fields["row"], parameters.rows.max_rows))
    ours, data = make(progress, parameters), parameters.catalog
    changes, keeps_rows = None, False
    if known is not None:
        if known.fingerprint != data.fingerprint:
            changes = file_changes.changes(known, data)
        keeps_rows = file_changes.keeps_rows(known, data)
    found = mismatch.differences(fields, ours, changes)
    cost = mismatch.given_up(fields, ours, keeps_rows=keeps_rows) if found else ""
    _judge(found, cost, fields, ours, strict=strict)
    return progress, parameters


def _check_growing(
    state: Mapping[str, Any], parameters: Parameters, *, strict: bool, adopts: bool
) -> tuple[core.Progress, Parameters]:
    """Checks a state as `check` does, for growing data, whose epochs have snapshots."""
    if adopts:
        parameters = _adopt(state["order"], parameters)
    epochs = parameters.epochs
    epoch, row, fingerprint = state["epoch"], state["row"], state["fingerprint"]
    if fingerprint is not None:
        try:
            may_be_gone = not strict and parameters.can_count(epoch, fingerprint)
            epochs.resume(epoch, fingerprint, may_be_gone=may_be_gone)
        except (OSError, ValueError) as error:
            if strict:
                raise ValueError(
                    f"state: epoch {epoch} cannot go on, as what it was is not there: "
                    f"{error}. With strict=False it does: rows of files that are gone "
                    f"are fill, and if its snapshot is{_or_count(parameters)}, the "
                    "epoch is listed anew"
                ) from error
            epochs.begin(epoch)
        num_rows = epochs.rows_in(epoch)
        if row > num_rows and strict:
            raise ValueError(
                f"state: row is {row}, but epoch {epoch} has {num_rows} rows"
            )
        row = min(row, num_rows)
    progress = _progress(state, row)
    ours = make(progress, parameters)
    if fingerprint is None:  # The epoch had not begun, so it may have any files.
        state = {**state, "fingerprint": ours["fingerprint"]}
    found = mismatch.differences(state, ours, None)
    cost = mismatch.given_up(state, ours, keeps_rows=False) if found else ""
    _judge(found, cost, state, ours, strict=strict)
    return progress, parameters


def _or_count(parameters: Parameters) -> str:
    """Returns the words for a filter or split that must read files which are gone."""
    if parameters.options.condition is None:
        return ""
    return (
        ", or if they are needed to count the rows that the "
        f"{parameters.options.condition_kind} lets pass"
    )


def _progress(state: Mapping[str, Any], row: int) -> core.Progress:
    return core.Progress(state["epoch"], row, state["next_epoch"], state["epochs_done"])


def _data_of(
    state: Mapping[str, Any], parameters: Parameters, catalog: Catalog | None
) -> core.Catalog | None:
    """Returns the catalog of the data when a state was taken, or None if not known."""
    fingerprint = state["fingerprint"]
    if catalog is None:
        same = fingerprint == parameters.catalog.fingerprint
        return parameters.catalog if same else None
    if not isinstance(catalog, Catalog):
        raise TypeError(
            f"catalog must be a rowfeed.Catalog, not {type(catalog).__name__}"
        )
    if catalog.fingerprint != fingerprint:
        raise ValueError(
            f"catalog: its fingerprint is {catalog.fingerprint!r}, but {fingerprint!r} "
            "in the state: it is not the catalog that the state was taken over"
        )
    return catalog._native


def _judge(
    found: list[str], cost: str, state: Mapping[str, Any], ours: State, *, strict: bool
) -> None:
    """Refuses a state with differences, or warns of them and of another global batch.

    Args:
        found: Texts of the differences.
        cost: Text of what going on in spite of them gives up.
        state: State that the user gave.
        ours: State of the dataset at the same place.
        strict: Whether a difference is an error.
    """
    if found and strict:
        raise ValueError(f"state: {found[0]}")
    theirs, own = state["global_batch"], ours["global_batch"]
    if found:
        if theirs != own:
            found.append(f"global_batch is {theirs}, but {own} in this dataset")
        different = f"the state is not of this dataset: {'; '.join(found)}. So {cost}"
        warn_caller(StateWarning(different))
    elif theirs != own:
        warn_caller(
            StateWarning(
                f"the state was taken with a global batch of {theirs} rows, this "
                f"dataset has {own}: the rows go on exactly, in other batches"
            )
        )


def _adopt(order: Mapping[str, Any], parameters: Parameters) -> Parameters:
    """Gives the order options that the user left at None the state's values."""
    ours, options = parameters.order, parameters.options
    unset = [name for name in ADOPTED if getattr(options, name) is None]
    if all(ours[name] == order[name] for name in unset):
        return parameters
    return remade(parameters, options, order)
