# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Order, length, ranks and resumption under a filter: the model's of what is left."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numbered_rows import group_rows_of
from order_model import Plan, Remainder, batch, cut_into_blocks, steps
from reading import module_of
from rowfeed import ParquetDataset

ID = pc.field("id")
# What passes: nothing, 3 %, half, all; by the filter and by arithmetic.
FILTERS: dict[str, tuple[Any, Callable[[int], bool]]] = {
    "none": (ID < 0, lambda _: False),
    "few": (pc.bit_wise_and(ID, 31) == 7, lambda row: row % 32 == 7),
    "half": (pc.field("even"), lambda row: row % 2 == 0),
    "all": (ID >= 0, lambda _: True),
}
pytestmark = [
    pytest.mark.filterwarnings("ignore:world_size="),
    pytest.mark.filterwarnings("ignore:shuffle_window="),
    pytest.mark.filterwarnings("ignore:the state was taken"),
]


def stream_of(
    passes: Callable[[int], bool], *, block_rows: int | None, **order: Any
) -> list[int]:
    """The global stream by the model: each block has as many rows as pass."""
    blocks = cut_into_blocks(group_rows_of(), block_rows)
    left = [[row for row in range(*block) if passes(row)] for block in blocks]
    plan = Plan([len(rows) for rows in left], block_rows=None, **order)
    rows = [row for block in left for row in block]
    return [rows[i] for i in plan.stream()]


def ids(batch: Any) -> list[int]:
    rows: list[int] = np.asarray(batch["id"]).tolist()
    return rows


def dataset_of(face: str) -> Any:
    return module_of(face).ParquetDataset


@pytest.mark.parametrize("passing", FILTERS)
@pytest.mark.parametrize("remainder", ["drop", "pad", "wrap", "uneven"])
@pytest.mark.parametrize(("world_size", "num_lanes"), [(1, 1), (2, 2), (3, 2), (2, 8)])
@pytest.mark.parametrize("block_rows", [None, 10])
def test_ranks_get_the_models_batches_of_what_passes(
    numbers: Path,
    passing: str,
    remainder: Remainder,
    world_size: int,
    num_lanes: int,
    block_rows: int | None,
) -> None:
    expression, passes = FILTERS[passing]
    order: dict[str, Any] = {
        "shuffle": True,
        "seed": 1,
        "shuffle_window": 30,
        "block_rows": block_rows,
        "num_lanes": num_lanes,
    }
    stream = stream_of(passes, epoch=3, **order)
    for rank in range(world_size):
        dataset = ParquetDataset(
            numbers,
            3,
            columns=["id"],
            first_epoch=3,
            filter=expression,
            rank=rank,
            world_size=world_size,
            remainder=remainder,
            **order,
        )
        expected = [
            batch(
                stream,
                rank=rank,
                world_size=world_size,
                batch_size=3,
                step=step,
                remainder=remainder,
            )
            for step in range(steps(len(stream), 3 * world_size, remainder))
        ]
        expected = [rows for rows in expected if rows]
        assert len(dataset) == len(expected)
        if remainder == "drop" and stream and not expected:
            with pytest.raises(ValueError, match="leaves no batch"):
                list(dataset)
            continue
        got = []
        for rows in dataset:
            valid = rows.get("__valid", np.ones(3, bool)).tolist()
            got.append(
                [i if v else None for i, v in zip(ids(rows), valid, strict=False)]
            )
        assert got == expected


