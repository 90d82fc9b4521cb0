# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The speed of the loader alone: `python -m demo.loader {numpy,torch,tensorflow}`."""

from __future__ import annotations

import argparse
import importlib
import time
from pathlib import Path

import rowfeed
from demo import flights
from rowfeed import Column, Ragged

EPOCHS = 10
MODULES = {
    "numpy": "rowfeed",
    "torch": "rowfeed.torch",
    "tensorflow": "rowfeed.tensorflow",
}

# All 20 columns, with a fill for each that has nulls: without one a null is an error.
COLUMNS: list[str | Column] = [
    *("row", "year", "month", "day", "sched_dep_time", "sched_arr_time", "carrier"),
    *("flight", "origin", "dest", "distance", "hour", "minute", "time_hour"),
    *(
        Column(name, fill=flights.NEVER)
        for name in ("dep_time", "dep_delay", "arr_time", "arr_delay", "air_time")
    ),
    Column("tailnum", fill="unknown"),
]


def row_bytes(files: rowfeed.Catalog, columns: list[str | Column]) -> float:
    """Returns the mean size of a delivered row, in bytes."""
    total = 0
    for batch in rowfeed.ParquetDataset(files, 4096, columns=columns):
        for array in batch.values():
            if isinstance(array, Ragged):
                total += array.values.nbytes + array.offsets.nbytes
            else:
                total += array.nbytes
    return total / files.num_rows


def main() -> None:
    """Prints rows/s and MB/s of one framework over `EPOCHS` shuffled epochs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("face", choices=MODULES)
    parser.add_argument("--data", type=Path, default=flights.DATA)
    arguments = parser.parse_args()
    files = rowfeed.Catalog.open(arguments.data)
    face = importlib.import_module(MODULES[arguments.face])
    dataset = face.ParquetDataset(
        files, flights.BATCH_SIZE, columns=COLUMNS, shuffle=True, num_epochs=EPOCHS
    )
    size = row_bytes(files, COLUMNS)  # This also reads the files into memory.
    begin = time.perf_counter()
    for _ in dataset:
        pass
    speed = EPOCHS * files.num_rows / (time.perf_counter() - begin)
    print(
        f"  {arguments.face:<22} {speed / 1e6:5.2f} M rows/s, "
        f"{speed * size / 1e6:5.0f} MB/s"
    )


if __name__ == "__main__":
    main()
