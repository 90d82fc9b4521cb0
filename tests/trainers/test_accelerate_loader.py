# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Accelerate takes a `Loader` as it is: each row once, exact resume, any ranks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from trainers import (
    STEPS,
    accelerated,
    expected_steps,
    installed,
    run,
    run_until_killed,
    steps_of,
)

installed("torch")
installed("accelerate")

# New processes import torch, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"dispatch_batches": True},
        {"dispatch_batches": False},
        {"dispatch_batches": False, "even_batches": False},
        {"split_batches": True},
        {"use_stateful_dataloader": True},
    ],
    ids=str,
)
def test_two_processes_read_each_row_once_whatever_accelerate_is_told(
    options: dict[str, Any], numbers: Path, tmp_path: Path
) -> None:
    found = run(accelerated, 2, numbers, tmp_path, options, 2)
    assert steps_of(found) == expected_steps(numbers, 2)


def test_one_process_reads_each_row_once(numbers: Path, tmp_path: Path) -> None:
    found = run(accelerated, 1, numbers, tmp_path, {}, 2)
    assert steps_of(found) == expected_steps(numbers, 2)


def test_batches_that_accelerate_skips_are_not_read(numbers: Path) -> None:
    from accelerate import skip_first_batches

    from rowfeed.torch import Loader, ParquetDataset

    options: dict[str, Any] = {"columns": ["id"], "shuffle": True, "num_epochs": 3}
    whole = [batch["id"].tolist() for batch in ParquetDataset(numbers, 30, **options)]
    for skipped in (0, 1, 9, 10, 20, 26, 27, 30):
        dataset = ParquetDataset(numbers, 30, **options)
        loader = skip_first_batches(Loader(dataset), skipped)
        rest = [batch["id"].tolist() for batch in loader]
        assert rest == whole[skipped:]
        assert dataset.stats().batches == len(rest)
    # A state, from which the batches that are skipped count.
    dataset = ParquetDataset(numbers, 30, **options)
    dataset.load_state_dict(dataset.state_at(1, 2))
    loader = skip_first_batches(Loader(dataset), 5)
    assert [batch["id"].tolist() for batch in loader] == whole[-9 - 9 + 7 :]


@pytest.mark.parametrize(("before", "after"), [(1, 1), (2, 2), (2, 1), (1, 2)])
def test_killed_processes_go_on_exactly_with_any_number_of_them(
    before: int, after: int, numbers: Path, tmp_path: Path
) -> None:
    save_at = STEPS + 3  # In the middle of the second epoch.
    arguments: tuple[Any, ...] = (numbers, tmp_path, {}, 3)
    run_until_killed(accelerated, before, *arguments, save_at, save_at + 2)
    found = run(accelerated, after, *arguments)
    assert steps_of(found) == expected_steps(numbers, 3)[save_at:]
