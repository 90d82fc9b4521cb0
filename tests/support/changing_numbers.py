# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A data set that changes after a state was taken, for the tests of every face."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rowfeed import Catalog, ParquetDataset, StateWarning

SHUFFLED: dict[str, Any] = {
    "columns": ["id"],
    "shuffle": True,
    "seed": 11,
    "shuffle_window": 50,
    "block_rows": 10,
    "num_lanes": 4,
}
GROUP_ROWS = [40, 25, 35]  # Rows of each file's row groups.
NUM_ROWS = 4 * sum(GROUP_ROWS)
STEP = 7  # The step, of 25, at which the states of these tests were taken.
ROW = STEP * 16


def write(path: Path, first: int, group_rows: list[int] = GROUP_ROWS) -> None:
    """Writes numbers from `first` on, in a form whose size does not depend on them."""
    table = pa.table({"id": np.arange(first, first + sum(group_rows))})
    with pq.ParquetWriter(
        path, table.schema, use_dictionary=False, compression="none"
    ) as writer:
        for rows in group_rows:
            writer.write_table(table.slice(0, rows))
            table = table.slice(rows)


def write_data(folder: Path) -> Path:
    """Writes four files of 100 rows each, numbered through."""
    folder.mkdir()
    for i in range(4):
        write(folder / f"{i}.parquet", 100 * i)
    return folder


def catalog_of(folder: Path, files: list[tuple[str, int]]) -> Catalog:
    """Returns a catalog of files in any order, each of a name and its first number."""
    paths = [folder / f"{first}" / f"{name}.parquet" for name, first in files]
    for path, (_, first) in zip(paths, files, strict=True):
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            write(path, first)
    return Catalog.open(paths)


def make(data: Path | Catalog, batch_size: int = 16, **keywords: Any) -> Any:
    """Returns a dataset with an order of its own."""
    return ParquetDataset(data, batch_size, **{**SHUFFLED, **keywords})


def ids(iterable: Any) -> list[int]:
    """Returns the ids of what is left of an iteration."""
    return [i for batch in iterable for i in batch["id"].tolist()]


def epochs(data: Path | Catalog, number: int, **keywords: Any) -> list[list[int]]:
    """Returns the ids of the first epochs, uninterrupted."""
    dataset = make(data, **keywords)
    return [ids(dataset) for _ in range(number)]


# What happens to the data, and what is said of it.
CHANGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "added": (
        lambda data: write(data / "4.parquet", 400),
        "'4.parquet' was added, 100 rows",
    ),
    "removed": (
        lambda data: (data / "2.parquet").unlink(),
        "'2.parquet' was removed, 100 rows",
    ),
    "grown": (
        lambda data: write(data / "3.parquet", 300, [*GROUP_ROWS, 9]),
        r"'3.parquet' has 109 rows \(was 100\) and \d+ bytes \(was \d+\)",
    ),
    "rewritten with the same rows": (
        lambda data: write(data / "1.parquet", 100, [50, 50]),
        r"'1.parquet' has 2 row groups \(was 3\) and \d+ bytes \(was \d+\)",
    ),
    "rewritten with the same size": (
        lambda data: write(data / "1.parquet", 1100),
        "'1.parquet' has another footer, with the same size and rows",
    ),
    "renamed": (
        lambda data: (data / "0.parquet").rename(data / "9.parquet"),
        "'0.parquet' was renamed to '9.parquet'",
    ),
}


def change(data: Path, kind: str) -> tuple[Any, Catalog, str]:
    """Changes the data; returns a state from before, its catalog, and what to hear."""
    before = Catalog.open(data)
    act, text = CHANGES[kind]
    state = make(before).state_at(0, STEP)
    act(data)
    return state, before, text


def go_on(dataset: Any, state: Any, **keywords: Any) -> str:
    """Loads a state with strict=False; returns what is warned of, which is one line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        dataset.load_state_dict(state, strict=False, **keywords)
    (warning,) = caught
    assert warning.category is StateWarning
    assert warning.filename == __file__
    message = str(warning.message)
    assert "\n" not in message
    return message


# How a warning ends if the order of the rest of the epoch is another, and if not.
LOST = (
    f"So it goes on at epoch 0, row {ROW}: rows of this epoch may come twice or not at "
    "all; from the next epoch on each row comes once"
)
KEPT = f"So it goes on at epoch 0, row {ROW}: the rows of this epoch go on exactly"
