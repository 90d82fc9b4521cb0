# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C at a drawn instant: KeyboardInterrupt at once, and then exactly the rest."""

from __future__ import annotations

import json
import os
import signal
import threading
from itertools import islice
from random import Random
from typing import Any

from tests.exits.children import Ended
from tests.exits.scenes import (
    BATCH_SIZE,
    NUM_ROWS,
    Others,
    after_delay,
    dataset_of,
    ids_of,
    plan_of,
)

import rowfeed

REST = 20  # Batches that are compared after the interrupt, at least.


def drawn(seed: int) -> dict[str, Any]:
    """Returns the plan of a seed."""
    plan, rng = plan_of(seed), Random(f"interrupt {seed}")
    plan["scene"] = rng.choice(
        ["batches", "batches", "batches", "blocked", "counting", "opening", "take"]
    )
    plan["goes_on"] = rng.choice(["iteration", "dataset", "another"])
    plan["num_signals"] = rng.choice([1, 1, 1, 2, 5])
    return plan


def run(plan: dict[str, Any], data: str) -> None:
    """Does the work of the child, which prints "right" if all is right."""
    _SCENES[plan["scene"]](plan, data)
    os.write(1, b"right")


def judged(plan: dict[str, Any], end: Ended) -> str | None:  # noqa: ARG001
    """Returns what is wrong with the end of the child; None if nothing is."""
    if (end.code, end.output, end.errors) == (0, "right", ""):
        return None
    return f"it ended with {end.code}: {end.output}{end.errors}"


def _interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def _batches(plan: dict[str, Any], data: str) -> None:
    """Ctrl-C while batches are taken, one or several times."""
    dataset = dataset_of(plan, data)
    Others(dataset_of(plan, data), plan["num_others"])
    iteration, rows = iter(dataset), list[int]()
    for element in islice(iteration, plan["num_batches"]):
        rows += ids_of(element)
    for _ in range(plan["num_signals"]):
        try:
            after_delay(plan, _interrupt)
            while True:
                rows += ids_of(next(iteration))
        except KeyboardInterrupt:
            pass
        state = json.loads(json.dumps(iteration.state_dict()))
        came = state["epochs_done"] * NUM_ROWS + state["row"]
        # The interrupt may have come with a batch that had just been delivered.
        if came - len(rows) not in range(BATCH_SIZE + 1):
            raise AssertionError(f"{len(rows)} rows came, and the state is {state}")
        _check_rest(plan, data, state, dataset, iteration)
        # The next signal comes to an iteration that goes on from that state.
        dataset.load_state_dict(state)
        iteration = iter(dataset)
        del rows[:]
        rows += [0] * came


def _order(plan: dict[str, Any], data: str, epoch: int) -> list[int]:
    keywords = {"num_epochs": 1, "first_epoch": epoch, "num_threads": 1}
    dataset = dataset_of({**plan, "transforms": False}, data, **keywords)
    return [row for element in dataset for row in ids_of(element)]


def _check_rest(
    plan: dict[str, Any],
    data: str,
    state: dict[str, Any],
    dataset: Any,
    iteration: Any,
) -> None:
    """Compares what comes next with the rest of the state's epoch."""
    if plan["goes_on"] == "dataset":
        dataset.load_state_dict(state)
        iteration = iter(dataset)
    if plan["goes_on"] == "another":
        another = dataset_of(plan, data)
        another.load_state_dict(state)
        iteration = iter(another)
    rest = _order(plan, data, state["epoch"])[state["row"] :]
    if len(rest) < REST * BATCH_SIZE:
        rest += _order(plan, data, state["epoch"] + 1)
    got = list[int]()
    while len(got) < len(rest):
        got += ids_of(next(iteration))
    if got != rest:
        raise AssertionError(f"other rows came after the interrupt, at {state}")


def _blocked(plan: dict[str, Any], data: str) -> None:
    """Ctrl-C ends the wait for a transform that never ends by itself."""
    goes_on, is_blocked = threading.Event(), threading.Event()
    last = min(plan["num_batches"], 60)
    seen, lock = [0], threading.Lock()

    def block(element: Any) -> Any:
        with lock:
            seen[0] += 1
            is_last = seen[0] > last
        if is_last:
            is_blocked.set()
            goes_on.wait()
        return element

    dataset = dataset_of(plan, data, transform=block)
    iteration, rows = iter(dataset), list[int]()

    def interrupt() -> None:
        is_blocked.wait()
        after_delay(plan, _interrupt)

    threading.Thread(target=interrupt, daemon=True).start()
    try:
        while True:
            rows += ids_of(next(iteration))
    except KeyboardInterrupt:
        goes_on.set()
    state = iteration.state_dict()
    if state["row"] - len(rows) not in range(BATCH_SIZE + 1):
        raise AssertionError(f"{len(rows)} rows came, and the state is {state}")
    _check_rest(plan, data, state, dataset, iteration)


def _counting(plan: dict[str, Any], data: str) -> None:
    """Ctrl-C while the rows that pass a filter are counted, again and again."""
    keywords = {"filter": [("id", ">=", NUM_ROWS - BATCH_SIZE)], "num_epochs": 1}
    counted = dataset_of(plan, data, **keywords)
    try:
        after_delay(plan, _interrupt)
        while True:
            counted = dataset_of(plan, data, **keywords)
            for _ in counted:
                pass
    except KeyboardInterrupt:
        pass
    rows = sorted(row for element in counted for row in ids_of(element))
    if not rows:  # The interrupt came behind its only epoch.
        counted.set_epoch(0)
        rows = sorted(row for element in counted for row in ids_of(element))
    if rows != list(range(NUM_ROWS - BATCH_SIZE, NUM_ROWS)):
        raise AssertionError(f"other rows came after the interrupt: {rows}")


def _opening(plan: dict[str, Any], data: str) -> None:
    """Ctrl-C while files are opened, again and again."""
    try:
        after_delay(plan, _interrupt)
        while True:
            rowfeed.Catalog.open(data)
    except KeyboardInterrupt:
        pass
    if rowfeed.Catalog.open(data).num_rows != NUM_ROWS:
        raise AssertionError("the catalog lacks rows")


def _take(plan: dict[str, Any], data: str) -> None:
    """Ctrl-C while rows are taken by index, again and again."""
    catalog, rng = rowfeed.Catalog.open(data), Random(plan["seed"])
    try:
        after_delay(plan, _interrupt)
        while True:
            wanted = [rng.randrange(NUM_ROWS) for _ in range(30)]
            if ids_of(catalog.take(wanted)) != wanted:
                raise AssertionError("other rows were taken")
    except KeyboardInterrupt:
        pass
    if ids_of(catalog.take([7, NUM_ROWS - 1, 7])) != [7, NUM_ROWS - 1, 7]:
        raise AssertionError("other rows were taken after the interrupt")


_SCENES = {
    "batches": _batches,
    "blocked": _blocked,
    "counting": _counting,
    "opening": _opening,
    "take": _take,
}
