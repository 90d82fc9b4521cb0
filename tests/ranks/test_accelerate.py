# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Two ways to train with Hugging Face Accelerate, as docs/trainers.md has them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from documented_data import write_data
from process_groups import Failure, results, script
from trainers import port_of_a_store

pytest.importorskip("torch")
pytest.importorskip("accelerate")

import accelerate_ranks

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
    with port_of_a_store() as port:
        yield port


def train(code: str, folder: Path, port: int) -> list[Any]:
    """Runs a script in two processes: the first numbers of vectors, and the weights."""
    found = results(accelerate_ranks.train, 2, code, folder, port)
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
    code = script("accelerate_own_shares.py", "trainers.md")
    found = train(code, folder, port)
    for rank, (seen, weights) in enumerate(found):
        assert seen == list(chain.from_iterable(batches(folder, rank, 2)))
        assert weights == found[0][1]


@pytest.mark.parametrize("workers", ["", ", num_workers=2"])
def test_accelerate_dispatches_what_rank_0_reads(
    workers: str, folder: Path, port: int
) -> None:
    code = script("accelerate_dispatched.py", "trainers.md")
    loader = "batch_size=None)"
    assert code.count(loader) == 1
    found = train(code.replace(loader, f"batch_size=None{workers})"), folder, port)
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


@pytest.mark.parametrize(
    ("options", "prepared"),
    [
        ("batch_size=None", ""),
        ("batch_size=4", ""),
        ("batch_size=4", ", dispatch_batches=False"),
        ("batch_size=None, num_workers=2", ""),
        ("batch_size=None, num_workers=2, multiprocessing_context='spawn'", ""),
        ("batch_size=4, num_workers=2", ", dispatch_batches=False"),
    ],
)
def test_accelerate_does_not_share_out_what_is_a_share_already(
    options: str, prepared: str, folder: Path, port: int
) -> None:
    """Rank 0 alone would read its share, or each rank a part of its share."""
    code = script("accelerate_dispatched.py", "trainers.md").replace(
        "    rank=0,  #", "    #"
    )
    code = code.replace("    world_size=1,\n", "").replace("    120,\n", "    None,\n")
    assert "world_size" not in code
    code = code.replace("batch_size=None)", f"{options})")
    config = "from accelerate.utils import DataLoaderConfiguration as C\n"
    made = f"Accelerator(dataloader_config=C(split_batches=False{prepared}))"
    code = config + code.replace("Accelerator()", made)
    for rank, error in enumerate(
        results(accelerate_ranks.train, 2, code, folder, port)
    ):
        assert isinstance(error, Failure)
        assert f"only the rows of rank {rank} of 2, and the others" in str(error)
        assert "rowfeed.torch.Loader(dataset)" in str(error)
        assert "rank=0, world_size=1" in str(error)
