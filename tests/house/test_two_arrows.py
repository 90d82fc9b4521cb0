# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""rowfeed's Arrow and the user's pyarrow are in one process, and never meet."""

from __future__ import annotations

import re
import subprocess
from itertools import permutations
from pathlib import Path

import pyarrow as pa
import pytest

import rowfeed
from rowfeed import _native, _versions
from s3_server import serving
from two_arrows import run_program

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
