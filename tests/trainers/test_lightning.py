# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Lightning takes a `Loader` as it is: each row once, exact resume, any ranks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from numbered_rows import NUM_ROWS
from trainers import (
    STEPS,
    expected_steps,
    installed,
    numbers_printed,
    run,
    run_until_killed,
    steps_of,
    with_lightning,
)

installed("torch")
installed("lightning")

# New processes import torch and Lightning, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)


@pytest.mark.parametrize("world_size", [1, 2])
def test_each_row_comes_once_in_each_epoch(
    world_size: int, numbers: Path, tmp_path: Path
) -> None:
    found = run(with_lightning, world_size, numbers, tmp_path, 2, None)
    assert steps_of(found) == expected_steps(numbers, 2)


@pytest.mark.parametrize(("before", "after"), [(1, 1), (2, 2), (2, 1), (1, 2)])
def test_killed_processes_go_on_exactly_with_any_number_of_them(
    before: int, after: int, numbers: Path, tmp_path: Path
) -> None:
    die_at = STEPS + 7
    run_until_killed(with_lightning, before, numbers, tmp_path, 3, 4, die_at)
    saved = 4 * (die_at // 4)
    found = run(with_lightning, after, numbers, tmp_path, 3, 1000)
    assert steps_of(found) == expected_steps(numbers, 3)[saved:]


@pytest.mark.parametrize("save_every", [STEPS, None], ids=["by steps", "by epochs"])
def test_a_checkpoint_at_the_end_of_an_epoch_goes_on_with_the_next(
    save_every: int | None, numbers: Path, tmp_path: Path
) -> None:
    """Without `Loader`, Lightning leaves out the epoch after such a checkpoint."""
    run_until_killed(with_lightning, 1, numbers, tmp_path, 3, save_every, STEPS + 2)
    found = run(with_lightning, 1, numbers, tmp_path, 3, 1000)
    assert steps_of(found) == expected_steps(numbers, 3)[STEPS:]


def test_the_script_of_the_page_trains_and_goes_on_when_it_is_started_again(
    tmp_path: Path,
) -> None:
    found = numbers_printed(
        "train_lightning.py",
        "trainers.md",
        tmp_path,
        "max_epochs",
        "trainer.global_step",
    )
    assert found == [134, 268]


@pytest.mark.filterwarnings("ignore")  # Lightning uses what PyTorch has deprecated.
def test_it_predicts_each_row_once_though_lightning_makes_the_loader_anew(
    numbers: Path,
) -> None:
    from lightning import LightningModule, Trainer

    from rowfeed.torch import Loader, ParquetDataset

    class Model(LightningModule):  # type: ignore[misc]
        def predict_step(self, batch: Any) -> Any:
            return batch["id"]

    trainer = Trainer(accelerator="cpu", logger=False, enable_progress_bar=False)
    found = trainer.predict(Model(), Loader(ParquetDataset(numbers, 32)))
    assert [i for ids in found for i in ids.tolist()] == list(range(NUM_ROWS))
