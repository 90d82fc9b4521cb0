# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a case has, in words that the simulator counts: the coverage of options."""

from __future__ import annotations

from typing import Any


def told_of(case: dict[str, Any]) -> list[str]:
    """Returns what is drawn for a case, each as a phrase."""
    run, options, sources = case["run"], case["options"], case["sources"]
    world_size = run["world_size"]
    ranks = next(most for most in (1, 2, 4, 8, 64) if world_size <= most)
    told = [f"runs with up to {ranks} ranks", f"runs with {options['remainder']!r}"]
    kinds = {
        "growing data": case["grows"],
        "a mixture": case["mixture"] is not None,
        "a filter": any(source["filter"] for source in sources),
        "a split": any(source["split"] for source in sources),
        "excluded row groups": any(source["excluded"] for source in sources),
        "shuffle": sources[0]["order"]["shuffle"],
        "block_rows": any(source["order"]["block_rows"] for source in sources),
        "num_epochs above 1": options["num_epochs"] > 1,
        "one order for all epochs": not options["reshuffle_each_iteration"],
        "a memory budget": run["budget"] is not None,
        "processes": run["processes"],
        "a transform": run["transform"],
        "patterns of columns": run["by_pattern"],
        "single rows": run["batch_size"] is None,
        "checked checksums": run["verify_checksums"],
        "a catalog": run["opens"] == "catalog",
    }
    return told + [f"runs with {kind}" for kind, is_so in kinds.items() if is_so]
