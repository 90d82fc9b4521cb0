# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""peek returns the batch that comes next, and leaves it to come."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rowfeed
from numbered_rows import GROUP_ROWS, write_numbers

FACES = pytest.mark.parametrize("face", ["", ".torch", ".tensorflow"])


def make(face: str, path: Path, batch_size: int | None = 32, **keywords: Any) -> Any:
    if face:
        pytest.importorskip(face[1:])
    keywords = {"columns": ["id", "name"], "shuffle": True, "seed": 5, **keywords}
    found = importlib.import_module(f"rowfeed{face}").ParquetDataset
    return found(path, batch_size, **keywords)


def ids(element: Any) -> list[int]:
    return [int(i) for i in np.atleast_1d(element["id"])]


@FACES
@pytest.mark.parametrize("batch_size", [32, None])
def test_it_is_what_the_next_iteration_begins_with(
    face: str, batch_size: int | None, numbers: Path
) -> None:
    dataset = make(face, numbers, batch_size)
    for _ in range(3):
        before = dataset.state_dict()
        peeked = ids(dataset.peek())
        assert ids(dataset.peek()) == peeked
        assert dataset.state_dict() == before
        batches = iter(dataset)
        assert ids(next(batches)) == peeked
        place = dataset.state_dict()
        following = ids(dataset.peek())
        assert dataset.state_dict() == place
        rest = [ids(batch) for batch in batches]
        assert len(rest) == len(dataset) - 1
        assert following != peeked
        assert ids(dataset.batch_at(dataset.state_dict()["epoch"], 0)) == following


@FACES
def test_it_follows_a_state(face: str, numbers: Path) -> None:
    dataset = make(face, numbers)
    dataset.load_state_dict(dataset.state_at(2, 3))
    assert ids(dataset.peek()) == ids(dataset.batch_at(2, 3))
    dataset.set_epoch(6)
    assert ids(dataset.peek()) == ids(dataset.batch_at(6, 0))
    assert dataset.state_dict() == dataset.state_at(6, 0)


@FACES
@pytest.mark.parametrize("num_epochs", [1, 2, None])
def test_after_the_end_of_an_epoch_comes_the_next(
    face: str, num_epochs: int | None, numbers: Path
) -> None:
    dataset = make(face, numbers, num_epochs=num_epochs)
    end = dataset.state_at(0, 8)
    dataset.load_state_dict(end)
    assert ids(dataset.peek()) == ids(dataset.batch_at(1, 0))
    assert dataset.state_dict() == end


@FACES
def test_a_mixture_has_a_next_batch(face: str, numbers: Path) -> None:
    sources = [make(face, numbers, seed=seed) for seed in range(2)]
    mixture = rowfeed.mix(sources, [3, 1])
    peeked = ids(mixture.peek())
    assert [source.state_dict()["row"] for source in sources] == [0, 0]
    assert ids(next(iter(mixture))) == peeked
    mixture = rowfeed.mix(sources, [3, 1], stop="endless")
    assert ids(mixture.peek()) == ids(next(iter(mixture)))


class _Unreachable:
    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a peek asks other ranks: {name}")


@FACES
def test_it_asks_no_other_rank_and_is_of_its_own(face: str, numbers: Path) -> None:
    dataset = make(face, numbers, rank=1, world_size=2)
    first = make(face, numbers, rank=0, world_size=2)
    dataset._agreement = _Unreachable()
    peeked = ids(dataset.peek())
    del dataset._agreement
    assert ids(next(iter(dataset))) == peeked
    assert not set(peeked) & set(ids(first.peek()))


@FACES
def test_it_does_not_count_in_the_stats(face: str, numbers: Path) -> None:
    dataset = make(face, numbers)
    dataset.peek()
    assert dataset.stats().batches == 0
    next(iter(dataset))
    assert dataset.stats().batches == 1


@FACES
def test_a_filter_is_counted_and_may_leave_nothing(face: str, numbers: Path) -> None:
    dataset = make(face, numbers, filter=[("half", "<", 50)])
    assert ids(dataset.peek()) == ids(next(iter(dataset)))
    assert "100 rows of these pass" in repr(dataset)
    for num_epochs in (1, 2):
        empty = make(face, numbers, filter=[("half", "<", 0)], num_epochs=num_epochs)
        said = r"epoch 0 has no steps: the filter .*half < 0.* lets none of 250 rows"
        with pytest.raises(ValueError, match=said):
            empty.peek()


@FACES
def test_too_few_rows_for_a_batch_were_said_to_be_those_of_a_filter(
    face: str, numbers: Path
) -> None:
    few: dict[str, Any] = {"split": rowfeed.Split(0, 0.05), "remainder": "drop"}
    for kind in ("split", "filter and split"):
        with pytest.raises(Exception, match=rf"\d rows that pass the {kind} and a"):
            make(face, numbers, **few).peek()
        few["filter"] = [("half", "<", 1000)]


@FACES
def test_an_epoch_of_growing_data_must_have_begun(face: str, tmp_path: Path) -> None:
    folder = write_numbers(tmp_path / "data", GROUP_ROWS)
    kept = tmp_path / "kept"
    dataset = make(face, folder, refresh="epoch", snapshot_dir=kept)
    with pytest.raises(ValueError, match=r"begin_epoch\(\) before peek"):
        dataset.peek()
    assert dataset.state_dict()["fingerprint"] is None
    dataset.begin_epoch()
    assert ids(dataset.peek()) == ids(next(iter(dataset)))


@pytest.mark.parametrize("face", ["", ".torch"])
def test_it_is_transformed(face: str, numbers: Path) -> None:
    dataset = make(face, numbers, transform=ids)
    assert dataset.peek() == next(iter(dataset))
    assert make(face, numbers, transform=lambda _: None).peek() is None


def test_an_error_of_the_batch_is_raised_and_nothing_moves(numbers: Path) -> None:
    def fail(_: Any) -> Any:
        raise KeyError("mine")

    dataset = make("", numbers, transform=fail)
    with pytest.raises(KeyError, match="mine"):
        dataset.peek()
    assert dataset.state_dict() == dataset.state_at(0, 0)
