# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Splits are stable, disjoint and complete shares of the rows."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowfeed import Catalog, Column, ParquetDataset, Split
from splitting import FILE_ROWS, ids_of, write, write_files

pytestmark = [
    pytest.mark.filterwarnings("ignore:shuffle_window="),
    pytest.mark.filterwarnings("ignore:world_size="),
    pytest.mark.filterwarnings("ignore:no row is left"),
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("data"))


@given(
    cuts=st.lists(st.floats(0.01, 1), min_size=1, max_size=5),
    seed=st.integers(0, 2**64 - 1),
    form=st.sampled_from(["row", "row_group", "file", "user", "name", "score"]),
    block_rows=st.sampled_from([None, 30]),
    shuffle=st.booleans(),
)
def test_parts_share_no_row_and_leave_out_none(
    data: Path,
    cuts: list[float],
    seed: int,
    form: Any,
    block_rows: int | None,
    shuffle: bool,
) -> None:
    fractions = {str(i): cut / sum(cuts) for i, cut in enumerate(cuts)}
    how = {"unit": form} if form in ("row", "row_group", "file") else {"by": form}
    parts = Split.parts(fractions, seed=seed, **how)
    assert list(parts) == list(fractions)
    order: dict[str, Any] = {"shuffle": shuffle}
    if shuffle:
        order |= {"block_rows": block_rows, "seed": seed}
    rows = [row for part in parts.values() for row in ids_of(data, split=part, **order)]
    assert sorted(rows) == list(range(3 * FILE_ROWS))


@given(begin=st.floats(0, 0.9), size=st.floats(0.01, 1), seed=st.integers(0, 9))
def test_the_rest_has_all_other_rows(
    data: Path, begin: float, size: float, seed: int
) -> None:
    split = Split(begin, min(begin + size, 1), seed=seed)
    rows = ids_of(data, split=split) + ids_of(data, split=~split)
    assert sorted(rows) == list(range(3 * FILE_ROWS))
    assert ~~split == split


def test_folds_are_parts(data: Path) -> None:
    folds = [ids_of(data, split=Split.fold(i, 5, by="user")) for i in range(5)]
    assert sorted(chain(*folds)) == list(range(3 * FILE_ROWS))
    assert sorted(ids_of(data, split=~Split.fold(2, 5, by="user"))) == sorted(
        chain(*folds[:2], *folds[3:])
    )


@pytest.mark.parametrize("fraction", [0.1, 0.5, 0.9])
def test_a_part_is_about_as_large_as_was_asked_for(data: Path, fraction: float) -> None:
    count = len(ids_of(data, split=Split(0, fraction, seed=3)))
    expected = 3 * FILE_ROWS * fraction
    assert abs(count - expected) < 4 * (expected * (1 - fraction)) ** 0.5


def test_seeds_make_other_splits(data: Path) -> None:
    first, second = (set(ids_of(data, split=Split(0, 0.5, seed=i))) for i in (1, 2))
    assert 0.4 < len(first & second) / len(first) < 0.6


def test_all_rows_of_a_user_are_on_one_side_whatever_the_width(tmp_path: Path) -> None:
    write(tmp_path / "1.parquet", 0, pa.int64())
    sides = {}
    for dtype in (pa.int64(), pa.int32(), pa.uint8(), pa.float32()):
        write(tmp_path / "1.parquet", 0, dtype)
        null = 255 if dtype == pa.uint8() else -1
        columns: list[str | Column] = ["id", Column("user", fill=null)]
        train = ParquetDataset(
            tmp_path, 64, columns=columns, split=Split(0, 0.5, by="user")
        )
        users = [u for batch in train for u in batch["user"].tolist()]
        sides[dtype] = {-1 if u == null else u for u in users}
        rest = ParquetDataset(
            tmp_path, 64, columns=columns, split=Split(0.5, 1, by="user")
        )
        others = {u for batch in rest for u in batch["user"].tolist()}
        assert not others & set(users)
        assert len(users) > 100
        assert len(others) > 5
    assert sides[pa.int64()] == sides[pa.int32()] == sides[pa.uint8()]


