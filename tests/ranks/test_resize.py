# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ranks leave and join between two steps, and the rest of the epoch comes once."""

from __future__ import annotations

import importlib
import os
import signal
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowfeed
from numbered_rows import NUM_ROWS
from process_groups import results


def dataset(
    numbers: Path, rank: int, world_size: int, face: str = "rowfeed", **options: Any
) -> Any:
    return importlib.import_module(face).ParquetDataset(
        numbers,
        **{
            "batch_size": 7,
            "columns": ["id"],
            "shuffle": True,
            "seed": 7,
            "shuffle_window": 60,
            "block_rows": 12,
            "num_lanes": 12,
            "rank": rank,
            "world_size": world_size,
            "remainder": "uneven",
            **options,
        },
    )


def rows_of(batches: Any) -> list[int]:
    return [row for batch in batches for row in batch["id"].tolist()]


@pytest.mark.parametrize("face", ["rowfeed", "rowfeed.torch"])
@settings(max_examples=40, deadline=None)
@given(
    changes=st.lists(
        st.tuples(st.integers(0, 4), st.integers(1, 4)), min_size=1, max_size=4
    ),
    world_size=st.integers(1, 4),
    joins_anew=st.booleans(),
    filtered=st.booleans(),
    transformed=st.booleans(),
)
def test_each_row_comes_once_however_ranks_leave_and_join(
    face: str,
    numbers: Path,
    changes: list[tuple[int, int]],
    world_size: int,
    joins_anew: bool,
    filtered: bool,
    transformed: bool,
) -> None:
    """Ranks that stay keep their iterations, and those that join load a state."""
    if face == "rowfeed.torch":
        pytest.importorskip("torch")
    options: dict[str, Any] = {"face": face}
    if filtered:
        options["filter"] = [("id", ">=", 50)]
    if transformed:
        options["transform"] = lambda batch: batch
    ranks = [
        dataset(numbers, rank, world_size, **options) for rank in range(world_size)
    ]
    batches = [iter(rank) for rank in ranks]
    seen: list[int] = []
    for steps, new_size in changes:
        for _ in range(steps):
            seen += rows_of(batch for it in batches for batch in islice(it, 1))
        state = ranks[0].state_dict()
        if state["epoch"]:  # The first epoch has ended.
            break
        ranks, batches = ranks[:new_size], batches[:new_size]
        for rank, staying in enumerate(ranks):
            staying.resize(rank, new_size)
        for rank in range(len(ranks), new_size):
            first = (rank, new_size) if joins_anew else (0, 1)
            joining = dataset(numbers, *first, **options)
            joining.load_state_dict({**state, "global_batch": 7 * first[1]})
            joining.resize(rank, new_size)
            ranks.append(joining)
            batches.append(iter(joining))
    rest = [rows_of(it) for it in batches]
    assert sorted([*seen, *(row for rows in rest for row in rows)]) == list(
        range(50 if filtered else 0, NUM_ROWS)
    )
    # The next epoch is whole as well.
    following = [row for rank in ranks for row in rows_of(rank)]
    assert sorted(following) == list(range(50 if filtered else 0, NUM_ROWS))


def test_a_resized_iteration_delivers_what_a_resumed_dataset_would(
    numbers: Path,
) -> None:
    for remainder in ("drop", "wrap", "pad", "uneven"):
        options: dict[str, Any] = {"remainder": remainder}
        if remainder == "pad":
            options["columns"] = ["id", "__valid"]
        resized = dataset(numbers, 1, 3, **options)
        batches = iter(resized)
        next(batches)
        state = resized.state_dict()
        resized.resize(0, 2)
        resumed = dataset(numbers, 0, 2, **options)
        with pytest.warns(rowfeed.StateWarning, match="global batch of 21"):
            resumed.load_state_dict(state)
        expected = [batch["id"].tolist() for batch in resumed]
        assert [batch["id"].tolist() for batch in batches] == expected


def test_a_loop_that_was_left_goes_on_with_the_rest(numbers: Path) -> None:
    train = dataset(numbers, 0, 1)
    seen = rows_of(islice(train, 5))
    train.resize(0, 1)
    assert sorted(seen + rows_of(train)) == list(range(NUM_ROWS))
    assert train.state_dict()["epoch"] == 1