@given(
    passing=st.sampled_from(["few", "half", "all"]),
    world_sizes=st.tuples(st.sampled_from([1, 2, 4]), st.sampled_from([1, 2, 4])),
    step=st.integers(0, 30),
    block_rows=st.sampled_from([None, 7]),
)
def test_any_rank_resumes_any_step_at_another_world_size(
    numbers: Path,
    passing: str,
    world_sizes: tuple[int, int],
    step: int,
    block_rows: int | None,
) -> None:
    expression, passes = FILTERS[passing]
    order: dict[str, Any] = {
        "shuffle": True,
        "seed": 9,
        "shuffle_window": 50,
        "block_rows": block_rows,
        "num_lanes": 4,
    }
    stream = stream_of(passes, epoch=0, **order)
    before, after = world_sizes
    step = min(step, steps(len(stream), 4, "drop"))

    def dataset(rank: int, world_size: int) -> ParquetDataset:
        return ParquetDataset(
            numbers,
            4 // world_size,
            columns=["id"],
            filter=expression,
            remainder="drop",
            rank=rank,
            world_size=world_size,
            **order,
        )

    iteration = iter(dataset(before - 1, before))
    for _ in range(step):
        next(iteration)
    state = iteration.state_dict()
    parts = []
    for rank in range(after):
        resumed = dataset(rank, after)
        resumed.load_state_dict(state)
        parts.append([row for rows in resumed for row in ids(rows)])
    got = [row for rows in zip(*parts, strict=True) for row in rows]
    assert got == stream[4 * step : len(stream) // 4 * 4]


@pytest.mark.parametrize("face", ["torch", "tensorflow"])
@pytest.mark.parametrize("passing", FILTERS)
def test_every_face_delivers_the_same_and_knows_its_length(
    numbers: Path, face: str, passing: str
) -> None:
    options: dict[str, Any] = {
        "columns": ["id", "name", "parts"],
        "shuffle": True,
        "shuffle_window": 40,
        "filter": FILTERS[passing][0],
    }
    expected = [ids(rows) for rows in ParquetDataset(numbers, 8, **options)]
    dataset = dataset_of(face)(numbers, 8, **options)
    assert len(dataset) == len(expected)
    assert [ids(rows) for rows in dataset] == expected


def test_texts_and_lists_are_those_of_their_rows(numbers: Path) -> None:
    expression, passes = FILTERS["few"]
    seen = []
    for rows in ParquetDataset(numbers, 5, shuffle=True, filter=expression):
        for row, name, parts in zip(
            rows["id"], rows["name"].tolist(), rows["parts"].tolist(), strict=True
        ):
            assert (name, parts) == (f"row {row}", [row] * (row % 4))
            seen.append(int(row))
    assert sorted(seen) == [row for row in range(sum(group_rows_of())) if passes(row)]


def test_a_state_without_the_filter_is_refused_by_name(numbers: Path) -> None:
    plain = ParquetDataset(numbers, 8)
    filtered = ParquetDataset(numbers, 8, filter=ID > 3)
    with pytest.raises(ValueError, match=r"filter is None, but '\(id > 3\) #"):
        filtered.load_state_dict(plain.state_dict())
    with pytest.raises(ValueError, match=r"filter is '\(id > 3\) #.*, but None"):
        plain.load_state_dict(filtered.state_dict())
    state = {**filtered.state_at(0, 1), "order": plain.state_dict()["order"]}
    with pytest.warns(UserWarning, match="may come twice or not at all"):
        filtered.load_state_dict(state, strict=False)


def test_a_pickled_dataset_does_not_count_again(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 8, filter=pc.field("even"))
    unknown = pickle.loads(pickle.dumps(dataset))
    assert not unknown._parameters.rows.is_known
    length = len(dataset)
    known = pickle.loads(pickle.dumps(dataset))
    assert known._parameters.rows.is_known
    assert len(known) == len(unknown) == length


def test_nothing_is_counted_by_the_constructor(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 8, filter=pc.field("even"))
    assert not dataset._parameters.rows.is_known
    assert dataset.element_spec["id"].shape == (None,)
    dataset.state_dict()
    assert not dataset._parameters.rows.is_known


def test_a_set_is_the_same_filter_in_each_process(numbers: Path) -> None:
    script = (
        "import json, sys, rowfeed\n"
        "names = {f'row {i}' for i in range(8)}\n"
        "passes = [[('name', 'in', names)]]\n"
        "dataset = rowfeed.ParquetDataset(sys.argv[1], 8, filter=passes)\n"
        "print(json.dumps(dataset.state_dict()['order']), len(dataset))"
    )
    orders = {
        subprocess.check_output(
            [sys.executable, "-c", script, str(numbers)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            text=True,
        )
        for seed in ("1", "2", "3")
    }
    assert len(orders) == 1
    assert orders.pop().endswith(" 1\n")


def test_a_filter_that_leaves_less_than_a_global_batch_is_an_error(
    numbers: Path,
) -> None:
    for epochs in (1, None):
        dataset = ParquetDataset(
            numbers, 8, rank=0, world_size=2, num_epochs=epochs, filter=ID < 15
        )
        with pytest.raises(ValueError, match=r"leaves no batch.* 15 rows that pass"):
            next(iter(dataset))
    assert list(ParquetDataset(numbers, 8, rank=0, world_size=2, filter=ID < 0)) == []


@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
@pytest.mark.parametrize("few", [10, 0])
def test_a_place_behind_what_a_filter_leaves_is_the_end_of_the_epoch(
    face: str, few: int, numbers: Path
) -> None:
    state = ParquetDataset(numbers, 4).state_at(0, 20)
    passing = [("id", "<", few)]
    for remainder in ("uneven", "drop", "pad", "wrap"):
        dataset = dataset_of(face)(numbers, 4, filter=passing, remainder=remainder)
        with pytest.warns(UserWarning, match="the state is not of this dataset"):
            dataset.load_state_dict(state, strict=False)
        assert list(dataset) == []
    if face != "tensorflow":
        iteration = iter(dataset_of(face)(numbers, 4, filter=passing))
        with pytest.warns(UserWarning, match="the state is not of this dataset"):
            iteration.load_state_dict(state, strict=False)
        assert list(iteration) == []
