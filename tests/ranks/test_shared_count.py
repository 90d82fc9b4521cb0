# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The ranks of a process group count what a filter leaves together, each its share."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from process_groups import Failure, results

torch = pytest.importorskip("torch")

from counting_ranks import FILTER, count  # noqa: E402
from rowfeed._ranks.agreement import Turn  # noqa: E402
from rowfeed._ranks.shared_count import ALL, NOBODY, counters  # noqa: E402
from rowfeed._torch.ranks import GroupAgreement  # noqa: E402
from rowfeed.torch import ParquetDataset  # noqa: E402

NUM_GROUPS, GROUP_ROWS = 24, 40_000
COLUMN_BYTES = NUM_GROUPS * GROUP_ROWS * 8


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    random = np.random.default_rng(0)
    for file in range(2):
        rows = NUM_GROUPS * GROUP_ROWS // 2
        ids = np.arange(file * rows, (file + 1) * rows)
        pq.write_table(
            pa.table({"id": ids, "x": random.standard_normal(rows)}),
            folder / f"{file}.parquet",
            row_group_size=GROUP_ROWS,
            compression="none",
            use_dictionary=False,
        )
    return folder


def rows_alone(paths: list[Path], world_size: int, **keywords: Any) -> list[int]:
    """Returns the rows of all ranks, where none counts with others."""
    found: list[int] = []
    for rank in range(world_size):
        datasets = [
            ParquetDataset(
                path,
                1000,
                columns=["id"],
                filter=FILTER,
                rank=rank,
                world_size=world_size,
                **keywords,
            )
            for path in paths
        ]
        dataset = datasets[0] if len(datasets) == 1 else rowfeed.mix(datasets)
        found += [row for batch in dataset for row in batch["id"].tolist()]
    return found


@pytest.mark.timeout(600)
@pytest.mark.parametrize("world_size", [2, 3])
def test_each_rank_counts_its_share(
    world_size: int, data: Path, tmp_path: Path
) -> None:
    keywords = {"shuffle": True, "shuffle_window": 9_000, "block_rows": 2_000}
    found = results(
        count, world_size, [data], keywords, NOBODY, store=tmp_path / "store"
    )
    for read, _, _ in found:
        assert 0.9 < read / (COLUMN_BYTES / world_size) < 1.2
    assert len({steps for _, steps, _ in found}) == 1
    rows = [row for *_, rows in found for row in rows]
    assert rows == rows_alone([data], world_size, **keywords)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("who_knows", [0, 1])
def test_a_rank_that_knows_tells(who_knows: int, data: Path, tmp_path: Path) -> None:
    found = results(count, 2, [data], {}, who_knows, store=tmp_path / "store")
    assert all(read < COLUMN_BYTES / 100 for read, _, _ in found)
    rows = [row for *_, rows in found for row in rows]
    assert rows == rows_alone([data], 2)


@pytest.mark.timeout(600)
def test_what_was_counted_together_is_cached(data: Path, tmp_path: Path) -> None:
    keywords = {"cache_dir": tmp_path / "cache"}
    first, second = (
        results(count, 2, [data], keywords, NOBODY, store=tmp_path / f"store {i}")
        for i in range(2)
    )
    assert all(read > COLUMN_BYTES / 3 for read, _, _ in first)
    assert all(read < COLUMN_BYTES / 100 for read, _, _ in second)
    assert [found[1:] for found in first] == [found[1:] for found in second]


@pytest.mark.timeout(600)
def test_sources_of_a_mixture_are_counted_together(data: Path, tmp_path: Path) -> None:
    paths = [data / "0.parquet", data / "1.parquet"]
    found = results(count, 2, paths, {}, NOBODY, store=tmp_path / "store")
    for read, _, _ in found:
        assert 0.9 < read / (COLUMN_BYTES / 2) < 1.2
    rows = [row for *_, rows in found for row in rows]
    assert rows == rows_alone(paths, 2)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("broken", [0, 1, 2])