@pytest.mark.parametrize("face", ["rowfeed", "rowfeed.torch"])
def test_an_iteration_that_was_put_back_has_the_new_share(
    face: str, numbers: Path
) -> None:
    if face == "rowfeed.torch":
        pytest.importorskip("torch")
    train = dataset(numbers, 0, 2, face)
    batches = iter(train)
    next(batches)
    state = train.state_dict()
    next(batches)
    batches.load_state_dict(state)
    train.resize(0, 1)
    assert train.state_dict() == {**state, "global_batch": 7}
    assert len(rows_of(batches)) == NUM_ROWS - 14


@pytest.mark.parametrize("face", ["rowfeed", "rowfeed.torch"])
def test_another_iteration_takes_the_next_epoch(face: str, numbers: Path) -> None:
    """The rest of the epoch is for the iteration that is under way, and comes once."""
    if face == "rowfeed.torch":
        pytest.importorskip("torch")
    train = dataset(numbers, 0, 1, face)
    batches = iter(train)
    seen = rows_of(islice(batches, 3))
    train.resize(0, 1)
    assert train.state_dict()["row"] == 21
    assert sorted(rows_of(train)) == list(range(NUM_ROWS))
    assert sorted(seen + rows_of(batches)) == list(range(NUM_ROWS))


@pytest.mark.parametrize("face", ["rowfeed", "rowfeed.torch"])
def test_all_iterations_that_are_under_way_have_the_new_share(
    face: str, numbers: Path
) -> None:
    if face == "rowfeed.torch":
        pytest.importorskip("torch")
    train = dataset(numbers, 0, 2, face)
    first, second = iter(train), iter(train)
    next(first)
    next(second)
    next(second)
    train.resize(0, 1)
    assert len(rows_of(first)) == NUM_ROWS - 14
    assert len(rows_of(second)) == NUM_ROWS - 28


def test_an_epoch_follows_the_last_step_though_nobody_asked_for_more(
    numbers: Path,
) -> None:
    train = dataset(numbers, 0, 1)
    batches = iter(train)
    for _ in range(len(train)):
        next(batches)
    train.resize(0, 1)
    assert sorted(rows_of(train)) == list(range(NUM_ROWS))


def test_a_closed_dataset_is_not_resized(numbers: Path) -> None:
    train = dataset(numbers, 0, 1)
    train.close()
    with pytest.raises(ValueError, match="the dataset is closed"):
        train.resize(0, 1)


def test_a_signal_handler_does_not_resize_in_the_middle_of_a_batch(
    numbers: Path,
) -> None:
    refused: list[BaseException] = []

    def handle(*_: Any) -> None:
        try:
            train.resize(0, 2)
        except RuntimeError as error:
            refused.append(error)

    def interrupted(batch: Any) -> Any:
        if not refused:
            os.kill(os.getpid(), signal.SIGUSR1)
            while not refused:
                time.sleep(0.01)
        return batch

    train = dataset(numbers, 0, 1, transform=interrupted)
    before = signal.signal(signal.SIGUSR1, handle)
    try:
        rows = rows_of(train)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert "in the middle of a batch" in str(refused[0])
    assert sorted(rows) == list(range(NUM_ROWS))


def test_an_iteration_that_has_not_begun_has_the_new_share(numbers: Path) -> None:
    train = dataset(numbers, 0, 2)
    batches = iter(train)
    train.resize(0, 1)
    assert sorted(rows_of(batches)) == list(range(NUM_ROWS))


def test_defaults_are_those_of_the_constructor_and_the_remainder_stays(
    numbers: Path,
) -> None:
    train = dataset(numbers, 1, 2, remainder=None, num_lanes=None)
    train.resize()
    repeated = repr(train)
    assert "num_lanes=2" in repeated
    assert "remainder='drop'" in repeated
    assert len(rows_of(train)) == NUM_ROWS // 7 * 7


