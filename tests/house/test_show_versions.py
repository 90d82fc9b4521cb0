# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`show_versions()` has a line for each part, whatever is missing or damaged."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import rowfeed

NAMES = [
    *("rowfeed", "Arrow inside", "pyarrow", "numpy", "tensorflow", "op libraries"),
    *("keras", "torch", "python", "platform", "CPU", "file systems"),
]


def shown(*before: str) -> dict[str, str]:
    """Returns the lines that a new process prints after the given statements."""
    program = ["import sys", *before, "import rowfeed", "rowfeed.show_versions()"]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(program)],
        check=True,
        capture_output=True,
        text=True,
    )
    lines = {line[:14].strip(): line[14:] for line in done.stdout.splitlines()}
    assert list(lines) == NAMES
    assert all(lines.values())
    return lines


def hide(*modules: str) -> list[str]:
    return [f"sys.modules[{module!r}] = None" for module in modules]


def test_versions_without_frameworks() -> None:
    lines = shown(*hide("tensorflow", "keras", "torch"))
    version, kernel = lines["rowfeed"].split(", ")
    assert version == rowfeed.__version__
    assert (Path(rowfeed.__file__).parent / kernel).exists()
    assert lines["pyarrow"] == pa.__version__
    assert lines["numpy"] == np.__version__
    for name in ("tensorflow", "keras", "torch"):
        assert lines[name] == "not installed"
    assert lines["python"].startswith(sys.version.split()[0])
    assert set(lines["file systems"].split(", ")) >= {"file", "s3", "gs"}


def test_a_damaged_framework_is_a_line_with_its_error(tmp_path: Path) -> None:
    damage = {
        "tensorflow": "raise OSError('libfoo.so:\\n cannot open')",
        "torch": "import a_module_that_torch_needs",
        "keras": "",
    }
    for name, text in damage.items():
        (tmp_path / f"{name}.py").write_text(text)
    lines = shown(f"sys.path.insert(0, {str(tmp_path)!r})")
    assert lines["tensorflow"] == "failed: OSError: libfoo.so: cannot open"
    assert "a_module_that_torch_needs" in lines["torch"]
    assert "__version__" in lines["keras"]


def test_the_op_library_in_use_is_named() -> None:
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("needs tensorflow")
    import tensorflow as tf

    lines = shown(*hide("keras", "torch"))
    assert lines["tensorflow"] == tf.__version__
    found, _, used = lines["op libraries"].partition("; in use: ")
    assert used in found.split(", ")


def test_a_tensorflow_without_op_library_is_a_line_with_the_error() -> None:
    lines = shown(
        *hide("keras", "torch"),
        "import types",
        "sys.modules['tensorflow'] = fake = types.ModuleType('tensorflow')",
        "fake.__version__ = '2.7.0'",
    )
    assert lines["tensorflow"] == "2.7.0"
    assert "in use: failed: ImportError" in lines["op libraries"]
