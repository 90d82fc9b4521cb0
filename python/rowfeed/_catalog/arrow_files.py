# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The files of a catalog as pyarrow opens them, from local disks and stores."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa
import pyarrow.fs as fs

from rowfeed._catalog.paths import is_uri

if TYPE_CHECKING:
    from rowfeed._catalog.entries import File

# A function that connects to the root of a store, once for each; None stands for the
# file system of this machine.
Client: TypeAlias = Callable[[str | None], tuple[fs.FileSystem, str]]


def new_client() -> Client:
    """Returns a client that has no connection yet."""
    return cache(_connect)


def open_file(path: str, client: Client) -> Any:
    """Opens a file by a catalog's path, for reading at any position.

    Raises:
        NotImplementedError: pyarrow cannot read from the file's store.
        OSError: The file cannot be opened.
    """
    store, name = _found(path, client)
    # The path is given as bytes, since names of files need not be UTF-8.
    return store.open_input_file(os.fsencode(name))


def is_of_system(error: BaseException) -> bool:
    """Returns whether reading has failed, and not the parsing of what was read."""
    return isinstance(error, OSError) and error.errno is not None


def check_unchanged(file: File, num_bytes: int, footer: Any = None) -> None:
    """Raises OSError unless a file has the size and rows that its catalog says.

    Args:
        file: Entry of the catalog.
        num_bytes: Size of the file.
        footer: Metadata of the file. None if pyarrow cannot read it. The rows of its
            row groups count, as their sum in the footer may be wrong.
    """
    num_rows = file.rows
    if footer is not None:
        groups = map(footer.row_group, range(footer.num_row_groups))
        num_rows = sum(group.num_rows for group in groups)
    if (num_rows, num_bytes) != (file.rows, file.size):
        raise OSError(f"{file.path} changed since it was catalogued")


def _found(path: str, client: Client) -> tuple[fs.FileSystem, str]:
    """Returns the file system that a catalog's path is in, and the path in it."""
    if not is_uri(path):
        return client(None)[0], path
    place, mark, options = path.partition("?")
    scheme, _, rest = place.partition("://")
    authority, _, name = rest.partition("/")
    store, root = client(f"{scheme}://{authority}{mark}{options}")
    return store, f"{root.rstrip('/')}/{name.replace('%3F', '?').replace('%25', '%')}"


def _connect(root: str | None) -> tuple[fs.FileSystem, str]:
    if root is None:
        return fs.LocalFileSystem(), ""
    try:
        store, name = fs.FileSystem.from_uri(root)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise NotImplementedError(
            f"{root}: pyarrow, which reads this file here, knows no such store: {error}"
        ) from error
    return store, name