@pytest.mark.parametrize("unit", ["row", "row_group", "file"])
def test_rows_keep_their_side_when_files_are_added(tmp_path: Path, unit: Any) -> None:
    for i in (3, 5, 7):
        write(tmp_path / f"{i}.parquet", i * FILE_ROWS, pa.int64())
    split = Split(0.3, 0.8, seed=1, unit=unit)
    before = set(ids_of(tmp_path, split=split))
    for i in (1, 4, 9):
        write(tmp_path / f"{i}.parquet", i * FILE_ROWS, pa.int64())
    after = set(ids_of(tmp_path, split=split))
    old = {i * FILE_ROWS + row for i in (3, 5, 7) for row in range(FILE_ROWS)}
    assert after & old == before
    assert after != before


def test_a_split_is_the_same_from_another_folder(data: Path, tmp_path: Path) -> None:
    split = Split(0, 0.5)
    for path in data.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    expected = ids_of(data, split=split)
    assert ids_of(tmp_path, split=split) == expected
    assert ids_of(f"file://{tmp_path}", split=split) == expected


def test_which_rows_are_in_a_split_never_changes(data: Path) -> None:
    # These numbers are a promise: whoever split a data set has models that rely on it.
    def first(count: int, *ends: float, **how: Any) -> list[int]:
        return ids_of(data, split=Split(*ends, seed=7, **how))[:count]

    assert first(6, 0, 0.01) == [160, 190, 248, 325, 480, 629]
    assert first(5, 0, 0.1, by="user") == [13, 16, 53, 56, 93]
    assert first(5, 0, 0.1, by="name") == [1, 4, 12, 15, 21]
    assert first(5, 0, 0.1, by="score") == [14, 23, 33, 54, 63]
    assert first(101, 0, 0.2, unit="row_group") == [*range(1000, 1100)]
    assert first(601, 0, 0.6, unit="file") == [*range(1200, 1800)]


@pytest.mark.parametrize("unit", ["row_group", "file"])
def test_what_is_on_the_other_side_is_never_read(tmp_path: Path, unit: Any) -> None:
    for i in range(6):
        write(tmp_path / f"{i}.parquet", i * FILE_ROWS, pa.int64())
    split = Split(0, 0.5, seed=2, unit=unit)
    whole = ParquetDataset(tmp_path, 64, columns=["id"])
    part = ParquetDataset(tmp_path, 64, columns=["id"], split=split)
    sizes = {}
    for dataset in (whole, part):
        rows = sum(len(batch["id"]) for batch in dataset)
        stats = dataset.stats()
        assert stats.filtered_rows == 0
        sizes[dataset] = stats.read_bytes / rows
    assert 0 < len(part) < len(whole)
    assert sizes[part] <= sizes[whole] * 1.01


