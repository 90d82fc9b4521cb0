# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Environments of peers that need more than this project's tests do.

Each is a virtual environment of its own in the folder of the benchmarks' data, on top
of the one that runs this: what is here already and will do (NumPy) is not installed
again, and what pip installs for a peer goes before it. The torch that is here stays
whatever a peer would rather have, since another one brings gigabytes of CUDA. Where a
peer has another pyarrow than the one that rowfeed is linked to, rowfeed is its Ragged,
which is all that the loader of a peer takes from it.
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
    """There is no such environment; the message is the reason, in a word."""


def python_of(packages: Sequence[str], folder: Path) -> Path:
    """Returns the interpreter that has `packages`, installed at the first call.

    Raises:
        Unavailable: They cannot be had.
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
    """Returns what a requirement is of: "ray" for "ray[data]>=2"."""
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
