# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The native module: what it needs from others, and whom it can live with."""

from __future__ import annotations

import importlib.util
import itertools
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from repository import ROOT
from rowfeed import _native

CORE = Path(_native.core.__file__)

# What the linker cannot check for a Python module: nothing else may be left to whoever
# happens to have loaded a symbol of that name first, codecs least of all.
ALLOWED = re.compile(
    r"_?Py[A-Z_]\w*"  # Python
    r"|_ZN?[A-Z]*K?(N|NK)?St\w*|_Z(T[ISVT]|N?K?)*[N]?K?(St|S[absdio]|9__gnu_cxx)\w*"
    r"|_Z\w*7rowfeed\w*"  # The kernel library; tests/house/test_facade.py has its names
    r"|\w+@(GLIBC|GLIBCXX|CXXABI|GCC)_[\d.]+"
    r"|__gmon_start__|_ITM_\w+TMCloneTable"  # Weak, of the compiler
)


def run_nm(*options: str) -> list[str]:
    listed = subprocess.run(
        ["nm", "-D", *options, str(CORE)], check=True, capture_output=True, text=True
    )
    return [line.split()[-1] for line in listed.stdout.splitlines()]


def run_python(*lines: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        check=False,
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_undefined_symbols_are_of_python_the_kernel_and_the_compiler() -> None:
    symbols = [
        symbol.partition("@librowfeed-")[0] for symbol in run_nm("--undefined-only")
    ]
    assert any("7rowfeed" in symbol for symbol in symbols)
    assert [s for s in symbols if not ALLOWED.fullmatch(s)] == []


def test_only_the_entry_point_is_visible() -> None:
    assert run_nm("--defined-only") == ["PyInit__core"]


def test_import_is_small() -> None:
    heavy = ["torch", "tensorflow", "pyarrow.parquet", "pyarrow.dataset"]
    heavy += ["pyarrow.compute", "multiprocessing.context"]
    heavy += ["concurrent.futures", "hashlib", "rowfeed._stats"]  # Few users need them.
    done = run_python(
        "import sys, numpy, pyarrow",
        "before = set(sys.modules)  # Older ones import more.",
        "import rowfeed",
        f"print([m for m in {heavy} if m in set(sys.modules) - before])",
    )
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.fault(54)
@pytest.mark.parametrize(
    "order",
    [
        "rowfeed",
        "pyarrow.parquet rowfeed",
        "rowfeed pyarrow.parquet",
        "torch rowfeed",
        "rowfeed torch",
        "tensorflow rowfeed torch",
        pytest.param("rowfeed torch tensorflow", marks=pytest.mark.slow),
    ],
)
def test_import_orders(order: str, numbers: Path) -> None:
    for name in order.split():
        if importlib.util.find_spec(name.split(".")[0]) is None:
            pytest.skip(f"needs {name}")
    done = run_python(
        f"import {order.replace(' ', ', ')}",
        f"dataset = rowfeed.ParquetDataset({str(numbers)!r}, 9)",
        "print(sum(len(batch['name']) for batch in dataset))",
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == 250


IMPORTED = ("torch", "tensorflow", "pyarrow.parquet", "rowfeed")


@pytest.mark.slow
@pytest.mark.timeout(1800)  # Two dozen processes import frameworks.
@pytest.mark.fault(54)
def test_every_order_of_imports(numbers: Path) -> None:
    for name in IMPORTED:
        pytest.importorskip(name.split(".")[0])
    for order in itertools.permutations(IMPORTED):
        done = run_python(
            f"import {', '.join(order)}",
            "import rowfeed.torch, rowfeed.tensorflow",
            "faces = [rowfeed, rowfeed.torch, rowfeed.tensorflow]",
            f"sets = [face.ParquetDataset({str(numbers)!r}, 9) for face in faces]",
            "print(sum(len(batch['id']) for dataset in sets for batch in dataset))",
        )
        assert (done.returncode, done.stdout) == (0, "750\n"), (order, done.stderr)


@pytest.mark.fault(54)
def test_a_pyarrow_that_is_too_old_is_one_clear_sentence() -> None:
    done = run_python(
        "import pyarrow", "pyarrow.__version__ = '17.0.1'", "import rowfeed"
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: rowfeed needs pyarrow 18 or newer, but pyarrow 17.0.1 is "
        "installed: pip install 'pyarrow>=18'"
    )


@pytest.mark.parametrize("found", ["18.0.0", "99.0.0.dev1+gabc"])
def test_any_newer_pyarrow_will_do(found: str) -> None:
    done = run_python(
        "import pyarrow", f"pyarrow.__version__ = {found!r}", "import rowfeed"
    )
    assert done.returncode == 0, done.stderr


def test_the_package_asks_for_the_pyarrow_that_it_checks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["dependencies"] == ["pyarrow>=18", "numpy>=1.26"]


def test_a_missing_framework_is_one_clear_sentence() -> None:
    for name, text in [("torch", "PyTorch"), ("tensorflow", "TensorFlow")]:
        done = run_python(
            "import sys", f"sys.modules[{name!r}] = None", f"import rowfeed.{name}"
        )
        last = done.stderr.splitlines()[-1]
        assert last.startswith("ImportError: "), done.stderr
        assert text in last
        assert "pip install" in last
