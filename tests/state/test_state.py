# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""States: every one resumes exactly, and those of other data or orders are refused."""

from __future__ import annotations

import json
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numbered_rows import NUM_ROWS, write_numbers
from rowfeed import Catalog, ParquetDataset

SHUFFLED: dict[str, Any] = {
    "columns": ["id"],
    "shuffle": True,
    "seed": 11,
    "shuffle_window": 50,
    "block_rows": 10,
    "num_lanes": 4,
}


def make(data: Path | Catalog, batch_size: int | None = 16, **keywords: Any) -> Any:
    return ParquetDataset(data, batch_size, **{**SHUFFLED, **keywords})


def batches(iterable: Any) -> list[list[int]]:
    return [batch["id"].tolist() for batch in iterable]


def through_json(state: Any) -> Any:
    text = json.dumps(state)
    assert len(text) < 600
    return json.loads(text)


@pytest.fixture(scope="module")
def catalog(numbers: Path) -> Catalog:
    return Catalog.open(numbers)


def test_the_state_is_as_documented(catalog: Catalog) -> None:
    dataset = make(catalog, num_epochs=3)
    iteration = iter(dataset)
    for _ in range(20):
        next(iteration)
    assert iteration.state_dict() == {
        "format": 1,
        "order_version": 1,
        "epoch": 1,
        "row": 64,
        "next_epoch": 2,
        "epochs_done": 1,
        "order": {
            "shuffle": True,
            "seed": 11,
            "shuffle_window": 50,
            "block_rows": 10,
            "num_lanes": 4,
            "pinned_epoch": None,
        },
        "global_batch": 16,
        "fingerprint": catalog.fingerprint,
    }


@pytest.mark.fault(44)
@pytest.mark.parametrize("remainder", ["drop", "pad", "wrap", "uneven"])
def test_resuming_at_every_batch(catalog: Catalog, remainder: str) -> None:
    """Over two epochs, into a fresh iterator, a used one, and a fresh dataset."""
    options: dict[str, Any] = {"num_epochs": 2, "remainder": remainder}
    whole = batches(make(catalog, **options))
    dataset = make(catalog, **options)
    walk = iter(dataset)
    used = iter(make(catalog, **options))
    next(used)
    for done in range(len(whole) + 1):
        state = through_json(walk.state_dict())
        assert state == walk.state_dict() == dataset.state_dict()
        resumed = iter(make(catalog, **options))
        resumed.load_state_dict(state)
        assert resumed.state_dict() == state
        assert batches(resumed) == whole[done:]

        other = make(catalog, **options)
        other.load_state_dict(state)
        assert other.state_dict() == state
        if done % 5 == 0:
            assert batches(other) == whole[done:]
            used.load_state_dict(state)
            next(used, None)
        if done < len(whole):
            next(walk)


@pytest.mark.fault(44)
def test_after_the_last_batch_and_after_the_end(catalog: Catalog) -> None:
    dataset = make(catalog)
    first, second = batches(dataset), batches(dataset)
    iteration = iter(make(catalog))
    for _ in first:
        next(iteration)
    last = iteration.state_dict()
    assert (last["epoch"], last["row"]) == (0, NUM_ROWS)
    assert list(iteration) == []
    end = iteration.state_dict()
    assert (end["epoch"], end["row"], end["epochs_done"]) == (1, 0, 0)
    assert list(iteration) == []
    for state, then in ((last, []), (end, second)):
        other = make(catalog)
        other.load_state_dict(state)
        assert batches(other) == then
        assert batches(other) == (second if not then else batches(_at(catalog, 2)))


def _at(catalog: Catalog, epoch: int) -> Any:
    dataset = make(catalog)
    dataset.set_epoch(epoch)
    return dataset


def test_the_position_outlives_the_iterator(catalog: Catalog) -> None:
    dataset = make(catalog)
    whole = batches(make(catalog))
    for k, _ in enumerate(dataset):
        if k == 4:
            break
    state = dataset.state_dict()
    assert (state["epoch"], state["row"]) == (0, 80)
    dataset.load_state_dict(state)
    assert batches(dataset) == whole[5:]


