# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What users give as paths, and the kernel's catalog of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from rowfeed._native import core
from rowfeed._process.caller_warnings import warn_caller

PathLike: TypeAlias = str | os.PathLike[str]
Paths: TypeAlias = PathLike | Iterable[PathLike]
# Whether `key=value` directories are columns, or the directory in which they begin.
Partitions: TypeAlias = bool | PathLike


# Where `key=value` directories are columns, in the kernel's order.
PLACES: Final = ("nowhere", "listed", "listed_each", "base")


@dataclass(frozen=True)
class DataPaths:
    """What users give as paths, as the kernel takes it.

    Attributes:
        encoded: The paths as bytes, without `~`.
        partitions: The rule by which `key=value` directories are columns: "nowhere",
            "listed", "listed_each" or "base", and the directory for "base".
    """

    encoded: tuple[bytes, ...]
    partitions: tuple[str, bytes]

    @classmethod
    def of(cls, paths: Paths, partitions: Partitions) -> DataPaths:
        """Takes what users give; an iterator is read once, to its end.

        Raises:
            TypeError: `paths` is no path and no ordered collection of paths, or
                `partitions` is neither a bool nor a directory.
            ValueError: `paths` is empty.
        """
        is_one = isinstance(paths, (str, os.PathLike))
        return cls(_encoded(paths), _rule(partitions, is_one=is_one))


def _encoded(paths: Paths) -> tuple[bytes, ...]:
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    if isinstance(paths, (bytes, bytearray, Mapping, Set)) or not isinstance(
        paths, Iterable
    ):
        raise TypeError(
            "paths must be a str, a PathLike, a sequence or an iterator of these, "
            f"or a rowfeed.Catalog, not of type {type(paths).__name__}"
        )
    listed = list(paths)
    if not listed:
        raise ValueError("paths is empty")
    for path in listed:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(
                f"a path must be a str or a PathLike, not of type {type(path).__name__}"
            )
    return tuple(os.fsencode(_text(path)) for path in listed)


def _rule(partitions: Partitions, *, is_one: bool) -> tuple[str, bytes]:
    if isinstance(partitions, bool):
        listed = "listed" if is_one else "listed_each"
        return (listed if partitions else "nowhere"), b""
    if not isinstance(partitions, (str, os.PathLike)):
        raise TypeError(
            "partitions must be True, False or a directory, not of type "
            f"{type(partitions).__name__}"
        )
    return "base", os.fsencode(_text(partitions))


class OpenPaths(Protocol):
    """What opens a catalog, as `open_native` does."""

    def __call__(
        self,
        paths: DataPaths,
        columns: Sequence[str] | None,
        num_threads: int,
        *,
        grows: bool,
    ) -> core.Catalog:
        """Opens the kernel's catalog of `paths`."""


def open_native(
    paths: DataPaths,
    columns: Sequence[str] | None,
    num_threads: int,
    *,
    grows: bool = False,
) -> core.Catalog:
    """Opens the kernel's catalog of `paths`, and warns of what may not be meant.

    Args:
        paths: The paths that were given.
        columns: The columns as of `Catalog.open`.
        num_threads: The number of threads that read footers.
        grows: Whether files that are not complete are passed over.
    """
    notices: list[str] = []
    open_paths = core.Catalog.open_growing if grows else core.Catalog.open
    catalog = open_paths(paths.encoded, columns, num_threads, notices, paths.partitions)
    for notice in notices:
        warn_caller(notice)
    return catalog


def absolute(path: str) -> bytes:
    """Returns a path of a catalog as it is in any directory."""
    return os.fsencode(path if is_uri(path) else Path(path).absolute())


def is_uri(path: str) -> bool:
    """Returns whether a path is a URI, such as "s3://bucket/train"."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", path) is not None


def cache_directory(path: PathLike | None) -> str:
    """Returns the option `cache_dir`, checked; "" for none."""
    return str(local_directory("cache_dir", path)) if path else ""


def local_directory(name: str, path: PathLike) -> Path:
    """Returns a directory in which files are written.

    Args:
        name: Of the option that gives it.
        path: What it gives.

    Raises:
        NotImplementedError: It is a URI.
        TypeError: It is one that pathlib has taken for a path.
    """
    return local_path(f"{name} must be a local or mounted directory", path)


def local_path(what: str, path: PathLike) -> Path:
    """Returns a path of this machine.

    Args:
        what: What it must be, for the error.
        path: What was given.

    Raises:
        NotImplementedError: It is a URI.
        TypeError: It is one that pathlib has taken for a path.
    """
    text = _text(path)
    if is_uri(text):
        raise NotImplementedError(f"{what}, not a URI: {_shown(text)!r}")
    return Path(text)


def _text(path: PathLike) -> str:
    """Returns a path as a str; `~` in front is the home directory, as in a shell.

    A file or directory of that very name comes first.
    """
    text = os.fsdecode(path)
    if text.startswith("~") and not os.path.lexists(text.partition("/")[0]):
        return os.path.expanduser(text)  # noqa: PTH111
    scheme, mark, rest = text.partition(":/")
    is_like_uri = bool(mark) and not rest.startswith("/") and is_uri(f"{scheme}://")
    if isinstance(path, str) or not is_like_uri or Path(f"{scheme}:").exists():
        return text
    uri = f"{scheme}://{rest}"
    if core.has_client(os.fsencode(uri)):
        raise TypeError(
            f"a URI must be given as a str, not as a {type(path).__name__}: "
            f"{_shown(uri)!r}"
        )
    return text


def _shown(uri: str) -> str:
    """Returns a URI without its secrets."""
    try:
        return os.fsdecode(core.without_secrets(os.fsencode(uri)))
    except ValueError:  # It has no bucket.
        return f"{uri.partition('://')[0]}://…"
