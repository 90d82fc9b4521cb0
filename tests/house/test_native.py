# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The native module: what it needs from others, and whom it can live with."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest

import rowfeed
from rowfeed import _native, _versions

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
        "import sys, rowfeed", f"print([m for m in {heavy} if m in sys.modules])"
    )
    assert done.stdout.strip() == "[]", done.stderr


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


def test_another_pyarrow_is_one_clear_sentence() -> None:
    done = run_python(
        "import pyarrow", "pyarrow.__version__ = '24.0.1'", "import rowfeed"
    )
    assert done.returncode == 1
    built = _versions.PYARROW_MAJOR
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: rowfeed was built for pyarrow {built} but pyarrow 24.0.1 is "
        f"installed: pip install 'pyarrow=={built}.*'"
    )


def test_the_package_wants_the_pyarrow_that_it_was_built_for() -> None:
    package = Path(rowfeed.__file__).parent
    found = distributions(name="rowfeed")
    own = [d for d in found if Path(str(d.locate_file("rowfeed"))) == package]
    if not own:
        pytest.skip("rowfeed was built in place, so nothing says what it wants")
    assert f"pyarrow=={_versions.PYARROW_MAJOR}.*" in (own[0].requires or [])


def test_a_missing_framework_is_one_clear_sentence() -> None:
    for name, text in [("torch", "PyTorch"), ("tensorflow", "TensorFlow")]:
        done = run_python(
            "import sys", f"sys.modules[{name!r}] = None", f"import rowfeed.{name}"
        )
        last = done.stderr.splitlines()[-1]
        assert last.startswith("ImportError: "), done.stderr
        assert text in last
        assert "pip install" in last


@pytest.mark.parametrize(
    ("built", "found", "text"),
    [
        ("None", "2.21.0", "built without TensorFlow (ROWFEED_TENSORFLOW=0)"),
        ("'2.21'", "2.16.2", "built for tensorflow 2.21 but tensorflow 2.16.2"),
    ],
)
def test_another_tensorflow_is_one_clear_sentence(
    built: str, found: str, text: str
) -> None:
    done = run_python(
        "import sys, types",
        "tensorflow = types.ModuleType('tensorflow')",
        f"tensorflow.__version__ = {found!r}",
        "sys.modules['tensorflow'] = tensorflow",
        "import rowfeed._versions",
        f"rowfeed._versions.TENSORFLOW = {built}",
        "import rowfeed.tensorflow",
    )
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: "), done.stderr
    assert text in last