@pytest.mark.fault(18)
def test_a_restored_iterator_owns_its_place(catalog: Catalog) -> None:
    dataset = make(catalog)
    orders = [batches(dataset) for _ in range(3)]
    one, two = iter(dataset), iter(dataset)
    one.load_state_dict(dataset.state_at(0, 3))
    two.load_state_dict(dataset.state_at(1, 5))
    assert batches(one) == orders[0][3:]
    assert batches(two) == orders[1][5:]
    assert batches(dataset) == orders[2]


def test_a_place_that_nobody_pulled_from_is_not_taken(catalog: Catalog) -> None:
    dataset = make(catalog)
    orders = [batches(dataset) for _ in range(2)]
    iter(dataset).load_state_dict(dataset.state_at(0, 3))
    assert batches(dataset) == orders[0][3:]
    assert batches(dataset) == orders[1]


@given(epoch=st.integers(0, 2**40), step=st.integers(0, 16))
def test_state_at_equals_walking(epoch: int, step: int, catalog: Catalog) -> None:
    walked = make(catalog, first_epoch=epoch)
    iteration = iter(walked)
    for _ in range(step):
        next(iteration)
    assert walked.state_at(epoch, step) == iteration.state_dict()
    assert make(catalog).state_at(epoch, step) == iteration.state_dict()


