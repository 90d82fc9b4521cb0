# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Plays one case from beginning to end, under a watchdog that names the seed."""

from __future__ import annotations

import faulthandler
import traceback
import warnings
from collections import Counter
from pathlib import Path
from types import FunctionType
from typing import Any

from tests.simulation.files import Library
from tests.simulation.steps import STEPS
from tests.simulation.world import World

HANG_S = 120.0


def _play(case: dict[str, Any], library: Library, own: Path, counts: Any) -> None:
    world = World(case, library, own, counts)
    try:
        world.start(case["run"], None)
        for name, *arguments in case["schedule"]:
            STEPS[name](world, *arguments)
        STEPS["finish"](world)
    finally:
        world.close()


def play(
    case: dict[str, Any], library: Library, own: Path, counts: Counter[str]
) -> str | None:
    """Plays a case.

    A run that hangs ends the process. The tracebacks of all threads then have a
    function that is called by the seed, even if the hang holds the GIL.

    Returns:
        The failure with its traceback; None if all is as the model says.
    """
    named = _play.__code__.replace(co_name=f"seed_{case['seed']}_hangs")
    faulthandler.dump_traceback_later(HANG_S, exit=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            FunctionType(named, globals())(case, library, own, counts)
    except Exception:
        return traceback.format_exc()
    finally:
        faulthandler.cancel_dump_traceback_later()
    return None
