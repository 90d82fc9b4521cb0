# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Catalog.changes: each file that differs, by name, and how."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from changing_numbers import catalog_of, write
from rowfeed import Catalog


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Four files of 30 rows in two row groups each; no two have the same content."""
    folder = tmp_path / "data"
    folder.mkdir()
    for i, name in enumerate("abcd"):
        write(folder / f"{name}.parquet", 100 * i, [10, 20])
    return folder


def size(path: Path) -> int:
    return path.stat().st_size


def changed(data: Path, change: Callable[[], object]) -> list[str]:
    before = Catalog.open(data)
    change()
    after = Catalog.open(data)
    assert after.changes(since=after) == []
    return [str(c) for c in after.changes(since=before)]


def test_added(data: Path) -> None:
    found = changed(data, lambda: write(data / "bb.parquet", 0, [7]))
    assert found == ["'bb.parquet' was added, 7 rows"]


def test_removed(data: Path) -> None:
    found = changed(data, (data / "b.parquet").unlink)
    assert found == ["'b.parquet' was removed, 30 rows"]


def test_grown(data: Path) -> None:
    path = data / "c.parquet"
    was = size(path)
    found = changed(data, lambda: write(path, 200, [10, 20, 5]))
    assert found == [
        f"'c.parquet' has 35 rows (was 30) and {size(path)} bytes (was {was})"
    ]


def test_rewritten_with_other_row_groups(data: Path) -> None:
    path = data / "c.parquet"
    was = size(path)
    found = changed(data, lambda: write(path, 200, [10, 10, 10]))
    assert found == [
        f"'c.parquet' has 3 row groups (was 2) and {size(path)} bytes (was {was})"
    ]
    found = changed(data, lambda: write(path, 200, [10, 9, 11]))
    assert found == ["'c.parquet' has 9 rows in row group 1 (was 10)"]


def test_rewritten_with_the_same_rows(data: Path) -> None:
    path = data / "c.parquet"
    table, was = pq.read_table(path), size(path)
    found = changed(
        data,
        lambda: pq.write_table(
            table.replace_schema_metadata({"of": "another writer"}),
            path,
            row_group_size=30,
        ),
    )
    assert found == [
        f"'c.parquet' has 1 row groups (was 2) and {size(path)} bytes (was {was})"
    ]


def test_rewritten_with_the_same_size_and_rows(data: Path) -> None:
    path = data / "c.parquet"
    was = size(path)
    found = changed(data, lambda: write(path, 900, [10, 20]))
    assert size(path) == was
    assert found == ["'c.parquet' has another footer, with the same size and rows"]


def test_renamed(data: Path) -> None:
    found = changed(data, lambda: (data / "a.parquet").rename(data / "b0.parquet"))
    assert found == ["'a.parquet' was renamed to 'b0.parquet'"]


def test_renamed_in_place_and_another_of_that_name(data: Path) -> None:
    def rotate() -> None:
        (data / "d.parquet").rename(data / "c9.parquet")
        write(data / "d.parquet", 0, [3])

    assert changed(data, rotate) == [
        "'d.parquet' was renamed to 'c9.parquet'",
        "'d.parquet' was added, 3 rows",
    ]


def test_moved_in_the_order(data: Path) -> None:
    paths = [data / f"{name}.parquet" for name in "abcd"]
    before, after = Catalog.open(paths), Catalog.open([paths[3], *paths[:3]])
    assert before.fingerprint != after.fingerprint
    (change,) = after.changes(since=before)
    assert change.kind == "moved"
    assert str(change) == "'d.parquet' is files[0] (was files[3])"


def test_changed_and_moved(data: Path) -> None:
    paths = [data / f"{name}.parquet" for name in "abcd"]
    before = Catalog.open(paths)
    write(paths[0], 900, [10, 20])
    (change,) = Catalog.open([*paths[1:], paths[0]]).changes(since=before)
    assert change.kind == "changed"
    assert change.how == (
        "has another footer, with the same size and rows, is files[3] (was files[0])"
    )


def test_files_of_one_name_are_told_apart(data: Path, tmp_path: Path) -> None:
    other = shutil.copytree(data, tmp_path / "other")
    write(other / "a.parquet", 0, [4])
    before = Catalog.open([data, other])
    write(other / "a.parquet", 0, [5])
    (change,) = Catalog.open([data, other]).changes(since=before)
    assert (change.name, change.kind) == ("a.parquet", "changed")
    assert change.how.startswith("has 5 rows (was 4)")


def test_another_place_or_other_columns_is_no_change(
    data: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(data, tmp_path / "copy")
    assert Catalog.open(copy, ["id"]).changes(since=Catalog.open(data)) == []
    assert Catalog.open(copy, []).changes(since=Catalog.open(data)) == []


FILES = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from([0, 100, 200])),
    min_size=1,
    max_size=7,
)


@pytest.mark.filterwarnings("ignore:.*listed more than once")
@given(before=FILES, after=FILES)
def test_no_change_is_found_only_where_the_fingerprints_agree(
    before: list[tuple[str, int]],
    after: list[tuple[str, int]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("files")
    old, new = catalog_of(folder, before), catalog_of(folder, after)
    found = new.changes(since=old)
    assert (found == []) == (new.fingerprint == old.fingerprint)
    kinds = [change.kind for change in found]
    assert len(after) - len(before) == kinds.count("added") - kinds.count("removed")
    assert len(found) <= len(before) + len(after)
