# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How the files of a data set differ from those that it had."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal, NamedTuple

import numpy as np

from rowfeed._native import core


@dataclass(frozen=True, slots=True)
class FileChange:
    """How one file differs between two catalogs.

    Attributes:
        name: Relative to its root; of a renamed file, the earlier one.
        kind: "moved" is a file of which only the place in the order differs.
        how: What differs, in words: "has 5000 rows (was 4000)".
    """

    name: str
    kind: Literal["added", "removed", "renamed", "changed", "moved"]
    how: str

    def __str__(self) -> str:
        """Says it in one line."""
        return f"{self.name!r} {self.how}"


class _Entry(NamedTuple):
    """A file in its catalog."""

    number: int  # Its index in files.
    name: str
    size: int  # Bytes.
    digest: int  # Of its footer.
    group_rows: tuple[int, ...]
    begin: int  # Its first row among those of all files.

    @property
    def rows(self) -> int:
        return sum(self.group_rows)

    @property
    def content(self) -> tuple[int, int, tuple[int, ...]]:
        """What the catalog knows of the file, but for its name."""
        return self.size, self.digest, self.group_rows


class _Matching(NamedTuple):
    """The files of two catalogs, each beside itself."""

    both: list[tuple[_Entry, _Entry]]  # As it was and as it is, in no order.
    removed: list[_Entry]
    added: list[_Entry]


# A file is itself if nothing of it changed, or else its name only, or all but its name.
_KEYS: Final[tuple[Callable[[_Entry], Hashable], ...]] = (
    lambda entry: (entry.name, entry.content),
    lambda entry: entry.content,
    lambda entry: entry.name,
)


def changes(before: core.Catalog, after: core.Catalog) -> list[FileChange]:
    """Returns how the files of `after` differ from those of `before`, by name.

    The list is empty if and only if the catalogs have the same fingerprint.
    """
    both, gone, added = _match(before, after)
    moved = _moved(both)
    found = [_change(old, new, is_moved=new.number in moved) for old, new in both]
    found += [
        FileChange(e.name, "removed", f"was removed, {e.rows} rows") for e in gone
    ]
    found += [FileChange(e.name, "added", f"was added, {e.rows} rows") for e in added]
    return sorted((c for c in found if c is not None), key=lambda change: change.name)


def keeps_rows(before: core.Catalog, after: core.Catalog) -> bool:
    """Returns whether every row of a file in both catalogs is in the same place.

    Then the order of one catalog's rows is that of the other's.
    """
    old_rows, new_rows = (c.group_rows[c.group_rows > 0] for c in (before, after))
    return np.array_equal(old_rows, new_rows) and all(
        old.begin == new.begin for old, new in _match(before, after).both if new.rows
    )


def _entries(catalog: core.Catalog) -> list[_Entry]:
    files = catalog.files
    group_rows: list[list[int]] = [[] for _ in files]
    for file, _, rows in catalog.row_groups:
        group_rows[file].append(rows)
    begins = list(accumulate((rows for *_, rows in files), initial=0))
    digests = catalog.footer_digests.tolist()
    return [
        _Entry(i, name, size, digests[i], tuple(group_rows[i]), begins[i])
        for i, (_, name, size, _) in enumerate(files)
    ]


def _match(before: core.Catalog, after: core.Catalog) -> _Matching:
    removed, added = _entries(before), _entries(after)
    both: list[tuple[_Entry, _Entry]] = []
    for key in _KEYS:
        waiting: defaultdict[Hashable, deque[_Entry]] = defaultdict(deque)
        for entry in removed:
            waiting[key(entry)].append(entry)  # Names may occur more than once.
        unmatched = []
        for entry in added:
            same = waiting[key(entry)]
            if same:
                both.append((same.popleft(), entry))
            else:
                unmatched.append(entry)
        added = unmatched
        removed = sorted(entry for same in waiting.values() for entry in same)
    return _Matching(both, removed, added)


def _moved(both: list[tuple[_Entry, _Entry]]) -> set[int]:
    """Returns the indices, as they are, of the fewest files that explain the order.

    The others are a longest run of files that come in the order they had. Renamed
    files count neither way: they come where their new name says.
    """
    places = sorted(
        (new.number, old.number) for old, new in both if new.name == old.name
    )
    # Of the runs of each length, one whose last file was as early as can be: the index
    # that it had, and its place. For each place, the one before it in its run.
    least: list[int] = []
    last: list[int] = []
    previous: list[int] = []
    for place, (_, old_index) in enumerate(places):
        length = bisect_left(least, old_index)
        previous.append(last[length - 1] if length else -1)
        least[length : length + 1] = [old_index]
        last[length : length + 1] = [place]
    moved = {new_index for new_index, _ in places}
    place = last[-1] if last else -1
    while place >= 0:
        moved.remove(places[place][0])
        place = previous[place]
    return moved


def _change(old: _Entry, new: _Entry, *, is_moved: bool) -> FileChange | None:
    if old.name != new.name:
        return FileChange(old.name, "renamed", f"was renamed to {new.name!r}")
    place = f"is files[{new.number}] (was files[{old.number}])"
    if old.content != new.content:
        how = f"has {_difference(old, new)}"
        how = f"{how}, {place}" if is_moved else how
        return FileChange(old.name, "changed", how)
    return FileChange(old.name, "moved", place) if is_moved else None


def _difference(old: _Entry, new: _Entry) -> str:
    """Returns in which numbers a file differs that has kept its name."""
    found = []
    if old.rows != new.rows:
        found.append(f"{new.rows} rows (was {old.rows})")
    elif len(old.group_rows) != len(new.group_rows):
        found.append(f"{len(new.group_rows)} row groups (was {len(old.group_rows)})")
    elif old.group_rows != new.group_rows:
        groups = zip(old.group_rows, new.group_rows, strict=True)
        index, (was, rows) = next((i, g) for i, g in enumerate(groups) if g[0] != g[1])
        found.append(f"{rows} rows in row group {index} (was {was})")
    if old.size != new.size:
        found.append(f"{new.size} bytes (was {old.size})")
    return " and ".join(found) or "another footer, with the same size and rows"