def test_files_of_the_other_side_may_be_gone(tmp_path: Path) -> None:
    for i in range(6):
        write(tmp_path / f"{i}.parquet", i * FILE_ROWS, pa.int64())
    catalog = Catalog.open(tmp_path)
    split = Split(0, 0.5, seed=2, unit="file")
    expected = ids_of(catalog, split=split)
    kept = {i // FILE_ROWS for i in expected}
    assert 0 < len(kept) < 6
    for i in set(range(6)) - kept:
        (tmp_path / f"{i}.parquet").unlink()
    assert ids_of(catalog, split=split) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"begin": 0.5, "end": 0.5}, "0 <= begin < end <= 1"),
        ({"begin": -0.1, "end": 0.5}, "0 <= begin < end <= 1"),
        ({"begin": 0, "end": 90}, "0 <= begin < end <= 1"),
        ({"begin": 0, "end": float("nan")}, "0 <= begin < end <= 1"),
        ({"begin": 0, "end": 1, "seed": -1}, "seed must be >= 0"),
        ({"begin": 0, "end": 1, "unit": "page"}, "unit must be one of 'row'"),
        ({"begin": 0, "end": 1, "unit": "file", "by": "x"}, "exclude each other"),
    ],
)
def test_a_wrong_split_is_refused(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Split(**arguments)


def test_a_split_of_the_wrong_kind_is_refused(data: Path) -> None:
    with pytest.raises(TypeError, match=r"split must be a rowfeed.Split, not 'train'"):
        ParquetDataset(data, 64, split="train")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="begin must be a number, not '0'"):
        Split("0", 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="by must be the name of a column"):
        Split(0, 1, by=["user"])  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="nobody"):
        ParquetDataset(data, 64, split=Split(0, 1, by="nobody"))
    with pytest.raises(ValueError, match=r"sum of the fractions must be 1, not 1\.1"):
        Split.parts({"train": 0.9, "test": 0.2})
    percents = "fractions must be 1, not 100: divide each of them by 100$"
    with pytest.raises(ValueError, match=percents):
        Split.parts({"train": 90, "test": 10})
    with pytest.raises(ValueError, match="'b' must be greater than 0, not 0"):
        Split.parts({"a": 1, "b": 0})
    with pytest.raises(ValueError, match="the sum of the fractions must be 1, not nan"):
        Split.parts({"a": 0.5, "b": float("nan")})
    with pytest.raises(ValueError, match="index must be <= 4, not 5"):
        Split.fold(5, 5)


def test_a_list_has_no_hash(tmp_path: Path) -> None:
    pq.write_table(pa.table({"tokens": [[1], [2, 3]]}), tmp_path / "x.parquet")
    with pytest.raises(NotImplementedError, match="column 'tokens' is list"):
        ParquetDataset(tmp_path, 1, split=Split(0, 1, by="tokens"))


@pytest.mark.parametrize("by", [None, "user", "name"])
def test_a_catalog_counts_the_rows_of_a_split(data: Path, by: str | None) -> None:
    catalog = Catalog.open(data)
    parts = Split.parts({"train": 0.7, "test": 0.3}, seed=3, by=by)
    for split in (*parts.values(), ~parts["train"]):
        ids = ids_of(data, split=split)
        assert catalog.count(split=split) == len(ids)
        assert catalog.count([("id", "<", 500)], split=split) == sum(
            i < 500 for i in ids
        )
    assert catalog.count() == 3 * FILE_ROWS
    with pytest.raises(TypeError, match=r"split must be a rowfeed\.Split, not 'train'"):
        catalog.count(split="train")  # type: ignore[arg-type]


def test_a_dataset_does_not_count_again_what_a_catalog_has_counted(data: Path) -> None:
    catalog = Catalog.open(data)
    split = Split(0, 0.5, by="user")
    num_rows = catalog.count([("id", ">", 9)], split=split)
    dataset = ParquetDataset(
        catalog, 7, columns=["id"], filter=[("id", ">", 9)], split=split
    )
    assert dataset._parameters.rows.is_known
    assert dataset._parameters.rows.num_rows(None) == num_rows


@pytest.mark.parametrize("by", [None, "user"])
def test_a_vocabulary_had_values_that_only_rows_to_test_with_have(
    data: Path, by: str | None
) -> None:
    catalog = Catalog.open(data)
    split = Split(0, 0.01, seed=8) if by is None else Split(0, 0.5, by=by)
    dataset = ParquetDataset(
        catalog, 64, columns=[Column("name", fill="?")], split=split
    )
    expected = {name for batch in dataset for name in batch["name"].tolist()} - {"?"}
    assert catalog.vocabulary("name", split=split).values == tuple(sorted(expected))
    assert 0 < len(expected) < len(catalog.vocabulary("name").values)
    with pytest.raises(TypeError, match=r"split must be a rowfeed\.Split"):
        catalog.vocabulary("name", split=0.5)  # type: ignore[arg-type]
