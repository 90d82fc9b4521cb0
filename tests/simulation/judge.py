# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Compares what a rank answers with what the model expects of it."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from tests.simulation.ranks import Answer
from tests.simulation.rows import FILE_IDS, BrokenPromiseError
from tests.simulation.walk import Place, Step

# Classes of the errors that docs/reference.md has for files.
_CLEAR = {"FileNotFoundError", "OSError", "PermissionError", "ValueError"}


def judge_step(answer: Answer, step: Step, gone: Collection[int], what: str) -> int:
    """Judges a batch, or the end of an iteration.

    Args:
        answer: What the rank answered.
        step: What the model expects.
        gone: Numbers of files whose rows may be fill rows, as they are gone.
        what: Words that say whose answer it is.

    Returns:
        Number of rows that are fill because their file is gone.
    """
    kind, ids = answer
    if step.ids is None:
        if kind != "end":
            raise BrokenPromiseError(f"{what}: {ids} came after the end")
        return 0
    if kind != "rows":
        raise BrokenPromiseError(f"{what}: the iteration ended before {step.ids}")
    lost = 0
    if len(ids) == len(step.ids):
        for i, (found, row) in enumerate(zip(ids, step.ids, strict=True)):
            if found is None and row is not None and row // FILE_IDS in gone:
                ids[i] = row
                lost += 1
    if ids != step.ids:
        raise BrokenPromiseError(f"{what}: the batch is {ids}, not {step.ids}")
    return lost


def judge_state(state: dict[str, Any], place: Place, what: str) -> None:
    """Judges the place of a state."""
    found = Place(*(state[field] for field in Place._fields))
    if found != place:
        raise BrokenPromiseError(f"{what}: the state is at {found}, not {place}")


def judge_error(answer: Answer, faulty: Collection[str], what: str) -> None:
    """Judges an error: a file must be at fault, and the message must name it."""
    name, text = answer[1]
    if not faulty:
        raise BrokenPromiseError(f"{what}: {name} without a fault: {text}")
    is_named = any(file in text for file in faulty) or "fingerprint" in text
    if name not in _CLEAR or not is_named:
        raise BrokenPromiseError(
            f"{what}: {name} does not name a file of {json.dumps(sorted(faulty))}: "
            f"{text}"
        )
