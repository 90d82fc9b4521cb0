# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The rows that a filter lets pass in a few row groups, which alone are read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from rowfeed._native import core
from rowfeed._options.make_parameters import make_parameters
from rowfeed._options.options import Options
from rowfeed._recorder.lane import Numbers
from rowfeed._recorder.surviving_rows import PLACE, surviving_rows


class PassingRows:
    """The rows that pass, by row group; what was read is kept."""

    def __init__(self, options: Options, catalog: core.Catalog) -> None:
        """Takes the options of a dataset, and the catalog of its data in an epoch."""
        self._options = replace(
            Options(),
            columns=PLACE,
            filter=options.filter,
            split=options.split,
            num_threads=options.num_threads,
            verify_checksums=options.verify_checksums,
            use_statistics=options.use_statistics,
        )
        self._catalog = catalog
        # A selection numbers its files anew, which a filter on `__file` would notice.
        condition = options.condition
        self._reads_all = condition is not None and "__file" in condition.columns
        self._known: dict[int, Numbers] = {}

    def read(self, groups: Iterable[int]) -> None:
        """Finds the rows of row groups that are not known yet.

        Raises:
            OSError: A file is gone, has changed, or cannot be read.
            ValueError: The files have a column with the name of a place of rows.
        """
        if self._reads_all:
            groups = range(len(self._catalog.group_rows))
        wanted = [group for group in groups if group not in self._known]
        if not wanted:
            return
        selected = self._catalog.select(wanted)
        rows = surviving_rows(make_parameters(selected, self._options, {}))
        ends = np.cumsum(selected.group_rows)
        begins = ends - selected.group_rows
        for group, begin, end in zip(wanted, begins, ends, strict=True):
            first, last = np.searchsorted(rows, (begin, end))
            self._known[group] = rows[first:last] - begin

    def of_group(self, group: int) -> Numbers:
        """Returns the indices of the rows of a row group that pass, ascending."""
        self.read([group])
        return self._known[group]
