# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What takes of rows by index have done, in numbers."""

from rowfeed._take.stats import TakeStats

__all__ = ["TakeStats"]
