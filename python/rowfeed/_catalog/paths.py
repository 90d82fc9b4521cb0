# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Checks and encodes the paths that users give, and opens the kernel's catalog."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from rowfeed._catalog.empty_folders import telling_what_is_there
from rowfeed._catalog.extent import extent_of
from rowfeed._catalog.partition_keys import check_keys
from rowfeed._columns.nearest import naming_nearest
from rowfeed._native import core
from rowfeed._process.caller_warnings import DataWarning, warn_caller
from rowfeed._process.log import logged
from rowfeed._sheet.text import counted
from rowfeed._stores.endpoint import telling_of_endpoints
from rowfeed._stores.reach import Reach
from rowfeed._stores.refusals import naming_what_is_refused

PathLike: TypeAlias = str | os.PathLike[str]
Paths: TypeAlias = PathLike | Iterable[PathLike]
# Either whether `key=value` directories are columns, or the directory below which they
# are.
Partitions: TypeAlias = bool | PathLike

_MOST_LEFT_OUT: Final = 3  # The greatest number of columns that the warning names.


@dataclass(frozen=True)
class DataPaths:
    """Paths and partition rule, in the form that the kernel takes.

    Attributes:
        encoded: Paths as bytes, with `~` replaced by the home directory.
        partitions: Rule by which `key=value` directories are columns ("nowhere",
            "listed", "listed_each" or "base"), and the directory that the rule "base"
            needs (empty for other rules).
    """

    encoded: tuple[bytes, ...]
    partitions: tuple[str, bytes]

    @property
    def texts(self) -> list[str]:
        """The paths as text. URIs may have secrets."""
        return [*map(os.fsdecode, self.encoded)]

    @property
    def shown(self) -> str:
        """The first path without secrets, and how many others there are."""
        first, others = _shown(os.fsdecode(self.encoded[0])), len(self.encoded) - 1
        return f"{first} and {counted(others, 'other path')}" if others else first

    @classmethod
    def of(
        cls,
        paths: Paths,
        partitions: Partitions,
        storage_options: Mapping[str, Any] | None = None,
        filesystem: object = None,
    ) -> DataPaths:
        """Converts what users give; an iterator of paths is read to its end.

        Raises:
            TypeError: `paths` is neither a path nor an ordered collection of paths, or
                another argument has the wrong type.
            ValueError: `paths` is empty, or no URI can carry an option of the store.
        """
        is_one = isinstance(paths, (str, os.PathLike))
        reach = Reach.of(storage_options, filesystem)
        found = reach.paths(_texts(paths))
        for path in found:
            if not path.strip() and not os.path.lexists(path):
                raise ValueError(f"a path is blank: {path!r}")
        place, base = _rule(partitions, is_one=is_one)
        base = reach.path(base) if place == "base" else base
        return cls(tuple(map(os.fsencode, found)), (place, os.fsencode(base)))


def _texts(paths: Paths) -> list[str]:
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
        raise ValueError(
            "paths is empty: give the files to read; if a glob or a listing has made "
            "them, it has found nothing"
        )
    for path in listed:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(
                f"a path must be a str or a PathLike, not of type {type(path).__name__}"
            )
    return [_text(path) for path in listed]


def _rule(partitions: Partitions, *, is_one: bool) -> tuple[str, str]:
    if isinstance(partitions, bool):
        listed = "listed" if is_one else "listed_each"
        return (listed if partitions else "nowhere"), ""
    if not isinstance(partitions, (str, os.PathLike)):
        raise TypeError(
            "partitions must be True, False or a directory, not of type "
            f"{type(partitions).__name__}"
        )
    return "base", _text(partitions)