def test_state_at_over_several_epochs(catalog: Catalog) -> None:
    dataset = make(catalog, num_epochs=3, first_epoch=2)
    iteration = iter(dataset)
    for epoch in (2, 3, 4):
        for step in range(len(dataset) // 3):
            next(iteration)
            assert iteration.state_dict() == dataset.state_at(epoch, step + 1)
    for arguments in ((0, -1), (0, 17), (-1, 0), (0, 2**70)):
        with pytest.raises(ValueError, match=r"epoch|step"):
            dataset.state_at(*arguments)
    with pytest.raises(TypeError, match="step"):
        dataset.state_at(0, 1.0)


@pytest.mark.fault(42)
def test_delivery_is_free_to_change(numbers: Path, catalog: Catalog) -> None:
    """Other threads, ranks, world sizes and columns go on with the same rows."""
    iteration = iter(make(catalog))
    done = [i for _ in range(6) for i in next(iteration)["id"].tolist()]
    state = iteration.state_dict()
    rest = [i for batch in batches(iteration) for i in batch]
    assert sorted(done + rest) == list(range(NUM_ROWS))
    for world_size in (1, 2, 4, 8, 16):
        got = []
        for rank in range(world_size):
            resumed = make(
                numbers,
                16 // world_size,
                columns=["half", "id"],
                rank=rank,
                world_size=world_size,
                remainder="uneven",
                num_threads=1 + rank % 2,
                num_lanes=None,
            )
            resumed.load_state_dict(state)
            got.append(batches(resumed))
        steps = [
            sorted(chain(*(ranks or [] for ranks in step)))
            for step in zip_longest(*got)
        ]
        assert steps == [sorted(rest[i : i + 16]) for i in range(0, len(rest), 16)]


def test_options_left_at_none_take_the_states(numbers: Path, catalog: Catalog) -> None:
    whole = batches(make(catalog))
    state = make(catalog).state_at(0, 3)
    loose = {"shuffle_window": None, "block_rows": None, "num_lanes": None}
    dataset = make(numbers, **loose)
    assert dataset.state_dict()["order"] != state["order"]
    dataset.load_state_dict(state)
    assert dataset.state_dict() == state
    assert batches(dataset) == whole[3:]
    again = iter(make(numbers, **loose))
    again.load_state_dict(state)
    assert batches(again) == whole[3:]
    again.load_state_dict(make(catalog, num_lanes=2).state_at(0, 1))
    assert batches(again) == batches(make(catalog, num_lanes=2))[1:]


@pytest.mark.fault(42)
def test_another_global_batch_warns_and_goes_on(catalog: Catalog) -> None:
    whole = [i for batch in batches(make(catalog)) for i in batch]
    dataset = make(catalog, 10)
    with pytest.warns(UserWarning, match="global batch of 16 rows.* 10") as caught:
        dataset.load_state_dict(make(catalog, 16).state_at(0, 2))
    assert caught[0].filename == __file__
    assert [i for batch in batches(dataset) for i in batch] == whole[32:]


DIFFERENT: list[tuple[dict[str, Any], str]] = [
    ({"shuffle": False}, "shuffle is True, but False"),
    ({"seed": 12}, "seed is 11, but 12"),
    ({"shuffle_window": 49}, "shuffle_window is 50, but 49"),
    ({"block_rows": 11}, "block_rows is 10, but 11"),
    ({"num_lanes": 3}, "num_lanes is 4, but 3"),
    ({"reshuffle_each_iteration": False}, "pinned_epoch is None, but 0"),
]


@pytest.mark.fault(42)
@pytest.mark.parametrize(("keywords", "text"), DIFFERENT, ids=str)
def test_another_order_is_refused_by_the_first_field(
    keywords: dict[str, Any], text: str, catalog: Catalog
) -> None:
    state = make(catalog).state_at(0, 1)
    dataset = make(catalog, **keywords)
    for loader in (dataset, iter(dataset)):
        with pytest.raises(ValueError, match=text):
            loader.load_state_dict(state)
    assert len(list(dataset)) == len(dataset)  # A refused state changes nothing.


@pytest.mark.fault(5, 42)
def test_other_data_is_refused(catalog: Catalog, tmp_path: Path) -> None:
    state = make(catalog).state_at(0, 1)
    other = make(write_numbers(tmp_path, [100, 150]))
    with pytest.raises(ValueError, match=f"fingerprint is '{catalog.fingerprint}'"):
        other.load_state_dict(state)


BROKEN: list[tuple[str, Any]] = [
    *[(f, v) for f in ("epoch", "row", "next_epoch") for v in (-1, 2**63, 1.0, True)],
    *[(f, v) for f in ("epochs_done", "global_batch") for v in (-1, "3", None)],
    ("row", NUM_ROWS + 1),
    ("format", 2),
    ("order_version", 2),
    ("epoch", 10**5000),
    ("order", None),
    ("order", []),
    ("fingerprint", 3),
    ("fingerprint", "x" * 10**6),
]


@pytest.mark.fault(43)
@pytest.mark.parametrize(("field", "value"), BROKEN, ids=range(len(BROKEN)))
def test_broken_states_are_refused(field: str, value: Any, catalog: Catalog) -> None:
    dataset = make(catalog)
    with pytest.raises(ValueError, match=field) as error:
        dataset.load_state_dict({**dataset.state_at(0, 1), field: value})
    assert len(str(error.value)) < 300


@pytest.mark.fault(43)
def test_missing_and_unknown_fields_are_refused(catalog: Catalog) -> None:
    dataset = make(catalog)
    state = dataset.state_at(0, 1)
    for field in state:
        without = {k: v for k, v in state.items() if k != field}
        with pytest.raises(ValueError, match=f"no field '{field}'"):
            dataset.load_state_dict(without)
    with pytest.raises(ValueError, match="'extra' that is not known"):
        dataset.load_state_dict({**state, "extra": 1})
    for field in state["order"]:
        without = {k: v for k, v in state["order"].items() if k != field}
        with pytest.raises(ValueError, match=f"order has no field '{field}'"):
            dataset.load_state_dict({**state, "order": without})
    wrong: list[Any] = [None, [], "state", 3, b"state"]
    for value in wrong:
        with pytest.raises(TypeError, match="dict"):
            dataset.load_state_dict(value)
    with pytest.raises(ValueError, match="no field"):
        dataset.load_state_dict({})
