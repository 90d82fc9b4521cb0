# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Changes of options and files that `stats()` advises, as a user writes them."""

from __future__ import annotations

import math
from typing import Final

from rowfeed._stats.counts import Counts
from rowfeed._stats.remedies import Remedies

_LITTLE: Final = 0.05  # The share of the elapsed time that advised batches cost.
_MOST_TIMES: Final = 64  # How many times larger an advised batch may be.


def larger_batches(stats: Counts, seconds: float) -> str:
    """Returns a batch size for which `seconds`, spent per batch, become few."""
    rest = max(stats.elapsed_seconds - seconds, seconds / _MOST_TIMES)
    times = min(max(seconds / (_LITTLE * rest), 2), _MOST_TIMES)
    rows = -(-stats.rows // stats.batches)
    return f"batch_size={max(rows, 1) << math.ceil(math.log2(times))}"


def larger_budget(stats: Counts) -> str:
    """Returns a budget that has room for what is read ahead; "" if there is none.

    A budget that has this room already is doubled.
    """
    found, budget = stats._remedies(), stats.memory_budget_bytes
    wanted = found.room_bytes if found.room_bytes > budget else 2 * budget
    if found.most_budget_bytes is not None and wanted > found.most_budget_bytes:
        return ""
    return f"memory_budget_bytes={wanted}"


def sooner_first_batch(stats: Counts) -> str:
    """Returns what makes the first batch come sooner; "" if nothing is known to."""
    found = stats._remedies()
    if found.shuffle_window:
        return f"shuffle_window={found.shuffle_window}"
    if found.smaller_blocks:
        return found.smaller_blocks
    if found.smaller_groups:
        rows = found.smaller_groups
        return f"write smaller row groups: {written_again(rows, found)}"
    if stats.num_epochs == 1 and 0 < found.epoch_batches < stats.batches:
        epochs = -(-stats.batches // found.epoch_batches)
        return f"one iteration reads its next epoch ahead: num_epochs={epochs}"
    return ""


def larger_groups(found: Remedies) -> str:
    """Returns how to write larger row groups; "" if they are large enough."""
    if found.larger_groups < 2 * found.group_rows:
        return ""
    rows = found.larger_groups
    return f"write larger row groups: {written_again(rows, found)}"


def written_again(rows: int, found: Remedies) -> str:
    """Returns the Python code that writes the data with row groups of `rows` rows.

    The rows keep their order, which pyarrow's threads may change.
    """
    form = ', partitioning="hive"' if found.has_partitions else ""
    return (
        f'pyarrow.dataset.write_dataset(pyarrow.dataset.dataset(paths{form}), "again", '
        f'format="parquet", min_rows_per_group={rows}, max_rows_per_group={rows}, '
        "use_threads=False)"
    )
