# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Compares two catalogs of a data set file by file, an earlier and a later one."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal, NamedTuple

import numpy as np

from rowfeed._native import core
from rowfeed._sheet.text import clipped


@dataclass(frozen=True, slots=True)
class FileChange:
    """How one file differs between two catalogs.

    Attributes:
        name: Path of the file relative to its data set's directory; the earlier path of
            a renamed file.
        kind: Kind of the change; "moved" means that only the file's place in the order
            of the files differs.
        how: Difference in words, such as "has 5000 rows (was 4000)".
    """

    name: str
    kind: Literal["added", "removed", "renamed", "changed", "moved"]
    how: str

    def __str__(self) -> str:
        """Returns the file's name and its difference in one line."""
        return f"{self.name!r} {self.how}"


class _Entry(NamedTuple):
    """What a catalog knows of one of its files."""

    number: int  # The file's index in `Catalog.files`.
    name: str
    size: int  # The file's size in bytes.
    digest: int  # The digest of the file's footer.
    group_rows: tuple[int, ...]  # The number of rows of each row group.
    group_indices: tuple[int, ...]  # The number of each row group within the file.
    begin: int  # The index of the file's first row among the rows of all files.

    @property
    def rows(self) -> int:
        return sum(self.group_rows)

    @property
    def content(self) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
        """Size, footer digest and row groups, which tell whether the content is one."""
        return self.size, self.digest, self.group_rows, self.group_indices


class _Matching(NamedTuple):
    """The files of an earlier and a later catalog, in pairs where they are the same."""

    both: list[tuple[_Entry, _Entry]]  # Pairs (earlier, later).
    removed: list[_Entry]
    added: list[_Entry]


# Files of two catalogs are paired in this order: first those that are equal in name and
# content, then those of equal content (renamed), then those of equal name (changed).
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
    """Returns whether both catalogs have the same rows at the same indices.

    Row groups must have the same numbers of rows, and each file that is in both
    catalogs must begin at the same row, and have the same ones of its row groups. Then
    a row index means the same row in both.
    """
    old_rows, new_rows = (c.group_rows[c.group_rows > 0] for c in (before, after))
    return np.array_equal(old_rows, new_rows) and all(
        old.begin == new.begin and old.group_indices == new.group_indices
        for old, new in _match(before, after).both
        if new.rows
    )


def _entries(catalog: core.Catalog) -> list[_Entry]:
    files = catalog.files
    group_rows: list[list[int]] = [[] for _ in files]
    group_indices: list[list[int]] = [[] for _ in files]
    for file, index, rows in catalog.row_groups:
        group_rows[file].append(rows)
        group_indices[file].append(index)
    begins = list(accumulate((rows for *_, rows in files), initial=0))
    digests = catalog.footer_digests.tolist()
    return [
        _Entry(
            *(i, name, size, digests[i]),
            *(tuple(group_rows[i]), tuple(group_indices[i]), begins[i]),
        )
        for i, (_, name, size, _) in enumerate(files)
    ]


def _match(before: core.Catalog, after: core.Catalog) -> _Matching:
    removed, added = _entries(before), _entries(after)
    both: list[tuple[_Entry, _Entry]] = []
    for key in _KEYS:
        waiting: defaultdict[Hashable, deque[_Entry]] = defaultdict(deque)
        for entry in removed:
            waiting[key(entry)].append(entry)  # Several files may have one name.
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
    """Returns the files that moved, by their indices in the later catalog.

    They are the fewest files whose moves explain the new order: all other files come in
    the order that they had (a longest increasing subsequence of their old indices).
    Renamed files never count as moved, since their new name decides their place.
    """
    places = sorted(
        (new.number, old.number) for old, new in both if new.name == old.name
    )
    # A run is files that come in their old order. For each length of runs, `least` has
    # the smallest old index that a run of that length ends with, and `last` the place
    # in `places` of that file. `previous` has, for each place, the place before it in
    # its run, or -1.
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
    """Returns which numbers of a file that kept its name have changed, in words."""
    found = []
    if old.rows != new.rows:
        found.append(f"{new.rows} rows (was {old.rows})")
    elif len(old.group_rows) != len(new.group_rows):
        found.append(f"{len(new.group_rows)} row groups (was {len(old.group_rows)})")
    elif old.group_indices != new.group_indices:
        found.append(f"row groups {_listed(new)} (was {_listed(old)})")
    elif old.group_rows != new.group_rows:
        groups = zip(old.group_rows, new.group_rows, strict=True)
        index, (was, rows) = next((i, g) for i, g in enumerate(groups) if g[0] != g[1])
        found.append(f"{rows} rows in row group {index} (was {was})")
    if old.size != new.size:
        found.append(f"{new.size} bytes (was {old.size})")
    return " and ".join(found) or "another footer, with the same size and rows"


def _listed(entry: _Entry) -> str:
    """Returns the numbers of a file's row groups within the file, in words."""
    return clipped(", ".join(map(str, entry.group_indices)))
