# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Steps and places in words, as far as they are known without counting."""

from __future__ import annotations

from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._sheet.text import counted


def of_an_epoch(parameters: Parameters, epoch: int) -> str:
    """Returns the number of this rank's steps in an epoch, or why it is not known."""
    if parameters.is_endless:
        return "epochs have no end"
    if not parameters.epochs.knows(epoch):
        if not parameters.epochs.countable:
            return "steps per epoch are known when the epoch has begun (begin_epoch)"
        return "steps per epoch are not known: the rows that pass are not counted yet"
    return f"{counted(parameters.steps_in(epoch), 'step')} per epoch"


def place_in_words(parameters: Parameters, place: core.Progress) -> str:
    """Returns a place as epoch and step, counted from 0.

    The place is given as a row if it lies between two steps, as after a state of
    another batch size.
    """
    epoch, row = place.epoch, place.row
    batch = parameters.stream.delivery.global_batch
    known = not parameters.is_endless and parameters.epochs.knows(epoch)
    left = parameters.steps_in(epoch, row) if known else None
    if left == 0 and row > 0:
        return f"the end of epoch {epoch}"
    if row % batch:
        behind = "" if left is None else f", {counted(left, 'step')} before its end"
        return f"row {row:,} of epoch {epoch}{behind}"
    steps = f" of {parameters.steps_in(epoch):,}" if known else ""
    return f"epoch {epoch}, step {row // batch:,}{steps}"
