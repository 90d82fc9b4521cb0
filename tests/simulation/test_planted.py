# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Each planted fault is found at the seed that docs/reliability.md lists for it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from tests.simulation.draw import case_of
from tests.simulation.files import Library
from tests.simulation.planted import PLANTED, planted
from tests.simulation.play import play

from repository import ROOT

PAGE = (ROOT / "docs" / "reliability.md").read_text()
# Rows of the page's table: the name of a fault, and the seed that finds it.
ROW = re.compile(r"\| `(\w+)` \|[^|]*\| (\d+) \|")
LISTED = PAGE.partition("\n## Planted faults\n")[2].partition("\n## ")[0]
SEEDS = {name: int(seed) for name, seed in ROW.findall(LISTED)}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library(tmp_path_factory.mktemp("data"))


def test_the_page_lists_each_planted_fault() -> None:
    assert set(SEEDS) == set(PLANTED)
    assert len(SEEDS) >= 10
    assert max(SEEDS.values()) < 1000


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault: str, library: Library, tmp_path: Path) -> None:
    case = case_of(SEEDS[fault])
    with planted(fault):
        failure = play(case, library, tmp_path / "planted", Counter())
    assert failure is not None
    # Without the fault, the same seed finds nothing.
    assert play(case, library, tmp_path / "own", Counter()) is None
