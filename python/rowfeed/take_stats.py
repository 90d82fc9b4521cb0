# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics of taking rows by index, as `ParquetMapDataset.stats` returns them."""

from rowfeed._take.stats import TakeStats

__all__ = ["TakeStats"]
