# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""dataset.explain() gives advice where the numbers give reason, and nowhere else.

Following the advice changes the number that gave the reason.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed

ParquetDataset: Any = rowfeed.ParquetDataset  # Options come as dicts.
pytestmark = pytest.mark.filterwarnings("ignore::rowfeed.PerformanceWarning")
GROUP = 2000
GROUPS = 12
PLENTY = 1 << 40


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Row groups of 2,000 rows and about 64 kB."""
    path = tmp_path_factory.mktemp("table") / "x.parquet"
    values = np.random.default_rng(0).normal(size=(4, GROUP * GROUPS))
    columns = {f"x{i}": row for i, row in enumerate(values)}
    pq.write_table(pa.table(columns), path, row_group_size=GROUP)
    return path


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets the memory that the process may use; plenty, if a test does not set it."""

    def use(num_bytes: int) -> None:
        for module in (
            "_look.epoch_advice",
            "_look.block_sizes",
            "_options.memory",
        ):
            monkeypatch.setattr(f"rowfeed.{module}.usable_memory", lambda: num_bytes)

    use(PLENTY)
    return use


def pasted(sentence: str) -> dict[str, int]:
    """Returns the options that a sentence ends with."""
    line = sentence.rpartition(": ")[2]
    assert re.fullmatch(r"\w+=\d+(, \w+=\d+)*", line)
    return {
        name: int(value)
        for name, value in (option.split("=") for option in line.split(", "))
    }


def test_defaults_need_no_advice(table: Path) -> None:
    for options in ({}, {"shuffle": True}, {"shuffle": True, "num_lanes": 2}):
        said = ParquetDataset(table, 64, **options).explain()
        assert said.advice == ()
        assert "none: the numbers give no reason for any" in str(said)


def test_a_budget_above_half_of_the_memory_gets_smaller_blocks(
    table: Path, memory: Any
) -> None:
    dataset = ParquetDataset(table, 64, shuffle=True, num_threads=1)
    before = dataset.explain()
    memory(before.memory_budget_bytes)
    (sentence,) = dataset.explain().advice
    assert sentence.startswith("the memory budget is ")
    changed = pasted(sentence)
    assert "block_rows" in changed
    after = ParquetDataset(
        table, 64, **{"shuffle": True, "num_threads": 1, **changed}
    ).explain()
    assert after.least_memory_bytes <= before.memory_budget_bytes / 8


def test_a_budget_that_was_given_too_large_is_set_to_what_is_needed(
    table: Path, memory: Any
) -> None:
    memory(1 << 30)
    dataset = ParquetDataset(table, 64, memory_budget_bytes=900_000_000)
    (sentence,) = dataset.explain().advice
    after = ParquetDataset(table, 64, **pasted(sentence)).explain()
    assert after.memory_budget_bytes == after.read_ahead_memory_bytes
    assert after.advice == ()


def test_a_budget_without_room_to_read_ahead_is_raised(table: Path) -> None:
    least = ParquetDataset(table, 64, shuffle=True).explain().least_memory_bytes
    dataset = ParquetDataset(table, 64, shuffle=True, memory_budget_bytes=least)
    (sentence,) = dataset.explain().advice
    assert "has no room to read the next window ahead" in sentence
    after = ParquetDataset(table, 64, shuffle=True, **pasted(sentence)).explain()
    assert after.advice == ()


def test_windows_of_few_blocks_shuffle_weakly(table: Path) -> None:
    dataset = ParquetDataset(table, 64, shuffle=True, shuffle_window=GROUP)
    before = dataset.explain()
    (sentence,) = before.advice
    assert "come from 1 block of the data set at a time" in sentence
    after = ParquetDataset(table, 64, shuffle=True, **pasted(sentence)).explain()
    assert after.row_groups_per_batch > 4 * before.row_groups_per_batch
    assert after.advice == ()


