# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The CPUs and the memory that this process may use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

# The files in which Linux tells how much memory a container's processes may use.
_LIMITS: Final = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)


def usable_cpus() -> int:
    """Returns the number of CPUs, by default the number of threads to start."""
    return len(os.sched_getaffinity(0))


def usable_memory() -> int:
    """Returns the bytes of the machine's memory, or its container's limit if less."""
    known = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for path in map(Path, _LIMITS):
        try:
            text = path.read_text().strip()
        except OSError:
            continue
        if text.isdecimal():  # Without a limit the text is "max".
            known.append(int(text))
    return min(known)
