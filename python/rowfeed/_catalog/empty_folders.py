# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Errors over folders in which no file is found, with what there is instead."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

_MARK: Final = ": no *.parquet"
_MOST: Final = 1000  # The number of names that are looked at.


@contextmanager
def telling_what_is_there() -> Iterator[None]:
    """Adds to the kernel's error over a folder without data what the folder has."""
    try:
        yield
    except FileNotFoundError as error:
        said = str(error)
        folder, mark, _ = said.partition(_MARK)
        if mark and len(error.args) == 1:
            error.args = (f"{said}; {_what_is_in(folder)}",)
        raise


def _what_is_in(folder: str) -> str:
    """Returns what a folder of this machine has, with what to do."""
    skipped, other = "", ""
    for path in islice(_files_below(folder), _MOST):
        name = os.path.relpath(path, folder)
        if any(part.startswith((".", "_")) for part in Path(name).parts):
            skipped = skipped or name
        else:
            other = other or name
    if skipped:
        return (
            f"names that begin with '.' or '_' are skipped, such as {skipped}: give "
            "the paths of such files themselves"
        )
    if other:
        return (
            f"it has other files, such as {other}: give their paths or a glob if they "
            "are Parquet files"
        )
    return "give a directory that has such files, or the paths of files themselves"


def _files_below(folder: str) -> Iterator[str]:
    for root, _, names in os.walk(folder):
        for name in names:
            yield os.path.join(root, name)  # noqa: PTH118
