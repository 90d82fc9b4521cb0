# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`__file`, `__row_group`, `__row`: where each row comes from."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from numbered_rows import NUM_ROWS, write_numbers
from rowfeed import Catalog, Column

PLACE = ["__file", "__row_group", "__row"]
FACES = ["numpy", "torch", "tensorflow"]


def make(face: str, paths: Any, batch_size: int | None = 16, **keywords: Any) -> Any:
    module = rowfeed if face == "numpy" else pytest.importorskip(f"rowfeed.{face}")
    return module.ParquetDataset(paths, batch_size, **keywords)


def rows(batch: Any, columns: list[str]) -> list[tuple[int, ...]]:
    """Returns the rows of an element, single or batched; rows of fill are zeros."""
    arrays = [np.atleast_1d(np.asarray(batch[name])) for name in columns]
    table = np.stack(arrays, axis=1)
    valid = np.ones(len(table), np.bool_)
    if "__valid" in batch:
        valid = np.atleast_1d(np.asarray(batch["__valid"]))
    assert not table[~valid].any()
    return [tuple(row) for row in table[valid].tolist()]


def ids_in_files(catalog: Catalog) -> dict[tuple[int, int, int], int]:
    """Returns what pyarrow finds at each place."""
    found = {}
    for f, file in enumerate(catalog.files):
        reader = pq.ParquetFile(file.path)
        for g in range(reader.num_row_groups):
            for row, i in enumerate(reader.read_row_group(g)["id"].to_pylist()):
                found[f, g, row] = i
    return found


SITUATIONS: dict[str, dict[str, Any]] = {
    "catalog order": {},
    "shuffled": {"shuffle": True, "shuffle_window": 120},
    "cut blocks": {"shuffle": True, "shuffle_window": 60, "block_rows": 9},
    "cut blocks in order": {"block_rows": 9, "num_epochs": 2},
    "lanes": {"shuffle": True, "num_lanes": 3, "num_epochs": 2},
    "a rank": {"shuffle": True, "rank": 1, "world_size": 2, "num_lanes": 4},
    "drop": {"shuffle": True, "remainder": "drop"},
    "pad": {"shuffle": True, "remainder": "pad", "rank": 1, "world_size": 2},
    "wrap": {"shuffle": True, "remainder": "wrap", "rank": 1, "world_size": 2},
    "single rows": {"shuffle": True, "batch_size": None},
    "single rows, padded": {"batch_size": None, "rank": 1, "world_size": 3}
    | {"remainder": "pad"},
}


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_rows_are_found_again_where_they_say(
    numbers: Path, situation: str, face: str
) -> None:
    keywords = SITUATIONS[situation]
    dataset = make(face, numbers, columns=["id", *PLACE], **keywords)
    at = ids_in_files(dataset.catalog)
    found = [row for batch in dataset for row in rows(batch, ["id", *PLACE])]
    assert len(found) >= NUM_ROWS // 3
    assert [i for i, *_ in found] == [at[f, g, row] for _, f, g, row in found]
    plain = make("numpy", numbers, columns=["id"], **keywords)
    assert [i for i, *_ in found] == [i for b in plain for (i,) in rows(b, ["id"])]


@pytest.mark.parametrize("face", FACES)
def test_types_and_places_among_the_features(numbers: Path, face: str) -> None:
    columns = ["__row", "half", "__file", "name", "__row_group"]
    dataset = make(face, numbers, 8, columns=columns, remainder="pad")
    batch = next(iter(dataset))
    if face != "tensorflow":  # tf.nest sorts.
        assert list(batch) == [*columns, "__valid"]
    types = {name: str(np.asarray(batch[name]).dtype) for name in PLACE}
    assert types == {"__file": "int32", "__row_group": "int32", "__row": "int64"}
    if face != "torch":
        spec = dataset.element_spec
        assert {name: spec[name].shape for name in PLACE} == dict.fromkeys(PLACE, (8,))
        assert spec["__row"].dtype == np.int64


