# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""rowfeed's Arrow and the user's pyarrow are in one process, and never meet."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pyarrow as pa
import pytest

import rowfeed
from rowfeed import _native, _versions
from s3_server import serving

PACKAGE = Path(rowfeed.__file__).parent
OURS = sorted(PACKAGE.glob("*.so"))
ARROW = [path for path in OURS if path.name.startswith("librowfeed_")]

# All names that the Arrow in the package shares with others. Arrow looks this one up in
# a library of file systems by its handle, so it finds the one in that library.
SHARED = {"arrow_filesystem_get_registry"}

# The orders in which a program may import what it uses.
MODULES = ("rowfeed", "pyarrow", "tensorflow", "torch")
ORDERS = [" ".join(order) for order in permutations(MODULES)]

# Names of libraries that every system has, or that TensorFlow loads.
OTHERS = re.compile(
    r"(lib(stdc\+\+|gcc_s|m|c|pthread|dl|rt|tensorflow_(framework|cc))|ld-linux-[\w-]+)"
    r"\.so\.\d+"
)

# The program reads by both Arrows, compares the values, and does so again in a process
# that it forks. sys.argv: "local" or "global" (scope), modules in the order in which
# they are imported, a folder of data, and optionally a URI of the same data. Where a
# framework is among the modules, its face of rowfeed reads as well.
PROGRAM = """
import importlib, os, sys
scope, modules, folder, *uris = sys.argv[1:]
if scope == "global":
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
for module in modules.split():
    importlib.import_module(module)
import pyarrow.compute as pc
import pyarrow.dataset
import pyarrow.fs
import rowfeed

STARTS = pc.starts_with(pc.field("name"), "row 1")
frameworks = [name for name in ("tensorflow", "torch") if name in sys.modules]
faces = [rowfeed, *(importlib.import_module(f"rowfeed.{name}") for name in frameworks)]

def by_rowfeed(face, path, condition):
    read = face.ParquetDataset(path, 32, filter=condition, shuffle=True, seed=1)
    return sorted(int(row) for batch in read for row in batch["id"])

def by_pyarrow(path, condition):
    store = None
    if "://" in path:
        store, path = pyarrow.fs.FileSystem.from_uri(path)
    data = pyarrow.dataset.dataset(path, filesystem=store)
    return sorted(data.to_table(filter=condition)["id"].to_pylist())

def compare():
    for path in (folder, *uris):
        for condition in (None, pc.field("id") > 40, STARTS):
            expected = by_pyarrow(path, condition)
            for face in faces:
                assert by_rowfeed(face, path, condition) == expected
        batch = next(iter(rowfeed.ParquetDataset(path, 32)))
        batch["name"].to_pyarrow().validate(full=True)
        batch["parts"].to_pyarrow().validate(full=True)
        print(rowfeed.Catalog.open(path).describe())

compare()
child = os.fork()
if child == 0:
    # TensorFlow does not work in a child, and the client for S3 of a pyarrow neither
    # reads nor exits in one.
    leave = os._exit if uris or frameworks else sys.exit
    del faces[1:], uris[:]
    compare()
    leave(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
print("equal")
"""


def run_program(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=200,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("equal\n")


def names_in(library: Path) -> set[str]:
    """Returns the dynamic symbols that a library defines."""
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", str(library)],
        check=True,
        capture_output=True,
        text=True,
    )
    lines = [line.split() for line in listed.stdout.splitlines()]
    return {line[-1].partition("@")[0] for line in lines}


def dynamic_section(library: Path, tag: str) -> list[str]:
    listed = subprocess.run(
        ["readelf", "-dW", str(library)], check=True, capture_output=True, text=True
    )
    return re.findall(rf"\({tag}\).*\[(.*)\]", listed.stdout)


def test_no_name_that_the_arrow_inside_exports_is_one_of_pyarrows() -> None:
    inside = set().union(*map(names_in, ARROW))
    theirs = set().union(*map(names_in, Path(pa.__file__).parent.glob("*.so*")))
    assert len(inside) > 9000
    assert len(theirs) > 9000
    assert inside & theirs <= SHARED


def test_no_name_that_the_arrow_inside_exports_is_a_name_that_others_have() -> None:
    inside = set().union(*map(names_in, ARROW))
    assert {name for name in inside if not name.endswith(".rowfeed")} == SHARED


def test_the_package_has_the_arrow_libraries_that_it_needs() -> None:
    names = {path.name for path in OURS}
    tail = ARROW[0].name.partition("-")[2]
    kinds = {path.name.removesuffix(f"-{tail}") for path in ARROW}
    assert {"librowfeed_arrow", "librowfeed_parquet"} < kinds
    assert tail.startswith(f"{_versions.ARROW}-")
    users = []
    for library in OURS:
        needed = set(dynamic_section(library, "NEEDED"))
        assert {n for n in needed - names if not OTHERS.fullmatch(n)} == set(), library
        if needed & names:
            users.append(library)
            assert dynamic_section(library, "RUNPATH") == ["$ORIGIN"]
    assert Path(_native.core.__file__) in users
    for library in ARROW:
        assert dynamic_section(library, "SONAME") == [library.name]


@pytest.mark.parametrize("modules", ["rowfeed pyarrow", "pyarrow rowfeed"])
@pytest.mark.parametrize("scope", ["local", "global"])
def test_both_arrows_read_in_one_process(
    scope: str, modules: str, numbers: Path
) -> None:
    run_program(scope, modules, str(numbers))


@pytest.mark.slow
@pytest.mark.parametrize("modules", ["rowfeed pyarrow", "pyarrow rowfeed"])
@pytest.mark.parametrize("scope", ["local", "global"])
def test_both_arrows_read_from_s3(scope: str, modules: str, numbers: Path) -> None:
    read_from_s3(scope, modules, numbers)


@pytest.mark.slow
@pytest.mark.parametrize("modules", ORDERS)
@pytest.mark.parametrize("scope", ["local", "global"])
def test_both_arrows_read_beside_frameworks(
    scope: str, modules: str, numbers: Path
) -> None:
    pytest.importorskip("tensorflow")
    pytest.importorskip("torch")
    read_from_s3(scope, modules, numbers)


def read_from_s3(scope: str, modules: str, numbers: Path) -> None:
    pytest.importorskip("moto")
    with serving() as server:
        server.put_tree("data", numbers)
        run_program(scope, modules, str(numbers), server.uri("data"))
