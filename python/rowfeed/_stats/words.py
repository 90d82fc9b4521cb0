# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Sentences of advice, made of the numbers of `rowfeed.stats`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from rowfeed._process.usable import usable_cpus
from rowfeed._stats.counts import ColumnStats, Counts

# The share of the elapsed time below which the consumer's waiting is not a problem.
_LITTLE: Final = 0.05
# The share of their time from which on busy threads are the bottleneck.
_BUSY: Final = 0.8
_HALF: Final = 0.5
# The seconds that handing over one batch takes, whatever is in it.
_HANDOVER: Final = 5e-5
# Codecs that cost much more than lz4 and snappy to decompress.
_SLOW_CODECS: Final = ("gzip", "brotli", "zstd")
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def in_words(stats: Counts, num_cpus: int | None = None) -> str:
    """Returns sentences: how long the model waited, for what, and what would help.

    Args:
        stats: Counts of some span of time.
        num_cpus: Number of CPUs that threads can run on. Default: the CPUs that this
            process may use.
    """
    if not stats.batches:
        return "No batch was delivered in this process."
    limits = _limits(stats, num_cpus)
    if stats.lost_rows:
        limits += f" {stats.lost_rows:,} rows were fill, as their files were gone."
    return limits


def _limits(stats: Counts, num_cpus: int | None) -> str:
    waited = f"The model waited for data {_percent(stats.wait_share)} of the time"
    if 0 < _HALF * stats.elapsed_seconds < stats.convert_seconds:
        share = _percent(stats.convert_seconds / stats.elapsed_seconds)
        return (
            f"{waited}; making tensors of batches took {share}, in its own thread: "
            "larger batches would help, more threads would not."
        )
    if stats.wait_share < _LITTLE:
        return f"{waited}: loading is not the bottleneck."
    if stats.wait_seconds - stats.first_wait_seconds < _HANDOVER * stats.batches:
        return f"{waited}; {_small_batches(stats)}."
    if _is_transform_slow(stats):
        return f"{waited}; {_transform(stats)}."
    if stats.busy_share >= _BUSY:
        return f"{waited}; {_busy(stats, num_cpus)}."
    return f"{waited}; {_idle(stats)}."


def _is_transform_slow(stats: Counts) -> bool:
    """Returns whether the consumer waits for the user's function.

    Calls that hold the GIL take turns, so the function limits the loading as soon as
    its calls fill the time of one thread.
    """
    loading = max(stats.busy_seconds, stats.fetch_seconds)
    return stats.transform_seconds > max(loading, _HALF * stats.elapsed_seconds)


def _transform(stats: Counts) -> str:
    return (
        "transform is the bottleneck; if it releases the GIL or waits, num_threads "
        f"above {stats.num_threads} would help; else make it faster, or let DataLoader "
        'workers run it ("Work of your own" in docs/guide.md)'
    )


def _busy(stats: Counts, num_cpus: int | None) -> str:
    """Returns the sentence for a model that waits for busy threads: what they do."""
    most = max(_stages(stats), key=lambda stage: stage.seconds)
    share = _percent(most.seconds / stats.busy_seconds)
    said = f"{most.name} is the bottleneck, {share} of the threads' time"
    if most.is_reading:
        speed = stats.read_bytes_per_second / 1e6
        said += f" at {speed:.1f} MB/s a thread"
        # A thread that waits for a read needs no CPU, so the CPUs set no limit.
        num_cpus = stats.num_threads + _missing(stats)
    column = most.column
    if (
        column is not None
        and column.codec in _SLOW_CODECS
        and column.decompress_seconds > _HALF * most.seconds
    ):
        said += "; lz4 or snappy would decompress faster"
    return f"{said}; {_threads(stats, num_cpus)}"


