# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The list of what pyarrow reads and rowfeed refuses, with the reason for each."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

LIST = Path(__file__).with_suffix(".csv")


@dataclass(frozen=True)
class Refusal:
    """One line of the list: a kind of refusal, and why it is meant."""

    file: str  # A pattern of file names.
    words: str  # A part of the error's text.
    reason: str

    def covers(self, path: Path, error: str) -> bool:
        """Whether an error about a file is of this kind."""
        return fnmatchcase(path.name, self.file) and self.words in error


def listed() -> list[Refusal]:
    """Reads the list."""
    with LIST.open(newline="") as file:
        refusals = [Refusal(**row) for row in csv.DictReader(file)]
    assert all(r.file and r.words and r.reason for r in refusals), LIST
    return refusals


def covering(refusals: Sequence[Refusal], path: Path, error: str) -> Refusal | None:
    """Returns the first line of the list that covers an error about a file."""
    return next((r for r in refusals if r.covers(path, error)), None)