def test_a_mixture_is_resized_as_a_whole(numbers: Path) -> None:
    def mixture(rank: int, world_size: int) -> Any:
        sources = [
            dataset(
                *(numbers, rank, world_size), seed=seed, remainder="drop", num_lanes=2
            )
            for seed in (1, 2)
        ]
        return rowfeed.mix(sources, [2, 1], stop="all_exhausted")

    ranks = [mixture(rank, 2) for rank in range(2)]
    batches = [iter(rank) for rank in ranks]
    seen = rows_of(batch for it in batches for batch in islice(it, 4))
    state = ranks[0].state_dict()
    alone = mixture(0, 1)
    alone.load_state_dict({**state, "global_batch": 7})
    ranks[0].resize(0, 1)
    assert rows_of(batches[0]) == rows_of(alone)
    assert seen


def test_growing_data_go_on_with_the_files_of_their_epoch(
    numbers: Path, tmp_path: Path
) -> None:
    train = dataset(
        *(numbers, 0, 1),
        refresh="epoch",
        snapshot_dir=tmp_path / "snapshots",
        remainder="pad",
        batch_size=25,
    )
    batches = iter(train)
    seen = rows_of(islice(batches, 3))
    train.resize(0, 1)
    assert sorted(seen + rows_of(batches)) == list(range(NUM_ROWS))
    with pytest.raises(ValueError, match="refresh='epoch' with world_size=2"):
        train.resize(0, 2)


def test_a_refused_size_changes_nothing(numbers: Path) -> None:
    train = dataset(numbers, 0, 2)
    batches = iter(train)
    seen = rows_of(islice(batches, 2))
    expected = rows_of(islice(dataset(numbers, 0, 2), 2, None))
    with pytest.raises(ValueError, match="rank must be < world_size"):
        train.resize(2, 2)
    with pytest.raises(ValueError, match="rank and world_size must be given together"):
        train.resize(world_size=2)
    with pytest.raises(TypeError, match=r"rank must be an int"):
        train.resize("0", 2)
    with pytest.raises(TypeError, match=r"resize has no option 'num_replicas'"):
        train.resize(num_replicas=2)
    assert rows_of(batches) == expected
    assert seen


def test_resize_in_the_middle_of_a_batch_is_refused(numbers: Path) -> None:
    refused: list[BaseException] = []

    def resizing(batch: Any) -> Any:
        """Runs in a thread of rowfeed, while the consumer waits for the batch."""
        if not refused:
            try:
                train.resize(0, 2)
            except RuntimeError as error:
                refused.append(error)
        return batch

    train = dataset(numbers, 0, 1, transform=resizing)
    rows = rows_of(train)
    assert "call it between two batches" in str(refused[0])
    assert sorted(rows) == list(range(NUM_ROWS))


def test_ranks_of_a_group_go_on_in_another_group(numbers: Path, tmp_path: Path) -> None:
    """One of three processes leaves. The others make a group, and meet in it."""
    pytest.importorskip("torch")
    import resizing_ranks

    found = results(resizing_ranks.leave_and_go_on, 3, numbers, tmp_path)
    assert not any(isinstance(report, Exception) for report in found), found
    assert sorted(row for rows in found for row in rows[0]) == list(range(NUM_ROWS))
    # In the next epoch the rank that stays away is not missed either.
    assert sorted(row for rows in found for row in rows[1]) == list(range(NUM_ROWS))


def test_ranks_that_disagree_after_resize_are_told(
    numbers: Path, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    import resizing_ranks

    found = results(resizing_ranks.disagree, 2, numbers, tmp_path)
    assert all("row is" in str(report) for report in found), found
    assert len({str(report) for report in found}) == 1


@pytest.mark.filterwarnings("ignore::rowfeed.PerformanceWarning")
def test_workers_of_a_dataloader_are_not_resized(numbers: Path) -> None:
    torch = pytest.importorskip("torch")
    from rowfeed.torch import ParquetDataset

    train = ParquetDataset(numbers, 10, columns=["id"])
    loader = torch.utils.data.DataLoader(train, batch_size=None, num_workers=1)
    batches = iter(loader)
    next(batches)
    with pytest.raises(RuntimeError, match="iterated in DataLoader workers"):
        train.resize(0, 1)
