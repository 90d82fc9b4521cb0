# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The op library of the installed TensorFlow is loaded; errors say what to type."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from rowfeed import _native, _versions


class FakeTensorFlow(ModuleType):
    """A TensorFlow that says of a library where it lies, rather than load it."""

    def __init__(self, version: str) -> None:
        super().__init__("tensorflow")
        self.__version__ = version

    def load_op_library(self, path: str) -> str:
        return path


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package with op libraries for 2.16, 2.20 and 2.21."""
    minors = ("2.16", "2.20", "2.21")
    monkeypatch.setattr(_native, "__file__", str(tmp_path / "_native.py"))
    monkeypatch.setattr(_versions, "TENSORFLOW", minors)
    for minor in minors:
        (tmp_path / f"_tf_ops_{minor.replace('.', '_')}.so").touch()
    return tmp_path


def install(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setitem(sys.modules, "tensorflow", FakeTensorFlow(version))


def load_error() -> str:
    with pytest.raises(ImportError) as raised:
        _native.load_tensorflow_ops()
    message = str(raised.value)
    assert "\n" not in message
    assert ". " not in message  # One sentence.
    return message


@pytest.mark.parametrize(
    ("version", "name"),
    [
        ("2.16.2", "_tf_ops_2_16.so"),
        ("2.20.0", "_tf_ops_2_20.so"),
        ("2.21.0-rc1", "_tf_ops_2_21.so"),
    ],
)
def test_the_library_is_the_one_of_the_installed_minor(
    package: Path, monkeypatch: pytest.MonkeyPatch, version: str, name: str
) -> None:
    install(monkeypatch, version)
    assert _native.load_tensorflow_ops() == str(package / name)


@pytest.mark.parametrize("version", ["2.2.1", "2.15.1", "2.18.0", "2.22.0", "3.16.0"])
def test_a_minor_without_op_library(
    package: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    install(monkeypatch, version)
    assert load_error() == (
        "this rowfeed has op libraries for TensorFlow 2.16, 2.20 or 2.21, but "
        f"tensorflow {version} is installed: pip install 'tensorflow==2.21.*'"
    )
    assert package.is_dir()


def test_a_minor_without_op_library_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_versions, "TENSORFLOW", ("2.18",))
    install(monkeypatch, "2.21.0")
    assert "TensorFlow 2.18, but tensorflow 2.21.0 is installed" in load_error()


@pytest.mark.usefixtures("package")
def test_no_tensorflow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    assert load_error() == (
        "rowfeed.tensorflow needs TensorFlow 2.16, 2.20 or 2.21: "
        "pip install 'tensorflow==2.21.*'"
    )


@pytest.mark.usefixtures("package")
def test_a_tensorflow_that_lacks_a_package_says_so_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tensorflow.py").write_text("import a_package_that_tensorflow_needs")
    monkeypatch.delitem(sys.modules, "tensorflow", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="a_package_that_tensorflow_needs"):
        _native.load_tensorflow_ops()


def test_a_build_without_tensorflow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_versions, "TENSORFLOW", ())
    install(monkeypatch, "2.21.0")
    message = load_error()
    assert "built without TensorFlow (ROWFEED_TENSORFLOW=0)" in message
    assert "pip install '.[tensorflow]'" in message


def test_an_op_library_that_was_deleted(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, "2.20.0")
    library = package / "_tf_ops_2_20.so"
    library.unlink()
    assert load_error() == (
        f"cannot load rowfeed's op library ({library} does not exist): install rowfeed "
        f"again: {sys.executable} -m pip install --force-reinstall rowfeed"
    )


@pytest.mark.skipif(
    importlib.util.find_spec("tensorflow") is None, reason="needs tensorflow"
)
@pytest.mark.parametrize("content", [b"", b"no library at all" * 9])
def test_an_op_library_that_was_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    import tensorflow as tf

    minor = ".".join(tf.__version__.split(".")[:2])
    library = tmp_path / f"_tf_ops_{minor.replace('.', '_')}.so"
    library.write_bytes(content)
    monkeypatch.setattr(_native, "__file__", str(tmp_path / "_native.py"))
    monkeypatch.setattr(_versions, "TENSORFLOW", (minor,))
    message = load_error()
    assert message.startswith(f"cannot load rowfeed's op library ({library}: ")
    assert message.endswith(" -m pip install --force-reinstall rowfeed")