def test_many_lanes_or_blocks_make_up_for_small_windows(table: Path) -> None:
    for options in (
        {"num_lanes": 4, "shuffle_window": GROUP // 2},
        {"block_rows": 500, "shuffle_window": GROUP},
        {"shuffle_window": 10 * GROUP * GROUPS},
    ):
        dataset = ParquetDataset(table, 64, shuffle=True, **options)
        assert dataset.explain().advice == ()


def test_ranks_that_share_lanes_get_lanes_of_their_own(table: Path) -> None:
    ranks = {"rank": 1, "world_size": 3}
    before = ParquetDataset(table, 64, shuffle=True, num_lanes=1, **ranks).explain()
    (sentence,) = before.advice
    assert sentence.startswith("3 ranks read each row group")
    after = ParquetDataset(table, 64, shuffle=True, **ranks, **pasted(sentence))
    assert after.explain().read_bytes == pytest.approx(before.read_bytes / 3, rel=0.05)
    assert after.explain().advice == ()


def test_more_lanes_were_advised_than_memory_has_room_for(
    table: Path, memory: Any
) -> None:
    ranks = {"rank": 0, "world_size": 3, "shuffle": True, "num_lanes": 1}
    dataset = ParquetDataset(table, 64, **ranks)
    memory(1000)
    advice = dataset.explain().advice
    assert not any("num_lanes=3" in sentence for sentence in advice)


def test_more_lanes_were_advised_than_a_filter_leaves_row_groups(table: Path) -> None:
    ranks = {"rank": 0, "world_size": 3, "shuffle": True, "num_lanes": 1}
    for num_groups, is_advised in ((2, False), (3, True)):
        kept = [("__row_group", "<", num_groups)]
        dataset = ParquetDataset(table, 64, filter=kept, **ranks)
        len(dataset)  # The rows that pass are counted.
        advice = dataset.explain().advice
        assert any("num_lanes=3" in sentence for sentence in advice) == is_advised


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One row group of 64 MB."""
    path = tmp_path_factory.mktemp("large") / "x.parquet"
    table = pa.table({"x": np.arange(8_000_000) / 7})
    how = {"use_dictionary": False, "compression": "none"}
    pq.write_table(table, path, row_group_size=len(table), **how)
    return path


@pytest.mark.parametrize("shuffle", [False, True])
def test_a_long_wait_for_the_first_batch_gets_smaller_blocks(
    shuffle: bool, monkeypatch: pytest.MonkeyPatch, large: Path
) -> None:
    before = ParquetDataset(large, 64, shuffle=shuffle).explain()
    assert before.advice == ()
    wait_for(monkeypatch, 30_000_000, 20_000_000)
    (sentence,) = ParquetDataset(large, 64, shuffle=shuffle).explain().advice
    assert "because row groups have 8,000,000 rows" in sentence
    after = ParquetDataset(large, 64, shuffle=shuffle, **pasted(sentence)).explain()
    assert after.first_batch_bytes <= before.first_batch_bytes / 2
    assert after.read_bytes <= 2 * before.read_bytes
    assert after.advice == ()


def test_blocks_that_would_read_pages_many_times_are_not_advised(
    monkeypatch: pytest.MonkeyPatch, large: Path
) -> None:
    wait_for(monkeypatch, 30_000_000, 1_000_000)
    assert ParquetDataset(large, 64, shuffle=True).explain().advice == ()


def wait_for(monkeypatch: pytest.MonkeyPatch, long: int, short: int) -> None:
    """Sets how many bytes are a long wait, and how many advice aims at."""
    advice = "rowfeed._look.epoch_advice"
    monkeypatch.setattr(f"{advice}._LONG_WAIT_BYTES", long)
    monkeypatch.setattr(f"{advice}._SHORT_WAIT_BYTES", short)


@pytest.mark.parametrize("order", [{}, {"shuffle": True, "shuffle_window": 256}])
def test_small_blocks_that_read_pages_many_times_get_larger_ones(
    table: Path, order: dict[str, Any]
) -> None:
    before = ParquetDataset(table, 64, block_rows=32, **order).explain()
    (sentence,) = [said for said in before.advice if "whole pages" in said]
    changed = order | pasted(sentence)
    after = ParquetDataset(table, 64, **changed).explain()
    stored = ParquetDataset(table, 64).explain().read_bytes
    assert stored is not None
    assert before.read_bytes is not None
    assert after.read_bytes is not None
    assert before.read_bytes > 20 * stored
    assert after.read_bytes <= 2 * stored
    assert not [said for said in after.advice if "whole pages" in said]


def test_blocks_that_read_pages_few_times_need_no_larger_ones(table: Path) -> None:
    dataset = ParquetDataset(table, 64, block_rows=1000, shuffle=True)
    assert not [said for said in dataset.explain().advice if "whole pages" in said]


def test_a_mixture_gets_advice_about_its_budget_alone(table: Path, memory: Any) -> None:
    order = {"shuffle": True, "shuffle_window": GROUP}
    sources = [ParquetDataset(table, 64, **order) for _ in range(2)]
    mixture = rowfeed.mix(sources, weights=[1, 1])
    assert mixture.explain().advice == ()
    memory(mixture.explain().memory_budget_bytes)
    (sentence,) = mixture.explain().advice
    assert sentence.startswith("the memory budget is ")
