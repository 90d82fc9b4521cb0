# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How rank 0 tells the other ranks what it has listed for an epoch."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from agreements import agreement, never  # noqa: E402
from rowfeed._ranks.agreement import Turn  # noqa: E402
from rowfeed._torch.ranks import GroupAgreement  # noqa: E402


class Listing:
    """What an agreement needs of the snapshots of a data set that grows."""

    def __init__(self, found: bytes = b"listed") -> None:
        self.known, self.found = b"", found

    def fingerprint_of(self, _: int) -> str:
        return self.known.decode()

    def begin(self, _: int) -> None:
        self.known = self.found

    def save(self, _: int) -> bytes:
        return self.known

    def load(self, _: int, listing: bytes) -> None:
        self.known = listing


class Failing:
    """A store that fails to set so many times."""

    def __init__(self, store: Any, num_failures: int) -> None:
        self.store = store
        self.todo = [RuntimeError("lost")] * num_failures

    def set(self, key: str, value: bytes | str) -> None:
        if self.todo:
            raise self.todo.pop()
        self.store.set(key, value)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


@pytest.mark.parametrize("num_failures", [1, 2])  # The second: to tell of the first.
def test_a_listing_that_could_not_be_told_is_told_when_it_is_asked_for_again(
    num_failures: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = (str(tmp_path / "store"),)
    first, second = (agreement(address, rank, 2, 20) for rank in (0, 1))
    listing: Any = Listing()
    listed: Any = Listing()
    with monkeypatch.context() as patch:
        store = Failing(first.connect(), num_failures)
        patch.setattr(GroupAgreement, "connect", lambda _: store)
        with pytest.raises(RuntimeError, match=r"^lost$"):
            first.list_epoch(listing, 0, never)
    if num_failures == 1:
        with pytest.raises(RuntimeError, match="rank 0: lost"):
            second.list_epoch(listed, 0, never)
    first.list_epoch(listing, 0, never)
    second.list_epoch(listed, 0, never)
    assert listed.known == b"listed"


def test_a_rank_whose_epoch_nobody_lists_is_told_that_it_is_apart(
    tmp_path: Path,
) -> None:
    """Rank 1 has left rank 0 behind, which waits for it at the end of epoch 0."""
    address = (str(tmp_path / "store"),)
    first, second = (agreement(address, rank, 2, 1000) for rank in (0, 1))
    listing: Any = Listing()
    said = "epoch is 0 on rank 0 and 1 on rank 1.*batch_at"
    with ThreadPoolExecutor(1) as threads:
        waits = threads.submit(
            second.list_epoch, listing, 1, never, Turn(0, {"epoch": 1})
        )
        with pytest.raises(ValueError, match=said):
            first.compare(Turn(0, {"epoch": 0}), never)
        with pytest.raises(ValueError, match=said):
            waits.result()


def test_a_wait_for_a_listing_leaves_no_plan_behind(tmp_path: Path) -> None:
    """What rank 1 has looked at is not what it trains on."""
    address = (str(tmp_path / "store"),)
    first, second = (agreement(address, rank, 2, 60) for rank in (0, 1))
    listings: list[Any] = [Listing(), Listing()]
    turn = Turn(0, {"epoch": 0})
    with ThreadPoolExecutor(1) as threads:
        looks = threads.submit(second.list_epoch, listings[1], 0, never, turn)
        while not second.connect().check(["key/0/1"]):
            pass
        first.list_epoch(listings[0], 0, never, turn)
        looks.result()
        waits = threads.submit(first.compare, turn, never)
        with pytest.raises(ValueError, match="epoch is 0 on rank 0 and 1 on rank 1"):
            second.compare(Turn(0, {"epoch": 1}), never)
        with pytest.raises(ValueError, match="epoch is 0 on rank 0 and 1 on rank 1"):
            waits.result()


def test_a_copy_of_rank_0_takes_the_listing_that_others_may_have_read(
    tmp_path: Path,
) -> None:
    address = (str(tmp_path / "store"),)
    first, second = (agreement(address, rank, 2, 20) for rank in (0, 1))
    told: list[Any] = [Listing() for _ in range(3)]
    first.list_epoch(told[0], 0, never)
    second.list_epoch(told[1], 0, never)
    copy = pickle.loads(pickle.dumps(first))
    again: Any = Listing(b"grown")
    copy.list_epoch(again, 0, never)
    following: Any = Listing(b"grown")
    copy.list_epoch(following, 1, never)  # Drops no listing that is read once more.
    second.list_epoch(told[2], 0, never)
    assert [each.known for each in (*told, again)] == [b"listed"] * 4
    assert following.known == b"grown"
