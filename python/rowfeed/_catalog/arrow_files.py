# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The files of a catalog as pyarrow opens them, from local disks and stores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa
import pyarrow.fs as fs

from rowfeed._catalog.paths import is_uri
from rowfeed._native import core

if TYPE_CHECKING:
    from rowfeed._catalog.entries import File

# A function that connects to the root of a store, once for each; None stands for the
# file system of this machine.
Client: TypeAlias = Callable[[str | None], tuple[fs.FileSystem, str]]


def roots_of(paths: Iterable[bytes]) -> dict[str, str]:
    """Returns the roots of stores as users gave them, by the same without secrets.

    Args:
        paths: Paths and URIs that a catalog is opened with.
    """
    roots = {}
    for uri in filter(is_uri, map(os.fsdecode, paths)):
        shown = os.fsdecode(core.without_secrets(os.fsencode(uri)))
        roots[_root_of(shown)[0]] = _root_of(uri)[0]
    return roots


def new_client(roots: Mapping[str, str]) -> Client:
    """Returns a client that has no connection yet.

    Args:
        roots: Roots of stores with their secrets; see `roots_of`. Secrets of other
            stores come from the environment.
    """
    return cache(lambda root: _connect(root, roots))


def open_file(path: str, client: Client) -> Any:
    """Opens a file by a catalog's path, for reading at any position.

    Raises:
        NotImplementedError: pyarrow cannot read from the file's store.
        OSError: The file cannot be opened.
    """
    store, name = _found(path, client)
    try:
        # The path is given as bytes, since names of files need not be UTF-8.
        return store.open_input_file(os.fsencode(name))
    except OSError as error:
        if not is_uri(path) or isinstance(error, FileNotFoundError):
            raise
        raise OSError(
            f"{path}: {error} (describe() and head() read by pyarrow, with the secrets "
            "that Catalog.open was given in this process, or else with those of the "
            "environment)"
        ) from error


def is_of_system(error: BaseException) -> bool:
    """Returns whether reading has failed, and not the parsing of what was read."""
    return isinstance(error, OSError) and error.errno is not None


def check_unchanged(
    file: File, groups: Sequence[int], num_bytes: int, footer: Any = None
) -> None:
    """Raises OSError unless a file has the size and rows that its catalog says.

    Args:
        file: Entry of the catalog.
        groups: Numbers of the row groups that the catalog has of the file.
        num_bytes: Size of the file.
        footer: Metadata of the file. None if pyarrow cannot read it. The rows of its
            row groups count, as their sum in the footer may be wrong.
    """
    num_rows = file.rows
    if footer is not None:
        known = [group for group in groups if group < footer.num_row_groups]
        num_rows = sum(footer.row_group(group).num_rows for group in known)
    if (num_rows, num_bytes) != (file.rows, file.size):
        raise OSError(f"{file.path} changed since it was catalogued")


def _found(path: str, client: Client) -> tuple[fs.FileSystem, str]:
    """Returns the file system that a catalog's path is in, and the path in it."""
    if not is_uri(path):
        return client(None)[0], path
    place, name = _root_of(path)
    store, root = client(place)
    return store, f"{root.rstrip('/')}/{name.replace('%3F', '?').replace('%25', '%')}"


def _root_of(uri: str) -> tuple[str, str]:
    """Returns the URI of a store's root, with its options, and the path below it."""
    place, mark, options = uri.partition("?")
    scheme, _, rest = place.partition("://")
    authority, _, name = rest.partition("/")
    return f"{scheme}://{authority}{mark}{options}", name


def _connect(root: str | None, roots: Mapping[str, str]) -> tuple[fs.FileSystem, str]:
    if root is None:
        return fs.LocalFileSystem(), ""
    given = roots.get(root, root)
    try:
        store, name = fs.FileSystem.from_uri(given)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise NotImplementedError(
            f"{root}: pyarrow, which reads this file here, knows no such store: "
            f"{str(error).replace(given, root)}"
        ) from None
    return store, name
