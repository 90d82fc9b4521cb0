# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Warnings that point to the line of the user's program that called rowfeed."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path
from typing import Final


class PerformanceWarning(UserWarning):
    """Warns of what is right, but slower or larger in memory than it could be."""


class DataWarning(UserWarning):
    """Warns of data or rows that are probably not those that the user means."""


class StateWarning(UserWarning):
    """Warns of a state or place from which training goes on otherwise than expected."""


_PACKAGE: Final = f"{Path(__file__).parents[1]}/"


def warn_caller(warning: UserWarning) -> None:
    """Issues a warning that points to the line that called this package."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)
