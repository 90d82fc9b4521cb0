# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`tools/plain_language.py` finds what begins within a sentence, and only that."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from repository import ROOT

CPP = """
// Counts rows. Of a filter, those that pass.
// Which is why it is long.
int64_t rows = 0;  // of each block
const char* text = "http://x";  // as it is read
//
int y;
// Whose turn is it?
"""
PYTHON = '''
"""That of the file."""
# Rows of the file.
# Of one line with the line above.
NUM = 3  # Of each file.

class Lists:
    """Lists of rows.

    Attributes:
        rows: Those of the file.
        bytes: Size of the rows.
    """
'''
SCRIPT = """
# Builds the rooms.
# Of these, only one.
build  # of the core
# As it is.
"""
MARKDOWN = """
Those are no cells.

| option | meaning |
|---|---|
| `seed` | of the order |
| `rows` | number of rows |
"""
NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["# Rows\n", "| of | a table |"]},
            {"cell_type": "code", "source": ["rows = 1\n", "# Rows of the file."]},
            {"cell_type": "code", "source": ["rows = 1  # Of the file."]},
        ]
    }
)


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("x.cc", CPP, [4, 5]),
        ("x.py", PYTHON, [2, 5, 11]),
        ("x.md", MARKDOWN, [6]),
        ("x.sh", SCRIPT, [5]),
        ("x.ipynb", NOTEBOOK, [1, 3]),  # The numbers of cells.
    ],
)
def test_beginnings_without_a_subject_are_found(
    tmp_path: Path, name: str, text: str, lines: list[int]
) -> None:
    (tmp_path / name).write_text(text)
    checked = subprocess.run(
        [sys.executable, ROOT / "tools" / "plain_language.py", name],
        check=False,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    found = [int(line.split(":")[1]) for line in checked.stdout.splitlines()]
    assert sorted(found) == lines
    assert checked.returncode == 1
