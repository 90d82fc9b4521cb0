# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Plays one case from beginning to end, under a watchdog that names the seed."""

from __future__ import annotations

import faulthandler
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

from tests.simulation.files import Library
from tests.simulation.steps import STEPS
from tests.simulation.stores import Store
from tests.simulation.world import World


def _play(case: dict[str, Any], steps: Mapping[str, Any], *given: Any) -> None:
    world = World(case, *given)
    try:
        world.start(case["run"], None)
        for name, *arguments in case["schedule"]:
            steps[name](world, *arguments)
        STEPS["finish"](world)
    finally:
        world.close()


def play(
    case: dict[str, Any],
    library: Library,
    own: Path,
    counts: Counter[str],
    *,
    hang_s: float | None = None,
    store: Store | None = None,
    more_steps: Mapping[str, Callable[..., None]] | None = None,
) -> str | None:
    """Plays a case.

    The function that plays it is called by the seed, so that each traceback of a run
    that hangs names the seed, even if the hang holds the GIL.

    Args:
        case: The case.
        library: Data sets that cases share.
        own: Folder for files of this case alone, which does not exist yet.
        counts: Counts what is done.
        hang_s: Seconds after which the run counts as hung: the tracebacks of all
            threads are printed, and the process ends. None: the caller has a watchdog.
        store: Store that the ranks read from. None: they read the files themselves.
        more_steps: Steps that the schedule may have beside those of `STEPS`.

    Returns:
        The failure with its traceback; None if all is as the model says.
    """
    named = _play.__code__.replace(co_name=f"seed_{case['seed']}_hangs")
    if hang_s is not None:
        faulthandler.dump_traceback_later(hang_s, exit=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            steps = {**STEPS, **(more_steps or {})}
            FunctionType(named, globals())(case, steps, library, own, counts, store)
    except Exception:
        return traceback.format_exc()
    finally:
        if hang_s is not None:
            faulthandler.cancel_dump_traceback_later()
    return None
