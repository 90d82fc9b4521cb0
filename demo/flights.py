# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The columns, the fills for their nulls, and the label, for both trainings.

The question is whether a flight will arrive late, asked when it departs. The strings
go to the models as they are: Keras hashes them, PyTorch sums embeddings of their bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rowfeed import Column, ParquetDataset

DATA = Path(__file__).parent.parent / "demo-data" / "flights"
BATCH_SIZE = 512
EPOCHS = 3
SEED = 2013

NUMBERS = ("dep_delay", "month", "hour", "minute", "distance", "weekday")
STRINGS = ("carrier", "origin", "dest", "tailnum")
LATE_MINUTES = 15
NEVER = 9999  # The fill for the missing delay of a flight that never arrived.

INPUTS: list[str | Column] = [
    *("month", "hour", "minute", "distance", "time_hour", "carrier", "origin", "dest"),
    Column("tailnum", fill="unknown"),
    Column("dep_delay", fill=0),
]
# The options for PyTorch and TensorFlow: every keyword means the same in both.
OPTIONS: dict[str, Any] = {
    "columns": ["row", *INPUTS],
    "label": Column("arr_delay", fill=NEVER),
    "batch_size": BATCH_SIZE,
    "shuffle": True,
    "seed": SEED,
}
TEST_OPTIONS = {**OPTIONS, "columns": INPUTS, "shuffle": False}

SCALES = {
    "dep_delay": 60,
    "month": 12,
    "hour": 24,
    "minute": 60,
    "distance": 5000,
    "weekday": 7,
}


def split(folder: Path) -> tuple[list[Path], list[Path]]:
    """Returns the files to train on, and those of December to test on."""
    test = sorted(folder.glob("2013-12-*.parquet"))
    return sorted(set(folder.glob("*.parquet")) - set(test)), test


def loss_of_guess(folder: Path) -> float:
    """Returns the test loss of the training's mean label, which a model must beat."""
    shares = []
    for paths in split(folder):
        late = [
            batch["arr_delay"] > LATE_MINUTES
            for batch in ParquetDataset(paths, 4096, columns=[OPTIONS["label"]])
        ]
        shares.append(np.concatenate(late).mean())
    guess, truth = shares
    return float(-truth * np.log(guess) - (1 - truth) * np.log(1 - guess))


def weekday(time_hour: Any) -> Any:
    """Returns the day of the week, Monday 0, of a tensor of `time_hour`.

    `time_hour` is a timestamp in UTC, delivered as milliseconds since 1970-01-01, a
    Thursday; New York is five hours behind.
    """
    return ((time_hour // 3_600_000 - 5) // 24 + 3) % 7
