# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Gets what op libraries are compiled and linked with, for several TensorFlow minors.

    python tools/tensorflow_headers.py SETTING

SETTING is one of these, and what the environment variable ROWFEED_TENSORFLOW says:

 * `1`: the minor of the TensorFlow that is installed, or else the newest minor;
 * `2.16,2.21`: these minors;
 * `ends`: the oldest and the newest minor that exist for this Python;
 * `all`: all minors that exist for it;
 * `0`: none.

The program prints one line for each minor: `2.21=FOLDER`. FOLDER has `include` and the
two libraries to link with. It is the installed TensorFlow if that has the minor. If
not, the program makes it once, below the folder that ROWFEED_TENSORFLOW_CACHE names or
else below .build/tensorflow: pip downloads TensorFlow's wheel from the index that it is
configured for. Only the headers that ops reach stay of the wheel, and stubs of the
libraries. The wheels of several minors are fetched at once.

pyproject.toml says which minors there are, by the extra `tensorflow`.
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import PathFinder
from importlib.metadata import distributions
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement

from tensorflow_stub import make_stub

ROOT = Path(__file__).resolve().parents[1]
# The headers that `tensorflow/core/framework/dataset.h` reaches: 50 of 250 MB.
HEADERS = tuple(
    f"tensorflow/include/{folder}/"
    for folder in (
        *("Eigen", "absl", "google/protobuf", "ml_dtypes", "tensorflow/core"),
        *("tsl", "unsupported", "xla/tsl"),
    )
)
LIBRARIES = ("libtensorflow_framework.so.2", "libtensorflow_cc.so.2")
# All minors have a wheel for this Python. Headers and libraries are the same for each.
PYTHON = "3.11"
# It has the headers of tensorflow, which is larger by code for GPUs. It exists for
# x86-64 alone; elsewhere tensorflow itself has no such code.
PACKAGE = "tensorflow-cpu" if platform.machine() == "x86_64" else "tensorflow"


def known_minors() -> list[str]:
    """Returns the minors that exist for this Python, the oldest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = []
    for line in project["optional-dependencies"]["tensorflow"]:
        extra = Requirement(line)
        if extra.marker is None or extra.marker.evaluate():
            minors = (f"2.{minor}" for minor in range(100))
            found += [minor for minor in minors if extra.specifier.contains(minor)]
    return found


def installed() -> tuple[str, Path] | None:
    """Returns the minor and the folder of the installed TensorFlow, without import.

    pip hides the environment that it installs into from a build in isolation. This
    function looks there as well.
    """
    places = [*sys.path, *(sysconfig.get_path(name) for name in ("purelib", "platlib"))]
    spec = PathFinder.find_spec("tensorflow", places)
    if spec is None or not spec.submodule_search_locations:
        return None
    for package in distributions(path=places):  # Its name may be tensorflow-cpu.
        if "tensorflow" in (package.read_text("top_level.txt") or "").split():
            minor = ".".join(package.version.split(".")[:2])
            return minor, Path(spec.submodule_search_locations[0])
    return None


def wanted_minors(setting: str, known: list[str], own: str | None) -> list[str]:
    """Returns the minors that `setting` names.

    Args:
        setting: The value of ROWFEED_TENSORFLOW.
        known: The minors that exist for this Python.
        own: The minor that is installed.

    Raises:
        ValueError: A minor is not known.
    """
    match setting.lower():
        case "0" | "off":
            return []
        case "" | "1" | "on":
            return [own if own in known else known[-1]]
        case "ends":
            return [known[0], known[-1]]
        case "all":
            return known
        case _:
            minors = [minor.strip() for minor in setting.split(",")]
    for minor in minors:
        if minor not in known:
            raise ValueError(
                f"there is no op library for TensorFlow {minor} in Python "
                f"{platform.python_version()}: set ROWFEED_TENSORFLOW to some of "
                f"{','.join(known)}, or to 0 to build without TensorFlow"
            )
    return minors


def fetch(minor: str, cache: Path) -> Path:
    """Returns the folder for `minor` below `cache`, which is made if it is missing."""
    folder = cache / minor
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as temporary:
        made = Path(temporary)
        subprocess.run(
            [
                *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"),
                *("--only-binary=:all:", "--python-version", PYTHON),
                *("--dest", str(made), f"{PACKAGE}=={minor}.*"),
            ],
            check=True,
            stdout=sys.stderr,
        )
        (wheel,) = made.glob("*.whl")
        with ZipFile(wheel) as members:
            headers = [n for n in members.namelist() if n.startswith(HEADERS)]
            members.extractall(made, headers)
            for name in LIBRARIES:
                real = Path(members.extract(f"tensorflow/{name}", made / "real"))
                make_stub(real, made / "tensorflow" / name)
                real.unlink()
        try:
            (made / "tensorflow").rename(folder)
        except OSError:
            if not folder.is_dir():  # Otherwise another process was faster.
                raise
    return folder


def headers_of(setting: str) -> dict[str, Path]:
    """Returns the folder of each minor that `setting` names, after fetching these.

    Raises:
        SystemExit: A minor is not known or not to be had.
    """
    own, place = installed() or (None, None)
    default = ROOT / ".build" / "tensorflow"
    cache = Path(os.environ.get("ROWFEED_TENSORFLOW_CACHE", default)).resolve()

    def folder_of(minor: str) -> Path:
        return place if place is not None and minor == own else fetch(minor, cache)

    try:
        minors = wanted_minors(setting, known_minors(), own)
        with ThreadPoolExecutor() as threads:
            return dict(zip(minors, threads.map(folder_of, minors), strict=True))
    except ValueError as error:
        sys.exit(str(error))
    except subprocess.CalledProcessError as error:
        command = shlex.join(map(str, error.cmd))
        sys.exit(f"this failed, for the reason above: {command}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("setting", metavar="SETTING")
    for name, folder in headers_of(parser.parse_args().setting).items():
        print(f"{name}={folder}")  # noqa: T201
