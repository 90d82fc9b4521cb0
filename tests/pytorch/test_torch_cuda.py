# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Batches on a CUDA device while it computes: values, streams, memory, pinning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from loader_warnings import LOADER_WARNINGS

torch = pytest.importorskip("torch")

from torch.utils.data import DataLoader  # noqa: E402

from devices import HAS_CUDA, on_host, plain, write_mixed_types  # noqa: E402
from rowfeed.torch import ParquetDataset  # noqa: E402

pytestmark = [
    *LOADER_WARNINGS,
    pytest.mark.skipif(not HAS_CUDA, reason="there is no CUDA device"),
]


@pytest.fixture(scope="module")
def mixed_types(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_mixed_types(tmp_path_factory.mktemp("device") / "mixed.parquet")


def test_values_hold_while_the_device_is_far_behind(mixed_types: Path) -> None:
    options: dict[str, Any] = {"columns": ["image", "id"], "num_epochs": 40}
    there = ParquetDataset(mixed_types, 50, device="cuda", **options)
    x = torch.randn(4096, 4096, device="cuda")
    sums = []
    for batch in there:  # Nothing waits for the device here.
        for _ in range(3):
            x = torch.mm(x, x).clamp(-1, 1)
        sums.append(batch["id"].sum())
        sums.append(batch["image"].offsets[-1])
        del batch
    host = ParquetDataset(mixed_types, 50, **options)
    expected = [v for b in host for v in (b["id"].sum(), b["image"].offsets[-1])]
    assert [int(s) for s in sums] == [int(s) for s in expected]


def test_batches_are_ready_for_the_stream_that_is_current(mixed_types: Path) -> None:
    options: dict[str, Any] = {"columns": ["image"], "num_epochs": 10}
    there = ParquetDataset(mixed_types, 50, device="cuda:0", **options)
    host = ParquetDataset(mixed_types, 50, **options)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        found = [batch["image"].offsets.sum() for batch in there]
    torch.cuda.synchronize()
    assert [int(s) for s in found] == [int(b["image"].offsets.sum()) for b in host]


def test_device_memory_goes_with_the_tensors(mixed_types: Path) -> None:
    columns = ["image", "id", "tokens"]
    there = ParquetDataset(mixed_types, 50, columns=columns, device="cuda")
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    for batch in there:
        assert torch.cuda.memory_allocated() > before
        del batch
    torch.cuda.synchronize()
    assert torch.cuda.memory_allocated() == before


def test_a_loader_pins_the_batches_of_the_host(mixed_types: Path) -> None:
    host = ParquetDataset(mixed_types, 50, columns=["id", "tokens"])
    pinned = list(DataLoader(host, batch_size=None, pin_memory=True))
    again = ParquetDataset(mixed_types, 50, columns=["id", "tokens"])
    for batch, expected in zip(pinned, again, strict=True):
        assert batch["id"].is_pinned()
        assert batch["tokens"].values.is_pinned()
        moved = {n: v.to("cuda", non_blocking=True) for n, v in batch.items()}
        assert plain(moved) == on_host(expected)