def open_native(
    paths: DataPaths,
    columns: Sequence[str] | None,
    num_threads: int,
    *,
    grows: bool = False,
    asked: Collection[str] | None = (),
) -> core.Catalog:
    """Opens the kernel's catalog of `paths`, and warns of likely mistakes in them.

    Args:
        paths: Paths and partition rule that the user gave.
        columns: Names of the columns to read. Default: all of the first file.
        num_threads: Number of threads that read footers.
        grows: Whether the data set grows, so that incomplete files are skipped.
        asked: Names that the user listed, whose columns no warning calls left out. None
            if the paths were opened before, with all warnings.
    """
    notices: list[str] = []
    left_out: dict[str, str] = {}
    found: list[core.Catalog] = []
    open_paths = core.Catalog.open_growing if grows else core.Catalog.open
    with (
        logged(f"opening {paths.shown}", lambda: extent_of(found[0])),
        telling_of_endpoints(f"opening {paths.shown}", paths.texts),
        naming_what_is_refused(),
        naming_nearest(_columns_of_file),
        telling_what_is_there(),
    ):
        told, rule = (notices, left_out), paths.partitions
        found.append(open_paths(paths.encoded, columns, num_threads, told, rule))
    check_keys(found[0])
    if asked is None:
        return found[0]
    beyond = {n: path for n, path in left_out.items() if not _is_below(n, asked)}
    for notice in (*notices, *([_left_out(beyond)] if beyond else [])):
        warn_caller(DataWarning(notice))
    return found[0]


def _is_below(column: str, names: Collection[str]) -> bool:
    """Returns whether one of the names is that of the column or a struct around it."""
    return any(column == name or column.startswith(f"{name}.") for name in names)


def _left_out(columns: Mapping[str, str]) -> str:
    """Returns the warning for left out columns, with the first file of each."""
    said = [f"'{name}' of {path}" for name, path in columns.items()]
    shown, more = ", ".join(said[:_MOST_LEFT_OUT]), len(said) - _MOST_LEFT_OUT
    listed = f"{shown} and {more} more" if more > 0 else shown
    return (
        "columns= names no columns, so they are those of the first file; left out are "
        f"columns that only later files have: {listed}; to read one, name it in "
        "columns=, with a fill or a mask where files lack it"
    )


def _columns_of_file(said: str) -> Sequence[core.Column]:
    """Returns the columns of the file that an error names; none if it cannot be opened.

    Args:
        said: Text of the error before the column, which is the path and a colon.
    """
    return columns_of_file(said.removesuffix(": "))


def columns_of_file(path: str) -> Sequence[core.Column]:
    """Returns all columns of a file; none if it cannot be opened.

    Args:
        path: Path of the file, as a catalog has it.
    """
    with contextlib.suppress(NotImplementedError, OSError, ValueError):
        paths, rule = [os.fsencode(path)], ("listed", b"")
        return core.Catalog.open(paths, None, 1, partitions=rule).columns
    return ()


def absolute(path: str) -> bytes:
    """Returns a catalog's path as an absolute path; a URI stays as it is."""
    return os.fsencode(path if is_uri(path) else Path(path).absolute())


def is_uri(path: str) -> bool:
    """Returns whether a path is a URI, such as "s3://bucket/train"."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", path) is not None


def cache_directory(path: PathLike | None) -> str:
    """Returns the option `cache_dir` as a checked path; "" if there is none."""
    return str(local_directory("cache_dir", path)) if path else ""


def local_directory(name: str, path: PathLike) -> Path:
    """Returns the path of a local directory in which files will be written.

    Args:
        name: Name of the option that gives the directory, for the error.
        path: Value of the option.

    Raises:
        NotImplementedError: The path is a URI.
        TypeError: The path is a pathlib path made of a URI.
    """
    return local_path(f"{name} must be a local or mounted directory", path)


def local_path(what: str, path: PathLike) -> Path:
    """Returns a path of this machine's file systems.

    Args:
        what: Phrase of the error for a URI that says what the path must be.
        path: Path that the user gave.

    Raises:
        NotImplementedError: The path is a URI.
        TypeError: The path is a pathlib path made of a URI.
    """
    text = _text(path)
    if is_uri(text):
        raise NotImplementedError(f"{what}, not a URI: {_shown(text)!r}")
    return Path(text)


def _text(path: PathLike) -> str:
    """Returns a path as a str, with a leading `~` replaced by the home directory.

    If a file or directory has a name that begins with `~`, the name is taken as it is.
    Raises TypeError for a pathlib path made of a URI, as `Path("s3://x")` is "s3:/x".
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
    """Returns a URI for messages, without secrets such as access keys."""
    try:
        return os.fsdecode(core.without_secrets(os.fsencode(uri)))
    except ValueError:  # The URI has no bucket.
        return f"{uri.partition('://')[0]}://…"
