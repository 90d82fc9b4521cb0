# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The study of docs/shuffle.md measures orders: they are those of real datasets."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed

GROUP_ROWS = 96


@pytest.mark.filterwarnings("ignore:shuffle_window:UserWarning")
@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("window", [0.25, 1, 4, 16])
@pytest.mark.parametrize("parts", [1, 4, 16])
def test_measured_orders_are_those_in_which_a_dataset_delivers(
    parts: int,
    window: float,
    lanes: int,
    tmp_path: Path,
) -> None:
    study = importlib.import_module("benchmarks.studies.shuffle_orders")
    layout = study.Layout(files=4, groups_per_file=5, group_rows=GROUP_ROWS)
    rows = np.arange(layout.num_rows)
    for index, part in enumerate(np.split(rows, layout.files)):
        path = tmp_path / f"{index}.parquet"
        pq.write_table(pa.table({"row": part}), path, row_group_size=GROUP_ROWS)

    measured = study.rowfeed(layout, window, parts, lanes, ranks=1, seed=3)

    dataset = rowfeed.ParquetDataset(
        tmp_path,
        64,
        shuffle=True,
        seed=3,
        shuffle_window=round(window * GROUP_ROWS),
        block_rows=None if parts == 1 else GROUP_ROWS // parts,
        num_lanes=lanes,
    )
    delivered = np.concatenate([batch["row"] for batch in dataset])
    assert np.array_equal(measured.stream, delivered)
