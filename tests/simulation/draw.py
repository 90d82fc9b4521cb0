# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Draws a case from a seed: data, options, ranks and a schedule, all as JSON.

{"seed": 7,
 "sources": [{"files": [...], "stored": [...], "writing": {...}, "excluded": [],
              "order": {...}, "filter": null, "split": null}],
 "mixture": null, "grows": false, "columns": ["id", ...],
 "options": {"num_lanes": 2, "num_epochs": 1, "remainder": "drop", ...},
 "run": {"world_size": 2, "batch_size": 3, ...},
 "schedule": [["take", 0, 3], ["save", 1, "iteration"], ...]}
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.simulation.drawn_schedule import run_of, schedule_of
from tests.simulation.model import blocks_of
from tests.simulation.rows import COLUMNS, File

_POOL = 64  # Data sets of each place; a data set is written once for all its cases.
_GROUP_ROWS = [0, 1, 2, 3, 5, 8, 8, 13, 16, 21, 34]


def name_of(number: int) -> str:
    """Returns the name of a file; the order of names is not that of numbers."""
    return f"{'bac'[number % 3]}{number % 1000:03}.parquet"


def _data(place: int, number: int, stored: list[str]) -> dict[str, Any]:
    rng = Random(f"data {place} {number}")
    files: list[File] = []
    for i in range(rng.choice([1, 1, 2, 3, 4])):
        groups = rng.choices(_GROUP_ROWS, k=rng.choice([1, 2, 3, 5]))
        own = 100 * place + i
        files.append({"number": own, "name": name_of(own), "groups": groups})
    if not any(map(sum, (file["groups"] for file in files))):
        files[0]["groups"].append(7)
    writing: dict[str, Any] = {
        "compression": rng.choice(["none", "snappy", "zstd"]),
        "use_dictionary": rng.choice([True, False]),
        "data_page_version": rng.choice(["1.0", "2.0"]),
        "data_page_size": rng.choice([64, 1024, 2**20]),
        "write_page_index": rng.choice([True, False]),
        "write_page_checksum": True,
    }
    return {"files": files, "stored": stored, "writing": writing}


def _order(rng: Random, shuffle: bool) -> dict[str, Any]:
    return {
        "shuffle": shuffle,
        "seed": rng.choice([0, 7, 2**64 - 1, rng.randrange(2**64)]),
        "shuffle_window": rng.choice([None, 1, 5, 20, 50, 200]),
        "block_rows": rng.choice([None, None, 1, 4, 10, 30]),
    }


def _filter(rng: Random, ids: list[int], stored: list[str]) -> list[Any] | None:
    kind = rng.choice(["none"] * 6 + ["below", "bits", "bits", "among", "null"])
    if kind == "below":
        return ["below", rng.choice(ids) + 1]
    if kind == "bits":
        mask = rng.choice([1, 3, 7])
        return ["bits", mask, rng.randrange(mask + 1) & mask]
    if kind == "among":
        return ["among", sorted(rng.sample(ids, rng.randint(1, min(len(ids), 20))))]
    return ["null"] if kind == "null" and "maybe" in stored else None


def _split(rng: Random, stored: list[str]) -> dict[str, Any] | None:
    if rng.random() > 0.2:
        return None
    by = rng.choice([None, None, "id", "maybe"])
    begin, end = sorted(
        [rng.choice([0.0, rng.random()]), rng.choice([1.0, rng.random()])]
    )
    return {
        "begin": begin,
        "end": max(end, begin + 0.2) if begin < 0.8 else 1.0,
        "seed": rng.randrange(2**64),
        "by": by if by in stored else None,
        "unit": "row"
        if by in stored
        else rng.choice(["row", "row", "row_group", "file"]),
        "inverted": rng.random() < 0.3,
    }


def _source(
    rng: Random, place: int, shuffle: bool, stored: list[str]
) -> dict[str, Any]:
    source: dict[str, Any] = _data(place, rng.randrange(_POOL), stored)
    source |= {
        "order": _order(rng, shuffle),
        "excluded": [],
        "filter": None,
        "split": None,
    }
    num_groups = sum(len(file["groups"]) for file in source["files"])
    if num_groups > 1 and rng.random() < 0.1:
        source["excluded"] = sorted(rng.sample(range(num_groups), num_groups // 2))
    whole = [row for block in blocks_of(source, source["files"]) for row in block]
    if not whole:
        source["excluded"] = []
        whole = [row for block in blocks_of(source, source["files"]) for row in block]
    source["filter"] = _filter(rng, whole, stored)
    source["split"] = _split(rng, stored)
    if not any(blocks_of(source, source["files"])):
        source["filter"] = source["split"] = None
    return source


def case_of(seed: int, *, processes: bool = True) -> dict[str, Any]:
    """Returns the case of a seed.

    Args:
        seed: The seed.
        processes: Whether some seeds have ranks in processes of their own.
    """
    rng = Random(seed)
    kind = rng.choices(["plain", "grows", "mixed"], [6, 2, 2])[0]
    stored_rng = Random(f"columns {rng.randrange(4)}")
    others = [name for name in COLUMNS if name != "id"]
    stored = ["id", *stored_rng.sample(others, 4)]
    num_sources = rng.choice([1, 2, 2, 3]) if kind == "mixed" else 1
    shuffle = rng.random() < 0.8
    sources = [_source(rng, i, shuffle, stored) for i in range(num_sources)]
    mixture = None
    if kind == "mixed":
        weights = [rng.randint(1, 5) for _ in sources]
        stop = rng.choice(["first_exhausted", "all_exhausted"])
        mixture = {"weights": weights, "stop": stop}
    case: dict[str, Any] = {
        "seed": seed,
        "sources": sources,
        "mixture": mixture,
        "grows": kind == "grows",
        "columns": ["id", *rng.sample(stored[1:], rng.randint(0, 4))],
        "options": {
            "num_lanes": rng.choice([None, 1, 2, 3, 4, 8]),
            "num_epochs": rng.choice([1, 1, 1, 2, 3]),
            "first_epoch": rng.choice([0, 0, 0, 5, 2**61]),
            "reshuffle_each_iteration": rng.random() < 0.85,
            "remainder": rng.choice(["drop", "pad", "wrap", "uneven"]),
        },
    }
    if kind == "grows":
        sources[0]["excluded"] = []
        sources[0]["order"]["shuffle_window"] = rng.choice([1, 5, 20, 50, 200])
    case["run"] = run_of(rng, case, processes=processes)
    case["schedule"] = schedule_of(rng, case)
    return case