@pytest.mark.parametrize("face", FACES)
def test_batch_at_says_where_rows_come_from(numbers: Path, face: str) -> None:
    dataset = make(face, numbers, columns=["id", *PLACE], shuffle=True, num_epochs=2)
    streamed = [rows(batch, ["id", *PLACE]) for batch in dataset]
    for index in (0, 5, len(streamed) - 1):
        epoch, step = divmod(index, len(streamed) // 2)
        assert rows(dataset.batch_at(epoch, step), ["id", *PLACE]) == streamed[index]


def test_random_access_says_where_rows_come_from(numbers: Path) -> None:
    dataset = make("tensorflow", numbers, columns=PLACE, shuffle=True)
    import tensorflow as tf

    streamed = [rows(batch, PLACE) for batch in dataset]
    for step in (7, 0, len(streamed) - 1):
        batch = tf.data.experimental.at(dataset, step)
        assert rows(batch, PLACE) == streamed[step]


@pytest.mark.parametrize("face", FACES)
def test_states_do_not_know_of_them(numbers: Path, face: str) -> None:
    plain = make("numpy", numbers, columns=["id"], shuffle=True)
    batches = iter(plain)
    for _ in range(3):
        next(batches)
    state = json.loads(json.dumps(batches.state_dict()))
    dataset = make(face, numbers, columns=["id", *PLACE], shuffle=True)
    assert dataset.state_at(0, 3) == state
    dataset.load_state_dict(state)
    at = ids_in_files(dataset.catalog)
    rest = [row for batch in dataset for row in rows(batch, ["id", *PLACE])]
    assert [i for i, *_ in rest] == [i for b in batches for (i,) in rows(b, ["id"])]
    assert all(at[f, g, row] == i for i, f, g, row in rest)


def test_datasets_that_say_it_are_pickled(numbers: Path) -> None:
    dataset = make("numpy", numbers, columns=["id", *PLACE], shuffle=True)
    again = pickle.loads(pickle.dumps(dataset))
    assert [rows(b, PLACE) for b in again] == [rows(b, PLACE) for b in dataset]
    assert again.catalog.files == dataset.catalog.files == Catalog.open(numbers).files


def test_all_columns_do_not_include_them(numbers: Path) -> None:
    expected = ["id", "half", "even", "name", "parts"]
    assert list(next(iter(make("numpy", numbers)))) == expected
    asked = Catalog.open(numbers, ["half", *PLACE])
    assert [field.name for field in asked.schema] == ["half"]
    assert list(next(iter(make("numpy", asked)))) == ["half"]


def test_a_catalog_of_few_columns_serves_them(numbers: Path, tmp_path: Path) -> None:
    Catalog.open(numbers, ["id"]).save(tmp_path / "catalog")
    catalog = Catalog.load(tmp_path / "catalog")
    dataset = make("numpy", catalog, columns=["id", *PLACE], shuffle=True)
    at = ids_in_files(catalog)
    for batch in dataset:
        assert all(at[f, g, r] == i for i, f, g, r in rows(batch, ["id", *PLACE]))
    with pytest.raises(KeyError, match="'__rows'"):
        make("numpy", catalog, columns=["id", "__rows"])
    with pytest.raises(KeyError, match="'__rows'"):
        make("numpy", numbers, columns=["id", "__rows"])


@pytest.fixture
def named_so(tmp_path: Path) -> Path:
    """Files with columns of these names, one of them with a null."""
    columns = {"id": [10, 11, 12], "__row": [0.5, 1.5, None], "__file": [7, 8, 9]}
    pq.write_table(pa.table(columns), tmp_path / "named_so.parquet")
    return tmp_path


@pytest.mark.parametrize("face", FACES)
def test_a_column_of_the_files_comes_first(named_so: Path, face: str) -> None:
    columns = [Column("__row", fill=-1.0), "__file", "__row_group"]
    for paths in (named_so, Catalog.open(named_so)):
        (batch,) = make(face, paths, columns=columns)
        assert np.asarray(batch["__file"]).tolist() == [7, 8, 9]
        assert np.asarray(batch["__file"]).dtype == np.int64
        assert np.asarray(batch["__row_group"]).tolist() == [0, 0, 0]
        assert np.asarray(batch["__row"]).tolist() == [0.5, 1.5, -1.0]


def test_a_catalog_without_the_files_column_has_where_rows_come_from(
    named_so: Path,
) -> None:
    catalog = Catalog.open(named_so, ["id"])
    (batch,) = make("numpy", catalog, columns=PLACE)
    assert rows(batch, PLACE) == [(0, 0, 0), (0, 0, 1), (0, 0, 2)]


def test_a_fill_is_refused(numbers: Path) -> None:
    with pytest.raises(
        ValueError, match=r"'__row' .* has no nulls or lists: it takes a name only"
    ):
        make("numpy", numbers, columns=["id", Column("__row", fill=0)])
    batch = next(iter(make("numpy", numbers, columns=[Column("__row")])))
    assert batch["__row"].tolist() == list(range(16))


def test_a_label_may_say_where_rows_come_from(numbers: Path) -> None:
    for columns in (None, ["id"]):
        dataset = make("numpy", numbers, columns=columns, label="__file", shuffle=True)
        at = ids_in_files(dataset.catalog)
        file_of = {i: file for (file, _, _), i in at.items()}
        for features, file in dataset:
            assert [file_of[i] for i in features["id"].tolist()] == file.tolist()


@pytest.fixture
def unreadable(tmp_path: Path) -> Path:
    """Files of which every byte but those of the footer is overwritten."""
    directory = write_numbers(tmp_path / "numbers", [40, 25, 0, 1, 64])
    for path in directory.iterdir():
        data = path.read_bytes()
        footer = int.from_bytes(data[-8:-4], "little") + 8
        path.write_bytes(b"\xff" * (len(data) - footer) + data[-footer:])
    return directory


@pytest.mark.parametrize("face", FACES)
def test_alone_they_list_the_order_and_read_no_page(
    unreadable: Path, face: str
) -> None:
    with pytest.raises(Exception, match="parquet"):
        list(make(face, unreadable, columns=["id", *PLACE]))
    dataset = make(face, unreadable, columns=PLACE, shuffle=True)
    assert dataset.catalog.schema == []
    found = [row for batch in dataset for row in rows(batch, PLACE)]
    groups = dataset.catalog.row_groups
    in_order = [(g.file, g.index, row) for g in groups for row in range(g.rows)]
    assert found != in_order
    assert sorted(found) == in_order
