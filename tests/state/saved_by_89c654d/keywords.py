# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The keywords of the datasets whose states are kept, for make.py and the test."""

from __future__ import annotations

from typing import Any

import pyarrow.compute as pc

KEYWORDS: dict[str, dict[str, Any]] = {
    "in order": {},
    "shuffled": {"shuffle": True, "seed": 7},
    "lanes": {"shuffle": True, "seed": 7, "num_lanes": 3, "shuffle_window": 40},
    "blocks": {"shuffle": True, "seed": 7, "block_rows": 5},
    "one order": {"shuffle": True, "reshuffle_each_iteration": False, "first_epoch": 2},
    "wrap": {"shuffle": True, "remainder": "wrap"},
    "endless": {"shuffle": True, "num_epochs": None},
    "expression": {"shuffle": True, "filter": pc.field("half") > 10.0},
    "tuples": {"shuffle": True, "filter": [("id", ">", 30), ("name", "!=", "row 40")]},
}
