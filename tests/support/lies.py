# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The lies that lying_files.py writes: what statistics and indexes may say wrongly."""

from __future__ import annotations

import lies_of_chunks  # noqa: F401  Importing a module puts its lies among LIES.
import lies_of_pages  # noqa: F401
from telling import BLOOMS, LIES, NO_INDEX

__all__ = ["BLOOMS", "LIES", "NO_INDEX"]
