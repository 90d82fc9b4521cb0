# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Processes that end, are interrupted or fork at drawn instants of an iteration.

    python -m tests.exits --kind exit --runs 200 --seed 7

Each run is a process of its own, whose end the program judges. docs/reliability.md says
what is promised.
"""

from __future__ import annotations

import sys
from pathlib import Path

# Modules that tests share stand there, and have no package.
_SUPPORT = str(Path(__file__).parents[1] / "support")
if _SUPPORT not in sys.path:
    sys.path.append(_SUPPORT)
