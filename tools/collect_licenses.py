# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Puts the licences of what the wheel will have inside into licenses/.

pyproject.toml takes all files of that folder into the metadata of wheel and sdist. So
setup.py, which runs before either is made, calls this first.
"""

from __future__ import annotations

import shutil
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

# Packages whose code gets into the wheel: libraries of pyarrow, headers of pybind11.
_INCLUDED: Final = ("pyarrow", "pybind11")
_TEXTS: Final = ("LICENSE", "LICENCE", "NOTICE", "COPYING")
_LICENSES: Final = Path(__file__).parents[1] / "licenses"


def collect_licenses(target: Path = _LICENSES) -> None:
    """Copies the licences of the packages in this environment whose code is built in.

    Each package gets a folder with its version in the name. Folders of other versions,
    which an earlier build left, are removed.
    """
    for name in _INCLUDED:
        for earlier in target.glob(f"{name}-*"):
            shutil.rmtree(earlier)
        try:
            package = distribution(name)
        except PackageNotFoundError:  # Some systems install it without metadata.
            continue
        for file in package.files or []:
            if ".dist-info" in file.parts[0] and file.name.startswith(_TEXTS):
                folder = target / f"{name}-{package.version}"
                folder.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), folder / file.name)
