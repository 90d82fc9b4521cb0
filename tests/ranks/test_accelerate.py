# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Two ways to train with Hugging Face Accelerate, as docs/distributed.md has them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from documented_data import write_data
from process_groups import processes, results, script

torch = pytest.importorskip("torch")
pytest.importorskip("accelerate")

import accelerate_ranks  # noqa: E402

# New processes import torch, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)

BATCH_SIZE = 120
NUM_ROWS = 16_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data set that the page calls "data"."""
    path = tmp_path_factory.mktemp("accelerate")
    write_data(path / "data")
    return path


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a store where the processes find each other."""
    store = torch.distributed.TCPStore(
        "localhost", 0, is_master=True, wait_for_workers=False
    )
    yield store.port
    del store  # It has to live until here.


def train(name: str, folder: Path, port: int) -> list[Any]:
    """Runs a script in two processes: the first numbers of vectors, and the weights."""
    found = results(accelerate_ranks.train, 2, script(name), folder, port)
    for report in found:
        assert not isinstance(report, Exception), report
    return found


def batches(folder: Path, rank: int, world_size: int) -> list[list[list[float]]]:
    """Returns the first numbers of the vectors of a rank, batch by batch, by epoch."""
    dataset = rowfeed.ParquetDataset(
        folder / "data",
        BATCH_SIZE,
        columns=["vector"],
        shuffle=True,
        seed=7,
        remainder="drop",
        rank=rank,
        world_size=world_size,
    )
    return [[batch["vector"][:, 0].tolist() for batch in dataset] for _ in range(2)]


def test_each_process_of_accelerate_reads_its_own_share(
    folder: Path, port: int
) -> None:
    found = train("accelerate_own_shares.py", folder, port)
    for rank, (seen, weights) in enumerate(found):
        assert seen == list(chain.from_iterable(batches(folder, rank, 2)))
        assert weights == found[0][1]


def test_accelerate_dispatches_what_rank_0_reads(folder: Path, port: int) -> None:
    found = train("accelerate_dispatched.py", folder, port)
    (first, weights), (second, other_weights) = found
    assert weights == other_weights
    expected = batches(folder, 0, 1)
    assert len(first) == len(second) == sum(-(-len(epoch) // 2) for epoch in expected)
    begin = 0
    for epoch in expected:
        end = begin + len(epoch) // 2  # Whole steps: a batch for each process.
        assert first[begin:end] == epoch[: 2 * (end - begin) : 2]
        assert second[begin:end] == epoch[1 : 2 * (end - begin) : 2]
        begin += -(-len(epoch) // 2)


def test_a_wait_for_ranks_that_accelerate_does_not_let_iterate_names_the_ways_out(
    folder: Path,
    port: int,
) -> None:
    """A dataset of all ranks in a prepared loader: rank 1 never asks for a batch."""
    code = script("accelerate_dispatched.py").replace("    rank=0,  #", "    #")
    code = code.replace("    world_size=1,\n", "")
    assert "world_size" not in code
    arguments = (code, folder, port)
    with processes(accelerate_ranks.warn, 2, *arguments) as ranks:
        said = ranks[0].receive()
    assert "for rank 1 to" in said
    for name in ("dispatch_batches=True", "rank=0, world_size=1", "batch_at("):
        assert name in said
