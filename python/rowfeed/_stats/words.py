# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The sentence of advice, made of the numbers of `rowfeed.stats`.

It names the one change that helps most, and ends with what to paste, where that is
known.
"""

from __future__ import annotations

import math
from typing import Final

from rowfeed._process.usable import usable_cpus
from rowfeed._stats.changes import (
    larger_batches,
    larger_budget,
    larger_groups,
    sooner_first_batch,
)
from rowfeed._stats.counts import Counts
from rowfeed._stats.thread_words import busy, idle, transform

# A run with fewer batches, or of fewer seconds, is too short to judge.
_FEW_BATCHES: Final = 16
_SHORT: Final = 0.5
# The share of the elapsed time below which the consumer's waiting is not a problem.
_LITTLE: Final = 0.05
_HALF: Final = 0.5
# The seconds that handing over one batch takes, whatever is in it.
_HANDOVER: Final = 5e-5
# A loop that takes less time for a batch than so many of these does little else.
_FEW_HANDOVERS: Final = 2
# Row groups are tiny if there are as many, and each has fewer rows and fewer bytes.
_MANY_GROUPS: Final = 64
_TINY_ROWS: Final = 1000
_TINY_BYTES: Final = 1 << 16


def in_words(stats: Counts, num_cpus: int | None = None) -> str:
    """Returns a sentence: how long the model waited, for what, and what would help.

    Args:
        stats: Counts of some span of time.
        num_cpus: Number of CPUs that threads can run on. Default: the CPUs that this
            process may use.
    """
    if not stats.batches:
        return "No batch was delivered in this process."
    waited = f"The model waited for data {_percent(stats.wait_share)} of the time"
    words = f"{waited}{_limits(stats, num_cpus or usable_cpus())}."
    if stats.lost_rows:
        words += f" {stats.lost_rows:,} rows were fill, as their files were gone."
    return words


def _limits(stats: Counts, num_cpus: int) -> str:
    """Returns the end of the sentence: what limits the loading, and what to change."""
    if stats.batches < _FEW_BATCHES or stats.elapsed_seconds < _SHORT:
        times = _SHORT / max(stats.elapsed_seconds, _SHORT / 1000)
        return _too_short(stats, max(_FEW_BATCHES, times * stats.batches))
    if stats.convert_seconds > _HALF * stats.elapsed_seconds:
        share = _percent(stats.convert_seconds / stats.elapsed_seconds)
        return (
            f"; making tensors of batches took {share}, in its own thread: "
            f"{larger_batches(stats, stats.convert_seconds)}"
        )
    later = stats.wait_seconds - stats.first_wait_seconds
    is_first = later < _HALF * stats.wait_seconds
    is_little = stats.wait_share < _LITTLE
    if _are_batches_tiny(stats) and (is_little or is_first):
        return (
            "; what each batch costs, whatever is in it, is the bottleneck, "
            f"{stats.batches_per_second:,.0f} batches a second: "
            f"{larger_batches(stats, stats.elapsed_seconds)}"
        )
    if is_little:
        return ": loading is not the bottleneck"
    if later < _HANDOVER * stats.batches and not is_first:
        return (
            "; handing them over is the bottleneck, "
            f"{stats.batches_per_second:,.0f} batches a second: "
            f"{larger_batches(stats, later)}"
        )
    change = _tiny_groups(stats) or _small_blocks(stats)
    if is_first and not change:
        epoch = stats._remedies().epoch_batches
        if later < _LITTLE * stats.elapsed_seconds and stats.batches < epoch:
            # With as many batches the wait for the first one would be little.
            times = stats.first_wait_seconds / (_LITTLE * stats.elapsed_seconds)
            return _too_short(stats, min(epoch, times * stats.batches))
        change = _first_batch(stats)
    return f"; {change or _loading(stats, num_cpus)}"


def _too_short(stats: Counts, enough: float) -> str:
    """Returns the words for a run in which chance, or its beginning, is all."""
    wanted = math.ceil(enough)
    unit = 10 ** max(len(str(wanted)) - 2, 0)  # Two digits say enough.
    batches = f"{stats.batches:,} batch{'' if stats.batches == 1 else 'es'}"
    return (
        f", but {batches} in {stats.elapsed_seconds:.2g} s are too short to judge: "
        f"read at least {-(-wanted // unit) * unit:,} batches before you judge"
    )


def _are_batches_tiny(stats: Counts) -> bool:
    """Returns whether a loop does little more than take batches."""
    is_fast = stats.elapsed_seconds < _FEW_HANDOVERS * _HANDOVER * stats.batches
    return is_fast and stats.wait_share < _HALF


def _tiny_groups(stats: Counts) -> str:
    """Returns the words for files or row groups that are too small; "" for others."""
    found = stats._remedies()
    most_rows = max(_TINY_ROWS, stats.rows / stats.batches)
    if (
        found.num_row_groups < _MANY_GROUPS
        or found.group_bytes >= _TINY_BYTES
        or found.group_rows >= most_rows
    ):
        return ""
    change = larger_groups(found)
    files = f"{found.num_files:,} file{'' if found.num_files == 1 else 's'}"
    return change and (
        f"opening small pieces is the bottleneck, {found.num_row_groups:,} row groups "
        f"of {found.group_rows:,} rows in {files}: {change}"
    )


def _small_blocks(stats: Counts) -> str:
    blocks = stats._remedies().larger_blocks
    return blocks and f"small blocks read each page many times: {blocks}"


def _first_batch(stats: Counts) -> str:
    """Returns the words for waits for first batches; "" if nothing shortens them."""
    change = sooner_first_batch(stats)
    said = f"most of it, {stats.first_wait_seconds:.1f} s, for the first batch of "
    said += "an epoch" if stats.num_epochs == 1 else "an iteration"
    if stats.fetch_seconds > _HALF * stats.first_wait_seconds:
        said += ", whose data are fetched from elsewhere"
    return change and f"{said}: {change}"


def _loading(stats: Counts, num_cpus: int) -> str:
    if _is_transform_slow(stats):
        return transform(stats, num_cpus)
    if stats.busy_share >= _HALF:
        return busy(stats, num_cpus)
    said = f"threads were idle {_percent(1 - stats.busy_share)} of their time"
    is_stopped = stats.stopped_seconds > _HALF * stats.elapsed_seconds
    if stats.fetch_seconds > _HALF * stats.wait_seconds:
        return f"{said}; {_fetching(stats, is_stopped=is_stopped)}"
    if is_stopped:
        change = larger_budget(stats) or "a smaller shuffle_window needs less memory"
        return f"{said}; the memory budget is the bottleneck: {change}"
    said += ", with memory left"
    change = sooner_first_batch(stats)
    if change:
        return f"{said}; there is too little to do at once: {change}"
    return f"{said}; {idle(stats)}"


def _fetching(stats: Counts, *, is_stopped: bool) -> str:
    found, speed = stats._remedies(), stats.fetched_bytes / stats.elapsed_seconds
    has_room = 0 < found.room_bytes <= stats.memory_budget_bytes
    change = larger_budget(stats) if is_stopped or not has_room else ""
    return (
        f"fetching data from elsewhere is the bottleneck, {speed / 1e6:.1f} MB/s with "
        f"{stats.fetch_retries:,} retries: "
        f"{change or larger_groups(found) or 'copy the files to a nearer store'}"
    )


def _is_transform_slow(stats: Counts) -> bool:
    """Returns whether the consumer waits for the user's function.

    Calls that hold the GIL take turns, so the function limits the loading as soon as
    its calls fill the time of one thread.
    """
    loading = max(stats.busy_seconds, stats.fetch_seconds)
    return stats.transform_seconds > max(loading, _HALF * stats.elapsed_seconds)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
