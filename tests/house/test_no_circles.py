# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""No file and no folder of the product depends on itself by way of others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from circles import Arrow, among_folders, cc_arrows, python_arrows, report
from repository import ROOT

Walk = Callable[[Path, str], list[Arrow]]
SOURCES = pytest.mark.parametrize(
    ("walk", "folder"),
    [
        pytest.param(python_arrows, "python/rowfeed", id="Python"),
        pytest.param(cc_arrows, "cc", id="C++"),
    ],
)


@SOURCES
def test_no_files_depend_on_each_other(walk: Walk, folder: str) -> None:
    arrows = walk(ROOT, folder)
    assert len(arrows) > 300  # The files are still where they are looked for.
    said = report(arrows)
    assert not said, said


@SOURCES
def test_no_folders_depend_on_each_other(walk: Walk, folder: str) -> None:
    said = report(among_folders(walk(ROOT, folder)))
    assert not said, said


def plant(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_a_circle_of_modules_is_told_with_its_lines(tmp_path: Path) -> None:
    modules = {
        "rows/__init__.py": "from rows.a import one\n",
        "rows/a.py": "from rows import b, _built\n\ndef one(): ...\n",
        "rows/b.py": "def late():\n    import rows._room.c\n",
        "rows/_room/c.py": "if TYPE_CHECKING:\n    from ..a import one\n",
        "rows/d.py": "import rows.a\n",
    }
    plant(tmp_path, modules)
    assert report(python_arrows(tmp_path, "rows")).splitlines() == [
        "3 depend on each other: rows/_room/c.py, rows/a.py, rows/b.py. A circle:",
        "  rows/_room/c.py:2: from ..a import one",
        "  rows/a.py:1: from rows import b, _built",
        "  rows/b.py:2: import rows._room.c",
    ]


def test_a_module_that_imports_from_its_package_is_a_circle(tmp_path: Path) -> None:
    modules = {
        "rows/__init__.py": "from rows.a import A as Row\n",
        "rows/a.py": "from rows import Row\n",
    }
    plant(tmp_path, modules)
    assert report(python_arrows(tmp_path, "rows")).splitlines() == [
        "2 depend on each other: rows/__init__.py, rows/a.py. A circle:",
        "  rows/__init__.py:1: from rows.a import A as Row",
        "  rows/a.py:1: from rows import Row",
    ]


def test_a_circle_of_components_is_told_with_its_lines(tmp_path: Path) -> None:
    sources = {
        "cc/core/a.h": "#pragma once\n",
        "cc/core/a.cc": '#include "core/a.h"\n\n#include "core/b.h"\n',
        "cc/core/b.h": '#include "a.h"\n#include "core/none.h"\n',
        # Tests and their fixtures are no part of the product.
        "cc/core/c.h": '#include "testing/c.h"\n',
        "cc/core/c_test.cc": '#include "core/d.h"\n',
        "cc/core/d.h": '#include "core/c.h"\n#include "core/c_test.cc"\n',
        "cc/testing/c.h": '#include "core/c.h"\n',
    }
    plant(tmp_path, sources)
    assert report(cc_arrows(tmp_path, "cc")).splitlines() == [
        "2 depend on each other: cc/core/a.h, cc/core/b.h. A circle:",
        '  cc/core/a.cc:3: #include "core/b.h"',
        '  cc/core/b.h:1: #include "a.h"',
    ]


def test_a_circle_of_folders_is_told_where_files_have_none(tmp_path: Path) -> None:
    sources = {
        "rows/_x/a.py": "from rows._y.b import B\n",
        "rows/_x/d.py": "",
        "rows/_y/b.py": "",
        "rows/_y/c.py": "import rows._x.d\n",
        "cc/x/deep/a.h": '#include "y/b.h"\n',
        "cc/x/d.h": '#include "x/deep/e.h"\n',
        "cc/x/deep/e.h": "",
        "cc/y/b.h": "",
        "cc/y/c.cc": '#include "x/d.h"\n',
    }
    plant(tmp_path, sources)
    imports = python_arrows(tmp_path, "rows")
    includes = cc_arrows(tmp_path, "cc")
    assert report(imports) == report(includes) == ""
    assert report(among_folders(imports)).splitlines() == [
        "2 depend on each other: rows/_x, rows/_y. A circle:",
        "  rows/_x/a.py:1: from rows._y.b import B",
        "  rows/_y/c.py:1: import rows._x.d",
    ]
    assert report(among_folders(includes)).splitlines() == [
        "2 depend on each other: cc/x, cc/y. A circle:",
        '  cc/x/deep/a.h:1: #include "y/b.h"',
        '  cc/y/c.cc:1: #include "x/d.h"',
    ]


def test_a_folder_and_a_file_beside_it_are_a_circle(tmp_path: Path) -> None:
    sources = {
        "cc/x/bottom.h": "",
        "cc/x/room/a.h": '#include "x/bottom.h"\n#include "x/top.h"\n',
        "cc/x/room/b.h": "",
        "cc/x/top.h": '#include "x/room/b.h"\n',
    }
    plant(tmp_path, sources)
    includes = cc_arrows(tmp_path, "cc")
    assert report(includes) == ""
    assert report(among_folders(includes)).splitlines() == [
        "2 depend on each other: cc/x/room, cc/x/top.h. A circle:",
        '  cc/x/room/a.h:2: #include "x/top.h"',
        '  cc/x/top.h:1: #include "x/room/b.h"',
    ]
