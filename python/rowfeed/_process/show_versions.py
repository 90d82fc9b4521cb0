# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The versions of all that takes part in reading, for bug reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import rowfeed._versions as _versions

_PACKAGE = Path(__file__).parents[1]
_WIDTH = 14
# One scheme for each client that Arrow may have.
_SCHEMES = ("file", "s3", "gs", "abfs", "hdfs")
# Flags of /proc/cpuinfo for what the kernel and the Arrow inside it ask the CPU.
_FEATURES = ("pclmulqdq", "sse4_2", "avx2", "bmi2", "avx512f")


def show_versions() -> None:
    """Prints the versions of rowfeed, of what it uses and of this machine.

    Please add the output to a bug report. Installed frameworks are imported, so that
    a framework that is damaged is reported with its error.

    Example:
        python -c "import rowfeed; rowfeed.show_versions()"
    """
    parts: list[tuple[str, Callable[[], str]]] = [
        ("rowfeed", _rowfeed),
        ("Arrow inside", lambda: _versions.ARROW),
        ("pyarrow", lambda: _version("pyarrow")),
        ("numpy", lambda: _version("numpy")),
        ("tensorflow", lambda: _version("tensorflow")),
        ("op libraries", _op_libraries),
        ("keras", lambda: _version("keras")),
        ("torch", lambda: _version("torch")),
        ("python", _python),
        ("platform", _platform),
        ("CPU", _cpu),
        ("file systems", _file_systems),
    ]
    for name, describe in parts:
        print(f"{name:{_WIDTH}}{_line_of(describe)}")  # noqa: T201


def _line_of(describe: Callable[[], str]) -> str:
    """Returns a description as one line, or the error over it."""
    try:
        return describe()
    except Exception as error:
        return f"failed: {type(error).__name__}: {' '.join(str(error).split())}"


def _version(module: str) -> str:
    try:
        return str(import_module(module).__version__)
    except ModuleNotFoundError as error:
        if error.name != module:  # It is installed, and lacks what it needs itself.
            raise
        return "not installed"


def _rowfeed() -> str:
    """Returns the version and the kernel, whose name has a digest of its sources."""
    kernels = sorted(path.name for path in _PACKAGE.glob("librowfeed-*.so"))
    return ", ".join([_versions.VERSION, *kernels])


def _op_libraries() -> str:
    """Returns which op libraries the package has, and which of them is in use."""
    names = sorted(path.name for path in _PACKAGE.glob("_tf_ops*.so"))
    if not names:
        return "none: this rowfeed was built without TensorFlow"
    text = ", ".join(names)
    if _version("tensorflow") == "not installed":
        return text
    return f"{text}; in use: {_line_of(lambda: _op_library_in_use(names))}"


def _op_library_in_use(names: list[str]) -> str:
    from rowfeed._native import load_tensorflow_ops

    load_tensorflow_ops()
    loaded = {Path(line.split()[-1]).name for line in _lines("/proc/self/maps")}
    return ", ".join(name for name in names if name in loaded)


def _python() -> str:
    import platform

    return f"{platform.python_version()}, {platform.python_implementation()}"


def _platform() -> str:
    import platform

    libc = " ".join(platform.libc_ver())
    return f"{platform.system()} {platform.release()}, {platform.machine()}, {libc}"


def _cpu() -> str:
    """Returns the number of CPUs and those features that code is chosen by."""
    from rowfeed._process.usable import usable_cpus

    flags: set[str] = set()
    for line in _lines("/proc/cpuinfo"):
        if line.startswith(("flags", "Features")):
            flags.update(line.split())
    found = [feature for feature in _FEATURES if feature in flags]
    lacking = [feature for feature in _FEATURES if feature not in flags]
    return (
        f"{usable_cpus()} usable; has {', '.join(found) or 'no known feature'}"
        f"; lacks {', '.join(lacking) or 'none'}"
    )


def _lines(path: str) -> Iterator[str]:
    with Path(path).open() as lines:
        yield from lines


def _file_systems() -> str:
    from rowfeed._native import core

    found = [
        scheme
        for scheme in _SCHEMES
        if core.has_client(f"{scheme}://bucket/name".encode())
    ]
    return ", ".join(found)
