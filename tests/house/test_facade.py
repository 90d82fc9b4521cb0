# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel library: what it exports, and what the adapters include and link."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from rowfeed import _native

ROOT = Path(__file__).parents[2]
CORE = Path(_native.core.__file__)
INCLUDED = re.compile(r'^#include "(core/.*)"$', re.MULTILINE)


def facade() -> list[str]:
    module = ast.parse((ROOT / "cc/core/facade.bzl").read_text())
    headers: list[str] = ast.literal_eval(module.body[-1].value)  # type: ignore[attr-defined]
    return headers


def library() -> Path:
    (found,) = CORE.parent.glob("librowfeed-*.so")
    return found


def symbols_of(path: Path, *options: str) -> list[str]:
    listed = subprocess.run(
        ["nm", "-DC", *options, str(path)], check=True, capture_output=True, text=True
    )
    return [line.split(maxsplit=2)[-1] for line in listed.stdout.splitlines()]


def reached_from(headers: list[str]) -> set[str]:
    found: set[str] = set()
    waiting = list(headers)
    while waiting:
        header = waiting.pop()
        if header not in found:
            found.add(header)
            waiting += INCLUDED.findall((ROOT / "cc" / header).read_text())
    return found


def test_the_adapters_include_the_facade_and_nothing_else_of_the_core() -> None:
    included = set()
    for folder in ("cc/python", "cc/tensorflow"):
        for path in (ROOT / folder).iterdir():
            if path.suffix in (".cc", ".h"):
                included.update(INCLUDED.findall(path.read_text()))
    assert sorted(included) == facade()


def test_no_header_of_the_facade_asks_for_the_version_of_cpp_or_includes_arrow() -> (
    None
):
    for header in reached_from(facade()):
        text = (ROOT / "cc" / header).read_text()
        assert not re.search(r"__cplusplus|__cpp_", text), header
        assert not re.search(r"#include [<\"](arrow|parquet)/", text), header


def exported_names() -> set[str]:
    """Returns the functions and classes that `ROWFEED_EXPORT` marks in headers."""
    text = "".join(
        (ROOT / "cc" / header).read_text() for header in reached_from(facade())
    )
    classes = re.findall(r"^(?:class|struct) ROWFEED_EXPORT (\w+)", text, re.MULTILINE)
    functions = re.findall(r"^ROWFEED_EXPORT [^;(]*?(\w+)\(", text, re.MULTILINE)
    return {*classes, *functions}


def test_the_kernel_library_exports_the_facade_and_nothing_else() -> None:
    marked = exported_names()
    assert {"BatchStream", "Catalog", "LibraryBuildId"} <= marked
    found = set()
    for symbol in symbols_of(library(), "--defined-only"):
        name = re.match(
            r"(?:typeinfo for |vtable for )?rowfeed::(\w+)|(librowfeed-.*)", symbol
        )
        assert name, symbol
        found.add(name[1])
    assert found - {None} <= marked


@pytest.mark.parametrize("name", ["FileSystem", "RandomAccessFile", "RemoteObject"])
def test_classes_that_adapters_derive_from_have_one_type_information(name: str) -> None:
    exported = symbols_of(library(), "--defined-only")
    assert any(s.startswith(f"typeinfo for rowfeed::{name}") for s in exported)


def test_adapters_bind_to_the_kernel_library_beside_them_alone() -> None:
    adapters = [CORE, *CORE.parent.glob("_tf_ops*.so")]
    for adapter in adapters:
        dynamic = subprocess.run(
            ["readelf", "-d", str(adapter)], check=True, capture_output=True, text=True
        ).stdout
        needed = re.findall(r"NEEDED.*\[(.*)\]", dynamic)
        assert library().name in needed
        assert not [name for name in needed if "arrow" in name or "parquet" in name]
        assert re.findall(r"R(?:UN)?PATH.*\[(.*)\]", dynamic) == ["$ORIGIN"]
    version = symbols_of(CORE, "--undefined-only", "--with-symbol-versions")
    kernel = [symbol for symbol in version if "rowfeed::" in symbol]
    assert kernel
    assert all(symbol.endswith(f"@{library().name}") for symbol in kernel)
