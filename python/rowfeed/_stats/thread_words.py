# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Advice for a model that waits for threads: those that load, or call `transform`."""

from __future__ import annotations

import json
import math
from typing import Final

from rowfeed._columns.patterns import excluding
from rowfeed._stats.counts import Counts
from rowfeed._stats.stages import longest_stage

_HALF: Final = 0.5
_LITTLE: Final = 0.05
# The CPU time of calls, as a share of the time, which no calls have that take turns.
_AT_ONCE: Final = 1.2
# Codecs that cost much more than lz4 and snappy to decompress.
_SLOW_CODECS: Final = ("gzip", "brotli", "zstd")


def busy(stats: Counts, num_cpus: int) -> str:
    """Returns what the busy threads do most, and what would make it less."""
    said, missing = _most_work(stats), _missing(stats)
    if longest_stage(stats).is_reading:
        said += f" at {stats.read_bytes_per_second / 1e6:.1f} MB/s a thread"
        # A thread that waits for a read needs no CPU, so the CPUs set no limit.
        num_cpus = stats.num_threads + missing
    more = min(missing, num_cpus - stats.num_threads)
    if more >= 1:
        return f"{said}: num_threads={stats.num_threads + more}"
    said += f", and num_threads={stats.num_threads} uses all CPUs"
    return f"{said}: {_less_work(stats)}"


def idle(stats: Counts) -> str:
    """Returns what threads do most that have too little to do at once."""
    return f"{_most_work(stats)}: {_less_work(stats)}"


def _most_work(stats: Counts) -> str:
    most = longest_stage(stats)
    share = most.seconds / stats.busy_seconds if stats.busy_seconds > 0 else 0.0
    return f"{most.name} is the bottleneck, {100 * share:.0f} % of the threads' time"


def _less_work(stats: Counts) -> str:
    most = longest_stage(stats)
    if most.is_filter:
        return "sort the files by the filter's columns, so that row groups are skipped"
    if not most.column:
        return "fewer columns would help"
    if len(stats.columns) > 1 and stats._remedies().has_all_columns:
        left = json.dumps(["*", excluding(most.column)], ensure_ascii=False)
        return f"leave the column out, unless the model needs it: columns={left}"
    column = stats.columns[most.column]
    is_slow = column.decompress_seconds > _HALF * most.seconds
    if is_slow and column.codec in _SLOW_CODECS:
        return 'write the files with a faster codec: compression="lz4"'
    return "fewer columns would help"


def transform(stats: Counts, num_cpus: int) -> str:
    """Returns what helps a `transform`, by the CPU time that its calls took.

    Calls that hold the GIL take turns with each other and with the consumer. Together
    they compute for no longer than one thread could, and each waits for the others. On
    a busy machine other calls do not compute for longer either. But they do not leave
    their CPU to wait, as for the GIL: the system takes it from them.
    """
    said, threads = "transform is the bottleneck", stats.num_threads
    computed = stats.transform_cpu_seconds
    if computed > _AT_ONCE * stats.elapsed_seconds:
        if threads < num_cpus:
            return f"{said}, and its calls compute at once: num_threads={num_cpus}"
        return f"{said}, on all CPUs: only a faster function would help"
    if _is_starved(stats):
        if threads < num_cpus:  # More threads get more of the CPUs.
            return f"{said}, and its calls wait for CPUs: num_threads={num_cpus}"
        return (
            f"{said}, and its calls wait for CPUs, which other threads or programs "
            "use: give this program more CPUs, or end others"
        )
    in_turns = min(stats.transform_seconds / threads, stats.wait_seconds)
    if threads > 1 and computed > _HALF * in_turns:
        return (
            f"{said}, and its calls take turns, because they hold the GIL: let workers "
            'run it ("Work of your own" in docs/guide.md): '
            f"DataLoader(dataset, batch_size=None, num_workers={max(num_cpus, 2)})"
        )
    return f"{said}, and its calls wait: num_threads={2 * threads}"


def _is_starved(stats: Counts) -> bool:
    """Returns whether calls of the `transform` wait for CPUs more than for all else."""
    waited = stats.transform_seconds - stats.transform_cpu_seconds
    is_preempted = stats.transform_preemptions > stats.transform_yields
    return is_preempted and waited > _LITTLE * stats.transform_seconds


def _missing(stats: Counts) -> int:
    """Returns how many more threads could load all while the model computes, from 1."""
    work = stats.busy_seconds
    computes = max(stats.elapsed_seconds - stats.wait_seconds, 0.0)
    if work >= 4 * stats.num_threads * computes:
        # The model computes so little that the quotient below would be huge: suggest
        # to double the threads, and to look again.
        return stats.num_threads
    return max(1, math.ceil(work / computes) - stats.num_threads)
