# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The study of docs/shuffle.md simulates orders: its windows are the kernel's."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from rowfeed._native import core

GROUP_ROWS = 100


@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
@pytest.mark.parametrize("window", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("parts", [1, 5])
@pytest.mark.parametrize("groups", [10, 16, 25])
def test_simulated_windows_have_the_rows_of_the_kernels(
    groups: int, parts: int, window: int, lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmarks = Path(__file__).parent.parent / "benchmarks"
    monkeypatch.syspath_prepend(str(benchmarks))
    study = importlib.import_module("shuffle_orders")
    layout = study.Layout(4, groups, GROUP_ROWS)
    simulated = study.rowfeed(layout, window, parts, lanes, ranks=1, seed=0)
    order = core.OrderOptions(
        shuffle=True,
        seed=1,
        shuffle_window=window * GROUP_ROWS,
        block_rows=0 if parts == 1 else GROUP_ROWS // parts,
        num_lanes=lanes,
    )
    plan = core.EpochPlan.make([GROUP_ROWS] * layout.num_groups, order, 0)
    expected = [
        int((pieces[:, 2] - pieces[:, 1]).sum())
        for lane in range(lanes)
        for pieces in plan.windows(lane)
    ]
    assert np.bincount(simulated.window).tolist() == expected
    assert np.array_equal(np.sort(simulated.stream), np.arange(layout.num_rows))