def test_an_error_of_one_rank_reaches_all(
    broken: int, data: Path, tmp_path: Path
) -> None:
    path = tmp_path / "data" / "x.parquet"
    path.parent.mkdir()
    path.write_bytes((data / "0.parquet").read_bytes())
    column = pq.ParquetFile(path).metadata.row_group(broken).column(1)
    with path.open("r+b") as file:
        file.seek(column.data_page_offset)
        file.write(b"\xff" * 64)  # The header of a page; row group b is rank b's.
    found = results(count, 3, [path], {}, NOBODY, store=tmp_path / "store")
    for rank, said in enumerate(found):
        assert isinstance(said, Failure), said
        assert "x.parquet" in str(said)
        assert f"row group {broken}" in str(said)
        told = f"RuntimeError: rank {broken} could not count the rows that the filter"
        assert str(said).startswith(told) == (rank != broken)


class Rows:
    """What `DatasetRows` is, of a rank that counts as the test wants."""

    def __init__(self, share: Any, known: bytes = b"") -> None:
        self.share, self.known = share, known

    @property
    def is_known(self) -> bool:
        return bool(self.known)

    def count_share(self, index: int, num_shares: int) -> bytes:
        if isinstance(self.share, BaseException):
            raise self.share
        if callable(self.share):
            self.share()
        return f"{index}/{num_shares} ".encode()

    def join(self, shares: list[bytes]) -> None:
        self.known = b"".join(shares)

    def save(self) -> bytes:
        return self.known

    def load(self, saved: bytes) -> None:
        self.known = saved


def meet(folder: Path, rows: list[Rows], timeout_s: float = 60) -> list[str]:
    """Returns what each of several ranks, here threads, is told."""

    def told(rank: int) -> str:
        address = (str(folder / "store"),)
        mine = GroupAgreement(
            key="key",
            rank=rank,
            world_size=len(rows),
            timeout_s=timeout_s,
            address=address,
        )
        given: list[Any] = [rows[rank]]
        try:
            mine.compare(Turn(0, {}), lambda: False, given)
        except BaseException as error:
            return f"{type(error).__name__}: {error}"
        return rows[rank].known.decode()

    with ThreadPoolExecutor(len(rows)) as ranks:
        return list(ranks.map(told, range(len(rows))))


def test_all_know_what_the_shares_make(tmp_path: Path) -> None:
    assert meet(tmp_path, [Rows(None) for _ in range(3)]) == ["0/3 1/3 2/3 "] * 3


def test_who_knows_is_not_told_again(tmp_path: Path) -> None:
    rows = [Rows(KeyError()), Rows(None, b"mine"), Rows(None, b"the same")]
    assert meet(tmp_path, rows) == ["mine", "mine", "the same"]


@pytest.mark.parametrize("rank", [0, 1])
def test_an_interrupt_of_one_rank_ends_the_others(rank: int, tmp_path: Path) -> None:
    rows = [Rows(KeyboardInterrupt() if r == rank else None) for r in range(3)]
    said = meet(tmp_path, rows)
    assert said.pop(rank) == "KeyboardInterrupt: "
    assert (
        said
        == [
            f"RuntimeError: rank {rank} could not count the rows that the filter lets "
            "pass: KeyboardInterrupt: "
        ]
        * 2
    )


def test_a_rank_that_does_not_end_is_waited_for_as_long_as_the_group_says(
    tmp_path: Path,
) -> None:
    rows = [Rows(None), Rows(lambda: time.sleep(3)), Rows(None)]
    said = meet(tmp_path, rows, timeout_s=0.7)
    assert said[0] == (
        "TimeoutError: rank 0 waited 1 s for rank 1 to count its share of the rows "
        "that the filter lets pass"
    )
    for rank in (1, 2):
        assert said[rank].startswith(("RuntimeError: rank 0 could not", "TimeoutError"))


def test_counters() -> None:
    assert counters([[True, False, False], [True, True, False]]) == [NOBODY, 1, ALL]
    assert counters([[], []]) == []
