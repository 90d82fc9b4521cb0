# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Refuses filters that call functions which users have registered with Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

# The one scalar function of Arrow whose wrapper in pyarrow is written by hand. The
# kernel refuses it.
_BY_HAND: Final = "random"


def check_functions(names: Sequence[str]) -> None:
    """Checks that the functions of rows which a filter calls are Arrow's own.

    The kernel checks all others: functions of several rows, and those of Arrow.

    Args:
        names: Names of all functions that the filter calls.

    Raises:
        NotImplementedError: The user or another library has registered a function. Its
            result may differ from call to call, and other processes may lack it or have
            another one of that name.
    """
    import pyarrow.compute as pc  # This import is slow, and few users filter.

    registered = set(pc.list_functions())
    for name in names:
        # pyarrow makes a wrapper for each function that Arrow has when it is imported.
        wrapper = getattr(pc, name, None)
        if name == _BY_HAND or hasattr(wrapper, "__arrow_compute_function__"):
            continue
        # Arrow's own error names a function that is not registered.
        if name in registered and pc.get_function(name).kind == "scalar":
            raise NotImplementedError(
                f"filter: {name} was registered in this process and is no function of "
                "Arrow: other processes may not have it, and its result may differ "
                "from call to call, while the rows that pass are counted once and "
                "looked at again in every epoch; write its result to a column and "
                "filter by that"
            )
