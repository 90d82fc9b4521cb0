# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Patterns such as `"x_*"` for many columns, and exclusions such as `"!x_3"`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from rowfeed._columns.column import Column
from rowfeed._columns.nearest import nearest
from rowfeed._native import core

_NOT: Final = "!"

# Returns columns of the files that a catalog leaves out. It is called before an
# exclusion that matches no column is refused.
Beyond: TypeAlias = Callable[[], Sequence[core.Column]]


def names_to_open(
    listed: Sequence[str], groups: Iterable[Sequence[str]]
) -> list[str] | None:
    """Returns the names that a catalog is opened with; None for all columns.

    Args:
        listed: Names of columns. If there are patterns, all columns are opened, as the
            kernel's patterns pass over columns that are not supported.
        groups: Names of each stack, and others that are no exclusions. A list of
            exclusions alone stands for all other columns, and so does "*".
    """
    if any(is_pattern(name) for name in listed):
        return None
    found: list[str] = list(listed)
    for names in groups:
        kept = [name for name in names if not name.startswith(_NOT)]
        if names and (not kept or "*" in kept):
            return None
        found += kept
    return list(dict.fromkeys(found))


def is_pattern(name: str) -> bool:
    """Returns whether a name is a pattern or an exclusion, unless a column has it."""
    return name.startswith(_NOT) or bool(set("*?[") & {*name})


def is_exclusion(name: str) -> bool:
    """Returns whether a name leaves out columns, unless a column has it."""
    return name.startswith(_NOT)


def excluding(name: str) -> str:
    """Returns the exclusion of a column and of no other."""
    return _NOT + re.sub(r"([*?[])", r"[\1]", name)


def names_in(native: Iterable[core.Column]) -> set[str]:
    """Returns the names of columns and of the structs around them."""
    return {
        ".".join(column.path[: depth + 1])
        for column in native
        for depth in range(len(column.path))
    }


def has_patterns(specs: Iterable[Column], names: Collection[str]) -> bool:
    """Returns whether one of the specs is a pattern or an exclusion."""
    return any(spec.name not in names and is_pattern(spec.name) for spec in specs)


def asked_of(found: core.Column, specs: Iterable[Column]) -> Column:
    """Returns what specs ask of a column: a `Column` of its name.

    Of several specs that mean the column, the one of its own name counts, then that of
    a struct around it, then the first pattern, in whatever order they are listed.

    Args:
        found: Column of the catalog.
        specs: Columns, patterns and exclusions. If none means the column, nothing is
            asked of it.
    """
    listed = list(specs)
    above = [".".join(found.path[: depth + 1]) for depth in range(len(found.path))]
    named = {spec.name: spec for spec in reversed(listed)}
    matching = [named[name] for name in (found.name, *reversed(above)) if name in named]
    matching += [s for s in listed if core.match_pattern(s.name, found.name)]
    return replace(matching[0] if matching else Column(""), name=found.name)


def passed_over(
    specs: Sequence[Column], native: Iterable[core.Column]
) -> list[core.Column]:
    """Returns unsupported columns that patterns match, and that they do not stand for.

    Args:
        specs: Columns, patterns and exclusions that a catalog was opened with.
        native: All columns of a file.
    """
    out = [spec.name for spec in specs if is_exclusion(spec.name)]
    patterns = [s.name for s in specs if is_pattern(s.name) and s.name not in out]
    if out and len(out) == len(specs):
        patterns = ["*"]
    found = [c for c in native if c.unsupported and not c.is_added_index]
    excluded = {name for exclusion in out for name in _matched(exclusion, found)}
    return [
        column
        for column in found
        if column.name not in excluded
        and any(core.match_pattern(pattern, column.name) for pattern in patterns)
    ]


def expanded(
    specs: Sequence[Column],
    native: Sequence[core.Column],
    names: Collection[str],
    apart: set[str],
    takes: Callable[[core.Column], bool],
    owner: str,
    beyond: Beyond = tuple,
) -> Iterator[Column]:
    """Yields the columns that specs stand for, each once.

    Args:
        specs: Columns, patterns, and exclusions, which hold for all of the patterns. If
            there are exclusions alone, they hold for all columns.
        native: Columns of the catalog.
        names: Names that are columns or structs, and no patterns.
        apart: Names of label and sample weight, which patterns leave out.
        takes: Function that tells which columns patterns may stand for.
        owner: Text for errors that says what has the specs.
        beyond: Function that returns columns which exclusions may name as well, though
            the catalog leaves them out.

    Raises:
        KeyError: An exclusion matches no column.
        ValueError: A pattern matches only label and sample weight, or only columns that
            are excluded.
    """
    out = [s.name for s in specs if s.name not in names and s.name.startswith(_NOT)]
    asked: Sequence[Column] = [spec for spec in specs if spec.name not in out]
    if out and not asked:
        asked = [replace(specs[0], name="*")]
    excluded = _excluded(out, native, owner, beyond)
    taken = {*apart, *(spec.name for spec in asked if spec.name in names)}
    for spec in asked:
        if spec.name in names:
            yield spec
            continue
        matching = [
            column.name
            for column in native
            if core.match_pattern(spec.name, column.name) and takes(column)
        ]
        if not matching:
            yield spec  # The kernel will raise, as there is no such column.
        elif apart.issuperset(matching):
            raise ValueError(
                f"{owner}: {spec.name!r} matches the label or sample weight alone: "
                f"{matching}"
            )
        elif excluded.issuperset(matching):
            raise ValueError(
                f"{owner}: all columns that {spec.name!r} matches are left out"
            )
        for name in matching:
            if name not in taken and name not in excluded:
                yield replace(spec, name=name)
        taken.update(matching)


def _excluded(
    out: Sequence[str], native: Sequence[core.Column], owner: str, beyond: Beyond
) -> set[str]:
    excluded = set()
    for name in out:
        found = _matched(name, native)
        if not found and not _matched(name, beyond()):
            near = nearest(name.removeprefix(_NOT), native)
            meant = " or ".join(f"{_NOT}{each}" for each in near)
            advice = f": did you mean {meant}?" if meant else ""
            raise KeyError(f"{owner}: {name!r} leaves out no column{advice}")
        excluded |= found
    return excluded


def _matched(exclusion: str, native: Iterable[core.Column]) -> set[str]:
    pattern = exclusion.removeprefix(_NOT)
    return {
        column.name
        for column in native
        if column.path[0] == pattern or core.match_pattern(pattern, column.name)
    }
