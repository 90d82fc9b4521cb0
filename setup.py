# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Drives CMake. Everything else about the package is in pyproject.toml."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

if sys.platform != "linux":
    sys.exit("rowfeed is built for Linux alone, WSL 2 included: see its README.md")
sys.path.insert(0, str(Path(__file__).parent.resolve() / "tools"))
from bundle_arrow import bundle
from collect_licenses import collect_licenses
from tensorflow_headers import headers_of

# The major version of the Arrow that goes into the package.
PYARROW = version("pyarrow").split(".")[0]
ROOT = Path(__file__).parent.resolve()
# tools/tensorflow_headers.py explains the values.
TENSORFLOW = os.environ.get("ROWFEED_TENSORFLOW", "1")
VERSIONS = '''\
"""Written by setup.py: what is in the package."""

VERSION: str = {version!r}
ARROW: str = {arrow!r}
TENSORFLOW: tuple[str, ...] = {tensorflow!r}
'''


class CMakeBuild(build_ext):  # type: ignore[misc]
    """Builds the Python module, and an op library for each wanted TensorFlow minor."""

    def run(self) -> None:
        """Configures and builds with the cmake and ninja of the build environment."""
        import cmake
        import ninja
        import pyarrow

        package = Path(self.get_ext_fullpath("rowfeed._core")).resolve().parent
        build = Path(self.build_temp).resolve()
        tool = Path(cmake.CMAKE_BIN_DIR) / "cmake"
        minors = tuple(headers_of(TENSORFLOW))  # CMake asks for them again.
        names = {f"_tf_ops_{minor.replace('.', '_')}.so" for minor in minors}
        for library in package.glob("_tf_ops*.so"):
            if library.name not in names:  # An earlier build had another setting.
                library.unlink()
        configure: list[str | Path] = [
            *(tool, "-S", ROOT / "cc", "-B", build, "-G", "Ninja"),
            f"-DCMAKE_MAKE_PROGRAM={Path(ninja.BIN_DIR) / 'ninja'}",
            f"-DCMAKE_BUILD_TYPE={'Debug' if self.debug else 'Release'}",
            f"-DPython_EXECUTABLE={sys.executable}",
            f"-DROWFEED_PACKAGE_DIR={package}",
            f"-DROWFEED_TENSORFLOW={','.join(minors) or 'OFF'}",
        ]
        subprocess.run(configure, check=True)
        targets = ["_core", "_tf_ops"] if minors else ["_core"]
        subprocess.run([tool, "--build", build, "--target", *targets], check=True)
        bundle(
            package,
            arrow=Path(pyarrow.get_library_dirs()[0]),
            arrow_version=pyarrow.cpp_version,
            cache=build / "arrow",
        )
        (package / "_versions.py").write_text(
            VERSIONS.format(
                version=self.distribution.get_version(),
                arrow=pyarrow.cpp_version,
                tensorflow=minors,
            )
        )


collect_licenses()
setup(
    ext_modules=[Extension("rowfeed._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    # Not "build": BUILD is a file, and some disks do not tell the two apart.
    # One for each pyarrow, as their headers differ.
    options={"build": {"build_base": f".build/pyarrow{PYARROW}"}},
)
