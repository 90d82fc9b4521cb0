# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Reach`: makes URIs of paths that come with `storage_options` or `filesystem`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rowfeed._stores.file_systems import Place, place_of
from rowfeed._stores.words import ALIASES, parts_of


@dataclass(frozen=True)
class Reach:
    """How the paths of a data set are reached, beside what they say themselves.

    Attributes:
        options: Options of the stores that URIs name. They may be secret.
        place: Place of the paths, if there is a file system.
    """

    options: Mapping[str, Any] = field(default_factory=dict, repr=False)
    place: Place | None = field(default=None, repr=False)

    @classmethod
    def of(cls, storage_options: object, filesystem: object) -> Reach:
        """Converts what users give.

        Raises:
            TypeError: One of them has the wrong type.
            ValueError: Both are given, or the file system is none that can be read.
        """
        if storage_options is not None and not isinstance(storage_options, Mapping):
            raise TypeError(
                "storage_options must be a dict, not of type "
                f"{type(storage_options).__name__}"
            )
        if filesystem is None:
            return cls(dict(storage_options or {}))
        if storage_options:
            raise ValueError(
                "storage_options and filesystem exclude each other: a file system has "
                "its options already"
            )
        return cls(place=place_of(filesystem))

    def paths(self, given: Sequence[str]) -> list[str]:
        """Returns the paths as the kernel takes them.

        Raises:
            ValueError: An option cannot be carried by a URI, or a path is in another
                store than the file system, or no path is in a store.
        """
        if self.options and not any("://" in path for path in given):
            raise ValueError(
                "storage_options are for URIs, such as s3://bucket/train, and no path "
                "is one: leave them out for local files"
            )
        return [self.path(path) for path in given]

    def path(self, given: str) -> str:
        """Returns one path, or the directory of partitions, as the kernel takes it."""
        if self.place is not None:
            return _in(self.place, given)
        scheme, mark, rest = given.partition("://")
        if not (mark and self.options):
            return given
        ours = _scheme_of(scheme)
        if not ours:
            raise ValueError(
                f"storage_options are for {', '.join(ALIASES)}, not for paths of the "
                f"scheme {scheme!r}"
            )
        return _uri(ours, scheme, rest, self.options, "storage_options")


def _in(place: Place, path: str) -> str:
    """Returns a path of a file system as a local path or a URI."""
    scheme, mark, rest = path.partition("://")
    if mark and _scheme_of(scheme) != place.scheme:
        raise ValueError(
            f"filesystem does not read paths of the scheme {scheme!r}: give the path "
            "without it, or leave filesystem out"
        )
    text = rest if mark else path
    if not place.scheme:
        return f"{place.base}/{text.lstrip('/')}" if place.base else text
    if not mark:  # The path of a file system is not percent-encoded.
        text = text.replace("%", "%25").replace("?", "%3F")
    if place.base and not (place.scheme == "hdfs" and mark):
        text = f"{place.base}/{text.lstrip('/')}"
    text = text.lstrip("/")
    return _uri(place.scheme, place.scheme, text, place.options, "filesystem")


def _uri(
    ours: str, scheme: str, rest: str, options: Mapping[str, Any], source: str
) -> str:
    """Returns a URI with the options of its store."""
    parts = parts_of(ours, options, source)
    if parts.options.get("scheme") == "https" and ours == "s3":
        del parts.options["scheme"]  # It is the default, and would be in all paths.
    if ours == "abfs":
        scheme = scheme if scheme in ("abfs", "abfss") else ours
        _settle_account(parts, rest, source)
    return parts.added_to(scheme, rest, source)


def _settle_account(parts: Any, rest: str, source: str) -> None:
    """Leaves out an account that the URI has itself; refuses one that differs."""
    authority = rest.partition("?")[0].partition("/")[0]
    if "@" not in authority and not parts.user:
        raise ValueError(f"{source} has no account_name, and the URI has no account")
    if "@" in authority and parts.user:
        host = authority.rpartition("@")[2]
        if parts.user not in (host.partition(".")[0], authority.partition("@")[0]):
            raise ValueError(f"{source} and the URI have different accounts")
        parts.user = ""


def _scheme_of(scheme: str) -> str | None:
    """Returns rowfeed's own scheme for one of other libraries; None if it has none.

    The scheme of local files is "".
    """
    name = scheme.lower()
    if name in ("file", "local"):
        return ""
    return next((ours for ours, names in ALIASES.items() if name in names), None)
