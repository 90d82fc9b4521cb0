# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The two programs of each pair in docs/coming-from.md give the same rows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from documented_data import write_data
from repository import ROOT

NEEDS = {
    "Hugging Face datasets": ("datasets",),
    "petastorm": ("petastorm",),
    "TFRecord": ("tensorflow",),
}


def pairs() -> dict[str, list[str]]:
    """Returns the programs of each section that is called "From ..."."""
    text = (ROOT / "docs" / "coming-from.md").read_text()
    sections = re.findall(
        r"^## From (.+?)\n(.+?)(?=^## )", text, re.MULTILINE | re.DOTALL
    )
    return {
        name: re.findall(r"^```python\n(.+?)^```", body, re.MULTILINE | re.DOTALL)
        for name, body in sections
    }


def rows_of(code: str, folder: Path) -> list[list[float]]:
    """Runs a program in a new process and returns its `rows`, sorted."""
    tail = "\nimport json\nprint('\\n' + json.dumps(sorted(rows)))\n"
    (folder / "program.py").write_text(code + tail)
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder,
        env=os.environ | {"HF_HOME": str(folder / "cache"), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows: list[list[float]] = json.loads(done.stdout.splitlines()[-1])
    return rows


def test_each_pair_is_known() -> None:
    sizes = {name: len(programs) for name, programs in pairs().items()}
    assert sizes == dict.fromkeys(NEEDS, 2)


@pytest.mark.timeout(600)  # New processes import frameworks.
@pytest.mark.parametrize("name", NEEDS)
def test_both_programs_of_a_pair_give_the_same_rows(name: str, tmp_path: Path) -> None:
    for module in NEEDS[name]:
        pytest.importorskip(module)
    write_data(tmp_path / "data")
    theirs, ours = (rows_of(program, tmp_path) for program in pairs()[name])
    assert len(ours) == 16000
    assert theirs == ours
