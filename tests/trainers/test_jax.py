# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays of JAX over meshes and processes, Orbax's checkpoints, NNX and Grain."""

from __future__ import annotations

import importlib
import subprocess
import sys
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from documented_data import write_data
from process_groups import Failure, free_addresses, processes, results, script
from trainers import STEPS, expected_steps, installed, numbers_printed, steps_of

installed("torch")
installed("orbax.checkpoint")
grain = installed("grain")

import jax_ranks  # noqa: E402
from rowfeed.integrations.grain import ParquetIterDataset  # noqa: E402

# New processes import JAX, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)


def train(world_size: int, *arguments: Any) -> list[Any]:
    """Returns what each process returned."""
    [address] = free_addresses(1)
    found = results(jax_ranks.trained, world_size, address, *arguments)
    for report in found:
        assert not isinstance(report, Exception), report
    return found


def check(found: list[Any], expected: list[list[int]], before: int = 0) -> None:
    """Checks the rows of each step, and their sums over all processes."""
    assert steps_of([own for own, _ in found]) == expected
    sums = [*accumulate(map(sum, expected), initial=before)][1:]
    assert [totals for _, totals in found] == [sums] * len(found)


@pytest.mark.parametrize("world_size", [1, 2])
def test_each_row_comes_once_on_a_mesh(
    world_size: int, numbers: Path, tmp_path: Path
) -> None:
    check(train(world_size, numbers, tmp_path, 2), expected_steps(numbers, 2))


@pytest.mark.parametrize(("before", "after"), [(1, 1), (2, 2), (2, 1), (1, 2)])
def test_killed_processes_go_on_exactly_with_any_number_of_them(
    before: int, after: int, numbers: Path, tmp_path: Path
) -> None:
    save_at = STEPS + 3
    [address] = free_addresses(1)
    arguments = (address, numbers, tmp_path, 3, save_at, save_at + 2)
    with processes(jax_ranks.trained, before, *arguments) as ranks:
        for rank in ranks:
            with pytest.raises((EOFError, ConnectionResetError, Failure)):
                rank.receive()
    expected = expected_steps(numbers, 3)
    past = sum(map(sum, expected[:save_at]))
    check(train(after, numbers, tmp_path, 3), expected[save_at:], past)


def test_the_script_of_the_page_trains_and_goes_on_when_it_is_started_again(
    tmp_path: Path,
) -> None:
    found = numbers_printed("train_nnx.py", "jax.md", tmp_path, "num_epochs", "steps")
    assert found == [134, 134]


@pytest.mark.parametrize("name", ["read_with_grain.py", "read_with_workers.py"])
def test_other_scripts_of_the_page_run(name: str, tmp_path: Path) -> None:
    write_data(tmp_path / "data")
    (tmp_path / name).write_text(script(name, "jax.md"))
    subprocess.run([sys.executable, name], cwd=tmp_path, check=True)


def ids(pipeline: Any) -> list[list[int]]:
    return [batch["id"].tolist() for batch in pipeline]


def test_a_pipeline_of_grain_begins_with_a_dataset(numbers: Path) -> None:
    options: dict[str, Any] = {"columns": ["id"], "shuffle": True, "num_epochs": 2}
    expected = ids(rowfeed.ParquetDataset(numbers, 32, **options))
    whole = ParquetIterDataset(rowfeed.ParquetDataset(numbers, 32, **options))
    pipeline = whole.map(lambda batch: batch)
    assert ids(pipeline) == ids(pipeline) == expected
    batches = iter(pipeline)
    first = [next(batches)["id"].tolist() for _ in range(5)]
    state = batches.get_state()
    resumed = iter(pipeline)
    resumed.set_state(state)
    assert ids(resumed) == ids(batches) == expected[len(first) :]
    prefetched = grain.experimental.ThreadPrefetchIterDataset(
        pipeline, prefetch_buffer_size=2
    )
    ahead = iter(prefetched)
    assert ids(next(ahead) for _ in range(3)) == expected[:3]
    resumed = iter(prefetched)
    resumed.set_state(ahead.get_state())
    assert ids(resumed) == expected[3:]
    with pytest.raises(
        TypeError, match=r"takes a rowfeed\.ParquetDataset .* not a builtins\.list"
    ):
        ParquetIterDataset([1])
    of_torch = importlib.import_module("rowfeed.torch").ParquetDataset(numbers, 32)
    with pytest.raises(TypeError, match=r"not a rowfeed\.torch\.ParquetDataset"):
        ParquetIterDataset(of_torch)
