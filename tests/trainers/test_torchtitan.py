# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""torchtitan's loader of docs/trainers.md goes on from DCP's checkpoints, exactly."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from process_groups import script
from trainers import installed

torch = installed("torch")
installed("torchtitan")

checkpoint = installed("torch.distributed.checkpoint")

# DCP warns that it saves for one process alone, as is meant here.
pytestmark = pytest.mark.filterwarnings("ignore:torch.distributed is disabled")

NUM_ROWS, SEQ_LEN = 96, 4


@pytest.fixture
def config(tmp_path: Path) -> Any:
    """The configuration of the loader over 96 rows of five tokens, row * 5 to + 4."""
    tokens = np.arange(NUM_ROWS * (SEQ_LEN + 1), dtype=np.int32)
    column = pa.FixedSizeListArray.from_arrays(tokens, SEQ_LEN + 1)
    folder = tmp_path / "tokens"
    folder.mkdir()
    table = pa.table({"tokens": column})
    pq.write_table(table, folder / "rows.parquet", row_group_size=8)
    page = script("titan_loader.py", "trainers.md")
    found: dict[str, Any] = {"__name__": __name__}
    exec(compile(page, "page", "exec", dont_inherit=True), found)
    return found["ParquetDataLoader"].Config(dataset_path=str(folder), num_lanes=2)


def loaders(config: Any, world_size: int) -> list[Any]:
    """Returns the loaders of all ranks, as torchtitan makes them."""
    return [
        config.build(
            dp_world_size=world_size,
            dp_rank=rank,
            tokenizer=None,
            seq_len=SEQ_LEN,
            local_batch_size=8 // world_size,
            snapshot_every_n_steps=1,
        )
        for rank in range(world_size)
    ]


def steps(batches: list[Any], num_steps: int) -> list[list[int]]:
    """Returns the sorted rows of some steps of all ranks."""
    found = []
    for parts in zip(*(islice(it, num_steps) for it in batches), strict=True):
        rows = []
        for inputs, labels in parts:
            assert inputs["input"].shape == labels.shape == (len(labels), SEQ_LEN)
            assert torch.equal(inputs["input"] + 1, labels)
            rows += (inputs["input"][:, 0] // (SEQ_LEN + 1)).tolist()
        found.append(sorted(rows))
    return found


@pytest.mark.parametrize(("before", "after"), [(1, 1), (2, 2), (2, 1), (1, 2)])
def test_a_checkpoint_goes_on_exactly_with_any_number_of_ranks(
    before: int, after: int, config: Any, tmp_path: Path
) -> None:
    [alone] = loaders(config, 1)
    expected = steps([iter(alone)], 30)
    per_epoch = NUM_ROWS // 8
    assert sorted(r for rows in expected[:per_epoch] for r in rows) == [
        *range(NUM_ROWS)
    ]
    saving = loaders(config, before)
    batches = [iter(loader) for loader in saving]
    assert steps(batches, per_epoch + 5) == expected[: per_epoch + 5]
    checkpoint.save(
        {"dataloader": saving[0]}, checkpoint_id=tmp_path / "saved", no_dist=True
    )
    resumed = loaders(config, after)
    for loader in resumed:
        checkpoint.load(
            {"dataloader": loader}, checkpoint_id=tmp_path / "saved", no_dist=True
        )
    rest = steps([iter(loader) for loader in resumed], 30 - per_epoch - 5)
    assert rest == expected[per_epoch + 5 :]
