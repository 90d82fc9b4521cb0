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


def test_only_a_loader_skips_unread(numbers: Path) -> None:
    """Between another DataLoader and the dataset may be code that reads batches."""
    from accelerate import skip_first_batches
    from torch.utils.data import ChainDataset, DataLoader

    from rowfeed.torch import Loader, ParquetDataset

    class Derived(ParquetDataset):
        def __iter__(self) -> Any:
            return ({"id": batch["id"] + 1} for batch in super().__iter__())

    def made(kind: Any = ParquetDataset) -> Any:
        return kind(numbers, 30, columns=["id"])

    def ids(loader: Any) -> list[list[int]]:
        return [batch["id"].tolist() for batch in skip_first_batches(loader, 3)]

    expected = [batch["id"].tolist() for batch in made()][3:]
    assert ids(DataLoader(made(), batch_size=None)) == expected
    twice = lambda batch: {"id": batch["id"] * 2}  # noqa: E731
    doubled = ids(DataLoader(made(), batch_size=None, collate_fn=twice))
    assert doubled == [[2 * row for row in rows] for rows in expected]
    chained: Any = ChainDataset([made(), made()])
    assert len(ids(DataLoader(chained, batch_size=None))) == 2 * 9 - 3
    derived = ids(Loader(made(Derived)))
    assert derived == [[row + 1 for row in rows] for rows in expected]


def test_batches_after_the_skipped_ones_are_on_the_device(numbers: Path) -> None:
    from accelerate import skip_first_batches

    from rowfeed.torch import Loader, ParquetDataset

    loader = Loader(ParquetDataset(numbers, 30, columns=["id"]), device="meta")
    rest = list(skip_first_batches(loader, 2))
    assert {batch["id"].device.type for batch in rest} == {"meta"}


@pytest.mark.parametrize(("before", "after"), [(1, 1), (2, 2), (2, 1), (1, 2)])
def test_killed_processes_go_on_exactly_with_any_number_of_them(
    before: int, after: int, numbers: Path, tmp_path: Path
) -> None:
    save_at = STEPS + 3  # In the middle of the second epoch.
    arguments: tuple[Any, ...] = (numbers, tmp_path, {}, 3)
    run_until_killed(accelerated, before, *arguments, save_at, save_at + 2)
    found = run(accelerated, after, *arguments)
    assert steps_of(found) == expected_steps(numbers, 3)[save_at:]
