# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ranks in processes of their own: equal steps, one plan, one dies and others go on."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from documented_data import write_data
from numbered_rows import NUM_ROWS, write_numbers
from process_groups import Failure, Process, processes, results, script

torch = pytest.importorskip("torch")

import torch_ranks  # noqa: E402
from torch_ranks import END  # noqa: E402

# New processes import torch, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)

SHUFFLED: dict[str, Any] = {
    "columns": ["id"],
    "shuffle": True,
    "seed": 7,
    "shuffle_window": 60,
    "block_rows": 12,
}


def step(ranks: list[Process]) -> list[Any]:
    """Lets each rank make a step and returns what they report."""
    for rank in ranks:
        rank.pipe.send(None)
    return [rank.receive() for rank in ranks]


def steps(ranks: list[Process]) -> Iterator[list[Any]]:
    """Yields the reports of each step until all ranks are at their end together."""
    while True:
        reports = step(ranks)
        if END in reports:
            assert reports == [END] * len(ranks)
            return
        yield reports


def rows_of(reports: list[Any]) -> list[int]:
    return [row for report in reports for row in report[0]]


@pytest.mark.fault(38)
@pytest.mark.parametrize("world_size", [2, 3])
def test_ddp_ranks_make_equal_steps(
    world_size: int, numbers: Path, tmp_path: Path
) -> None:
    batch_size, num_epochs = 7, 2
    arguments = (numbers, batch_size, {**SHUFFLED, "num_epochs": num_epochs})
    with processes(
        torch_ranks.train, world_size, *arguments, store=tmp_path / "store"
    ) as ranks:
        reports = list(steps(ranks))
    per_epoch = NUM_ROWS // (batch_size * world_size)
    assert NUM_ROWS % (batch_size * world_size)
    assert len(reports) == num_epochs * per_epoch
    for first in (0, per_epoch):
        epoch = [row for k in range(per_epoch) for row in rows_of(reports[first + k])]
        assert len(set(epoch)) == len(epoch) == per_epoch * batch_size * world_size
    for report in reports:
        assert len({str(state) for _, state, _ in report}) == 1
        assert len({weight for *_, weight in report}) == 1


