# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""rowfeed's NumPy and PyTorch faces."""

from __future__ import annotations

import importlib

from benchmarks.faces import keywords
from benchmarks.peers.loaders import Open, Setup


def load(face: str) -> Open:
    """Imports rowfeed's `face`."""
    made = importlib.import_module(f"rowfeed{face}").ParquetDataset

    def batches(setup: Setup) -> object:
        options = keywords(setup.dataset, setup.threads)
        return made(setup.path, **options | {"num_epochs": setup.epochs})

    return batches
