# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a process does at the instant at which it ends, is interrupted or forks."""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

GROUP_ROWS = [1000] * 12
NUM_ROWS = sum(GROUP_ROWS)
BATCH_SIZE = 64


def same(element: Any) -> Any:
    """Returns the element: a transform that changes nothing."""
    return element


def dataset_of(plan: dict[str, Any], data: str, **keywords: Any) -> Any:
    """Returns the dataset of a plan: shuffled, and without end unless told so."""
    options: dict[str, Any] = {
        "columns": ["id", "name"],
        "shuffle": True,
        "seed": plan["seed"],
        "num_epochs": None,
        "num_threads": plan["num_threads"],
    }
    if plan["transforms"]:
        options["transform"] = same
    face = importlib.import_module(plan["face"])
    return face.ParquetDataset(data, BATCH_SIZE, **{**options, **keywords})


def ids_of(element: Any) -> list[int]:
    """Returns the ids of a batch."""
    found: list[int] = np.asarray(element["id"]).tolist()
    return found


def plan_of(seed: int) -> dict[str, Any]:
    """Returns what all kinds of runs draw from a seed, as JSON."""
    rng = Random(f"exits {seed}")
    plan = {
        "seed": seed,
        "face": rng.choice(["rowfeed", "rowfeed.torch"]),
        "num_threads": rng.choice([1, 2, 4]),
        "transforms": rng.random() < 0.3,
        # The instant: a number of batches, and then a time.
        "num_batches": rng.choice([0, 1, 2, 5, rng.randrange(60), 400]),
        "delay_us": rng.choice([0, 0, 50, 300, 1000, rng.randrange(20_000)]),
        "num_others": rng.choice([0, 0, 1, 3]),
    }
    if plan["face"] == "rowfeed.torch":
        plan["num_others"] = 0  # See `for_daemons`.
    return plan


def for_daemons(plan: dict[str, Any]) -> dict[str, Any]:
    """Returns the plan of datasets that daemon threads read: those for NumPy.

    PyTorch aborts a process in which a daemon thread frees a tensor while Python exits:
    it then takes the GIL in a destructor, where Python ends the thread.
    """
    return {**plan, "face": "rowfeed"}


class Others:
    """Daemon threads, each with an iteration of its own of the same dataset."""

    def __init__(self, dataset: Any, num_threads: int) -> None:
        self._begun = [threading.Event() for _ in range(num_threads)]
        for begun in self._begun:
            arguments = (dataset, begun)
            threading.Thread(target=_iterate, args=arguments, daemon=True).start()

    def wait(self) -> None:
        """Waits until each has had a batch."""
        for begun in self._begun:
            begun.wait()


def _iterate(dataset: Any, begun: threading.Event) -> None:
    for _ in dataset:
        begun.set()


def after_delay(plan: dict[str, Any], act: Callable[[], None]) -> None:
    """Acts after the delay of a plan, in a daemon thread."""

    def wait_and_act() -> None:
        time.sleep(plan["delay_us"] / 1e6)
        act()

    threading.Thread(target=wait_and_act, daemon=True).start()
