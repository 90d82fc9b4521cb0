# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Windows whose columns no cache holds: several narrow ones go through buckets.

A data set of one column is gathered without buckets. So each column of many must come
as it does alone, whatever else is asked for.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from rowfeed import Column, ParquetDataset, Ragged

# Half of the rows take more than 8 MB of 8 bytes each; row groups end within slices of
# 65,536 rows.
NUM_ROWS = 2_200_000
GROUP_ROWS = 170_000
COLUMNS = ("id", "half", "negative", "short", "word", "holes")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with narrow columns of several widths, nulls and words."""
    ids = np.arange(NUM_ROWS)
    words = pa.array([f"word {i}" for i in range(1000)])
    table = pa.table(
        {
            "id": ids,
            "half": ids * 0.5,
            "negative": -ids,
            "short": (ids % 1000).astype(np.int16),
            "word": words.take(pa.array(ids % 1000)),
            "holes": pa.array(ids * 3, mask=ids % 7 == 0),
        }
    )
    path = tmp_path_factory.mktemp("large") / "large.parquet"
    pq.write_table(table, path, row_group_size=GROUP_ROWS)
    return path


def dataset(path: Path, names: Sequence[str], **options: Any) -> ParquetDataset:
    """A data set of these columns, in windows of all rows of a lane."""
    columns = [Column(name, mask=name == "holes") for name in names]
    defaults = {"batch_size": 4096, "shuffle": True, "shuffle_window": NUM_ROWS}
    return ParquetDataset(path, columns=columns, **defaults | options)


@pytest.mark.filterwarnings("ignore:world_size=3 does not divide")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"batch_size": 200_000, "shuffle_window": 1_100_000},
        {"shuffle": False},
        {"rank": 1, "world_size": 3, "num_lanes": 1},
        {"num_lanes": 2, "batch_size": 1001},
        {"num_lanes": 2, "batch_size": 9999, "rank": 0, "world_size": 2},
        {"filter": ds.field("short") != 5},
        {"batch_size": 300_000, "remainder": "pad"},
    ],
    ids=str,
)
def test_columns_come_together_as_each_comes_alone(
    options: dict[str, Any], path: Path
) -> None:
    batches = iter(dataset(path, COLUMNS, **options))
    ids_alone = iter(dataset(path, ["id"], **options))
    words_alone = iter(dataset(path, ["word"], **options))
    num_batches = 0
    for batch in batches:
        ids = next(ids_alone)["id"]
        valid = ids > 0 if options.get("remainder") == "pad" else slice(None)
        holes = ids % 7 == 0
        np.testing.assert_array_equal(batch["id"], ids)
        np.testing.assert_array_equal(batch["half"], ids * 0.5)
        np.testing.assert_array_equal(batch["negative"], -ids)
        np.testing.assert_array_equal(batch["short"], ids % 1000)
        np.testing.assert_array_equal(batch["holes"], np.where(holes, 0, ids * 3))
        np.testing.assert_array_equal(batch["holes__mask"][valid], ~holes[valid])
        words = next(words_alone)["word"]
        assert isinstance(words, Ragged)
        np.testing.assert_array_equal(batch["word"].values, words.values)
        np.testing.assert_array_equal(batch["word"].offsets, words.offsets)
        num_batches += 1
    assert num_batches > 0
    assert next(ids_alone, None) is None


def test_a_large_window_is_resumed_within(path: Path) -> None:
    whole = iter(dataset(path, COLUMNS))
    for _ in range(300):
        next(whole)
    resumed = iter(dataset(path, COLUMNS))
    resumed.load_state_dict(whole.state_dict())
    num_batches = 0
    for batch, expected in zip(resumed, whole, strict=True):
        np.testing.assert_array_equal(batch["id"], expected["id"])
        np.testing.assert_array_equal(batch["half"], expected["id"] * 0.5)
        num_batches += 1
    assert num_batches == -(-NUM_ROWS // 4096) - 300


def test_an_error_in_a_window_of_single_rows_takes_little_memory(
    tmp_path: Path,
) -> None:
    values = np.arange(1_000_000, dtype=np.float32)
    table = pa.table({"x": pa.array(values, mask=values == 7)})
    pq.write_table(table, tmp_path / "null.parquet")
    lines = (
        "import resource, sys, rowfeed",
        "rows = iter(rowfeed.ParquetDataset(sys.argv[1], None, shuffle=True))",
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss",
        "before = peak()",
        "try:",
        "    next(rows)",
        "except ValueError as error:",
        "    print(peak() - before, error)",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines), tmp_path],
        check=True,
        capture_output=True,
        text=True,
        timeout=100,
    )
    kib, _, error = done.stdout.partition(" ")
    assert "null.parquet" in error
    assert int(kib) < 300_000  # An arena for each row of it took 670,000.
