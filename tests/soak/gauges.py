# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a process holds: resident memory, open descriptors and threads."""

from __future__ import annotations

import ctypes
import gc
import os
import time
from collections.abc import Callable
from math import nan
from pathlib import Path
from typing import Final

from tests.soak.slope import LEAST_SAMPLES, Slope, settled

# Threads end a moment after what they worked for. A sample waits so long for those
# that are more than there have been at least.
SETTLING_S = 1.0


_libc = ctypes.CDLL(None)


def resident_kb() -> float:
    """Returns the resident memory of this process without that of mapped files.

    The system takes pages of libraries back when others need memory. That was seen to
    hide all growth.
    """
    resident, of_files = map(int, Path("/proc/self/statm").read_text().split()[1:3])
    return (resident - of_files) * os.sysconf("SC_PAGESIZE") / 1024


def descriptors() -> float:
    """Returns the number of open descriptors of this process."""
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 (an iterator would be one)


def threads() -> float:
    """Returns the number of threads, also those that Python does not know."""
    return len(os.listdir("/proc/self/task"))  # noqa: PTH208


# For each gauge its bound: how much it may grow with each run, beyond doubt.
BOUNDS: Final[dict[str, float]] = {
    "resident_kb": 8.0,
    "descriptors": 0.01,
    "threads": 0.01,
}
_GAUGES: Final[dict[str, Callable[[], float]]] = {
    "resident_kb": resident_kb,
    "descriptors": descriptors,
    "threads": threads,
}


class Samples:
    """Samples of all gauges, each after a number of runs.

    Attributes:
        runs: Number of runs before each sample.
        values: Samples of each gauge.
    """

    def __init__(self) -> None:
        self.runs: list[float] = []
        self.values: dict[str, list[float]] = {name: [] for name in _GAUGES}

    def take(self, num_runs: int) -> None:
        """Takes a sample, once what has ended had time to go.

        Memory that is free goes back to the system first. Trainings of all sizes leave
        ever more holes between what lives (13 kB more after each, as was seen with
        mixtures), although what lives stays the same.
        """
        gc.collect()
        _libc.malloc_trim(0)
        least = min(self.values["threads"], default=threads())
        deadline = time.monotonic() + SETTLING_S
        while threads() > least and time.monotonic() < deadline:
            time.sleep(0.005)
        self.runs.append(num_runs)
        for name, gauge in _GAUGES.items():
            self.values[name].append(gauge())

    @property
    def are_enough(self) -> bool:
        """Whether there are enough samples for slopes."""
        return len(self.runs) >= LEAST_SAMPLES

    def slopes(self) -> dict[str, Slope]:
        """Returns the growth of each gauge with each run; NaN of too few samples."""
        if not self.are_enough:
            return dict.fromkeys(self.values, Slope(nan, nan))
        return {name: settled(self.runs, own) for name, own in self.values.items()}


def growing(slopes: dict[str, Slope]) -> list[str]:
    """Returns the names of the gauges that grow beyond their bounds."""
    return [name for name, own in slopes.items() if own.is_above(BOUNDS[name])]
