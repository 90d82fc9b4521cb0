# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Errors over unknown columns that name the columns which the user may have meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Final

from rowfeed._native import core

_UNKNOWN: Final = re.compile(r"there is no column '(?P<name>.*?)'; (?!did you mean)")
# Names of columns that the kernel makes, if no file has them.
MADE_BY_KERNEL: Final = ("__file", "__row_group", "__row", "__epoch", "__step")


@contextmanager
def naming_nearest(columns: Callable[[str], Sequence[core.Column]]) -> Iterator[None]:
    """Adds the nearest names to the kernel's errors over unknown columns.

    Args:
        columns: Function that returns the columns that there are. It is called with
            what the error says before the column, and only if there is an error.
    """
    try:
        yield
    except KeyError as error:
        message = str(error.args[0])
        found = _UNKNOWN.search(message)
        if found is None:
            raise
        near = nearest(found["name"], columns(message[: found.start()]))
        if near:
            names = " or ".join(map(repr, near))
            end = found.end()
            error.args = (f"{message[:end]}did you mean {names}? {message[end:]}",)
        raise


def nearest(wrong: str, columns: Sequence[core.Column]) -> list[str]:
    """Returns up to three names of columns or structs that a wrong name may mean.

    Upper and lower case are the same here. The name of a field alone means all columns
    whose last part it is.

    Args:
        wrong: Name, or pattern such as `"pric*"`, that stands for no column.
        columns: Columns that there are.
    """
    from difflib import get_close_matches  # Only errors need it.

    names = {
        name: None
        for column in columns
        for name in accumulate(column.path, "{}.{}".format)
    }
    sought = wrong.translate(dict.fromkeys(map(ord, "*?"))).casefold()
    names.pop(wrong, None)  # A struct is a name too, but not everywhere.
    fields = [name for name in names if name.casefold().endswith(f".{sought}")]
    folded = {name.casefold(): name for name in (*MADE_BY_KERNEL, *names)}
    close = [folded[name] for name in get_close_matches(sought, folded, n=3)]
    return list(dict.fromkeys([*fields, *close]))[:3]
