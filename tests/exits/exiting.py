# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Python exits at a drawn instant, in the way that the plan says."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from random import Random
from typing import Any

from tests.exits.children import Ended
from tests.exits.scenes import (
    BATCH_SIZE,
    NUM_ROWS,
    Others,
    after_delay,
    dataset_of,
    for_daemons,
    plan_of,
)

import rowfeed

_ASKED = "the end was asked for"


def drawn(seed: int) -> dict[str, Any]:
    """Returns the plan of a seed."""
    plan, rng = plan_of(seed), Random(f"exit {seed}")
    scenes = ["batches", "batches", "waiting", "transform", "within", "opening", "take"]
    plan["scene"] = rng.choice(
        [*scenes, "workers"] if plan["face"] == "rowfeed.torch" else scenes
    )
    plan["how"] = rng.choice(["exit", "exit", "raise", "sigterm", "handled", "end"])
    if plan["scene"] in ("within", "waiting"):
        plan["how"] = "exit"  # Another thread or the transform decides on the end.
    plan["code"] = {"raise": 1, "sigterm": -signal.SIGTERM, "end": 0}.get(
        plan["how"], rng.randrange(2, 100)
    )
    return plan


def run(plan: dict[str, Any], data: str) -> None:
    """Does the work of the child, and ends as the plan says."""
    _SCENES[plan["scene"]](plan, data)
    _end(plan)


def judged(plan: dict[str, Any], end: Ended) -> str | None:
    """Returns what is wrong with the end of the child; None if nothing is."""
    if end.code != plan["code"]:
        return f"it ended with {end.code} instead of {plan['code']}"
    if end.output:
        return f"it wrote {end.output!r}"
    if plan["how"] == "raise":
        is_right = end.errors.rstrip().endswith(f"LookupError: {_ASKED}")
        is_right = is_right and end.errors.count("Traceback") == 1
    else:
        is_right = end.errors == ""
    return None if is_right else f"it wrote {end.errors!r}"


def _end(plan: dict[str, Any]) -> None:
    how = plan["how"]
    if how == "raise":
        raise LookupError(_ASKED)
    if how == "sigterm":
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    if how == "handled":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(plan["code"]))
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    if how == "exit":
        sys.exit(plan["code"])


def _batches(plan: dict[str, Any], data: str) -> None:
    """Ends between two batches, while threads read ahead and others iterate."""
    dataset = dataset_of(plan, data)
    others = Others(dataset, plan["num_others"])
    iteration = iter(dataset)
    for _ in range(plan["num_batches"]):
        next(iteration)
    if plan["num_batches"] % 2:
        others.wait()
    time.sleep(plan["delay_us"] / 1e6)
    sys.modules["kept"] = iteration  # It lives longer than this function.


def _waiting(plan: dict[str, Any], data: str) -> None:
    """A signal ends the main thread, which waits for a batch."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(plan["code"]))
    dataset = dataset_of(plan, data)
    Others(dataset, plan["num_others"])
    after_delay(plan, lambda: os.kill(os.getpid(), signal.SIGTERM))
    for _ in dataset:
        pass


def _transform(plan: dict[str, Any], data: str) -> None:
    """Ends while transforms run, in the middle of which their threads are stopped."""
    begun = threading.Event()

    def slow(element: Any) -> Any:
        begun.set()
        time.sleep(0.001)
        return element

    iteration = iter(dataset_of(plan, data, transform=slow))
    for _ in range(min(plan["num_batches"], 60)):
        next(iteration)
    beside = dataset_of(for_daemons(plan), data, transform=slow)
    Others(beside, 1 + plan["num_others"])
    begun.wait()
    time.sleep(plan["delay_us"] / 1e6)
    sys.modules["kept"] = iteration


def _within(plan: dict[str, Any], data: str) -> None:
    """A transform exits at the row of a batch."""
    last = plan["num_batches"] * BATCH_SIZE
    seen, lock = [0], threading.Lock()

    def leave(element: Any) -> Any:
        with lock:
            seen[0] += len(element["id"])
            is_last = seen[0] > last
        if is_last:
            sys.exit(plan["code"])
        return element

    for _ in dataset_of(plan, data, transform=leave):
        pass


def _opening(plan: dict[str, Any], data: str) -> None:
    """Ends while another thread opens files, makes datasets and counts rows."""
    begun = threading.Event()

    def open_again() -> None:
        while True:
            begun.set()
            dataset = dataset_of(for_daemons(plan), data, filter=[("id", ">", 9_000)])
            next(iter(dataset))

    for _ in range(1 + plan["num_others"]):
        threading.Thread(target=open_again, daemon=True).start()
    begun.wait()
    time.sleep(plan["delay_us"] / 1e6)


def _take(plan: dict[str, Any], data: str) -> None:
    """Ends while other threads take rows by index."""
    catalog, begun = rowfeed.Catalog.open(data), threading.Event()

    def take() -> None:
        rng = Random(plan["seed"])
        while True:
            catalog.take([rng.randrange(NUM_ROWS) for _ in range(20)])
            begun.set()

    for _ in range(1 + plan["num_others"]):
        threading.Thread(target=take, daemon=True).start()
    begun.wait()
    time.sleep(plan["delay_us"] / 1e6)


def _workers(plan: dict[str, Any], data: str) -> None:
    """Ends while the workers of a DataLoader read ahead."""
    from torch.utils.data import DataLoader

    dataset = dataset_of(plan, data, num_epochs=1)
    if plan["num_others"]:
        next(iter(dataset))  # The workers are forked beside running threads.
    batches = iter(DataLoader(dataset, batch_size=None, num_workers=2))
    for _ in range(min(plan["num_batches"], 60)):
        next(batches)
    time.sleep(plan["delay_us"] / 1e6)
    sys.modules["kept"] = batches  # type: ignore[assignment]


_SCENES = {
    "batches": _batches,
    "waiting": _waiting,
    "transform": _transform,
    "within": _within,
    "opening": _opening,
    "take": _take,
    "workers": _workers,
}
