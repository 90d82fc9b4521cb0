# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Look`: what the streaming datasets of all frameworks show of themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rowfeed._look.dataset_sheet import sheet_of
from rowfeed._look.settings import settings_of
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._sheet.sheet import Sheet
from rowfeed._sheet.shown import Shown


class Look(Shown):
    """A dataset that says what it is."""

    _parameters: Parameters

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

    @property
    def settings(self) -> dict[str, Any]:
        """Options in force, by their names: those given, and defaults filled in.

        They are keywords of the constructor, so
        `ParquetDataset(dataset.catalog, **dataset.settings)` is a dataset of the same
        order and elements. Order options that a loaded state has set have its values.
        None stands for a default that is no number, such as `columns` and
        `block_rows`. `paths` and `partitions` are in `catalog`. A mixture has the
        options that its sources share, `weights` (in rounds of a period) and `stop`.

        Example:
            >>> ParquetDataset("data", 256, shuffle=True).settings["shuffle_window"]
            ... # doctest: +SKIP
            8000
        """
        return settings_of(self._parameters)

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
