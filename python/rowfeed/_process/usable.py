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
    limit = container_memory()
    return machine_memory() if limit is None else limit


def machine_memory() -> int:
    """Returns the bytes of the machine's memory."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def available_memory() -> int | None:
    """Returns the bytes that the machine has left for programs; None if not told."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        name, _, said = line.partition(":")
        if name == "MemAvailable":  # The unit is called kB and has 1,024 bytes.
            return 1024 * int(said.split()[0])
    return None


def container_memory() -> int | None:
    """Returns the bytes that the container's cgroup may use; None without a limit.

    A limit above the machine's memory is none: the first version of cgroups says so.
    """
    known, machine = [], machine_memory()
    for path in map(Path, _LIMITS):
        try:
            text = path.read_text().strip()
        except OSError:
            continue
        # Without a limit the text is "max".
        if text.isdecimal() and int(text) <= machine:
            known.append(int(text))
    return min(known, default=None)
