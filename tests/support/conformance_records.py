# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What became of the columns that conformance.py compares with pyarrow."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from conformance_refusals import covering, listed

EQUAL, REFUSED, UNLISTED, UNREADABLE, BEYOND, FINDING = (
    "equal", "refused", "unlisted", "unreadable", "beyond pyarrow", "finding",
)  # fmt: skip
Say = Callable[..., None]  # say(phase, detail, seconds=…, bytes=…): limits that grow.

# What rowfeed may take of what pyarrow took, where that is more than the least limit.
TIMES_THE_SECONDS = 20
TIMES_THE_BYTES = 16


class Records:
    """What became of the columns of a file, and what is about to be read."""

    def __init__(self, path: Path, say: Say) -> None:
        self.path = path
        self.records: list[tuple[str, str, str, str]] = []
        self.table_bytes = 0
        self.oracle_seconds = 0.0
        self._say = say
        self._refusals = listed()

    def say(self, phase: str, detail: str) -> None:
        self._say(
            phase,
            detail,
            seconds=TIMES_THE_SECONDS * self.oracle_seconds,
            bytes=TIMES_THE_BYTES * self.table_bytes,
        )

    def note(self, column: str, outcome: str, how: str, detail: object = "") -> None:
        text = str(detail)
        if outcome == REFUSED and covering(self._refusals, self.path, text) is None:
            outcome = UNLISTED
        self.records.append((column, outcome, how, text[:400]))

    def note_error(
        self, column: str, error: Exception, how: str, *, is_due: bool = False
    ) -> None:
        """Notes an error where pyarrow reads: if it names all, it is a refusal."""
        named = self.path.name in str(error) and shown(column) in str(error)
        refuses = is_refusal(error) and named
        outcome = FINDING if not refuses else EQUAL if is_due else REFUSED
        self.note(column, outcome, how, f"{type(error).__name__}: {error}")


def shown(name: str) -> str:
    """Returns a name as messages have it: one that does not print is escaped."""
    return name if name.isprintable() else repr(name)[1:-1]


def is_refusal(error: Exception) -> bool:
    """Whether an error says that values cannot be delivered, not that they are bad."""
    kinds: tuple[type, ...] = (NotImplementedError, ValueError, KeyError)
    if "tensorflow" in sys.modules:
        errors = sys.modules["tensorflow"].errors
        kinds += (errors.InvalidArgumentError, errors.UnimplementedError)
    return isinstance(error, kinds)


def is_clean(error: Exception) -> bool:
    """Whether an error is among those that docs/reference.md has for bad files."""
    if is_refusal(error) or isinstance(error, OSError):
        return True
    if "tensorflow" not in sys.modules:
        return False
    errors = sys.modules["tensorflow"].errors
    return isinstance(error, (errors.DataLossError, errors.FailedPreconditionError))
