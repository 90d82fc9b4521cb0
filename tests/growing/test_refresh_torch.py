# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Data that grows under PyTorch: one listing for all ranks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from growing import FILE_ROWS, Folder, ids_of
from loader_warnings import LOADER_WARNINGS
from process_groups import Process, processes, results

torch = pytest.importorskip("torch")

from growing_ranks import BEGUN, epochs, looks, passes_in_workers  # noqa: E402
from rowfeed.torch import ParquetDataset  # noqa: E402

pytestmark = LOADER_WARNINGS

SHUFFLED: dict[str, Any] = {"shuffle": True, "shuffle_window": 80, "columns": ["id"]}


def report_of(rank: Process) -> Any:
    """Returns what a rank says of an epoch."""
    while (said := rank.receive()) == BEGUN:
        pass
    return said


@pytest.mark.timeout(600)
def test_a_rank_that_has_left_the_others_behind_is_told_while_it_waits_for_a_listing(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path, 0, 1)
    keywords = {**SHUFFLED, **folder.keywords()}
    store = tmp_path / "store"
    for said in results(looks, 2, folder.path, keywords, store=store):
        assert "epoch is 0 on rank 0 and 1 on rank 1" in said
        assert "batch_at(epoch, step)" in said


@pytest.mark.timeout(600)
@pytest.mark.parametrize("world_size", [2, 3])
def test_files_that_come_between_the_listings_of_ranks_wait_for_the_next_epoch(
    world_size: int, tmp_path: Path
) -> None:
    folder = Folder(tmp_path, 0, 1)
    keywords = {**SHUFFLED, **folder.keywords()}
    with processes(
        epochs, world_size, folder.path, keywords, store=tmp_path / "store"
    ) as ranks:

        def epoch(order: list[int], *, written: int, state: Any = None) -> Any:
            """Starts ranks one by one, and writes a file when the first has listed."""
            for place, rank in enumerate(order):
                ranks[rank].pipe.send(state)
                if place == 0:
                    assert ranks[rank].receive() == BEGUN
                    folder.write(written)
            return [report_of(rank) for rank in ranks]

        for rank in ranks:
            rank.pipe.send(None)
        first = [report_of(rank) for rank in ranks]
        assert sorted(row for rows, _ in first for row in rows) == ids_of(0, 1).tolist()
        order = list(range(world_size))
        folder.write(2)
        second = epoch(order, written=3)
        found = sorted(row for rows, _ in second for row in rows)
        assert found == ids_of(0, 1, 2).tolist()
        assert len({str(state) for _, state in second}) == 1
        third = epoch(order, written=4)
        found = sorted(row for rows, _ in third for row in rows)
        assert found == ids_of(0, 1, 2, 3).tolist()
        # Each rank goes on in the epoch as it was.
        state = second[0][1]
        resumed = epoch(order, written=5, state=state)
        seen = {row for rows, _ in second for row in rows[:8]}
        found = sorted(row for rows, _ in resumed for row in rows)
        assert found == sorted(set(ids_of(0, 1, 2).tolist()) - seen)
        for path in folder.path.iterdir():
            path.unlink()
        for rank in ranks:
            rank.pipe.send(None)
        for rank in ranks:  # Their epoch began before the files went: it lost all rows.
            report_of(rank)
        for rank in ranks:
            rank.pipe.send(None)
        errors = [report_of(rank) for rank in ranks]
        assert errors[0][0] == "FileNotFoundError"
        assert all(name == "RuntimeError" for name, _ in errors[1:])
        assert all("rank 0: " in message for _, message in errors[1:])
        folder.write(9)  # What cannot be listed now may be listed later.
        for rank in ranks:
            rank.pipe.send(None)
        last = [report_of(rank) for rank in ranks]
        assert sorted(row for rows, _ in last for row in rows) == ids_of(9).tolist()


def test_a_dataset_of_ranks_without_a_group_is_refused(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    with pytest.raises(ValueError, match="files may come between the listings"):
        ParquetDataset(folder.path, 8, rank=0, world_size=2, **folder.keywords())


def test_a_loader_without_workers_sees_each_epoch_grow(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = ParquetDataset(folder.path, 8, **SHUFFLED, **folder.keywords())
    loader = torch.utils.data.DataLoader(dataset, batch_size=None)
    assert sum(len(batch["id"]) for batch in loader) == FILE_ROWS
    folder.write(1)
    assert dataset.begin_epoch() == 2 * FILE_ROWS // 8
    assert sum(len(batch["id"]) for batch in loader) == 2 * FILE_ROWS


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_worker_has_the_epoch_that_begin_epoch_has_begun(
    method: str, tmp_path: Path
) -> None:
    folder = Folder(tmp_path, 0)
    dataset = ParquetDataset(folder.path, 8, **SHUFFLED, **folder.keywords())
    loader = torch.utils.data.DataLoader(
        dataset, batch_size=None, num_workers=1, multiprocessing_context=method
    )
    num_batches = dataset.begin_epoch()
    folder.write(1)
    assert len(list(loader)) == num_batches
    assert sum(len(batch["id"]) for batch in loader) == 2 * FILE_ROWS


@pytest.mark.timeout(600)
def test_workers_of_ranks_have_an_epoch_again_as_it_was(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    keywords = {**SHUFFLED, **folder.keywords()}
    with processes(
        passes_in_workers, 2, folder.path, keywords, store=tmp_path / "store"
    ) as ranks:
        for number in (1, 2, 3):
            for rank in ranks:
                rank.receive()
            folder.write(number)
            for rank in ranks:
                rank.pipe.send(None)
        for rank in ranks:
            rank.receive()
        first, second, third = (
            [rows for each in passes for rows in each]
            for passes in zip(*(rank.receive() for rank in ranks), strict=True)
        )
    assert sorted(first) == ids_of(0).tolist()
    assert sorted(second) == ids_of(0, 1, 2).tolist()
    assert third == second


def test_loader_workers_that_would_each_list_are_refused(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = ParquetDataset(folder.path, 8, **SHUFFLED, **folder.keywords())
    loader = torch.utils.data.DataLoader(
        dataset, batch_size=None, num_workers=2, multiprocessing_context="forkserver"
    )
    with pytest.raises(ValueError, match="2 DataLoader workers"):
        next(iter(loader))
