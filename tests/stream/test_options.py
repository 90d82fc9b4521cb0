# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The keywords: what they are, what they refuse, what they warn of."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from numbered_rows import NUM_ROWS, write_numbers
from rowfeed import Catalog, Column, ParquetDataset, ParquetMapDataset
from rowfeed._keras.backup import Backups

WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"batch_size": 0}, ValueError, "batch_size must be >= 1, not 0"),
    ({"batch_size": -3}, ValueError, "batch_size"),
    ({"batch_size": 1.5}, TypeError, "batch_size must be an int"),
    ({"batch_size": True}, TypeError, "batch_size"),
    ({"batch_size": "9"}, TypeError, "batch_size"),
    ({"batch_size": 2**31}, ValueError, "batch_size must be <= 2147483647"),
    ({"batch_size": 2**63}, ValueError, "batch_size"),
    ({"seed": -1}, ValueError, "seed"),
    ({"seed": 2**64}, ValueError, "seed"),
    ({"seed": None}, TypeError, "seed"),
    ({"shuffle": 1}, TypeError, "shuffle must be a bool"),
    ({"reshuffle_each_iteration": None}, TypeError, "reshuffle_each_iteration"),
    ({"shuffle_window": 0}, ValueError, "shuffle_window"),
    ({"block_rows": 0}, ValueError, "block_rows"),
    ({"block_rows": 2.0}, TypeError, "block_rows"),
    ({"num_epochs": 0}, ValueError, "num_epochs"),
    ({"first_epoch": -1}, ValueError, "first_epoch"),
    ({"num_lanes": 0}, ValueError, "num_lanes"),
    ({"num_threads": 0}, ValueError, "num_threads"),
    ({"num_threads": 2**31}, ValueError, "num_threads"),
    ({"memory_budget_bytes": 0}, ValueError, "memory_budget_bytes"),
    ({"memory_budget_bytes": 1}, ValueError, "memory_budget_bytes"),
    ({"rank": 0}, ValueError, "together"),
    ({"world_size": 2}, ValueError, "together"),
    ({"rank": 2, "world_size": 2}, ValueError, "rank=2.*world_size=2"),
    ({"rank": -1, "world_size": 2}, ValueError, "rank"),
    ({"rank": 0, "world_size": 0}, ValueError, "world_size"),
    ({"remainder": "keep"}, ValueError, "drop, pad, wrap, uneven.*'keep'"),
    ({"remainder": 1}, TypeError, "remainder"),
    ({"columns": "id"}, TypeError, "columns"),
    ({"columns": [3]}, TypeError, "columns"),
    ({"columns": ["id", "id"]}, ValueError, "'id' is named twice"),
    ({"columns": ["id"], "label": "id"}, ValueError, "'id' is named twice"),
    ({"columns": ["nope"]}, KeyError, "nope"),
    ({"label": "nope"}, KeyError, "nope"),
    ({"label": 3}, TypeError, "label"),
    ({"sample_weight": "half"}, ValueError, "needs a label"),
    ({"label": "id", "sample_weight": "name"}, ValueError, "one number per row"),
    ({"label": "id", "sample_weight": "parts"}, ValueError, "one number per row"),
    (
        {"batch_size": 100, "rank": 0, "world_size": 3},
        ValueError,
        f"{NUM_ROWS} rows and a global batch 300",
    ),
    ({"batch_size": 251, "remainder": "drop"}, ValueError, "leaves no batch"),
]


@pytest.mark.fault(39)
@pytest.mark.parametrize(("keywords", "error", "text"), WRONG, ids=str)
def test_wrong_keywords(
    keywords: dict[str, Any], error: type[Exception], text: str, numbers: Path
) -> None:
    with pytest.raises(error, match=text):
        ParquetDataset(numbers, **{"batch_size": 8, **keywords})


def test_wrong_columns_are_named_with_what_there_is() -> None:
    with pytest.raises(TypeError, match="name"):
        Column(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="fill"):
        Column("x", fill=[1])  # type: ignore[arg-type]


