# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a failing case smaller, as long as it still fails in the same way."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

Case = dict[str, Any]

# The simplest value of each option, which a smaller case tries first.
_PLAIN: dict[str, dict[str, Any]] = {
    "options": {
        "num_lanes": 1,
        "num_epochs": 1,
        "first_epoch": 0,
        "reshuffle_each_iteration": True,
        "remainder": "uneven",
    },
    "run": {
        "world_size": 1,
        "batch_size": 1,
        "num_threads": 1,
        "budget": None,
        "use_statistics": True,
        "verify_checksums": False,
        "transform": False,
        "opens": "catalog",
        "by_pattern": False,
        "processes": False,
    },
}
_PLAIN_SOURCE: dict[str, Any] = {"filter": None, "split": None, "excluded": []}
_PLAIN_ORDER: dict[str, Any] = {
    "shuffle": False,
    "seed": 0,
    "shuffle_window": 1,
    "block_rows": None,
}


def _without_steps(case: Case) -> Iterator[Case]:
    """Yields the case with half of its steps, and less and less left out."""
    steps = case["schedule"]
    size = len(steps)
    while size:
        for begin in range(0, len(steps), size):
            yield {**case, "schedule": steps[:begin] + steps[begin + size :]}
        size //= 2


def _with_smaller_steps(case: Case) -> Iterator[Case]:
    for i, step in enumerate(case["schedule"]):
        for j, value in enumerate(step):
            smaller: list[Any] = []
            if isinstance(value, int) and not isinstance(value, bool):
                smaller = [n for n in (0, 1, value // 2, value - 1) if 0 <= n < value]
            elif isinstance(value, dict):
                smaller = [
                    {k: v for k, v in value.items() if k != drop} for drop in value
                ]
            for new in smaller:
                changed = copy.deepcopy(case)
                changed["schedule"][i][j] = new
                yield changed


def _with_plain_options(case: Case) -> Iterator[Case]:
    if case["mixture"] is not None:
        for i in range(len(case["sources"])):
            weights = [case["mixture"]["weights"][i]]
            alone = {**case, "sources": [case["sources"][i]]}
            yield {**alone, "mixture": None}
            yield {**alone, "mixture": {**case["mixture"], "weights": weights}}
    for part, plain in _PLAIN.items():
        for name, value in plain.items():
            if name == "opens" and case["grows"]:
                continue
            if case[part][name] != value:
                yield {**case, part: {**case[part], name: value}}
    if case["columns"] != ["id"]:
        yield {**case, "columns": ["id"]}


def _with_plain_sources(case: Case) -> Iterator[Case]:
    for i, source in enumerate(case["sources"]):
        others = copy.deepcopy(case["sources"])
        smaller = [{**source, k: v} for k, v in _PLAIN_SOURCE.items() if source[k] != v]
        smaller += [
            {**source, "order": {**source["order"], k: v}}
            for k, v in _PLAIN_ORDER.items()
            if source["order"][k] != v
        ]
        for j, file in enumerate(source["files"] if not source["excluded"] else []):
            rest = source["files"][:j] + source["files"][j + 1 :]
            if rest:
                smaller.append({**source, "files": rest})
            for groups in _smaller_groups(file["groups"]):
                changed = {**file, "groups": groups}
                files = [*source["files"][:j], changed, *source["files"][j + 1 :]]
                smaller.append({**source, "files": files})
        for new in smaller:
            others[i] = new
            yield {**case, "sources": list(others)}


def _smaller_groups(groups: list[int]) -> Iterator[list[int]]:
    for i, rows in enumerate(groups):
        if len(groups) > 1:
            yield groups[:i] + groups[i + 1 :]
        for smaller in {1, rows // 2, rows - 1}:
            if 0 < smaller < rows:
                yield [*groups[:i], smaller, *groups[i + 1 :]]


def shrunk(case: Case, fails: Callable[[Case], bool], most_runs: int = 600) -> Case:
    """Returns the smallest case that is found to fail.

    Args:
        case: A case that fails.
        fails: Function that plays a case and returns whether it fails in the same way.
        most_runs: Largest number of cases that are played.
    """
    runs = 0
    ways = (
        _without_steps,
        _with_plain_options,
        _with_plain_sources,
        _with_smaller_steps,
    )
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for way in ways:
            tried = way(case)
            while (smaller := next(tried, None)) is not None and runs < most_runs:
                runs += 1
                if fails(smaller):
                    case, is_smaller = smaller, True
                    tried = way(case)
    return case
