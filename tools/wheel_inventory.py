# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What code of others lies in a wheel of rowfeed, and whether its licences do as well.

All is read from the wheel itself, so that it holds for what is published. The libraries
that are linked into Arrow's are found by what they leave in its bytes: the paths of
sources that vcpkg, which builds pyarrow's wheels, gave them, or texts of their own.
Libraries whose sources are copies in Arrow's own tree leave no such traces. Arrow's
LICENSE.txt, which the wheel has, names their folders.
"""

from __future__ import annotations

import csv
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TABLE: Final = Path(__file__).with_name("bundled_libraries.csv")
_VCPKG: Final = re.compile(
    rb"/buildtrees/([\w.+-]+)/src/([^/\x00]+)-[0-9a-f]{10}\.clean/"
)
_VENDORED: Final = re.compile(r"cpp/src/arrow/vendored/([\w.-]+)")
# What rowfeed's own libraries are made with: a pattern of files, whose group is the
# version, and the licence.
_MADE_WITH: Final = {
    "apache-arrow": (
        r"rowfeed/librowfeed_arrow-(\d+\.\d+\.\d+)-\w+\.so",
        "Apache-2.0",
    ),
    "pybind11": (
        r".*\.dist-info/licenses/licenses/pybind11-([^/]+)/.*",
        "BSD-3-Clause",
    ),
    "tensorflow-headers": (r"rowfeed/_tf_ops_(\d+_\d+)\.so", "Apache-2.0 AND MPL-2.0"),
}


@dataclass(frozen=True, order=True)
class Part:
    """A piece of software of others.

    Attributes:
        name: Name of the project.
        version: Version, or "" if the wheel does not tell.
        license: SPDX expression of the licence.
    """

    name: str
    version: str
    license: str


@dataclass(frozen=True)
class Inventory:
    """The parts of a wheel.

    Attributes:
        parts: What rowfeed's own libraries are made with: Arrow and headers.
        inside_arrow: Libraries that are linked into Arrow's libraries.
    """

    parts: list[Part]
    inside_arrow: list[Part]


def inventory(wheel: Path) -> Inventory:
    """Returns the parts of a wheel; none is inside Arrow where the wheel has no Arrow.

    Raises:
        ValueError: Arrow has a library that the table of licences does not know.
    """
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        parts = {
            Part(name, found[1].replace("_", "."), license)
            for name, (pattern, license) in _MADE_WITH.items()
            for found in map(re.compile(pattern).fullmatch, names)
            if found
        }
        inside: set[Part] = set()
        for name in names:
            if re.fullmatch(r"rowfeed/librowfeed_(arrow|parquet)\w*-.*\.so", name):
                inside |= set(linked_into(archive.read(name)))
            if re.search(r"/licenses/pyarrow-[^/]+/LICENSE\.txt$", name):
                inside |= set(vendored_in(archive.read(name).decode()))
    versions = {part.name for part in inside if part.version}
    return Inventory(
        sorted(parts),
        sorted(part for part in inside if part.version or part.name not in versions),
    )


def linked_into(library: bytes) -> Iterator[Part]:
    """Yields the libraries of others in the bytes of a shared library.

    Raises:
        ValueError: A library is not in the table, so that its licence is not known.
    """
    table = _table()
    licenses = {row["library"]: row["license"] for row in table}
    for row in table:
        if row["found_by"]:
            found = list(re.finditer(row["found_by"].encode(), library))
            versions = {v.decode() for match in found for v in match.groups() if v}
            for version in versions or ([""] if found else []):
                yield Part(row["library"], version, row["license"])
    for port, reference in sorted(set(_VCPKG.findall(library))):
        name = port.decode()
        if name not in licenses:
            raise ValueError(
                f"{name} is linked into Arrow, but its licence is not known: add it to "
                f"tools/{_TABLE.name}, and its text to licenses/libraries.txt if "
                f"Arrow's LICENSE.txt lacks it"
            )
        number = re.search(r"\d+(?:[._]\d+)+", reference.decode())
        version = number[0].replace("_", ".") if number else ""
        yield Part(name, version, licenses[name])


def vendored_in(license_text: str) -> Iterator[Part]:
    """Yields the libraries whose sources lie in Arrow's own tree.

    Arrow changes them with its own releases, so they have no versions of their own.

    Args:
        license_text: Arrow's LICENSE.txt, which names their folders.

    Raises:
        ValueError: A folder is not in the table.
    """
    known = {row["vendored"]: row for row in _table() if row["vendored"]}
    for name in sorted(set(_VENDORED.findall(license_text))):
        if name not in known:
            raise ValueError(
                f"Arrow has sources of others in cpp/src/arrow/vendored/{name}, which "
                f"are not known: add a line to tools/{_TABLE.name}"
            )
        yield Part(known[name]["library"], "", known[name]["license"])


def _table() -> list[dict[str, str]]:
    with _TABLE.open() as lines:
        return list(csv.DictReader(line for line in lines if line[0] != "#"))


def missing_licenses(wheel: Path) -> list[str]:
    """Returns the files with licences that a wheel must have and has not."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    prefix = r".*\.dist-info/licenses/"
    wanted = {
        "LICENSE": r"LICENSE",
        "licenses/libraries.txt": r"licenses/libraries\.txt",
        "pyarrow's LICENSE.txt": r"licenses/pyarrow-[^/]+/LICENSE\.txt",
        "pyarrow's NOTICE.txt": r"licenses/pyarrow-[^/]+/NOTICE\.txt",
        "pybind11's LICENSE": r"licenses/pybind11-[^/]+/LICENSE",
    }
    return [
        text
        for text, pattern in wanted.items()
        if not any(re.fullmatch(prefix + pattern, name) for name in names)
    ]
