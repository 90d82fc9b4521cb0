# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes `Stats` of the JSON text in which the kernel reports its counts."""

from __future__ import annotations

import json
from typing import Any

from rowfeed._stats.counts import ColumnStats
from rowfeed._stats.numbers import EpochStats, Stats

_COUNTS = (
    *("rows", "batches", "bytes", "windows", "windows_over_budget"),
    *("filtered_rows", "lost_rows"),
)
_FETCHES = ("fetched_bytes", "fetch_requests", "fetch_retries")
_TIMES = (
    *("elapsed", "convert", "transform", "fetch", "stopped", "busy", "shuffle"),
    "assemble",
)


def parse(data: bytes, *, has_transform: bool = False) -> Stats:
    """Makes `Stats` of the kernel's JSON text.

    Args:
        data: JSON text that `ToJson` in cc/core/stream/stats/stats.h wrote.
        has_transform: Whether the dataset has a `transform`. Then the consumer waits
            for the transformed batches, which the kernel counts as `transform_wait`;
            its `wait` is that of our own thread, which pulls the batches.
    """
    said = json.loads(data.decode(errors="replace"))
    shared = {key: said[key] for key in ("num_threads", "memory_budget_bytes")}

    def sums(numbers: dict[str, Any]) -> dict[str, Any]:
        names = zip(said["names"], said["codecs"], strict=True)
        return shared | _sums(numbers, list(names), has_transform=has_transform)

    return Stats(
        **sums(said["totals"]),
        bytes_in_flight=said["bytes_in_flight"],
        peak_bytes_in_flight=said["peak_bytes_in_flight"],
        queued_tasks=said["queued_tasks"],
        running_tasks=said["running_tasks"],
        epochs=tuple(
            EpochStats(**sums(numbers), epoch=numbers["epoch"])
            for numbers in said["epochs"]
        ),
    )


def _sums(
    numbers: dict[str, Any], names: list[tuple[str, str]], *, has_transform: bool
) -> dict[str, Any]:
    columns: dict[str, ColumnStats] = {}
    *of_columns, of_filter = numbers["columns"]
    for (name, codec), column in zip(names, of_columns, strict=True):
        columns[name] = _column(codec, column, columns.get(name, ColumnStats()))
    wait = numbers["transform_wait" if has_transform else "wait"]
    return {
        **{name: numbers[name] for name in (*_COUNTS, *_FETCHES)},
        **{f"{name}_seconds": numbers[name] / 1e9 for name in _TIMES},
        "wait_seconds": wait / 1e9,
        "first_wait_seconds": min(wait, numbers["first_wait"]) / 1e9,
        "columns": columns,
        "filter": _column("", of_filter, ColumnStats()),
    }


def _column(codec: str, numbers: dict[str, int], before: ColumnStats) -> ColumnStats:
    return ColumnStats(
        codec,
        before.read_bytes + numbers["read_bytes"],
        before.requests + numbers["requests"],
        before.read_seconds + numbers["read"] / 1e9,
        before.decompress_seconds + numbers["decompress"] / 1e9,
        before.decode_seconds + numbers["decode"] / 1e9,
        before.gather_seconds + numbers["gather"] / 1e9,
    )
