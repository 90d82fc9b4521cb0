# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the time from `pip install` of a wheel to the first batch.

* install_s: `pip install` of the wheel and a framework into an empty environment, from
  a folder that has all packages: nothing is downloaded or compiled.
* others_s: the same without rowfeed, that is the framework, pyarrow and numpy.
* first_batch_s: the first batch of what docs/ read, in a new process: the start of
  Python, the imports, and the opening of the files. Before it nothing has imported the
  packages.
* import_s: the same process, only with the imports of the framework and pyarrow.

Each round has fresh environments. Figures are medians of the rounds. No compiler is on
the PATH.

    python -m benchmarks.install dist/rowfeed-0.1.0-*.whl
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

from benchmarks.harness import Row, print_table, write_csv

SUPPORT = Path(__file__).parents[1] / "tests" / "support"
WRITE_DATA = f"""
import pathlib, sys
sys.path.insert(0, {str(SUPPORT)!r})
import documented_data
documented_data.write_data(pathlib.Path("data"))
"""
ROUNDS = 3
# For each face, the framework that is installed beside rowfeed.
FRAMEWORKS = {
    "numpy": (),
    "torch": ("torch==2.13.0",),
    "tensorflow": ("tensorflow==2.21.*",),
}
OTHERS = ("pyarrow", "numpy")
FIRST_BATCH = """
from rowfeed{module} import ParquetDataset
next(iter(ParquetDataset("data", 256, columns=["vector"], shuffle=True, seed=7)))
"""


def main() -> None:
    """Runs the benchmark and writes the medians."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    wheel = str(options.wheel.resolve())
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for face, framework in FRAMEWORKS.items():
            packages = folder / face / "packages"
            pip = [sys.executable, "-m", "pip", "download", "--quiet"]
            _run(*pip, "--dest", str(packages), wheel, *framework)
            found: dict[str, list[float]] = defaultdict(list)
            for _ in range(options.rounds):
                measured = measure(folder / face, face, wheel, framework)
                for name, seconds in measured.items():
                    found[name].append(seconds)
            rows.append(row(face, found))
    print_table(rows)
    print(f"wrote {write_csv('install', rows)}")


def measure(
    folder: Path, face: str, wheel: str, framework: tuple[str, ...]
) -> dict[str, float]:
    """Returns the seconds of one round, for which `folder` has the packages."""
    source = ("--no-index", "--find-links", str(folder / "packages"))
    others, whole = Environment(folder / "others"), Environment(folder / "whole")
    result = {
        "others": others.pip("install", *source, *OTHERS, *framework),
        "install": whole.pip("install", *source, wheel, *framework),
    }
    if not (folder / "data").exists():
        whole.python("-c", WRITE_DATA)
    imports = "\n".join(f"import {name}" for name in ("pyarrow", *_named(framework)))
    result["import"] = others.python("-c", imports)
    module = "" if face == "numpy" else f".{face}"
    result["first_batch"] = whole.python("-c", FIRST_BATCH.format(module=module))
    return result


class Environment:
    """A fresh environment, whose own folder of programs is all of the PATH."""

    def __init__(self, folder: Path) -> None:
        """Makes the environment in `folder`, and deletes what was there."""
        self._folder = folder
        _run(sys.executable, "-m", "venv", "--clear", str(folder))

    def pip(self, *arguments: str) -> float:
        """Runs pip, and returns its seconds."""
        return self.python("-m", "pip", "--quiet", *arguments)

    def python(self, *arguments: str) -> float:
        """Runs Python in the folder of the data, and returns its seconds."""
        begin = time.perf_counter()
        _run(
            *(str(self._folder / "bin" / "python"), *arguments),
            cwd=self._folder.parent,
            env={**os.environ, "PATH": str(self._folder / "bin")},
        )
        return time.perf_counter() - begin


def row(face: str, found: dict[str, list[float]]) -> Row:
    """Returns the medians of a face, and what of them is rowfeed's own."""
    medians = {f"{name}_s": median(seconds) for name, seconds in found.items()}
    whole = medians["install_s"] + medians["first_batch_s"]
    own = whole - medians["others_s"] - medians["import_s"]
    return {"face": face, **medians, "whole_s": whole, "rowfeed_s": own}


def _named(framework: tuple[str, ...]) -> list[str]:
    return [package.partition("=")[0] for package in framework]


def _run(
    *command: str, cwd: Path | None = None, env: dict[str, str] | None = None
) -> None:
    subprocess.run(command, check=True, cwd=cwd, env=env, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
