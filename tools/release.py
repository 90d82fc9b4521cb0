# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes what a release has, and stops before publishing it.

    python tools/release.py                     # an sdist, and the wheel that it builds
    python tools/release.py --here              # a wheel alone, of what is installed
    python tools/release.py --finish WHEEL ...  # wheels that cibuildwheel has built

The first form builds in isolation; the second builds with the packages that are
installed, which is quicker. Both build for all minors of TensorFlow unless
ROWFEED_TENSORFLOW names some, and give the wheel the tag of the oldest system that it
runs on. All forms put a bill of materials into the wheel and beside it. They fail if a
licence of something inside the wheel is missing. tools/release-requirements.txt lists
the packages that this needs.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bill_of_materials import add_bill_of_materials
from wheel_inventory import inventory, missing_licenses

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Builds if no wheels are given, finishes the wheels, and prints what they are."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--here", action="store_true")
    parser.add_argument("--finish", type=Path, nargs="+", metavar="WHEEL")
    options = parser.parse_args()
    for wheel in options.finish or [build(options.output, here=options.here)]:
        finish(wheel)
    print("Nothing was published.")


def build(output: Path, *, here: bool) -> Path:
    """Builds the sdist and, from it, the wheel; returns the wheel in `output`.

    Args:
        output: Folder of what is built.
        here: Whether to build the wheel alone, from the checkout and without isolation.
    """
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output) as folder:
        how = ("--wheel", "--no-isolation") if here else ()
        _run("build", *how, "--outdir", folder, str(ROOT))
        (wheel,) = Path(folder).glob("*.whl")
        repaired = Path(folder, "repaired")
        # TensorFlow's libraries are those of the user's TensorFlow.
        _run(
            *("auditwheel", "repair", "--exclude", "libtensorflow*"),
            *("--wheel-dir", str(repaired), str(wheel)),
        )
        for sdist in Path(folder).glob("*.tar.gz"):
            sdist.replace(output / sdist.name)
        (wheel,) = repaired.iterdir()
        return wheel.replace(output / wheel.name)


def finish(wheel: Path) -> None:
    """Checks what a wheel has inside, adds the bill of it, and prints size and hash."""
    found = inventory(wheel)
    if not any(part.name == "apache-arrow" for part in found.parts):
        sys.exit(f"{wheel.name} has no Arrow inside, so that it belongs to one pyarrow")
    missing = missing_licenses(wheel)
    if missing:
        sys.exit(f"{wheel.name} lacks {', '.join(missing)}")
    bill = add_bill_of_materials(wheel, found)
    content = wheel.read_bytes()
    tag = wheel.stem.split("-", 2)[2]
    print(f"{wheel}\n  tag     {tag}\n  size    {len(content) / 1e6:.1f} MB")
    print(f"  sha256  {hashlib.sha256(content).hexdigest()}\n  bill    {bill}")


def _run(module: str, *arguments: str) -> None:
    """Runs a tool of this Python, which finds the programs that lie beside it."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = [sys.executable, "-m", module, *arguments]
    tensorflow = {
        "ROWFEED_TENSORFLOW": "all",
        # Not below the folder that the build unpacks the sdist in.
        "ROWFEED_TENSORFLOW_CACHE": str(ROOT / ".build" / "tensorflow"),
    }
    environment = {**tensorflow, **os.environ, "PATH": path}
    subprocess.run(command, check=True, env=environment)


if __name__ == "__main__":
    main()
