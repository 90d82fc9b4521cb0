# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The TensorFlow face: values, specs, states, errors."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tensorflow as tf

import rowfeed
from numbered_rows import NUM_ROWS, write_numbers
from rowfeed.tensorflow import ParquetDataset
from tf_numbers import SHUFFLED, id_of, ids, make


def all_types() -> pa.Table:
    rows = range(37)
    text = ["", "short", "é" * 11, "e" * 22, "f" * 23, "long " * 50]
    moment = datetime.datetime(2026, 1, 2)
    hour = datetime.timedelta(hours=1)
    floats = [i / 8 for i in rows]
    columns = {
        "bool": pa.array([i % 3 == 0 for i in rows], pa.bool_()),
        "int8": pa.array(rows, pa.int8()),
        "uint16": pa.array(rows, pa.uint16()),
        "int32": pa.array(rows, pa.int32()),
        "uint64": pa.array([2**63 + i for i in rows], pa.uint64()),
        "half": pa.array(np.array(floats, np.float16)),
        "double": pa.array(floats, pa.float64()),
        "string": pa.array([text[i % 6] for i in rows], pa.string()),
        "short": pa.array([text[i % 4] for i in rows], pa.string()),
        "binary": pa.array([bytes([0, 255, i]) * i for i in rows], pa.binary()),
        "fixed": pa.array([bytes([i]) * 3 for i in rows], pa.binary(3)),
        "dictionary": pa.array([text[i % 6] for i in rows]).dictionary_encode(),
        "time": pa.array([moment + i * hour for i in rows], pa.timestamp("us")),
        "dense": pa.array([[i, i + 1] for i in rows], pa.list_(pa.float32(), 2)),
        "ragged": pa.array([[i] * (i % 5) for i in rows], pa.list_(pa.int64())),
    }
    return pa.table(columns)


def as_lists(value: Any) -> Any:
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    return np.asarray(value.numpy()).tolist()


def expected_lists(column: pa.ChunkedArray) -> list[Any]:
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())
    values = column.to_pylist()
    if pa.types.is_fixed_size_binary(column.type):
        return [list(v) for v in values]
    return [v.encode() if isinstance(v, str) else v for v in values]


