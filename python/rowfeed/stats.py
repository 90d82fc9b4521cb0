# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a dataset's iterations have done, in numbers and in words.

`dataset.stats()` of every face returns `Stats`: sums since the dataset was made and
what there is at the moment. Counting is always on. docs/stats.md says how to read them.

Times are in seconds. Those of threads that work at once are added up: two threads that
decode for a second are two seconds.
"""

from rowfeed._stats.counts import ColumnStats
from rowfeed._stats.numbers import EpochStats, Stats, Sums

__all__ = ["ColumnStats", "EpochStats", "Stats", "Sums"]
