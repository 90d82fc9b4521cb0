# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Measures what small blocks cost: shuffled epochs with other values of block_rows.

The windows are eight row groups, and blocks are whole row groups or parts of them.
`cost_ratio` compares the CPU time of a row with that of whole row groups, in the median
of the rounds; `read_ratio` is what an epoch reads, divided by the size of the data.

    python -m benchmarks.studies.blocks
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median

from benchmarks.datasets import DATASETS, DEFAULT_FOLDER, prepare
from benchmarks.harness import Row, print_table, write_csv

import rowfeed

NAMES = ["N", "B", "C"]
PARTS = [1, 4, 16, 100, 1000]  # The blocks that a row group has.
WINDOW_GROUPS = 8
NUM_EPOCHS = 3


def main() -> None:
    """Measures each data set with each number of blocks, in turns."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--bytes", type=int, default=400_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rows: list[Row] = []
    for name in NAMES:
        path = prepare(name, options.data, options.bytes)
        found: dict[int, list[tuple[float, float]]] = {parts: [] for parts in PARTS}
        for _ in range(options.rounds):
            for parts, costs in found.items():
                costs.append(epoch(name, path, parts))
        whole = median(cost for cost, _ in found[1])
        for parts, costs in found.items():
            cost = median(cost for cost, _ in costs)
            rows.append(
                {
                    "data": name,
                    "blocks_per_row_group": parts,
                    "cpu_ns_per_row": cost,
                    "cost_ratio": cost / whole,
                    "read_ratio": costs[0][1],
                }
            )
    print_table(rows)
    print(f"wrote {write_csv('blocks', rows)}")


def epoch(name: str, path: Path, parts: int) -> tuple[float, float]:
    """Returns the CPU time of a row in ns, and how often the data is read."""
    catalog = rowfeed.Catalog.open(path)
    group_rows = max(group.rows for group in catalog.row_groups)
    order = {
        "shuffle": True,
        "shuffle_window": WINDOW_GROUPS * group_rows,
        "block_rows": None if parts == 1 else max(1, group_rows // parts),
    }
    with rowfeed.ParquetDataset(
        catalog,
        DATASETS[name].batch_size,
        num_epochs=NUM_EPOCHS,
        num_threads=2,
        memory_budget_bytes=2**32,
        **order,
    ) as dataset:
        begin = time.process_time()
        for _ in dataset:
            pass
        cost = time.process_time() - begin
        stored = sum(file.size for file in catalog.files)
        num_rows = NUM_EPOCHS * catalog.num_rows
        read = dataset.stats().read_bytes / (NUM_EPOCHS * stored)
        return cost / num_rows * 1e9, read


if __name__ == "__main__":
    main()
