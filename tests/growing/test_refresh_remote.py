# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Data that grows in an object store."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import rowfeed
from growing import FILE_ROWS, ids_of, table
from s3_server import S3Server


def write(s3: S3Server, bucket: str, name: str, number: int) -> None:
    body = io.BytesIO()
    pq.write_table(table(number), body, row_group_size=25)
    s3.put(bucket, f"data/{name}.parquet", body.getvalue())


def growing(uri: str, snapshots: Path, **given: Any) -> rowfeed.ParquetDataset:
    given = {"columns": ["id"], **given, "snapshot_dir": snapshots}
    return rowfeed.ParquetDataset(uri, 16, refresh="epoch", **given)


def rows_of(batches: Any) -> list[int]:
    return [row for batch in batches for row in batch["id"].tolist()]


def test_objects_come_go_and_change(s3: S3Server, tmp_path: Path) -> None:
    s3.request("PUT", "/growing")
    for number in (0, 1):
        write(s3, "growing", str(number), number)
    uri = s3.uri("growing/data").replace("s3://", "s3://KEY:SECRET@")
    dataset = growing(uri, tmp_path, shuffle=True, shuffle_window=80)
    assert sorted(rows_of(dataset)) == ids_of(0, 1).tolist()
    write(s3, "growing", "2", 2)
    assert sorted(rows_of(dataset)) == ids_of(0, 1, 2).tolist()
    write(s3, "growing", "0", 7)
    assert sorted(rows_of(dataset)) == ids_of(1, 2, 7).tolist()

    batches = iter(dataset)
    next(batches)
    state, rest = batches.state_dict(), rows_of(batches)
    kept = pickle.dumps(dataset)
    assert b"SECRET" not in kept + b"".join(p.read_bytes() for p in tmp_path.iterdir())
    s3.request("DELETE", "/growing/data/2.parquet")
    resumed = pickle.loads(kept)
    with pytest.raises(ValueError, match=r"s3://growing/data/2\.parquet is gone"):
        resumed.load_state_dict(state)
    resumed.load_state_dict(state, strict=False)
    lost = ids_of(2).tolist()
    assert rows_of(resumed) == [0 if row in lost else row for row in rest]
    assert len(rows_of(resumed)) == 2 * FILE_ROWS


@pytest.mark.parametrize("keep", [None, [("half", ">=", 0)]])
def test_an_object_that_is_overwritten_in_an_epoch_is_fill(
    keep: Any, s3: S3Server, tmp_path: Path
) -> None:
    """Also if it keeps its size, so that all that was asked for comes."""
    bucket = f"overwritten{0 if keep is None else 1}"
    s3.request("PUT", f"/{bucket}")
    for number in (1, 2):
        write(s3, bucket, str(number), number)
    dataset = growing(s3.uri(f"{bucket}/data"), tmp_path, filter=keep)
    dataset.begin_epoch()
    write(s3, bucket, "2", 3)
    assert rows_of(dataset) == [*ids_of(1).tolist(), *[0] * FILE_ROWS]
    assert dataset.stats().lost_rows == FILE_ROWS


def test_rows_of_which_nothing_is_read_are_fill_where_their_object_is_gone(
    s3: S3Server, tmp_path: Path
) -> None:
    s3.request("PUT", "/unread")
    for number in (1, 2):
        write(s3, "unread", f"part={number}/0", number)
    dataset = growing(s3.uri("unread/data"), tmp_path, columns=["part"])
    dataset.begin_epoch()
    s3.request("DELETE", "/unread/data/part=2/0.parquet")
    parts = [part for batch in dataset for part in batch["part"].tolist()]
    assert parts == [1] * FILE_ROWS + [0] * FILE_ROWS


def test_an_object_that_is_deleted_when_it_was_read_before_is_fill(
    s3: S3Server, tmp_path: Path
) -> None:
    s3.request("PUT", "/deleted")
    for number in (1, 2):
        write(s3, "deleted", str(number), number)
    dataset = growing(s3.uri("deleted/data"), tmp_path)
    assert rows_of(dataset) == ids_of(1, 2).tolist()
    dataset.begin_epoch()
    s3.request("DELETE", "/deleted/data/2.parquet")
    assert rows_of(dataset) == [*ids_of(1).tolist(), *[0] * FILE_ROWS]
    assert dataset.stats().lost_rows == FILE_ROWS
