# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Virtual environments for peers that need other packages than this project's tests.

Each lies in the folder of the benchmarks' data, on top of the environment that runs
this script. Packages that are here already and fit (NumPy) are not installed again;
packages that pip installs for a peer come first. The torch that is here stays, whatever
version a peer asks for, since another one brings gigabytes of CUDA. If a peer has
another pyarrow than the one that rowfeed is linked to, only `Ragged` of rowfeed can be
imported, which is all that the loader of a peer uses.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PIP_SECONDS = 600
RAGGED_ALONE = """\
__path__ = [{package!r}]
from rowfeed._columns.ragged import Ragged
"""


class Unavailable(Exception):
    """Raised if an environment cannot be made; the message is the reason, in a word."""


def python_of(packages: Sequence[str], folder: Path) -> Path:
    """Returns an interpreter that has `packages`; the first call installs them.

    Raises:
        Unavailable: The packages cannot be installed.
    """
    if not packages:
        return Path(sys.executable)
    site = sysconfig.get_path("purelib")
    key = hashlib.sha256(repr((site, sys.version, *packages)).encode()).hexdigest()[:8]
    environment = folder / "environments" / f"{project(packages[0])}-{key}"
    python = environment / "bin" / "python"
    if not (environment / "installed").exists():
        shutil.rmtree(environment, ignore_errors=True)
        _make(environment, python, packages, site)
        (environment / "installed").touch()
    return python


def project(requirement: str) -> str:
    """Returns the project of a requirement: "ray" for "ray[data]>=2"."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0]


def _make(environment: Path, python: Path, packages: Sequence[str], site: str) -> None:
    try:
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        (own,) = environment.glob("lib/python*/site-packages")
        (own / "zz_base.pth").write_text(f"{site}\n")
        constraints = environment / "constraints.txt"
        constraints.write_text(_same_torch())
        pip = [str(python), "-m", "pip", "install", "--quiet", "--prefer-binary"]
        pip += ["--constraint", str(constraints)]
        subprocess.run([*pip, *packages], check=True, timeout=PIP_SECONDS)
        if (own / "pyarrow").exists():
            text = RAGGED_ALONE.format(package=str(Path(site, "rowfeed")))
            (own / "rowfeed").mkdir()
            (own / "rowfeed" / "__init__.py").write_text(text)
    except subprocess.TimeoutExpired:
        raise Unavailable("timeout") from None
    except (OSError, subprocess.CalledProcessError):
        raise Unavailable("pip") from None


def _same_torch() -> str:
    try:
        return f"torch=={version('torch')}\n"
    except PackageNotFoundError:
        return ""