@pytest.fixture(scope="module")
def types(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("types") / "types.parquet"
    pq.write_table(all_types(), path, row_group_size=10)
    return path


def test_values_of_all_types_are_those_of_pyarrow(types: Path) -> None:
    dataset = ParquetDataset(types, 8)
    batches = list(dataset)  # Kept: a batch never changes.
    table = pq.read_table(types)
    for name in table.column_names:
        got = [row for batch in batches for row in as_lists(batch[name])]
        assert got == expected_lists(table[name]), name
    for batch in batches:
        tf.nest.map_structure(check_spec, dataset.element_spec, batch)


def test_rows_of_all_types_are_those_of_pyarrow(types: Path) -> None:
    dataset = ParquetDataset(types, None)
    table = pq.read_table(types)
    rows = list(dataset)
    for name in table.column_names:
        assert [as_lists(row[name]) for row in rows] == expected_lists(table[name]), (
            name
        )
    for row in rows:
        tf.nest.map_structure(check_spec, dataset.element_spec, row)
    assert dataset.element_spec["dense"] == tf.TensorSpec([2], tf.float32)
    assert dataset.element_spec["ragged"] == tf.TensorSpec([None], tf.int64)
    assert dataset.element_spec["int8"] == tf.TensorSpec([], tf.int8)


def check_spec(spec: Any, value: Any) -> None:
    assert spec.is_compatible_with(value), (spec, value)


def test_columns_survive_maps_batches_and_caches(types: Path) -> None:
    dataset = ParquetDataset(types, 4, columns=["string", "short", "ragged", "double"])
    again = dataset.unbatch().map(lambda row: row).cache().ragged_batch(8)
    assert len(list(again)) == 5
    table = pq.read_table(types)
    for name in ("string", "short", "ragged"):
        got = [row for batch in again for row in as_lists(batch[name])]
        assert got == expected_lists(table[name])


@pytest.mark.parametrize(
    ("keywords", "size"),
    [
        ({}, None),
        ({"remainder": "drop"}, 16),
        ({"remainder": "pad"}, 16),
        ({"remainder": "wrap"}, 16),
        ({"batch_size": 25}, None),  # A state may be of other batches.
        ({"rank": 1, "world_size": 2}, 16),
    ],
)
def test_batch_size_is_static_where_every_batch_is_full(
    numbers: Path, keywords: dict[str, Any], size: int | None
) -> None:
    dataset = make(numbers, **keywords)
    assert dataset.element_spec["id"] == tf.TensorSpec([size], tf.int64)
    sizes = [len(batch["id"]) for batch in dataset]
    assert len(sizes) == len(dataset)
    assert size is None or set(sizes) == {size}


def test_label_and_weight_are_apart(numbers: Path) -> None:
    keywords: dict[str, Any] = {"columns": ["id"], "label": "even"}
    (features, label), *_ = ParquetDataset(numbers, 8, **keywords)
    assert set(features) == {"id"}
    np.testing.assert_array_equal(label, features["id"].numpy() % 2 == 0)
    keywords["sample_weight"] = "half"
    (features, label, weight), *_ = ParquetDataset(numbers, 8, **keywords)
    np.testing.assert_array_equal(weight, features["id"].numpy() / 2)


@pytest.mark.parametrize("sample_weight", [None, "half"])
def test_padded_rows_weigh_nothing(numbers: Path, sample_weight: str | None) -> None:
    columns = ["id", "name", "parts", "__valid"]
    dataset = ParquetDataset(
        numbers,
        16,
        columns=columns,
        label="even",
        sample_weight=sample_weight,
        remainder="pad",
    )
    batches = list(dataset)
    features, _, weight = batches[-1]
    valid = features["__valid"].numpy()
    assert valid.tolist() == [True] * 10 + [False] * 6
    weights = features["id"].numpy() / 2 if sample_weight else np.ones(16)
    np.testing.assert_array_equal(weight, np.where(valid, weights, 0))
    assert features["name"].numpy()[10:].tolist() == [b""] * 6
    assert features["parts"][10:].to_list() == [[]] * 6
    assert sum(b[0]["__valid"].numpy().sum() for b in batches) == NUM_ROWS
    for batch in batches:
        tf.nest.map_structure(check_spec, dataset.element_spec, batch)


@pytest.mark.parametrize("num_threads", [1, 2, 8])
def test_order_is_that_of_the_numpy_face(numbers: Path, num_threads: int) -> None:
    keywords: dict[str, Any] = {**SHUFFLED, "num_threads": num_threads, "num_lanes": 4}
    for rank in range(2):
        options = {**keywords, "columns": ["id"], "rank": rank, "world_size": 2}
        ours = ParquetDataset(numbers, 16, **options)
        theirs = rowfeed.ParquetDataset(numbers, 16, **options)
        assert ids(ours) == [i for batch in theirs for i in batch["id"]]


def test_state_resumes_in_the_numpy_face_and_back(numbers: Path) -> None:
    whole = ids(make(numbers, num_epochs=2))
    dataset = make(numbers, num_epochs=2)
    iterator = iter(dataset)
    head = [i for _ in range(5) for i in next(iterator)["id"].numpy()]
    state = json.loads(json.dumps(dataset.state_dict()))
    assert state == dataset.state_at(0, 5)

    other = rowfeed.ParquetDataset(
        numbers, 16, columns=["id"], num_epochs=2, **SHUFFLED
    )
    other.load_state_dict(state)
    iteration = iter(other)
    middle = [i for _ in range(14) for i in next(iteration)["id"]]
    state = iteration.state_dict()

    resumed = make(numbers, num_epochs=2)
    resumed.load_state_dict(state)
    assert resumed.state_dict() == state
    assert head + middle + ids(resumed) == whole


def test_state_of_an_iteration_that_is_gone(numbers: Path) -> None:
    dataset = make(numbers)
    start = dataset.state_dict()
    assert (start["epoch"], start["row"]) == (0, 0)
    for step, _ in enumerate(dataset):
        if step == 3:
            break
    assert dataset.state_dict() == dataset.state_at(0, 4)
    dataset.set_epoch(4)
    assert dataset.state_dict() == dataset.state_at(4, 0)


def test_states_of_other_data_or_order_are_refused(
    numbers: Path, tmp_path: Path
) -> None:
    state = make(numbers).state_dict()
    fewer = write_numbers(tmp_path / "fewer", [40, 25])
    with pytest.raises(ValueError, match="fingerprint"):
        make(fewer).load_state_dict(state)
    with pytest.raises(ValueError, match="seed"):
        make(numbers, seed=8).load_state_dict(state)
    with pytest.raises(TypeError):
        make(numbers).load_state_dict("state")  # type: ignore[arg-type]
    two_lanes = make(numbers, 8, rank=0, world_size=2).state_dict()
    with pytest.raises(ValueError, match="num_lanes=2 to the constructor"):
        make(numbers).load_state_dict(two_lanes)
    make(numbers, num_lanes=2).load_state_dict(two_lanes)


def test_an_error_names_file_and_column_and_the_iteration_goes_on(
    tmp_path: Path,
) -> None:
    path = tmp_path / "nulls.parquet"
    values = [*range(20), None, *range(21, 40)]
    pq.write_table(pa.table({"id": values}), path, row_group_size=10)
    dataset = ParquetDataset(path, 5)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"nulls.parquet.*'id'"):
        list(dataset)
    good = ids(dataset.ignore_errors())
    assert [i for i in range(40) if i // 10 != 2] == good


def test_who_ignores_that_no_epoch_can_begin_comes_to_an_end(tmp_path: Path) -> None:
    directory = write_numbers(tmp_path / "n", [30, 30])
    dataset = ParquetDataset(directory, 10, filter=[("even", "==", True)])
    write_numbers(directory, [30, 31])
    for pipeline in (dataset, dataset.skip(1), dataset.shard(2, 1)):
        assert ids(pipeline.ignore_errors()) == []
    iterator = iter(dataset)
    for _ in range(2):
        with pytest.raises(tf.errors.DataLossError, match=r"1.parquet changed"):
            next(iterator)


def test_a_file_that_changed_is_an_error_that_names_it(tmp_path: Path) -> None:
    directory = write_numbers(tmp_path / "n", [30, 30, 30])
    dataset = ParquetDataset(directory, 10)
    write_numbers(directory, [30, 30, 31])
    with pytest.raises(tf.errors.DataLossError, match=r"0.parquet changed"):
        list(dataset)


def test_bad_options_are_errors_of_python(numbers: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ParquetDataset(numbers / "none", 16)
    with pytest.raises(KeyError):
        ParquetDataset(numbers, 16, columns=["none"])
    with pytest.raises(ValueError, match="batch_size"):
        ParquetDataset(numbers, 0)


@pytest.mark.fault(53)
def test_options_of_what_is_on_top_are_those_of_tensorflow(numbers: Path) -> None:
    """They hold for every step of the pipeline; each other one is named here."""
    expected = tf.data.Options()
    assert make(numbers).map(id_of).options() == expected
    policy = tf.data.experimental.AutoShardPolicy
    expected.experimental_distribute.auto_shard_policy = policy.OFF
    sharded = make(numbers, rank=0, world_size=2)
    assert sharded.map(id_of).options() == expected


def test_options_can_be_overridden(numbers: Path) -> None:
    chosen = tf.data.Options()
    chosen.experimental_symbolic_checkpoint = True
    chosen.experimental_optimization.inject_prefetch = True
    changed = make(numbers).with_options(chosen)
    assert changed.options().experimental_symbolic_checkpoint
    assert changed.options().experimental_optimization.inject_prefetch
    assert len(ids(changed)) == NUM_ROWS


def test_labels_reach_a_map(numbers: Path) -> None:
    dataset = make(numbers, label="half").map(lambda x, y: (x, y * 2))
    for features, label in dataset:
        np.testing.assert_array_equal(id_of(features), label)
