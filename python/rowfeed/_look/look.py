# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Look`: what the streaming datasets of all frameworks show of themselves."""

from __future__ import annotations

from collections.abc import Callable

from rowfeed._look.dataset_sheet import sheet_of
from rowfeed._native import core
from rowfeed._sheet.sheet import Sheet
from rowfeed._sheet.shown import Shown


class Look(Shown):
    """A dataset that says what it is."""

    def _start(self) -> core.Progress:
        """Returns the place at which the next iteration starts.

        Raises:
            RuntimeError: This process does not know it.
        """
        raise NotImplementedError

    def _stands(self) -> core.Progress:
        """Returns the place of the iteration begun last; before one, of the start.

        Raises:
            RuntimeError: This process does not know it.
        """
        raise NotImplementedError

    def _sheet(self) -> Sheet:
        """Returns the description, without counting, listing or moving anything."""
        start, stands = _known(self._start), _known(self._stands)
        places = [("next iteration", start)]
        if stands is None or start is None or stands.astuple() != start.astuple():
            places.append(("last iteration", stands))
        return sheet_of(self, places)


def _known(place: Callable[[], core.Progress]) -> core.Progress | None:
    try:
        return place()
    except RuntimeError:
        return None
