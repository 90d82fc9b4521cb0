# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Says how a state differs from its dataset, and what going on from it gives up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rowfeed._catalog.file_changes import FileChange
from rowfeed._options.options import OPTIONS, ORDER

_NAMED_FILES: Final = 10  # The most files that a message names; it counts the rest.
_LONGEST: Final = 200  # The most characters for each named file.


def differences(
    state: Mapping[str, Any],
    ours: Mapping[str, Any],
    changes: Sequence[FileChange] | None,
) -> list[str]:
    """Returns a text for each difference in order or data, in the order of fields.

    Args:
        state: State that the user gave, in the right form.
        ours: State of the dataset at the same place.
        changes: Changes of the files since the state was taken. None if not known.
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
    """Yields (name, their value, our value) of each field in which two orders differ.

    A field that one of them lacks, such as a filter, has the value None there.
    """
    for name in dict.fromkeys((*ours, *theirs)):
        if theirs.get(name) != ours.get(name):
            yield name, theirs.get(name), ours.get(name)


def given_up(
    state: Mapping[str, Any], ours: Mapping[str, Any], *, keeps_rows: bool
) -> str:
    """Returns a text: what going on from a state that differs gives up, and keeps.

    Args:
        state: State that the user gave.
        ours: State of the dataset at the place where it goes on, which is at most the
            end of the epoch.
        keeps_rows: Whether all rows of the data are known to have kept their indices.
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
    """Returns the values on which the order of a state's epoch depends."""
    order, epoch = state["order"], None
    if order["shuffle"]:
        pinned = order["pinned_epoch"]
        epoch = state["epoch"] if pinned is None else pinned
    matter = [n for n in ORDER if order["shuffle"] or not OPTIONS[n].only_shuffled]
    return (epoch, order.get("filter"), *(order[name] for name in matter))


def _named(changes: Sequence[FileChange]) -> str:
    lines = [_shortened(str(change)) for change in changes[:_NAMED_FILES]]
    if len(changes) > _NAMED_FILES:
        lines.append(f"and {len(changes) - _NAMED_FILES} more files differ")
    return "; ".join(lines)


def _shortened(text: str) -> str:
    """Returns a text without its middle if it is long: file names differ at the end."""
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2 - 2
    return f"{text[:half]}...{text[-half:]}"
