# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A dataset whose next place the user can set."""

from __future__ import annotations

from rowfeed._keras_calls.peek import warn_of_peeks
from rowfeed._native import core
from rowfeed._state import state


class Placed:
    """What the datasets of all frameworks do with a place that the user sets."""

    # The place that the user set last, with `load_state_dict` or `set_epoch`.
    _placed: core.Progress | None = None

    def set_epoch(self, epoch: int) -> None:
        """Makes the next iteration start with epoch `epoch`."""
        self._put(state.start_of(epoch))

    def _put(self, place: core.Progress) -> None:
        """Moves to a place that the user has set, and remembers that it was set."""
        warn_of_peeks()
        self._move(place)
        self._placed = place

    def _move(self, progress: core.Progress) -> None:
        """Moves the place at which the next iteration begins."""
        raise NotImplementedError
