# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ray Data: the Parquet file through the local shuffle buffer of iter_batches.

Ray runs on this machine only, with as many CPUs as there are threads. It would shuffle
files too, but here is one: only the buffer mixes the rows. Batches are Arrow's:
as NumPy, their fixed-size lists would be arrays of objects.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import Any

from benchmarks.peers.loaders import Open, Setup
from benchmarks.peers.loaders.columns import arrays_of


def load() -> Open:
    """Imports ray."""
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0"}
    ray = importlib.import_module("ray")
    data = importlib.import_module("ray.data")

    def batches(setup: Setup) -> Iterator[Any]:
        ray.init(
            address="local",
            num_cpus=setup.threads,
            include_dashboard=False,
            log_to_driver=False,
        )
        data.DataContext.get_current().enable_progress_bars = False
        rows = data.read_parquet(str(setup.path))
        for epoch in range(setup.epochs):
            for table in rows.iter_batches(
                batch_size=setup.dataset.batch_size,
                batch_format="pyarrow",
                local_shuffle_buffer_size=setup.buffer_rows,
                local_shuffle_seed=epoch,
            ):
                yield arrays_of(table)

    return batches
