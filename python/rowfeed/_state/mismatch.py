# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How a state differs from its dataset, and what it costs to go on from it anyway."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rowfeed._catalog.file_changes import FileChange

_NAMED_FILES: Final = 10  # More than these are counted in messages.
_LONGEST: Final = 200  # Characters of a message for each of them.


def differences(
    state: Mapping[str, Any],
    ours: Mapping[str, Any],
    changes: Sequence[FileChange] | None,
) -> list[str]:
    """Returns what differs of order and data, the first field first.

    Args:
        state: The state that was given, in the right form.
        ours: That of the dataset, at the same place.
        changes: Of the files since the state was taken; None: not known.
    """
    found = [
        f"{name} is {theirs!r}, but {own!r} in this dataset"
        for name, theirs, own in of_order(state["order"], ours["order"])
    ]
    if state["fingerprint"] != ours["fingerprint"]:
        if changes is None:
            files = (
                "the files that differ are named if the Catalog saved with the state "
                "is given as `catalog`"
            )
        else:
            files = _named(changes)
        found.append(
            f"fingerprint is {state['fingerprint']!r}, but {ours['fingerprint']!r} in "
            f"this dataset, which is of other data: {files}"
        )
    return found


def of_order(
    theirs: Mapping[str, Any], ours: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    """Yields the names and values of what differs between the orders of two states.

    What one of them has not, such as a filter, is None.
    """
    for name in dict.fromkeys((*ours, *theirs)):
        if theirs.get(name) != ours.get(name):
            yield name, theirs.get(name), ours.get(name)


def given_up(
    state: Mapping[str, Any], ours: Mapping[str, Any], *, keeps_rows: bool
) -> str:
    """Returns what going on from a state that differs gives up, and what it keeps.

    Args:
        state: The state that was given.
        ours: That of the dataset, where it goes on: at most at the end of the epoch.
        keeps_rows: Whether every row of the data is known to be where it was.
    """
    place = f"it goes on at epoch {ours['epoch']}, row {ours['row']}"
    if ours["row"] < state["row"]:
        place += f", which is the end of the epoch here and not row {state['row']}"
    if ours["row"] == 0:
        return f"{place}: each row comes once, in this dataset's order"
    is_same_data = state["fingerprint"] == ours["fingerprint"]
    if not (is_same_data or keeps_rows) or _stream_of(state) != _stream_of(ours):
        return (
            f"{place}: rows of this epoch may come twice or not at all; from the next "
            "epoch on each row comes once"
        )
    kept = f"{place}: the rows of this epoch go on exactly"
    if not is_same_data:
        kept += ", with other values where files have changed"
    if state["order"] != ours["order"]:
        kept += "; later epochs come in this dataset's order"
    return kept


def _stream_of(state: Mapping[str, Any]) -> tuple[object, ...]:
    """Returns what the order of a state's epoch depends on besides the data."""
    order = state["order"]
    if not order["shuffle"]:
        return (order["num_lanes"], order.get("filter"))
    pinned = order["pinned_epoch"]
    options = ("seed", "shuffle_window", "block_rows", "num_lanes", "filter")
    epoch = state["epoch"] if pinned is None else pinned
    return (*(order.get(name) for name in options), epoch)


def _named(changes: Sequence[FileChange]) -> str:
    lines = [_shortened(str(change)) for change in changes[:_NAMED_FILES]]
    if len(changes) > _NAMED_FILES:
        lines.append(f"and {len(changes) - _NAMED_FILES} more files differ")
    return "; ".join(lines)


def _shortened(text: str) -> str:
    """Returns a text without its middle if it is long: names differ at their ends."""
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2 - 2
    return f"{text[:half]}...{text[-half:]}"
