# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`tools/tensorflow_headers.py`: which minors, and what is kept of a wheel."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

import tensorflow_headers
from repository import ROOT
from tensorflow_stub import make_stub

NAMES = tensorflow_headers.LIBRARIES
HEADER = "tensorflow/include/tensorflow/core/framework/dataset.h"
SOURCE = """
__thread int for_each_thread;
int an_object = 3;
int a_function() { return 1; }
extern "C" void a_name_of_c() {}
namespace mlir { int of_a_compiler() { return 2; } }
static int hidden() { return 3; }
int (*use)() = hidden;
"""
USER = """
int {name}();
int user() {{ return {name}(); }}
"""


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shared library whose names have the version `tensorflow`."""
    if not shutil.which("c++") or not shutil.which("readelf"):
        pytest.skip("needs a compiler")
    folder = tmp_path_factory.mktemp("real")
    library = folder / NAMES[1]
    (folder / "versions.map").write_text("tensorflow { global: *; };")
    compile_library(library, SOURCE, f"-Wl,--version-script={folder / 'versions.map'}")
    return library


def compile_library(path: Path, source: str, *options: str) -> None:
    command = ["c++", "-shared", "-fPIC", "-x", "c++", "-", "-x", "none", *options]
    subprocess.run(
        [*command, "-o", path],
        check=True,
        input=source,
        capture_output=True,
        text=True,
    )


def names_of(library: Path) -> set[tuple[str, str]]:
    """Returns type and name of each symbol that `library` defines."""
    listed = subprocess.run(
        ["readelf", "--wide", "--dyn-syms", library],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    fields = [line.split() for line in listed.splitlines()]
    return {
        (f[3], f[-1]) for f in fields if len(f) == 8 and f[6].isdigit() and f[6] != "0"
    }


def test_a_stub_has_the_names_types_and_versions_of_the_library(
    real: Path, tmp_path: Path
) -> None:
    stub = tmp_path / "stub.so"
    make_stub(real, stub)
    kept = names_of(real)
    left_out = {name for name in kept if "4mlir" in name[1]}
    assert len(left_out) == 1
    assert names_of(stub) == kept - left_out
    assert ("TLS", "for_each_thread@@tensorflow") in kept
    dynamic = subprocess.run(
        ["readelf", "-d", stub], check=True, capture_output=True, text=True
    ).stdout
    assert f"[{NAMES[1]}]" in dynamic
    assert "NEEDED" not in dynamic


def test_the_linker_misses_what_a_stub_lacks(real: Path, tmp_path: Path) -> None:
    stub = tmp_path / "stub.so"
    make_stub(real, stub)
    user = tmp_path / "user.so"
    compile_library(user, USER.format(name="a_function"), str(stub), "-Wl,-z,defs")
    with pytest.raises(subprocess.CalledProcessError) as error:
        compile_library(user, USER.format(name="missing"), str(stub), "-Wl,-z,defs")
    assert "missing" in error.value.stderr


@pytest.fixture
def index(real: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes wheels from, with a small wheel of TensorFlow 2.16.7."""
    # Not by importlib.util.find_spec: an old setuptools warns if it is asked for pip.
    if not list(distributions(name="pip")):
        pytest.skip("needs pip")
    folder = tmp_path / "index"
    folder.mkdir()
    package = tensorflow_headers.PACKAGE
    name = f"{package.replace('-', '_')}-2.16.7"
    with ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(HEADER, "// dataset")
        wheel.writestr("tensorflow/include/external/llvm/llvm.h", "// llvm")
        wheel.writestr("tensorflow/__init__.py", "raise ImportError")
        for library in NAMES:
            wheel.write(real, f"tensorflow/{library}")
        info = f"Metadata-Version: 2.1\nName: {package}\nVersion: 2.16.7\n"
        wheel.writestr(f"{name}.dist-info/METADATA", info)
        tags = "Wheel-Version: 1.0\nTag: py3-none-any\n"
        wheel.writestr(f"{name}.dist-info/WHEEL", tags)
        wheel.writestr(f"{name}.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_the_headers_of_ops_and_stubs_stay_of_a_wheel(
    real: Path, index: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    folder = tensorflow_headers.fetch("2.16", cache)
    assert folder == cache / "2.16"
    found = {str(p.relative_to(cache)) for p in cache.rglob("*") if p.is_file()}
    assert found == {
        HEADER.replace("tensorflow", "2.16", 1),
        *(f"2.16/{name}" for name in NAMES),
    }
    assert names_of(folder / NAMES[0]) < names_of(real)
    shutil.rmtree(index)  # What is there is not fetched again.
    assert tensorflow_headers.fetch("2.16", cache) == folder


@pytest.mark.usefixtures("index")
def test_a_minor_that_the_index_lacks_is_one_sentence_below_the_words_of_pip(
    tmp_path: Path,
) -> None:
    # A minor that is neither in the index nor installed.
    known = tensorflow_headers.known_minors()
    own, _ = tensorflow_headers.installed() or (None, None)
    minor = next(minor for minor in known if minor not in ("2.16", own))
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "tensorflow_headers.py", minor],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "ROWFEED_TENSORFLOW_CACHE": str(tmp_path / "cache")},
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert tensorflow_headers.PACKAGE in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("this failed, for the reason above: ")
    assert last.endswith(f"{tensorflow_headers.PACKAGE}=={minor}.*'")
    assert "Traceback" not in done.stderr