def _idle(stats: Counts) -> str:
    """Returns the sentence for a model that waits although threads are idle: why."""
    if stats.first_wait_seconds > _HALF * stats.wait_seconds:
        return _first_batch(stats)
    idle = _percent(1 - stats.busy_share)
    if stats.fetch_seconds > _HALF * stats.wait_seconds:
        speed = stats.fetched_bytes / stats.elapsed_seconds / 1e6
        return (
            f"fetching data from elsewhere is the bottleneck, {speed:.1f} MB/s with "
            f"{stats.fetch_retries:,} retries: threads were idle {idle} of theirs; a "
            "larger memory_budget_bytes would fetch more at once, more threads would "
            "not help"
        )
    if stats.stopped_seconds > _HALF * stats.elapsed_seconds:
        return (
            f"the memory budget is the bottleneck: threads were idle {idle} of theirs; "
            "a larger memory_budget_bytes would help, more threads would not"
        )
    return (
        f"threads were idle {idle} of theirs, with memory left: there is too little to "
        "do at once; smaller row groups, or block_rows, would help, more threads would "
        "not"
    )


def _small_batches(stats: Counts) -> str:
    if stats.first_wait_seconds > _HALF * stats.wait_seconds:
        return _first_batch(stats)
    return (
        f"handing them over is the bottleneck, {stats.batches_per_second:,.0f} batches "
        "a second: larger batches would help, more threads would not"
    )


def _first_batch(stats: Counts) -> str:
    said = f"most of it, {stats.first_wait_seconds:.1f} s, for the first batch of "
    said += "an epoch" if stats.num_epochs == 1 else "an iteration"
    if stats.fetch_seconds > _HALF * stats.first_wait_seconds:
        said += ", whose data are fetched from elsewhere"
    said += ": a smaller shuffle_window would make it come sooner"
    if stats.num_epochs == 1:
        said += ", and iterations of several epochs (num_epochs) read it ahead"
    return said


def _missing(stats: Counts) -> int:
    """Returns how many more threads could load all while the model computes, from 1."""
    work = stats.busy_seconds
    computes = max(stats.elapsed_seconds - stats.wait_seconds, 0.0)
    if work >= 4 * stats.num_threads * computes:
        # The model computes so little that the quotient below would be huge: suggest
        # to double the threads, and to look again.
        return stats.num_threads
    return max(1, math.ceil(work / computes) - stats.num_threads)


def _threads(stats: Counts, num_cpus: int | None) -> str:
    cpus = num_cpus or usable_cpus()
    more = min(_missing(stats), cpus - stats.num_threads)
    if more < 1:
        return (
            f"num_threads={stats.num_threads} uses all CPUs: fewer columns would help, "
            "more threads or a larger batch would not"
        )
    number = _NUMBERS[more] if more < len(_NUMBERS) else str(more)
    noun = "thread" if more == 1 else "threads"
    return f"{number} more {noun} would help, a larger batch would not"


class _Stage(NamedTuple):
    name: str
    seconds: float
    column: ColumnStats | None = None
    is_reading: bool = False


def _stages(stats: Counts) -> Iterable[_Stage]:
    yield _Stage("reading", stats.read_seconds, is_reading=True)
    decoding = _of_columns(
        "decoding", stats, lambda c: c.decompress_seconds + c.decode_seconds
    )
    codec = decoding.column.codec if decoding.column else ""
    yield decoding._replace(name=f"{decoding.name} ({codec})") if codec else decoding
    yield _of_columns("gathering", stats, lambda c: c.gather_seconds)
    filtering = stats.filter.decompress_seconds + stats.filter.decode_seconds
    yield _Stage("the filter", filtering)
    yield _Stage("shuffling", stats.shuffle_seconds)
    yield _Stage("putting batches together", stats.assemble_seconds)


def _of_columns(
    verb: str, stats: Counts, seconds_of: Callable[[ColumnStats], float]
) -> _Stage:
    """Returns a stage summed over columns, named after one that takes over half."""
    total = sum(map(seconds_of, stats.columns.values()))
    for name, column in stats.columns.items():
        if len(stats.columns) == 1 or seconds_of(column) > _HALF * total:
            return _Stage(f"{verb} column `{name}`", total, column)
    return _Stage(f"{verb} {len(stats.columns)} columns", total)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
