# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What DataLoader workers are warned of: rows decoded for nothing, and rows lost."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rowfeed
from loader_warnings import LOADER_WARNINGS

pytest.importorskip("torch")

from rowfeed.torch import ParquetDataset

pytestmark = LOADER_WARNINGS


def test_workers_warn_once(numbers: Path) -> None:
    lines = (
        "from rowfeed.torch import ParquetDataset",
        "from torch.utils.data import DataLoader",
        f"dataset = ParquetDataset({str(numbers)!r}, 16)",
        "loader = DataLoader(dataset, batch_size=None, num_workers=2)",
        "print([len(list(loader)) for _ in range(3)])",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        check=True,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.stdout == "[16, 16, 16]\n"
    assert done.stderr.count("each of the 2 DataLoader workers decodes all rows") == 1


@pytest.mark.parametrize(
    ("num_workers", "keywords", "warns"),
    [
        (2, {"rank": 0, "world_size": 2}, True),
        (2, {"rank": 1, "world_size": 8}, True),
        (2, {}, False),
        (2, {"rank": 0, "world_size": 1}, False),
        (1, {"rank": 0, "world_size": 2}, False),
    ],
)
def test_rows_that_a_rank_given_in_a_worker_loses_are_warned_of_once(
    num_workers: int,
    keywords: dict[str, Any],
    warns: bool,
    numbers: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    info = SimpleNamespace(id=0, num_workers=num_workers, seed=100)
    outside = ParquetDataset(numbers, 16, rank=0, world_size=2)
    monkeypatch.setattr("rowfeed.torch.get_worker_info", lambda: info)
    made = ParquetDataset(numbers, 16, **keywords)
    for dataset, expected in (
        (made, warns),
        (made, False),
        (rowfeed.mix([ParquetDataset(numbers, 16, **keywords)] * 2), warns),
        (outside, False),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            iter(dataset)
        found = [str(each.message) for each in caught]
        said = [text for text in found if "give the training's or none" in text]
        assert len(said) == expected
        assert all("divided among the 2 workers once more" in text for text in said)
