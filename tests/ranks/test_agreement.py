# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How ranks compare their plans; test_distributed_torch.py does it in real groups."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from agreements import agreement, never  # noqa: E402
from rowfeed import mix  # noqa: E402
from rowfeed._ranks import store_wait  # noqa: E402
from rowfeed._ranks.agreement import Turn  # noqa: E402
from rowfeed._ranks.plans import difference, plan_of  # noqa: E402
from rowfeed.torch import ParquetDataset  # noqa: E402

PLAN: dict[str, Any] = {"seed": 7, "batch_size": 4, "row": 0}


def meet(address: Any, plans: list[dict[str, Any]]) -> list[str]:
    """Returns what each of several ranks, here threads, is told."""

    def told(rank: int) -> str:
        mine = agreement(address, rank, len(plans), 60)
        try:
            mine.compare(Turn(0, plans[rank]), never)
        except ValueError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(len(plans)) as ranks:
        return list(ranks.map(told, range(len(plans))))


@pytest.mark.parametrize("kind", ["tcp", "file"])
@pytest.mark.parametrize("seed", [7, 8])
def test_all_ranks_are_told_the_same(kind: str, seed: int, tmp_path: Path) -> None:
    server = torch.distributed.TCPStore(
        "localhost", 0, is_master=True, wait_for_workers=False
    )
    address = {"tcp": (server.host, server.port), "file": (str(tmp_path / "store"),)}
    said = meet(address[kind], [PLAN, {**PLAN, "seed": seed}, PLAN])
    expected = "the ranks have different plans: seed is 7 on ranks 0, 2 and 8 on rank 1"
    assert said == ["" if seed == 7 else expected] * 3


@pytest.mark.fault(40)
def test_the_first_difference_is_named() -> None:
    assert difference([PLAN, PLAN]) == ""
    plans = [PLAN, {**PLAN, "batch_size": 5, "row": 1}, {**PLAN, "batch_size": None}]
    assert difference(plans) == (
        "the ranks have different plans: batch_size is 4 on rank 0 and 5 on rank 1 and "
        "None on rank 2"
    )
    many = [{**PLAN, "seed": rank % 2} for rank in range(40)]
    assert difference(many).endswith(
        "seed is 0 on ranks 0, 2, 4, 6, 8, 10, 12, 14 and 12 more and "
        "1 on ranks 1, 3, 5, 7, 9, 11, 13, 15 and 12 more"
    )
    absent: dict[str, Any] = {
        "seed": 7,
        "batch_size": 4,
    }  # A place that is not the same on all ranks.
    assert difference([absent, PLAN, absent]) == difference([PLAN, absent]) == ""
    assert difference([PLAN, {"error": "OSError: gone"}]) == (
        "rank 1 could not make its dataset: OSError: gone"
    )


def test_a_rank_that_does_not_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_wait, "_PATIENCE_S", 0)
    for rank, whom in ((0, "rank 1"), (1, "rank 0")):
        alone = agreement((str(tmp_path / str(rank)),), rank, 2, 0.1)
        with (
            pytest.warns(UserWarning, match=f"{rank} has waited 0 s for {whom} to beg"),
            pytest.raises(TimeoutError, match=f"rank {rank} waited 0 s for {whom}"),
        ):
            alone.compare(Turn(0, PLAN), never)


def test_a_wait_names_the_ranks_that_have_not_come_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_wait, "_PATIENCE_S", 0)
    address = (str(tmp_path / "store"),)
    here = [agreement(address, rank, 4, 1) for rank in (0, 2)]
    for each in here:  # Both have come; neither waits for the other.
        each.connect().set(f"key/0/{each.rank}", json.dumps({**PLAN, "visit": ""}))
        each.connect().set(f"key/0/answer of {each.rank}", "")
    for each in here:
        with (
            pytest.warns(UserWarning, match="has waited 0 s") as warned,
            pytest.raises(TimeoutError, match="for ranks 1, 3 to begin"),
        ):
            each.compare(Turn(0, PLAN), never)
        said = str(warned[0].message)
        assert f"rank {each.rank} has waited 0 s for ranks 1, 3 to begin" in said
        for name in ("dispatch_batches", "rank=0, world_size=1", "batch_at("):
            assert name in said


def test_a_rank_that_waits_can_be_closed(numbers: Path, tmp_path: Path) -> None:
    dataset = ParquetDataset(numbers, 4, rank=0, world_size=2)
    dataset._agreement = agreement((str(tmp_path / "store"),), 0, 2, 1000)
    batches = iter(dataset)
    closer = threading.Timer(0.2, dataset.close)
    closer.start()
    with pytest.raises(ValueError, match="the iteration is closed"):
        next(batches)  # Rank 1 has not made the dataset.
    closer.join()


def test_meetings_leave_nothing_in_the_store() -> None:
    """Else the memory of rank 0 would grow with every epoch."""
    server = torch.distributed.TCPStore(
        "localhost", 0, is_master=True, wait_for_workers=False
    )
    ranks = [agreement((server.host, server.port), rank, 3, 60) for rank in range(3)]
    counted = [0, 0, 0]

    def epochs(rank: int) -> None:
        def count() -> None:
            counted[rank] += 1

        for epoch in range(20):
            plan = {**PLAN, "row": epoch}
            ranks[rank].compare(Turn(counted[rank], plan, count), never)

    before = server.num_keys()
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(epochs, range(3)))
    assert counted == [20] * 3
    assert server.num_keys() == before


