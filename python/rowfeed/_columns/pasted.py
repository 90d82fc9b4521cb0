# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The line `columns=[...]` that an error gives to paste."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Final

from rowfeed._columns.column import Column
from rowfeed._columns.patterns import excluding, is_exclusion, is_pattern
from rowfeed._native import core

_DIFFER: Final = "the files differ in their columns:"
# A line of the kernel's error over files that differ: a column, and what to give.
_FIX: Final = re.compile(
    r"^  '(?P<name>.*?)' is .*: "
    r"(?:give (?P<column>Column\(.*\))|no option makes these one.*)$",
    re.MULTILINE,
)
_MORE: Final = re.compile(r"^  and \d+ more$", re.MULTILINE)
_MOST_NAMES: Final = 40


@contextmanager
def naming_line(
    given: Sequence[Column] | None, apart: Collection[str] = ()
) -> Iterator[None]:
    """Adds the whole line to paste to the kernel's error over files that differ.

    Args:
        given: Columns that the user listed. None if the user listed none.
        apart: Names of the columns that are delivered as label or sample weight.
    """
    try:
        yield
    except ValueError as error:
        said = str(error)
        fixes = fixes_in(said)
        if fixes and not _MORE.search(said) and not fixes.keys() & {*apart}:
            line = line_of(given, fixes)
            if line:
                error.args = (f"{said}\n  paste {line}",)
        raise


def fixes_in(said: str) -> dict[str, str]:
    """Returns what the kernel's error over files that differ says to give.

    Returns:
        For each column, by its name, the text of its `Column`; "" if nothing settles
        how the files differ, so that the column must be left out.
    """
    if not said.startswith(_DIFFER):
        return {}
    return {found["name"]: found["column"] or "" for found in _FIX.finditer(said)}


def line_of(
    given: Sequence[Column] | None, fixes: Mapping[str, str], out: Sequence[str] = ()
) -> str:
    """Returns the line of columns that the user listed, mended; "" if none does it.

    Args:
        given: Columns that the user listed. None if the user listed none.
        fixes: For names of columns the text of a `Column` that is to be given; "" to
            leave the column out.
        out: Names of more columns to leave out.
    """
    listed = [Column("*")] if given is None else given
    if given and all(is_exclusion(column.name) for column in given):
        listed = [Column("*"), *given]  # A name beside them would stand alone.
    patterns = [column.name for column in listed if is_pattern(column.name)]
    named = {column.name for column in listed}
    texts = [
        _text_of(column, fixes.get(column.name, ""))
        for column in listed
        if fixes.get(column.name) != ""
    ]
    for name, fix in {**fixes, **dict.fromkeys(out, "")}.items():
        if name in named:
            continue
        if not any(core.match_pattern(pattern, name) for pattern in patterns):
            return ""  # A field of a struct that is listed as a whole.
        texts.append(f"rowfeed.{fix}" if fix else repr(excluding(name)))
    is_short = 0 < len(texts) <= _MOST_NAMES
    line = ", ".join(text or "…" for text in texts)
    return f"columns=[{line}]" if is_short and "…" not in line else ""


def _text_of(column: Column, fix: str) -> str:
    """Returns a column as Python writes it; "" if that is too long for a line.

    Args:
        column: Column as the user gave it.
        fix: Text of a `Column` whose options come first. "" if there is none.
    """
    if column.encode is not None:
        return ""
    options = [
        f"{option.name}={'rowfeed.' if option.name == 'pad' else ''}{value!r}"
        for option in fields(column)[1:]
        if (value := getattr(column, option.name)) != option.default
        and f", {option.name}=" not in fix
    ]
    if not fix and not options:
        return repr(column.name)
    start = fix.removesuffix(")") or f"Column({column.name!r}"
    return f"rowfeed.{', '.join([start, *options])})"
