# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes `Stats` of the JSON text in which the kernel reports its counts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from rowfeed._stats.consumer_clock import CallCounts, ConsumerClock, ConsumerTimes
from rowfeed._stats.counts import ColumnStats
from rowfeed._stats.numbers import EpochStats, Stats
from rowfeed._stats.remedies import FoundLater, Remedies

_COUNTS = (
    *("rows", "batches", "bytes", "windows", "windows_over_budget"),
    *("filtered_rows", "lost_rows"),
)
_FETCHES = ("fetched_bytes", "fetch_requests", "fetch_retries")
_TIMES = ("convert", "transform", "fetch", "stopped", "busy", "shuffle", "assemble")


def parse(
    data: bytes,
    *,
    num_epochs: int | None = 1,
    consumer: ConsumerClock | None = None,
    find: Callable[[], Remedies] = Remedies,
) -> Stats:
    """Makes `Stats` of the kernel's JSON text.

    Args:
        data: JSON text that `ToJson` in cc/core/stream/stats/stats.h wrote.
        num_epochs: Number of epochs in one iteration; None if it is endless.
        consumer: Clock of the consumer, if the dataset has a `transform`. The kernel's
            times are then those of our own thread, which pulls the batches.
        find: Function that finds what the dataset could change. It is called if the
            advice needs it.
    """
    said = json.loads(data.decode(errors="replace"))
    shared = {key: said[key] for key in ("num_threads", "memory_budget_bytes")}
    shared["num_epochs"] = num_epochs
    shared["_remedies"] = FoundLater(find)

    def sums(numbers: dict[str, Any], times: ConsumerTimes | None) -> dict[str, Any]:
        names = zip(said["names"], said["codecs"], strict=True)
        return shared | _sums(numbers, list(names), times)

    def times_of(epoch: int) -> ConsumerTimes | None:
        return consumer.of_epoch(epoch) if consumer is not None else None

    return Stats(
        **sums(said["totals"], consumer.totals if consumer is not None else None),
        bytes_in_flight=said["bytes_in_flight"],
        peak_bytes_in_flight=said["peak_bytes_in_flight"],
        queued_tasks=said["queued_tasks"],
        running_tasks=said["running_tasks"],
        epochs=tuple(
            EpochStats(**sums(numbers, times_of(epoch)), epoch=epoch)
            for numbers in said["epochs"]
            for epoch in (numbers["epoch"],)
        ),
    )


def _sums(
    numbers: dict[str, Any],
    names: list[tuple[str, str]],
    times: ConsumerTimes | None,
) -> dict[str, Any]:
    columns: dict[str, ColumnStats] = {}
    *of_columns, of_filter = numbers["columns"]
    for (name, codec), column in zip(names, of_columns, strict=True):
        columns[name] = _column(codec, column, columns.get(name, ColumnStats()))
    if times is None:
        # A consumer in another thread may add to both between the kernel's reads, and
        # takes have no elapsed time.
        wait = numbers["wait"]
        elapsed = max(wait, numbers["elapsed"])
    else:
        wait, elapsed = times.wait_ns, times.elapsed_ns
    calls = CallCounts() if times is None else times.calls
    return {
        **{name: numbers[name] for name in (*_COUNTS, *_FETCHES)},
        **{f"{name}_seconds": numbers[name] / 1e9 for name in _TIMES},
        "elapsed_seconds": elapsed / 1e9,
        "wait_seconds": wait / 1e9,
        "first_wait_seconds": min(wait, numbers["first_wait"]) / 1e9,
        "transform_cpu_seconds": calls.computed_ns / 1e9,
        "transform_yields": calls.yields,
        "transform_preemptions": calls.preemptions,
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
