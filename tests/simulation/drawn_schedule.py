# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Draws the options of a start, and the schedule of what happens to a training."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.simulation.files import FAULTS


def _ranks(rng: Random, case: dict[str, Any]) -> int:
    most = rng.choices([1, 2, 4, 8, 16, 64], [400, 250, 220, 100, 20, 10])[0]
    if case["mixture"] is not None:
        most = min(most, 4)
    return rng.randint(most // 2 + 1, most)


def run_of(rng: Random, case: dict[str, Any], *, processes: bool) -> dict[str, Any]:
    """Draws the options of the first start."""
    grows, is_forked = case["grows"], processes and rng.random() < 0.05
    world_size = 1 if grows else _ranks(rng, case)
    has_filter = any(source["filter"] for source in case["sources"])
    return {
        "world_size": min(world_size, 6) if is_forked else world_size,
        "batch_size": rng.choice([None, 1, 2, 3, 4, 7, 16, 40]),
        "num_threads": rng.choice([1, 2, 2, 4]),
        "budget": None if grows else rng.choice([None] * 5 + [1.0, 1.0, 1.5]),
        "use_statistics": not has_filter or rng.random() < 0.8,
        "verify_checksums": rng.random() < 0.3,
        "transform": not grows and rng.random() < 0.15,
        "opens": "paths" if grows else rng.choice(["catalog", "catalog", "paths"]),
        "by_pattern": rng.random() < 0.15,
        "face": "numpy",
        "processes": is_forked,
    }


def _changed_run(rng: Random, case: dict[str, Any]) -> dict[str, Any]:
    changes: dict[str, Any] = {"num_threads": rng.choice([1, 2, 4])}
    if rng.random() < 0.6:
        changes["batch_size"] = rng.choice([None, 1, 2, 3, 5, 8, 30])
    if not case["grows"] and rng.random() < 0.7:
        most = 6 if case["run"]["processes"] else 64
        changes["world_size"] = min(_ranks(rng, case), most)
    return changes


def _groups(rng: Random) -> list[int]:
    return [*rng.choices([0, 1, 4, 9, 15, 22], k=rng.choice([1, 2, 3])), 3]


def schedule_of(rng: Random, case: dict[str, Any]) -> list[list[Any]]:
    """Draws a schedule."""
    weights = {
        "take": 30,
        "race": 6,
        "save": 12,
        "kill": 12,
        "reload": 3,
        "set_epoch": 2,
        "leave": 2,
        "pickled": 1,
        "resize": 3,
        "look": 3,
        "finish": 4,
    }
    if case["grows"]:
        weights |= {"begin": 3, "add": 8, "remove": 3, "replace": 3, "complete": 2}
        del weights["look"], weights["resize"], weights["race"]
    elif rng.random() < 0.25:
        weights |= {"fault": 8, "restore": 4}
    names = rng.choices(list(weights), list(weights.values()), k=rng.randint(2, 14))
    # A file that joins later has a number of its own, and so ids of its own.
    fresh = iter(range(100, 400))
    return [[name, *_arguments(rng, name, case, fresh)] for name in names]


def _arguments(rng: Random, name: str, case: dict[str, Any], fresh: Any) -> list[Any]:
    if name == "take":
        return [rng.randrange(8), rng.choice([1, 1, 2, 3, 5, 12])]
    if name == "race":
        return [rng.choice([1, 2, 4, 8])]
    if name == "save":
        return [rng.randrange(8), rng.choice(["iteration", "dataset"])]
    if name == "kill":
        how = rng.choice(["dropped", "closed", "inside"])
        return [how, rng.choice([0, 0, 0, 1, 2]), _changed_run(rng, case)]
    if name == "reload":
        return [rng.choice([0, 0, 1]), rng.choice(["iteration", "dataset"])]
    if name == "set_epoch":
        return [rng.choice([0, 1, 2, 9])]
    if name == "resize":
        return [_ranks(rng, case)]
    if name == "look":
        return [rng.randrange(8), rng.randrange(4), rng.randrange(12)]
    if name == "fault":
        return [rng.choice(FAULTS), rng.randrange(3), rng.randrange(4)]
    if name == "add":
        number = next(fresh)
        file = f"{rng.choice('abc')}{number:03}.parquet"
        return [number, file, _groups(rng), rng.random() < 0.8]
    if name == "remove":
        return [rng.randrange(6)]
    if name == "replace":
        return [rng.randrange(6), next(fresh), _groups(rng)]
    return []
