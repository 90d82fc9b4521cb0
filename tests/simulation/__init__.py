# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A simulator with a seed: drawn trainings, each row of which a model knows beforehand.

    python -m tests.simulation --seed 7 --runs 100

A seed draws a data set, options, ranks and a schedule of what happens to them. The rows
come from the library; the model only judges. docs/reliability.md says what is promised.
"""

from __future__ import annotations

import sys
from pathlib import Path

# The models of the order stand there, and have no package.
_SUPPORT = str(Path(__file__).parents[1] / "support")
if _SUPPORT not in sys.path:
    sys.path.append(_SUPPORT)
