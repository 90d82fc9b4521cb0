# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The wait for batches is a span in the frameworks' own profilers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from numbered_rows import NUM_ROWS

SHUFFLED: dict[str, Any] = {"columns": ["id"], "shuffle": True}


@pytest.mark.parametrize("transform", [None, lambda batch: batch])
def test_a_trace_of_torch_has_each_wait(numbers: Path, transform: Any) -> None:
    torch = pytest.importorskip("torch")
    from rowfeed.torch import ParquetDataset

    dataset = ParquetDataset(numbers, 16, transform=transform, **SHUFFLED)
    with torch.profiler.profile() as profiler:
        steps = len(list(dataset))
    spans = [event for event in profiler.events() if event.name == "rowfeed.next"]
    assert len(spans) == steps + 1  # The end, too, was waited for.
    assert dataset.stats().rows == NUM_ROWS


@pytest.mark.filterwarnings("ignore")
def test_workers_have_stats_of_their_own(numbers: Path) -> None:
    pytest.importorskip("torch")
    from torch.utils.data import DataLoader

    from rowfeed.torch import ParquetDataset

    dataset = ParquetDataset(numbers, 16, **SHUFFLED)
    loader = DataLoader(
        dataset,
        batch_size=None,
        num_workers=2,
        collate_fn=_RowsSoFar(dataset),
    )
    assert max(loader) > NUM_ROWS // 4
    assert str(dataset.stats()) == "No batch was delivered in this process."


class _RowsSoFar:
    """Collates a batch into what the worker's copy of the dataset says."""

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset

    def __call__(self, _: Any) -> int:
        rows: int = self.dataset.stats().rows
        return rows


def test_a_trace_of_tensorflow_has_the_waits(numbers: Path, tmp_path: Path) -> None:
    tf = pytest.importorskip("tensorflow")
    from rowfeed.tensorflow import ParquetDataset

    dataset = ParquetDataset(numbers, 16, **SHUFFLED)
    with tf.profiler.experimental.Profile(str(tmp_path)):
        list(dataset)
    (trace,) = tmp_path.rglob("*.xplane.pb")
    assert b"Rowfeed::Pull" in trace.read_bytes()
    assert b"Rowfeed::Task" in trace.read_bytes()  # The kernel's threads have it.
