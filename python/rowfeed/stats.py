# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics of loading: counts and times of a dataset's iterations.

`dataset.stats()` returns `Stats`, in NumPy, PyTorch and TensorFlow: sums since the
dataset was made, and its state at the moment. Counting is always on. docs/stats.md says
how to read the numbers.

Times are in seconds, summed over threads: two threads that decode for one second at
once count as two seconds.
"""

from rowfeed._stats.counts import ColumnStats
from rowfeed._stats.numbers import EpochStats, Stats, Sums

__all__ = ["ColumnStats", "EpochStats", "Stats", "Sums"]
