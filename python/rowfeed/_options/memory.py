# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the memory that a dataset needs with the memory that its process may use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rowfeed._native import core
from rowfeed._options.options import Options
from rowfeed._process.usable import usable_memory

_FEW_SHARES: Final = 8  # Advised options need at most this fraction of the memory.


def check(
    catalogs: Sequence[core.Catalog], stream: core.StreamOptions, options: Options
) -> None:
    """Refuses windows that no memory of this process has room for.

    A budget that the user gave is not compared: the user knows the machine better.
    Nor are parameters without a consumer of their windows, such as those of a dataset
    of rows by index.
    What many threads would take is not counted either. The plan has room for a chunk
    in each of them, but there are often fewer chunks than threads.

    Args:
        catalogs: Catalog of the data, or of each source of a mixture.
        stream: Options of the kernel.
        options: Options as the user gave them.

    Raises:
        ValueError: The least memory with which one thread can make a batch is more
            than the process may use. The message has both numbers, and the options with
            which less memory suffices.
    """
    if options.memory_budget_bytes is not None:
        return
    usable = usable_memory()
    needed = core.plan_memory(catalogs, stream, num_threads=1).minimum
    if needed <= usable:
        return
    budget = core.plan_memory(catalogs, stream).minimum
    raise ValueError(
        f"this data set needs {needed} bytes of memory for its batches, by what its "
        f"footers say, but this process may use {usable}: "
        f"{_remedy(catalogs, stream, options, usable)}. To read it all the same, give "
        f"memory_budget_bytes={budget}"
    )


def default_budget(catalogs: Sequence[core.Catalog], stream: core.StreamOptions) -> int:
    """Returns the budget with room to read ahead, or all that the process may use.

    It is never less than what the kernel asks for.
    """
    needed = core.plan_memory(catalogs, stream).minimum
    return max(
        needed, min(core.default_memory_budget(catalogs, stream), usable_memory())
    )


def advice(
    catalog: core.Catalog, stream: core.StreamOptions, options: Options
) -> list[str]:
    """Returns a warning, with better options, if the default budget is too large.

    It is too large if it exceeds half of the memory that this process may use.
    """
    budget = stream.memory_budget_bytes
    if options.memory_budget_bytes is not None:
        return []
    usable = usable_memory()
    if budget <= usable // 2:
        return []
    return [
        f"memory_budget_bytes is {_in_gb(budget)} by default, of the {_in_gb(usable)} "
        "that this process may use, since row groups or windows are large, or threads "
        "are many: " + _remedy([catalog], stream, options, usable)
    ]


def _remedy(
    catalogs: Sequence[core.Catalog],
    stream: core.StreamOptions,
    options: Options,
    usable: int,
) -> str:
    """Returns the words for options with which little of the memory suffices."""
    advised = core.advised_blocks(catalogs, stream, usable // _FEW_SHARES)
    if advised is None:
        return "reduce batch_size, shuffle_window, num_lanes, num_threads or columns"
    block_rows, shuffle_window, needed = advised
    window = f" and shuffle_window={shuffle_window}" if shuffle_window else ""
    order = ", in another order of shuffled rows" if options.shuffle else ""
    return f"with block_rows={block_rows}{window} {_in_gb(needed)} suffice{order}"


def _in_gb(num_bytes: int) -> str:
    return f"{num_bytes / 1e9:.3g} GB"
