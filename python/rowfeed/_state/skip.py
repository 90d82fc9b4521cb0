# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The place after some steps, by arithmetic."""

from __future__ import annotations

from collections.abc import Callable

from rowfeed._native import core
from rowfeed._options.parameters import Parameters


def place_after(
    num_steps: int,
    place: core.Progress,
    parameters: Parameters,
    begin: Callable[[int], None],
) -> core.Progress:
    """Returns the place after a number of steps of an iteration.

    Args:
        num_steps: Number of steps from `place` on. If the iteration has fewer, its end
            is returned.
        place: Place from which the iteration goes on.
        parameters: Parameters of the dataset.
        begin: Function that lists or counts what an epoch has.
    """
    num_epochs = parameters.options.num_epochs
    while True:
        begin(place.epoch)
        rest = parameters.steps_in(place.epoch, place.row)
        is_last = num_epochs is not None and place.epochs_done + 1 >= num_epochs
        is_empty = rest == 0 and place.row == 0
        if num_steps < rest or is_last or is_empty:
            break
        num_steps -= rest
        place = core.Progress(
            place.next_epoch, 0, place.next_epoch + 1, place.epochs_done + 1
        )
    row = core.row_of_step(
        parameters.epochs.rows_in(place.epoch),
        place.row,
        min(num_steps, rest),
        parameters.stream.delivery,
    )
    return core.Progress(place.epoch, row, place.next_epoch, place.epochs_done)
