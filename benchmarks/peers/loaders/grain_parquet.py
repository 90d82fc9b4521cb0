# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Grain's experimental ParquetIterDataset through its window shuffle.

It reads the row groups in the order of the file: only the window mixes them.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from benchmarks.peers.loaders import Open, Setup
from benchmarks.peers.loaders.rows import kinds_of, stacked


def load() -> Open:
    """Imports grain."""
    experimental = importlib.import_module("grain.experimental")

    def batches(setup: Setup) -> Iterator[Any]:
        kinds = kinds_of(setup.path)
        for epoch in range(setup.epochs):
            rows = experimental.ParquetIterDataset(str(setup.path))
            shuffled = experimental.WindowShuffleIterDataset(
                rows, window_size=setup.buffer_rows, seed=epoch
            )
            yield from shuffled.batch(
                setup.dataset.batch_size, batch_fn=lambda rows: stacked(rows, kinds)
            )

    return batches
