# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Forks, spawns and fork servers at a drawn instant: both go on with the same rows."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from functools import partial
from random import Random
from typing import Any

from tests.exits.children import HANG_S
from tests.exits.scenes import (
    NUM_ROWS,
    Others,
    dataset_of,
    for_daemons,
    ids_of,
    plan_of,
)

MOST_BATCHES = 150  # An epoch has some more.
_CODE = 9  # A forked process that has read the right rows ends with it.


def drawn(seed: int, kind: str) -> dict[str, Any]:
    """Returns the plan of a seed, for "fork", "spawn" or "forkserver"."""
    plan, rng = plan_of(seed), Random(f"fork {seed}")
    scenes = ["iteration", "iteration", "others", "again"]
    if plan["face"] == "rowfeed.torch":
        scenes += ["workers", "workers"]
    plan["kind"] = kind
    plan["scene"] = rng.choice(scenes) if kind == "fork" else "pickled"
    plan["how"] = rng.choice(["_exit", "exit"])
    return plan


def run(plan: dict[str, Any], data: str) -> None:
    """Does the work of the process that forks, which prints "right" if all is right."""
    _SCENES[plan["scene"]](plan, data)
    os.write(1, b"right")


def _rows(iteration: Any) -> list[int]:
    return [row for element in iteration for row in ids_of(element)]


def _ended(child: int) -> None:
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != _CODE:
        raise AssertionError(f"a forked process ended with {code}")


def _forked(plan: dict[str, Any], iteration: Any, rest: list[int]) -> int:
    """Forks a process that reads the rest; returns its number."""
    child = os.fork()
    if child:
        return child
    signal.alarm(HANG_S - 40)
    is_right = _rows(iteration) == rest
    code = _CODE if is_right else 2
    if plan["how"] == "_exit":
        os._exit(code)
    sys.exit(code)


def _begun(plan: dict[str, Any], data: str) -> tuple[Any, Any, list[int]]:
    """Returns a dataset, an iteration after some batches, and the rest of its rows."""
    order = _rows(dataset_of({**plan, "transforms": False}, data, num_epochs=1))
    dataset = dataset_of(plan, data, num_epochs=1)
    iteration = iter(dataset)
    num_rows = sum(
        len(ids_of(next(iteration))) for _ in range(min(plan["num_batches"], 150))
    )
    time.sleep(plan["delay_us"] / 1e6)
    return dataset, iteration, order[num_rows:]


def _iteration(plan: dict[str, Any], data: str) -> None:
    """Forks while the threads of an iteration read; both read to the end."""
    _, iteration, rest = _begun(plan, data)
    child = _forked(plan, iteration, rest)
    if _rows(iteration) != rest:
        raise AssertionError("other rows came after a fork")
    _ended(child)


def _others(plan: dict[str, Any], data: str) -> None:
    """Forks while other threads are within calls of the same dataset."""
    _, iteration, rest = _begun(plan, data)
    others = Others(dataset_of(for_daemons(plan), data), 1 + plan["num_others"])
    if plan["num_batches"] % 2:
        others.wait()
    children = [_forked(plan, iteration, rest) for _ in range(2)]
    if _rows(iteration) != rest:
        raise AssertionError("other rows came after a fork")
    for child in children:
        _ended(child)


def _again(plan: dict[str, Any], data: str) -> None:
    """A forked process forks again, and each makes datasets of its own."""
    dataset, iteration, rest = _begun(plan, data)
    child = os.fork()
    if child == 0:
        signal.alarm(HANG_S - 40)
        _ended(_forked(plan, iteration, rest))
        if sorted(_rows(iter(dataset))) != list(range(NUM_ROWS)):
            os._exit(3)
        _end_right(plan)
    _ended(child)
    if _rows(iteration) != rest:
        raise AssertionError("other rows came after a fork")


def _end_right(plan: dict[str, Any]) -> None:
    if plan["how"] == "_exit":
        os._exit(_CODE)
    sys.exit(_CODE)


def _workers(plan: dict[str, Any], data: str) -> None:
    """A DataLoader forks workers beside threads that read, and is left or ends."""
    from torch.utils.data import DataLoader

    # An iteration that has not begun would take an epoch behind those of the workers.
    begun = {**plan, "num_batches": plan["num_batches"] or 1}
    dataset, iteration, rest = _begun(begun, data)
    Others(dataset_of(plan, data), plan["num_others"])
    loader: Any = DataLoader(dataset, batch_size=None, num_workers=2)
    for batches in (iter(loader), iter(loader)):
        for _ in range(min(plan["num_batches"], 60)):
            next(batches)
        del batches
    if sorted(_rows(loader)) != list(range(NUM_ROWS)):
        raise AssertionError("workers do not deliver an epoch")
    if _rows(iteration) != rest:
        raise AssertionError("other rows came after a fork")


def _read_whole(dataset: Any, state: dict[str, Any], rest: list[int]) -> None:
    """What a process does that is given a pickled dataset."""
    dataset.load_state_dict(state)
    sys.exit(_CODE if _rows(iter(dataset)) == rest else 2)


def _pickled(plan: dict[str, Any], data: str) -> None:
    """A process that is started anew goes on from a state."""
    dataset, iteration, rest = _begun(plan, data)
    context: Any = multiprocessing.get_context(plan["kind"])
    work = partial(_read_whole, dataset, iteration.state_dict(), rest)
    process = context.Process(target=work)
    process.start()
    if _rows(iteration) != rest:
        raise AssertionError("other rows came after a process was started")
    process.join()
    if process.exitcode != _CODE:
        raise AssertionError(f"a process ended with {process.exitcode}")


_SCENES = {
    "iteration": _iteration,
    "others": _others,
    "again": _again,
    "workers": _workers,
    "pickled": _pickled,
}