def test_minors_are_those_of_pyproject_for_this_python() -> None:
    minors = tensorflow_headers.known_minors()
    first = 20 if sys.version_info >= (3, 13) else 16
    assert minors == [f"2.{minor}" for minor in range(first, 22)]


KNOWN = ["2.18", "2.20", "2.21"]


@pytest.mark.parametrize(
    ("setting", "own", "expected"),
    [
        ("1", "2.20", ["2.20"]),
        ("ON", "2.20", ["2.20"]),
        ("", "2.20", ["2.20"]),
        ("1", None, ["2.21"]),
        ("1", "2.15", ["2.21"]),
        ("ends", "2.20", [KNOWN[0], KNOWN[-1]]),
        ("all", "2.20", KNOWN),
        ("2.18, 2.21", "2.20", ["2.18", "2.21"]),
        ("0", "2.20", []),
        ("OFF", None, []),
    ],
)
def test_a_setting_names_minors(
    setting: str, own: str | None, expected: list[str]
) -> None:
    assert tensorflow_headers.wanted_minors(setting, KNOWN, own) == expected


@pytest.mark.parametrize(
    ("setting", "own", "named"),
    [("2.16", None, "2.16"), ("2.21,yes", None, "yes"), ("2.22", "2.22", "2.22")],
)
def test_a_setting_with_an_unknown_minor(
    setting: str, own: str | None, named: str
) -> None:
    with pytest.raises(ValueError, match=",".join(KNOWN)) as error:
        tensorflow_headers.wanted_minors(setting, KNOWN, own)
    assert str(error.value).startswith(
        f"there is no op library for TensorFlow {named} in Python "
        f"{platform.python_version()}: set ROWFEED_TENSORFLOW to some of "
    )


def test_the_installed_tensorflow_is_found_without_an_import() -> None:
    if importlib.util.find_spec("tensorflow") is None:
        assert tensorflow_headers.installed() is None
        return
    imported = "tensorflow" in sys.modules
    found = tensorflow_headers.installed()
    assert found is not None
    assert ("tensorflow" in sys.modules) == imported
    import tensorflow as tf

    minor, folder = found
    assert tf.__version__.startswith(f"{minor}.")
    assert tf.sysconfig.get_include() == str(folder / "include")


def test_tensorflow_was_compiled_with_what_the_ops_are_compiled_with() -> None:
    tf = pytest.importorskip("tensorflow")
    flags = tf.sysconfig.get_compile_flags()
    build = (ROOT / "cc" / "cmake" / "TensorFlow.cmake").read_text()
    for flag in ("EIGEN_MAX_ALIGN_BYTES=64", "_GLIBCXX_USE_CXX11_ABI=1"):
        assert f"-D{flag}" in flags
    assert "EIGEN_MAX_ALIGN_BYTES=64" in build