def test_numpy_integers_are_integers(numbers: Path) -> None:
    keywords: dict[str, Any] = {"seed": np.uint64(2**64 - 1), "num_epochs": np.int32(2)}
    dataset = ParquetDataset(numbers, np.int64(9), **keywords)  # type: ignore[arg-type]
    assert len(dataset) == 2 * -(-NUM_ROWS // 9)
    assert dataset.state_dict()["order"]["seed"] == 2**64 - 1


@pytest.mark.parametrize(
    ("keywords", "steps"),
    [
        ({}, 32),
        ({"remainder": "drop"}, 31),
        ({"num_epochs": 3}, 96),
        ({"rank": 1, "world_size": 2}, 15),
        ({"rank": 0, "world_size": 2, "remainder": "uneven"}, 16),
        ({"rank": 1, "world_size": 3, "remainder": "pad"}, 11),
        ({"rank": 1, "world_size": 3, "remainder": "wrap", "num_epochs": 2}, 22),
    ],
)
def test_len_is_the_number_of_batches(
    keywords: dict[str, Any], steps: int, numbers: Path
) -> None:
    dataset = ParquetDataset(numbers, 8, **keywords)
    assert len(dataset) == steps
    assert len(list(dataset)) == steps
    dataset.load_state_dict(dataset.state_at(0, 3))
    assert len(dataset) == steps
    assert len(list(dataset)) == steps - 3


def test_an_endless_dataset_has_no_length(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 100, num_epochs=None)
    with pytest.raises(TypeError, match="endless"):
        len(dataset)
    batches = [batch for _, batch in zip(range(8), dataset, strict=False)]
    sizes = [len(batch["id"]) for batch in batches]
    assert sizes == [100, 100, 50, 100, 100, 50, 100, 100]


@pytest.mark.fault(8)
def test_an_empty_data_set_ends_at_once(tmp_path: Path) -> None:
    data = write_numbers(tmp_path, [0, 0])
    for num_epochs in (1, 3, None):
        for remainder in ("drop", "pad", "wrap", "uneven"):
            dataset = ParquetDataset(
                data, 4, num_epochs=num_epochs, remainder=remainder, shuffle=True
            )
            assert list(dataset) == []


def test_few_blocks_in_a_window_warn_with_both_numbers(tmp_path: Path) -> None:
    data = write_numbers(tmp_path, [50] * 20)
    text = "shuffle_window=150 rows is fewer than 4 blocks of 50 rows"
    with pytest.warns(UserWarning, match=text) as caught:
        ParquetDataset(data, 8, shuffle=True, shuffle_window=150)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    # None of these warns, or it would be an error here.
    ParquetDataset(data, 8, shuffle=True)
    ParquetDataset(data, 8, shuffle=True, shuffle_window=151)
    ParquetDataset(data, 8, shuffle=True, shuffle_window=100, block_rows=25)
    ParquetDataset(data, 8, shuffle=True, shuffle_window=1000)
    ParquetDataset(data, 8, shuffle=False, shuffle_window=1)
    ParquetDataset(
        data, 8, shuffle=True, shuffle_window=100, num_lanes=10, rank=0, world_size=5
    )


def test_lanes_that_ranks_share_warn_with_the_cost(numbers: Path) -> None:
    text = "world_size=6 does not divide num_lanes=4.*3 times"
    with pytest.warns(UserWarning, match=text) as caught:
        ParquetDataset(numbers, 8, num_lanes=4, rank=0, world_size=6)
    assert len(caught) == 1


def test_defaults(numbers: Path) -> None:
    stream = ParquetDataset(numbers, 8)._parameters.stream
    assert stream.order.num_lanes == 1
    assert stream.delivery.remainder == "uneven"
    stream = ParquetDataset(numbers, 8, rank=1, world_size=4)._parameters.stream
    assert stream.order.num_lanes == 4
    assert stream.delivery.remainder == "drop"


def test_a_padded_dataset_takes_the_name_valid(tmp_path: Path) -> None:
    pq.write_table(pa.table({"__valid": [1, 2]}), tmp_path / "x.parquet")
    assert len(ParquetDataset(tmp_path, 1)) == 2
    with pytest.raises(ValueError, match="__valid"):
        ParquetDataset(tmp_path, 1, remainder="pad")


def tasks() -> set[str]:
    """Returns the ids of this process's threads."""
    return {task.name for task in Path("/proc/self/task").iterdir()}


def test_constructing_starts_nothing_and_reads_only_footers(tmp_path: Path) -> None:
    data = write_numbers(tmp_path, [10, 10])
    before = tasks()
    iterations = [iter(ParquetDataset(data, 4)) for _ in range(10)]
    patience = time.monotonic() + 10  # Threads that read footers end late.
    while tasks() - before and time.monotonic() < patience:
        time.sleep(0.01)
    assert not tasks() - before
    assert len(iterations) == 10


def test_the_budget_has_room_for_the_pointers_of_a_large_window_of_strings(
    tmp_path: Path,
) -> None:
    rows = 1_200_000  # Numbers of so many rows would be no narrow window.
    table = pa.table({"x": pa.array(["a", "bc"] * (rows // 2))})
    pq.write_table(table, tmp_path / "x.parquet", row_group_size=100_000)
    one, two = (
        ParquetDataset(
            tmp_path, 1024, shuffle=True, shuffle_window=rows, num_threads=threads
        )._parameters.stream.memory_budget_bytes
        for threads in (1, 2)
    )
    assert two - one >= 8 * rows


@pytest.mark.parametrize(
    ("num_lanes", "windows"),
    [(1, "1 window of up to 64 rows"), (4, "4 windows, each of up to")],
)
def test_the_error_for_too_small_a_budget_speaks_of_one_window_or_of_several(
    num_lanes: int, windows: str, tmp_path: Path
) -> None:
    write_numbers(tmp_path, [16, 16, 16, 16], num_files=1)
    options: dict[str, Any] = {"shuffle": True, "num_lanes": num_lanes}
    with pytest.raises(ValueError, match=f"needed: {windows}"):
        ParquetDataset(tmp_path, 4, memory_budget_bytes=1, **options)


def test_directories_in_a_store_are_refused(numbers: Path) -> None:
    with pytest.raises(NotImplementedError, match="cache_dir must be a local"):
        ParquetDataset(numbers, 8, cache_dir="s3://bucket/x")
    with pytest.raises(NotImplementedError, match="cache_dir must be a local"):
        ParquetMapDataset(numbers, cache_dir="s3://bucket/x")
    with pytest.raises(NotImplementedError, match="cache_dir must be a local"):
        Catalog.open(numbers).count([("id", "<", 3)], cache_dir="s3://bucket/x")
    with pytest.raises(NotImplementedError, match="snapshot_dir must be a local"):
        ParquetDataset(numbers, 8, refresh="epoch", snapshot_dir="gs://bucket/x")
    with pytest.raises(NotImplementedError, match="backup_dir must be a local"):
        Backups("gs://bucket/x", 2, Catalog.open(numbers))


def test_no_cache_dir_is_no_directory(
    monkeypatch: pytest.MonkeyPatch, numbers: Path, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(ParquetDataset(numbers, 8, filter=[("id", "<", 8)], cache_dir="")) == 1
    assert not [*tmp_path.iterdir()]


def test_a_feature_may_have_the_name_of_the_label_s_column(numbers: Path) -> None:
    columns = {"half": "id"}
    dataset = ParquetDataset(numbers, 8, columns=columns, label="half")
    features, label = next(iter(dataset))
    assert (features["half"] == 2 * label).all()
    with pytest.raises(ValueError, match="'half' is named twice"):
        ParquetDataset(numbers, 8, columns={"half": "half"}, label="half")


@pytest.mark.parametrize(
    "options", [{"columns": ["id", "id"]}, {"columns": ["id"], "label": "id"}]
)
def test_a_column_that_is_named_twice_is_an_error_of_a_public_class(
    options: dict[str, Any], numbers: Path
) -> None:
    with pytest.raises(ValueError, match="column 'id' is named twice") as caught:
        ParquetDataset(numbers, 8, **options)
    assert type(caught.value) is ValueError
