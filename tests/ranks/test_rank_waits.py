# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ranks that wait for each other say where they wait, and where the others are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from process_groups import processes

pytest.importorskip("torch")

import waiting_ranks
from rowfeed._ranks import store_wait
from rowfeed._ranks.store_wait import Wait
from rowfeed._ranks.waiting_places import WaitingPlaces

# New processes import torch, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)


def waited(said: str, rank: int, other: int, action: str) -> bool:
    begin = rf"rank {rank} has waited \d+ s for rank {other} to {action} the dataset\. "
    return re.match(begin, said) is not None


def said(data: Path, store: Path, program: str, num_ranks: int = 2) -> list[str]:
    """Returns what the first ranks say when they have waited."""
    with processes(waiting_ranks.run, 2, data, program, store=store) as ranks:
        return [str(rank.receive()) for rank in ranks[:num_ranks]]


def test_ranks_that_iterate_two_datasets_in_another_order_say_so(
    numbers: Path, tmp_path: Path
) -> None:
    first, second = said(numbers, tmp_path / "store", "other_order")
    assert waited(first, 0, 1, "begin to iterate")
    assert waited(second, 1, 0, "begin to iterate")
    data = f"('{numbers}/0.parquet' and 2 more files)"
    places = [f"epoch 4 of dataset 1 {data}", f"epoch 0 of dataset 2 {data}"]
    assert f"Rank 0 waits at {places[0]}" in first
    assert f"rank 1 waits at {places[1]}" in first
    assert f"Rank 1 waits at {places[1]}" in second
    assert f"rank 0 waits at {places[0]}" in second
    for each in (first, second):
        assert "in the same order" in each
        assert "rank=0, world_size=1" in each


def test_an_evaluation_on_one_rank_of_a_dataset_of_all_says_where_all_wait(
    numbers: Path, tmp_path: Path
) -> None:
    first, second = said(numbers, tmp_path / "store", "evaluate_on_one")
    assert "Rank 0 waits at epoch 0 of dataset 2 (" in first
    assert "rank 1 waits at epoch 1 of dataset 1 (" in first
    assert "Rank 1 waits at epoch 1 of dataset 1 (" in second
    assert "rank=0, world_size=1" in first


def test_a_rank_that_waits_in_no_dataset_is_said_to_be_elsewhere(
    numbers: Path, tmp_path: Path
) -> None:
    program = "evaluate_on_one_and_meet"
    (first,) = said(numbers, tmp_path / "store", program, num_ranks=1)
    assert waited(first, 0, 1, "begin to iterate")
    assert "Rank 0 waits at epoch 0 of dataset 1 (" in first
    assert "rank 1 waits in no dataset" in first


def test_a_dataset_that_one_rank_alone_makes_says_that_the_other_has_not_made_it(
    numbers: Path, tmp_path: Path
) -> None:
    first, second = said(numbers, tmp_path / "store", "make_on_one")
    assert waited(first, 0, 1, "make")
    assert "Rank 0 waits at epoch 0 of dataset 2 (" in first
    assert "rank 1 waits at epoch 0 of dataset 1 (" in first
    assert waited(second, 1, 0, "begin to iterate")


class Values(dict[str, str]):
    """A store within this process, with the methods of `Store`."""

    def set(self, key: str, value: bytes | str, /) -> None:
        assert isinstance(value, str)
        self[key] = value

    def get(self, key: str, /) -> bytes:  # type: ignore[override]
        return self[key].encode()

    def check(self, keys: list[str], /) -> bool:
        return all(key in self for key in keys)

    def delete_key(self, key: str, /) -> bool:
        return self.pop(key, None) is not None


class Silent(Values):
    """A store that does not answer in time when a place is taken back."""

    def set(self, key: str, value: bytes | str, /) -> None:
        if not value:
            raise TimeoutError("no answer")
        super().set(key, value)


def places(store: Values, rank: int, here: str) -> WaitingPlaces:
    return WaitingPlaces(store, "waits", rank, 2, lambda: here)


def wait(store: Values, rank: int, here: str, timeout_s: float = 600) -> Wait:
    return Wait(
        store, rank, timeout_s, lambda: False, "begin", places=places(store, rank, here)
    )


@pytest.fixture
def told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_wait, "_TELL_S", 0)


@pytest.mark.usefixtures("told_at_once")
def test_where_a_rank_waited_is_known_after_its_time_is_over() -> None:
    store = Values()
    for rank, here in enumerate(["A", "B"]):
        with pytest.raises(TimeoutError, match=f"Rank {rank} waits at {here}") as over:
            wait(store, rank, here, timeout_s=0.1).until(lambda: None, "the other")
    assert "rank 0 waits at A" in str(over.value)


def test_the_end_of_one_wait_of_a_rank_does_not_hide_another() -> None:
    store = Values()
    seen = places(store, 1, "C")
    first, second = places(store, 0, "A"), places(store, 0, "B")
    first.tell()
    second.tell()
    first.take_back()
    assert "rank 0 waits at B" in seen.said()
    second.take_back()
    assert "rank 0 waits in no dataset" in seen.said()


@pytest.mark.usefixtures("told_at_once")
def test_a_wait_tells_its_place_again_when_another_has_taken_its_own_back() -> None:
    store = Values()
    told: list[str] = []

    def look() -> bool | None:
        """Sees the place told, replaced by another wait and taken back, and told."""
        place = store.get("waits/0").decode() if store else ""
        if place == "A":
            told.append(place)
            other = places(store, 0, "B")
            other.tell()
            other.take_back()
        return len(told) == 2 or None

    assert wait(store, 0, "A").until(look, "rank 1")


@pytest.mark.usefixtures("told_at_once")
def test_a_store_that_is_late_when_a_place_is_taken_back_hides_no_result() -> None:
    store = Silent()
    found = wait(store, 0, "A").until(lambda: "waits/0" in store or None, "rank 1")
    assert found
