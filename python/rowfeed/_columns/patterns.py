# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Patterns such as `"x_*"` for many columns, and exclusions such as `"!x_3"`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from rowfeed._columns.column import Column
from rowfeed._columns.nearest import nearest
from rowfeed._native import core

_NOT: Final = "!"


def names_to_open(
    listed: Sequence[str], groups: Iterable[Sequence[str]]
) -> list[str] | None:
    """Returns the names that a catalog is opened with; None for all columns.

    Args:
        listed: Names of columns. If there are patterns, all columns are opened, as the
            kernel's patterns pass over columns that are not supported.
        groups: Names of each stack, and others that are no exclusions. A list of
            exclusions alone stands for all other columns.
    """
    if any(_is_pattern(name) for name in listed):
        return None
    found: list[str] = list(listed)
    for names in groups:
        kept = [name for name in names if not name.startswith(_NOT)]
        if names and not kept:
            return None
        found += kept
    return list(dict.fromkeys(found))


def _is_pattern(name: str) -> bool:
    return name.startswith(_NOT) or bool(set("*?[") & {*name})


def has_patterns(specs: Iterable[Column], names: Collection[str]) -> bool:
    """Returns whether one of the specs is a pattern or an exclusion."""
    return any(spec.name not in names and _is_pattern(spec.name) for spec in specs)


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


def expanded(
    specs: Sequence[Column],
    native: Sequence[core.Column],
    names: Collection[str],
    apart: set[str],
    takes: Callable[[core.Column], bool],
    owner: str,
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

    Raises:
        KeyError: An exclusion matches no column.
        ValueError: A pattern matches only label and sample weight, or only columns that
            are excluded.
    """
    out = [s.name for s in specs if s.name not in names and s.name.startswith(_NOT)]
    asked: Sequence[Column] = [spec for spec in specs if spec.name not in out]
    if out and not asked:
        asked = [replace(specs[0], name="*")]
    excluded = _excluded(out, native, owner)
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
    out: Sequence[str], native: Sequence[core.Column], owner: str
) -> set[str]:
    excluded = set()
    for name in out:
        pattern = name.removeprefix(_NOT)
        found = {
            column.name
            for column in native
            if column.path[0] == pattern or core.match_pattern(pattern, column.name)
        }
        if not found:
            near = " or ".join(f"{_NOT}{near}" for near in nearest(pattern, native))
            advice = f": did you mean {near}?" if near else ""
            raise KeyError(f"{owner}: {name!r} leaves out no column{advice}")
        excluded |= found
    return excluded
