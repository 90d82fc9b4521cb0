# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Trainings that the simulator plays, with more processes and with forks."""

from __future__ import annotations

import os
import signal
import traceback
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from tests.simulation.draw import case_of
from tests.simulation.files import Library
from tests.simulation.play import play
from tests.simulation.rows import BrokenPromiseError
from tests.simulation.world import World

Case = dict[str, Any]

HANG_S = 300  # A child of a fork that has not ended by then hangs.


def case_with(is_wanted: Callable[[Case], bool], seed: int) -> Case:
    """Returns a case that is wanted; the same for the same seed."""
    rng = Random(f"soak {seed}")
    for _ in count():
        case = case_of(rng.randrange(2**48))
        if is_wanted(case):
            break
    return case


def _more_processes(rng: Random, case: Case) -> None:
    """Lets some of the cases have ranks in processes, which are killed with -9."""
    if case["grows"] or rng.random() > 0.2:
        return
    runs = [step[3] for step in case["schedule"] if step[0] == "kill"]
    for run in [case["run"], *runs]:
        if "world_size" in run:
            run["world_size"] = min(run["world_size"], 6)
    case["run"]["processes"] = True


def _forks(rng: Random, case: Case) -> None:
    for _ in range(rng.choice([0, 0, 1, 2])):
        step = ["fork", rng.randrange(8), rng.choice([1, 3, 1000])]
        case["schedule"].insert(rng.randint(0, len(case["schedule"])), step)


def fork(world: World, rank: int, num_batches: int) -> None:
    """A forked child goes on from where a rank stands, and then the rank itself."""
    assert world.team is not None
    member = world.members[rank % len(world.members)]
    if world.team.run["processes"]:
        return  # The objects of such a rank are in a child already.
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(HANG_S)
            for _ in range(num_batches):
                if not world.take(member):
                    break
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if status:
        raise BrokenPromiseError(f"a fork of rank {rank} ends with status {status}")
    world.counts["forks"] += 1


def played(
    face: str,
    is_wanted: Callable[[Case], bool],
    seed: int,
    library: Library,
    own: Path,
    counts: Counter[str],
) -> str | None:
    """Plays the training of a seed.

    Args:
        face: Face of rowfeed: "numpy" or "torch".
        is_wanted: Whether a drawn case is one of those to be played.
        seed: The seed.
        library: Data sets that trainings share.
        own: Folder for files of this training alone, which does not exist yet.
        counts: Counts what is done.

    Returns:
        The failure with its traceback; None if all is as the model says.
    """
    case, rng = case_with(is_wanted, seed), Random(f"additions {seed}")
    case["run"]["face"] = face
    _more_processes(rng, case)
    _forks(rng, case)
    steps = {"fork": fork}
    return play(case, library, own, counts, hang_s=2 * HANG_S, more_steps=steps)
