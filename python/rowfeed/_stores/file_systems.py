# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The file systems of fsspec and pyarrow.fs, taken apart into what a URI has."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from rowfeed._stores.words import ALIASES

_OF_PYARROW: Final = {
    "S3FileSystem": "s3",
    "GcsFileSystem": "gs",
    "AzureFileSystem": "abfs",
    "HadoopFileSystem": "hdfs",
}
_LOCAL: Final = ("file", "local")


class Place(NamedTuple):
    """What a file system means, in the words that URIs are made of.

    Attributes:
        scheme: Scheme of the store; "" for this machine.
        base: Path in the store below which the paths are; "" for its root.
        options: Options of the store, in the words of the library. They may be secret.
    """

    scheme: str
    base: str
    options: Mapping[str, Any]


def place_of(filesystem: object) -> Place:
    """Returns the place of a file system of fsspec or pyarrow.fs.

    Raises:
        TypeError: It is neither.
        ValueError: It reads what no URI of rowfeed stands for.
    """
    arrow, fsspec = sys.modules.get("pyarrow.fs"), sys.modules.get("fsspec")
    if arrow is not None and isinstance(filesystem, arrow.FileSystem):
        return _of_pyarrow(filesystem, arrow)
    if fsspec is not None and isinstance(filesystem, fsspec.AbstractFileSystem):
        return _of_fsspec(filesystem, arrow)
    raise TypeError(
        "filesystem must be a file system of fsspec or of pyarrow.fs, not of type "
        f"{type(filesystem).__name__}"
    )


def _of_pyarrow(filesystem: Any, arrow: Any) -> Place:
    if isinstance(filesystem, arrow.LocalFileSystem):
        return Place("", "", {})
    if isinstance(filesystem, arrow.SubTreeFileSystem):
        return _below(place_of(filesystem.base_fs), filesystem.base_path)
    if isinstance(filesystem, arrow.PyFileSystem):
        inner = getattr(filesystem.handler, "fs", None)
        if inner is None:
            raise _unknown(filesystem)
        return place_of(inner)
    scheme = _OF_PYARROW.get(type(filesystem).__name__)
    if scheme is None:
        raise _unknown(filesystem)
    # What pickle keeps of a file system is all that it was made of.
    options = dict(filesystem.__reduce__()[1][0])
    return _with_host(Place(scheme, "", options))


def _of_fsspec(filesystem: Any, arrow: Any) -> Place:
    protocols = filesystem.protocol
    protocols = (protocols,) if isinstance(protocols, str) else tuple(protocols)
    if any(protocol in _LOCAL for protocol in protocols):
        return Place("", "", {})
    inner = getattr(filesystem, "fs", None)
    if "dir" in protocols and inner is not None:
        return _below(place_of(inner), filesystem.path)
    if arrow is not None and isinstance(inner, arrow.FileSystem):
        return place_of(inner)
    for scheme, names in ALIASES.items():
        if any(protocol in names for protocol in protocols):
            return _with_host(Place(scheme, "", _given(filesystem)))
    raise _unknown(filesystem)


def _given(filesystem: Any) -> dict[str, Any]:
    """Returns what a file system of fsspec was made with, by names."""
    signature = inspect.signature(type(filesystem).__init__)
    bound = signature.bind_partial(filesystem, *filesystem.storage_args).arguments
    named = dict(list(bound.items())[1:])
    return {**named, **filesystem.storage_options}


def _with_host(place: Place) -> Place:
    """Moves the host of HDFS from the options to the base."""
    if place.scheme != "hdfs":
        return place
    options = dict(place.options)
    host, port = options.pop("host", ""), options.pop("port", 0)
    if host in ("", "default"):
        raise ValueError(
            "filesystem is HDFS without the name of its host: give "
            "'hdfs://host:port/path' in the place of the path, without a filesystem"
        )
    return Place("hdfs", f"{host}:{port}" if port else host, options)


def _below(place: Place, base: str) -> Place:
    base = base if place.scheme == "" else base.strip("/")
    joined = f"{place.base}/{base}" if place.base else base
    return place._replace(base=joined.rstrip("/"))


def _unknown(filesystem: object) -> ValueError:
    return ValueError(
        f"filesystem is a {type(filesystem).__name__}, which no URI of rowfeed stands "
        f"for: its own clients read {', '.join(ALIASES)} and local files; give a local "
        "or mounted copy of the data"
    )