def test_masked_metrics_of_padded_ranks_are_those_of_one(
    numbers: Path, tmp_path: Path
) -> None:
    keywords = {**SHUFFLED, "columns": ["id", "half", "even"]}
    arguments = (numbers, 16, keywords)
    found = {
        world_size: results(
            torch_ranks.evaluate,
            world_size,
            *arguments,
            store=tmp_path / str(world_size),
        )
        for world_size in (1, 2, 3, 8)
    }
    mean = sum(range(NUM_ROWS)) / 2 / NUM_ROWS
    for world_size, ranks in found.items():
        rows = [row for *_, rows, _ in ranks for row in rows]
        assert sorted(rows) == list(range(NUM_ROWS))
        for num_even, half, _, num_steps in ranks:
            assert num_even == NUM_ROWS // 2
            assert half == pytest.approx(mean, rel=1e-12)
            assert num_steps == -(-NUM_ROWS // (16 * world_size))


@pytest.mark.fault(40)
def test_ranks_that_differ_are_all_refused_by_name(
    numbers: Path, tmp_path: Path
) -> None:
    """Rank 1 of three has something else; nobody hangs, and the group goes on."""
    other = write_numbers(tmp_path / "other", [50] * 5)
    same = f"4 rows of rank {{}} of {3}"
    cases: list[tuple[dict[str, Any], str]] = [
        ({"seed": 8}, "seed is 0 on ranks 0, 2 and 8 on rank 1"),
        ({"batch_size": 5}, "batch_size is 4 on ranks 0, 2 and 5 on rank 1"),
        ({"shuffle": False}, "shuffle is True on ranks 0, 2 and False on rank 1"),
        (
            {"shuffle_window": 999},
            "shuffle_window is 264 on ranks 0, 2 and 999 on rank",
        ),
        (
            {"block_rows": 8, "shuffle_window": 264},
            "block_rows is 0 on ranks 0, 2 and 8",
        ),
        ({"num_lanes": 6}, "num_lanes is 3 on ranks 0, 2 and 6 on rank 1"),
        ({"remainder": "pad"}, "remainder is 'drop' on ranks 0, 2 and 'pad' on rank 1"),
        ({"num_epochs": None}, "num_epochs is 1 on ranks 0, 2 and None on rank 1"),
        ({"reshuffle_each_iteration": False}, "pinned_epoch is None on ranks 0, 2 and"),
        ({"paths": other}, "fingerprint is '"),
        ({"begin": (0, 5)}, "row is 0 on ranks 0, 2 and 60 on rank 1"),
        ({"begin": (2, 0)}, "epoch is 0 on ranks 0, 2 and 2 on rank 1"),
        ({"seed": 8, "num_workers": 2}, "seed is 0 on ranks 0, 2 and 8 on rank 1"),
        ({"columns": ["id", "half"]}, same),
        ({"num_workers": 2}, same),
        ({"num_threads": 1}, same),
    ]
    given = [
        [{"paths": numbers}, {"paths": numbers, **odd}, {"paths": numbers}]
        for odd, _ in cases
    ]
    found = results(torch_ranks.compare, 3, given, store=tmp_path / "store")
    for k, (odd, expected) in enumerate(cases):
        for rank, said in enumerate(result[k] for result in found):
            if expected == same:
                assert said == same.format(rank), odd
            else:
                assert said.startswith("ValueError"), (odd, said)
                assert expected in said


def test_a_rank_that_cannot_read_its_files_is_named(
    numbers: Path, tmp_path: Path
) -> None:
    here, gone = {"paths": numbers}, {"paths": tmp_path / "gone"}
    found = results(
        torch_ranks.compare, 2, [[here, gone], [gone, here]], store=tmp_path / "store"
    )
    for case, odd in enumerate((1, 0)):
        assert found[odd][case].startswith("FileNotFoundError: ")
        expected = f"ValueError: rank {odd} could not make its dataset: FileNotFoundErr"
        assert found[1 - odd][case].startswith(expected)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_workers_compare_however_they_are_started(
    method: str, numbers: Path, tmp_path: Path
) -> None:
    workers = {"paths": numbers, "num_workers": 2, "method": method}
    cases = [[{**workers, "seed": 3}, {"paths": numbers}], [workers, workers]]
    found = results(torch_ranks.compare, 2, cases, store=tmp_path / "store")
    for rank, (differs, same) in enumerate(found):
        assert "seed is 3 on rank 0 and 0 on rank 1" in differs
        assert same == f"4 rows of rank {rank} of 2"


def test_ranks_that_were_given_are_not_compared(numbers: Path, tmp_path: Path) -> None:
    """Model parallelism gives rank=0, world_size=1, perhaps to a part of the ranks."""
    alone = {"paths": numbers, "rank": 0, "world_size": 1}
    cases = [[{**alone, "seed": 1}, {**alone, "seed": 2}]]
    found = results(torch_ranks.compare, 2, cases, store=tmp_path / "store")
    assert found == [["4 rows of rank 0 of 1"]] * 2


def test_ranks_of_one_model_get_batches_that_are_equal_to_the_bit(
    numbers: Path, tmp_path: Path
) -> None:
    columns = ["id", "half", "even"]
    keywords = {**SHUFFLED, "columns": columns, "num_epochs": 2}
    same = {**keywords, "rank": 0, "world_size": 1}
    store = tmp_path / "store"
    found = results(torch_ranks.digest, 3, numbers, same, store=store)
    assert len(set(found)) == 1
    parts = results(torch_ranks.digest, 3, numbers, keywords, store=tmp_path / "parts")
    assert len({*found, *parts}) == 4  # Else the hash says nothing.


def test_one_of_eight_ranks_dies_and_seven_go_on(tmp_path: Path) -> None:
    num_rows = 2003
    data = write_numbers(tmp_path / "data", [200] * 9 + [203])
    keywords = {**SHUFFLED, "batch_size": 4, "num_lanes": 8, "remainder": "pad"}
    seen: list[int] = []
    with processes(torch_ranks.feed, 8, data, keywords) as ranks:
        for _ in range(20):
            reports = step(ranks)
            seen += rows_of(reports)
        assert len({str(state) for _, state in reports}) == 1
        state = reports[0][1]  # The last that all ranks have reached.
        for rank in ranks[4:]:
            rank.pipe.send(None)  # Some are ahead when it happens.
        ranks[3].process.kill()
        ranks[3].process.join()
        for rank in ranks[4:]:
            rank.receive()
        left = ranks[:3] + ranks[4:]
        for number, rank in enumerate(left):
            rank.pipe.send((number, 7, state))
        rest = list(itertools.chain.from_iterable(map(rows_of, steps(left))))
    assert len(seen) == 20 * 32
    assert sorted(seen + rest) == list(range(num_rows))


def test_one_of_three_ddp_ranks_is_killed_and_two_resume(
    numbers: Path, tmp_path: Path
) -> None:
    keywords = {**SHUFFLED, "num_lanes": 6, "remainder": "drop"}
    seen: list[int] = []
    with processes(
        torch_ranks.train, 3, numbers, 4, keywords, store=tmp_path / "three"
    ) as ranks:
        for _ in range(8):
            reports = step(ranks)
            seen += rows_of(reports)
        ranks[1].process.kill()
        ranks[1].process.join()
        for rank in (ranks[0], ranks[2]):
            rank.pipe.send(None)
            with pytest.raises(Failure):  # Its peer is gone: it does not hang.
                rank.receive()
    state = reports[0][1]
    with processes(
        torch_ranks.train, 2, numbers, 6, keywords, state, store=tmp_path / "two"
    ) as ranks:
        resumed = list(steps(ranks))
    whole = rowfeed.ParquetDataset(numbers, 12, **keywords)
    expected = [batch["id"].tolist() for batch in whole]
    assert sorted(seen) == sorted(itertools.chain.from_iterable(expected[:8]))
    assert [sorted(rows_of(r)) for r in resumed] == [sorted(e) for e in expected[8:]]


# ---- The script of docs/distributed.md ----


def run_script(folder: Path, world_size: int, fatal_step: int | None = None) -> None:
    """Runs it to its end, or until the other ranks have noticed that one was killed."""
    store = torch.distributed.TCPStore(
        "localhost", 0, is_master=True, wait_for_workers=False
    )
    arguments = (script("train_ddp.py"), folder, store.port, fatal_step)
    with processes(torch_ranks.run_script, world_size, *arguments) as ranks:
        for number, rank in enumerate(ranks):
            if fatal_step is None:
                assert rank.receive() is None
            else:
                with pytest.raises(EOFError if number == 1 else Failure):
                    rank.receive()


def test_the_script_goes_on_with_another_number_of_ranks(tmp_path: Path) -> None:
    trained = []
    for name in ("alone", "killed"):
        folder = tmp_path / name
        folder.mkdir()
        write_data(folder / "data")
        if name == "alone":
            run_script(folder, 1)
        else:
            run_script(folder, 3, fatal_step=25)
            state = torch.load(folder / "checkpoint.pt")["data"]
            assert (state["epoch"], state["row"]) == (0, 20 * 240)
            run_script(folder, 2)
        state = torch.load(folder / "checkpoint.pt")["data"]
        trained.append((state["epoch"], torch.load(folder / "model.pt")))
    assert trained[0][0] == trained[1][0] == 1
    for name, weights in trained[0][1].items():
        torch.testing.assert_close(weights, trained[1][1][name], rtol=1e-4, atol=1e-5)


@pytest.mark.slow
def test_the_script_runs_under_torchrun(tmp_path: Path) -> None:
    write_data(tmp_path / "data")
    # torch's gloo threads, also without rowfeed, now and then abort a process whose
    # interpreter is being torn down: they ask for the GIL.
    (tmp_path / "train_ddp.py").write_text(script("train_ddp.py") + "os._exit(0)\n")
    launcher = (sys.executable, "-m", "torch.distributed.run", "--standalone")
    subprocess.run(
        [*launcher, "--nproc-per-node", "3", "train_ddp.py"],
        cwd=tmp_path,
        check=True,
        timeout=100,
    )
    state = torch.load(tmp_path / "checkpoint.pt")["data"]
    assert (state["epoch"], state["row"]) == (1, 240 * (130 - 16000 // 240))