@pytest.mark.parametrize("rank", [0, 1])
def test_a_plan_of_an_iteration_that_was_left_is_not_compared(
    rank: int, tmp_path: Path
) -> None:
    """A rank wrote a plan and went, as the workers of a DataLoader do."""
    address = (str(tmp_path / "store"),)
    ranks = [agreement(address, each, 2, 60) for each in (0, 1)]
    with pytest.raises(ValueError, match="the iteration is closed"):
        ranks[rank].compare(Turn(0, {"epoch": 0}), lambda: True)
    with ThreadPoolExecutor(1) as threads:
        other = threads.submit(ranks[1 - rank].compare, Turn(0, {"epoch": 1}), never)
        asked = ranks[0].connect()
        while not asked.check([f"key/0/{1 - rank}" if rank == 0 else "key/0/asked"]):
            pass
        ranks[rank].compare(Turn(0, {"epoch": 1}), never)
        other.result()


def test_a_rank_that_comes_back_with_another_plan_is_told(tmp_path: Path) -> None:
    address = (str(tmp_path / "store"),)
    first, second = (agreement(address, rank, 2, 60) for rank in (0, 1))
    with pytest.raises(ValueError, match="the iteration is closed"):
        second.compare(Turn(0, {"epoch": 0}), lambda: True)
    said = "epoch is 0 on rank 0 and 1 on rank 1.*batch_at"
    with ThreadPoolExecutor(1) as threads:
        other = threads.submit(first.compare, Turn(0, {"epoch": 0}), never)
        while not second.connect().check(["key/0/asked"]):
            pass
        with pytest.raises(ValueError, match=said):
            second.compare(Turn(0, {"epoch": 1}), never)
        with pytest.raises(ValueError, match=said):
            other.result()


def test_an_error_of_one_rank_ends_the_wait_of_the_others(tmp_path: Path) -> None:
    address = (str(tmp_path / "store"),)
    ranks = [agreement(address, rank, 3, 1000) for rank in range(3)]
    said = r"rank 1: OSError: gone"
    with ThreadPoolExecutor(2) as threads:
        waits = [
            threads.submit(ranks[rank].compare, Turn(0, PLAN), never) for rank in (0, 2)
        ]
        ranks[1].fail(0, OSError("gone"))
        for wait in waits:
            with pytest.raises(RuntimeError, match=said):
                wait.result()


def test_an_error_that_a_rank_has_overcome_stops_nobody(tmp_path: Path) -> None:
    address = (str(tmp_path / "store"),)
    first, second = (agreement(address, rank, 2, 60) for rank in (0, 1))
    for rank in (first, second):
        rank.fail(0, OSError("gone"))
        rank.connect().set("key/0/failed", "{}")  # The next one takes its place.
    second.fail(0, OSError("gone"))
    with ThreadPoolExecutor(1) as threads:
        waits = threads.submit(second.compare, Turn(0, PLAN), never)
        while json.loads(first.connect().get("key/0/failed")):
            pass
        first.compare(Turn(0, PLAN), never)
        waits.result()


def test_a_plan_has_the_weights_of_later_epochs(numbers: Path) -> None:
    def plan(epoch: int, given: Any) -> Any:
        source = ParquetDataset(numbers, 4, shuffle=True)
        mixture = mix([source, source], given)
        mixture.set_epoch(epoch)
        return plan_of(mixture._parameters, mixture._start())

    changing = {0: [1, 1], 1: [3, 1]}
    said = difference([plan(0, changing), plan(0, [1, 1])])
    assert "weights of later epochs is [[1, [3, 1]]] on rank 0 and [] on" in said
    assert not difference([plan(0, {0: [1, 1], 2: [2, 2]}), plan(0, [1, 1])])
    assert not difference([plan(1, changing), plan(1, [3, 1])])


def test_a_plan_has_what_ranks_must_have_in_common(numbers: Path) -> None:
    two: Any = np.int64(2)
    ranks = [
        ParquetDataset(
            numbers,
            4,
            columns=[name],
            num_epochs=two,
            num_threads=n + 1,
            rank=n,
            world_size=2,
        )
        for n, name in enumerate(("id", "half"))
    ]
    plans = [
        plan_of(rank._parameters, rank._start(), begins=begins)
        for begins in (True, False)
        for rank in ranks
    ]
    assert plans[0]["batch_size"] == 4
    assert json.loads(json.dumps(plans)) == plans
    assert difference(plans) == ""


def test_ranks_of_which_one_has_a_filter_or_a_mixture_have_different_plans(
    numbers: Path,
) -> None:
    def plan(**keywords: Any) -> Any:
        dataset = ParquetDataset(numbers, 4, rank=0, world_size=2, **keywords)
        return plan_of(dataset._parameters, dataset._start())

    plain = plan()
    filtered = plan(filter=[("id", "<", 50)])
    for plans in ([plain, filtered], [filtered, plain]):
        assert "filter is" in difference(plans)
    source = ParquetDataset(numbers, 4, rank=0, world_size=2)
    mixture = mix([source, source], [1, 1])
    mixed = plan_of(mixture._parameters, mixture._start())
    for plans in ([plain, mixed], [mixed, plain]):
        assert "sources is" in difference(plans)


def test_the_window_of_a_data_set_in_order_may_differ(numbers: Path) -> None:
    def plan(window: int, *, shuffle: bool) -> Any:
        dataset = ParquetDataset(
            numbers, 4, rank=0, world_size=2, shuffle=shuffle, shuffle_window=window
        )
        return plan_of(dataset._parameters, dataset._start())

    assert difference([plan(800, shuffle=False), plan(808, shuffle=False)]) == ""
    different = difference([plan(800, shuffle=True), plan(808, shuffle=True)])
    assert "shuffle_window is 800 on rank 0 and 808" in different
