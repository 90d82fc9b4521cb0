# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What users give as paths, and the kernel's catalog of it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from rowfeed import schema_differences
from rowfeed._native import core

PathLike: TypeAlias = str | os.PathLike[str]
Paths: TypeAlias = PathLike | Sequence[PathLike]


class OpenPaths(Protocol):
    """What opens a catalog, as `open_native` does."""

    def __call__(
        self,
        paths: Paths,
        columns: Sequence[str] | None,
        num_threads: int,
        *,
        grows: bool,
    ) -> core.Catalog:
        """Opens the kernel's catalog of `paths`."""


def open_native(
    paths: Paths,
    columns: Sequence[str] | None,
    num_threads: int,
    *,
    grows: bool = False,
) -> core.Catalog:
    """Opens the kernel's catalog of `paths`.

    Args:
        paths: As of `Catalog.open`.
        columns: As there.
        num_threads: That read footers.
        grows: Whether files that are not complete are passed over.
    """
    encoded = encode_paths(paths)
    try:
        open_paths = core.Catalog.open_growing if grows else core.Catalog.open
        return open_paths(encoded, columns, num_threads)
    except ValueError:
        differences = _differences(encoded, columns)
        if not differences:
            raise
        raise ValueError(differences) from None


def encode_paths(paths: Paths) -> list[bytes]:
    """Returns what the kernel takes for `paths`."""
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    if not isinstance(paths, Sequence) or isinstance(paths, (bytes, bytearray)):
        raise TypeError(
            f"paths must be a str, a PathLike, a sequence of these, or a "
            f"rowfeed.Catalog, not of type {type(paths).__name__}"
        )
    if not paths:
        raise ValueError("paths is empty")
    for path in paths:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(
                f"a path must be a str or a PathLike, not of type {type(path).__name__}"
            )
    return [os.fsencode(_text(path)) for path in paths]


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
    text = os.fsdecode(path)
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


def _differences(paths: Sequence[bytes], columns: Sequence[str] | None) -> str:
    try:
        return schema_differences.report(paths, columns)
    except (OSError, ValueError):  # It was not the columns.
        return ""
