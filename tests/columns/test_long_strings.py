# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Strings of no bytes, of any bytes, and of more than 2 GiB in a row group or batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reading import FACES, WRITING, module_of, write
from rowfeed import ParquetDataset

ODD = [b"", b"x", b"\0", b"a\0b", b"\xff\xfe\x80", bytes(range(256)), b"\0" * 300]


@pytest.mark.fault(36)
@pytest.mark.parametrize("writing", WRITING, ids=str)
@pytest.mark.parametrize("face", FACES)
def test_bytes_of_binaries_are_not_changed(
    face: str, writing: dict[str, Any], tmp_path: Path
) -> None:
    write(tmp_path, pa.array(ODD * 20, pa.binary()), **writing)
    (batch,) = module_of(face).ParquetDataset(tmp_path, 1000)
    found = batch["x"]
    values = found.numpy() if face == "tensorflow" else found
    assert values.tolist() == ODD * 20


ROWS, SIZE = 2100, 1 << 20


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A row group of 2100 strings of 1 MB, which a dictionary makes a small file."""
    one = np.random.default_rng(0).bytes(SIZE)
    indices = pa.array(np.zeros(ROWS, np.int32))
    strings = pa.DictionaryArray.from_arrays(indices, pa.array([one], pa.binary()))
    path = tmp_path_factory.mktemp("large") / "x.parquet"
    table = pa.table({"x": strings, "id": np.arange(ROWS)})
    pq.write_table(table, path, row_group_size=ROWS, store_schema=False)
    return path


@pytest.mark.slow
@pytest.mark.fault(36)
@pytest.mark.parametrize(("batch_size", "shuffle"), [(100, True), (ROWS, False)])
def test_strings_of_more_than_2_gib_are_whole(
    batch_size: int, shuffle: bool, large: Path
) -> None:
    assert ROWS * SIZE > 2**31
    (one,) = next(iter(ParquetDataset(large, 1, columns=["x"])))["x"]
    ids: list[int] = []
    for batch in ParquetDataset(large, batch_size, shuffle=shuffle):
        ids += batch["id"].tolist()
        assert len(batch["x"]) == len(batch["id"])
        assert all(np.array_equal(row, one) for row in batch["x"])
    assert sorted(ids) == list(range(ROWS))
