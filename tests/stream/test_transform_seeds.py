# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""transform with two arguments: seeds that belong to rows and epochs."""

from __future__ import annotations

import functools
import importlib
import pickle
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowfeed
from drawn_plans import REMAINDERS, WORDS
from growing import FILE_ROWS, Folder, dataset_of
from numbered_rows import NUM_ROWS
from order_model import batch as batch_of
from order_model import steps
from rowfeed import StepInfo
from told_steps import Told, note, seed_of, seeds_of_ids
from transforming import FACES

pytestmark = pytest.mark.filterwarnings(
    "ignore:shuffle_window", "ignore:world_size", "ignore:the state was taken with"
)

ORDER: dict[str, Any] = {"columns": ["id"], "shuffle": True, "seed": 6, "num_lanes": 4}
RANKS = st.integers(1, 4).flatmap(
    lambda w: st.tuples(st.integers(0, w - 1), st.just(w))
)
BATCH_SIZES = st.sampled_from([None, 3, 16, 50])


def make(
    data: Path, face: str = "", batch_size: int | None = 16, **keywords: Any
) -> Any:
    if face:
        pytest.importorskip("torch")
    dataset = importlib.import_module(f"rowfeed{face}").ParquetDataset
    given = {"transform": note, "num_threads": 2, **ORDER, **keywords}
    return dataset(data, batch_size, **given)


@pytest.fixture(scope="module")
def whole(numbers: Path) -> dict[tuple[int, int], int]:
    """The seed of each row in each of three epochs."""
    return seeds_of_ids(make(numbers, num_epochs=3))


@settings(max_examples=25)
@given(BATCH_SIZES, RANKS, REMAINDERS, WORDS, st.integers(0, NUM_ROWS), st.data())
def test_seeds_are_those_of_the_model(
    numbers: Path,
    batch_size: int | None,
    ranks: tuple[int, int],
    remainder: Any,
    seed: int,
    start: int,
    data: st.DataObject,
) -> None:
    """From any row of an epoch, and in the epoch after it."""
    rank, world_size = ranks
    epoch = data.draw(st.integers(0, 2**62 - 1))
    keywords = {"rank": rank, "world_size": world_size, "remainder": remainder}
    epochs = {"first_epoch": epoch, "num_epochs": 2}
    dataset = make(numbers, "", batch_size, seed=seed, **epochs, **keywords)
    size = batch_size or 1
    total = size * world_size
    dataset.load_state_dict(
        {**dataset.state_at(epoch, 0), "row": start, "global_batch": total}
    )
    expected = []
    for e, begin in ((epoch, start), (epoch + 1, 0)):
        for k in range(steps(NUM_ROWS, total, remainder, begin)):
            rows = batch_of(
                range(NUM_ROWS),
                rank=rank,
                world_size=world_size,
                batch_size=size,
                step=k,
                remainder=remainder,
                start=begin,
            )
            seeds = [seed_of(seed, e, row) for row in rows if row is not None]
            if rows:  # "uneven": this rank ends one step before others.
                expected.append((e, begin // total + k, seeds))
    got = [(told.epoch, told.step, told.seeds) for told in dataset]
    assert got == expected


@FACES
@settings(max_examples=25)
@given(BATCH_SIZES, RANKS, st.integers(0, 2), st.integers(0, 15), st.booleans())
def test_a_row_keeps_its_seed_after_a_resume(
    face: str,
    numbers: Path,
    whole: dict[tuple[int, int], int],
    batch_size: int | None,
    ranks: tuple[int, int],
    epoch: int,
    step: int,
    has_read_ahead: bool,
) -> None:
    """On any number of ranks, in batches of any size."""
    rank, world_size = ranks
    state = make(numbers).state_at(epoch, step)
    keywords = {"rank": rank, "world_size": world_size, "remainder": "uneven"}
    resumed = make(numbers, face, batch_size, **keywords)
    batches = iter(resumed)
    if has_read_ahead:
        next(batches)
        batches.load_state_dict(state)
    else:
        resumed.load_state_dict(state)
    found = seeds_of_ids(batches)
    assert found.items() <= whole.items()
    left = range(16 * step, NUM_ROWS)
    assert len(found) == sum(row % world_size == rank for row in left)


@FACES
@pytest.mark.parametrize("keywords", [{}, {"reshuffle_each_iteration": False}], ids=str)
def test_no_two_rows_or_epochs_share_a_seed(
    face: str, keywords: dict[str, Any], numbers: Path
) -> None:
    told = list(make(numbers, face, num_epochs=3, **keywords))
    seeds = [seed for one in told for seed in one.seeds]
    assert len(seeds) == len(set(seeds)) == 3 * NUM_ROWS
    orders = {tuple(i for t in told if t.epoch == e for i in t.ids) for e in range(3)}
    assert len(orders) == (1 if keywords else 3)
    others = make(numbers, face, seed=7)
    assert not set(seeds) & {seed for one in others for seed in one.seeds}


def test_the_numbers_of_seeds_stay(numbers: Path) -> None:
    """A training that goes on with a later version repeats its augmentations."""
    told = make(numbers, seed=1, first_epoch=2, batch_size=2).peek()
    assert told.seeds == [8107136879992009440, 2795310022346753576]


@FACES
def test_peek_and_batch_at_tell_the_same(face: str, numbers: Path) -> None:
    for remainder in ("drop", "pad", "wrap", "uneven"):
        ranks = {"rank": 1, "world_size": 3}
        dataset = make(numbers, face, first_epoch=4, remainder=remainder, **ranks)
        peeked = dataset.peek()
        told = list(dataset)
        assert peeked == told[0]
        assert [dataset.batch_at(4, step) for step in range(len(told))] == told
        assert [one.step for one in told] == list(range(len(told)))
        dataset.load_state_dict(dataset.state_at(4, len(told)))
        assert dataset.peek() == dataset.batch_at(5, 0)


@FACES
def test_a_mixture_numbers_its_own_rows(face: str, numbers: Path) -> None:
    """By the seed of its first source; a row that comes again has another seed."""

    def mixture(batch_size: int, **keywords: Any) -> Any:
        sources = [
            make(numbers, face, batch_size, seed=seed, **keywords) for seed in (8, 9)
        ]
        return rowfeed.mix(sources, [3, 1], stop="all_exhausted")

    told = list(mixture(16, num_epochs=2))
    seeds = [seed for one in told if one.epoch == 1 for seed in one.seeds]
    assert seeds == [seed_of(8, 1, row) for row in range(len(seeds))]
    assert len(seeds) > 3 * NUM_ROWS
    rank = mixture(8, rank=1, world_size=2, remainder="uneven")
    rank.load_state_dict(mixture(16).state_at(1, 5))
    assert [seed for one in rank for seed in one.seeds] == seeds[81::2]
    assert rank.batch_at(1, 5).seeds == seeds[81:97:2]


def test_filtered_rows_are_numbered_without_the_others(numbers: Path) -> None:
    told = list(make(numbers, filter=[("half", "<", 50)]))
    seeds = [seed for one in told for seed in one.seeds]
    assert seeds == [seed_of(6, 0, row) for row in range(100)]


def test_rows_of_growing_data_are_numbered_in_each_epoch(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder, transform=note, num_epochs=2)
    batches = iter(dataset)
    told = [next(batches)]
    folder.write(1)
    told += batches
    for epoch in range(2):
        seeds = [seed for one in told if one.epoch == epoch for seed in one.seeds]
        rows = range(FILE_ROWS * (epoch + 1))
        assert seeds == [seed_of(3, epoch, row) for row in rows]


def test_seeds_go_on_after_an_element_that_failed(numbers: Path) -> None:
    def fail(batch: Any, info: StepInfo) -> Told:
        if info.step == 3:
            raise KeyError(info.step)
        return note(batch, info)

    expected = list(make(numbers))
    batches = iter(make(numbers, transform=fail))
    told = list(islice(batches, 3))
    with pytest.raises(KeyError):
        next(batches)
    assert told + list(batches) == expected[:3] + expected[4:]


@FACES
def test_a_generator_belongs_to_its_batch(face: str, numbers: Path) -> None:
    def draw(_: Any, info: StepInfo) -> list[float]:
        first: list[float] = info.generator.random(2).tolist()
        assert info.generator is info.generator
        assert info.generator.random(2).tolist() != first
        return first

    drawn = list(make(numbers, face, transform=draw, num_epochs=2))
    assert len({tuple(numbers) for numbers in drawn}) == len(drawn)
    dataset = make(numbers, face, transform=draw)
    steps_per_epoch = len(dataset)
    assert dataset.batch_at(1, 2) == drawn[steps_per_epoch + 2]
    info = make(numbers, transform=lambda _, info: info).peek()
    assert info.generator.random() != np.random.default_rng(info.seeds[0]).random()


def test_a_step_info_cannot_be_changed_and_pickles(numbers: Path) -> None:
    info = make(numbers, transform=lambda _, info: info, first_epoch=3).batch_at(3, 2)
    with pytest.raises(AttributeError):
        info.epoch = 4
    with pytest.raises(ValueError, match="read-only"):
        info.seeds[0] = 1
    copy = pickle.loads(pickle.dumps(info))
    assert (copy.epoch, copy.step) == (3, 2)
    assert (copy.seeds == info.seeds).all()
    assert copy.generator.random() == info.generator.random()
    assert type(info) is rowfeed.StepInfo


class _Object:
    def two(self, batch: Any, info: Any) -> Any:
        return batch, info

    def __call__(self, batch: Any, info: Any) -> Any:
        return batch, info


def _two(batch: Any, info: Any) -> Any:
    return batch, info


def _pass_on(function: Any) -> Any:
    @functools.wraps(function)
    def passed(*arguments: Any, **keywords: Any) -> Any:
        return function(*arguments, **keywords)

    return passed


def _fill_in(function: Any) -> Any:
    @functools.wraps(function)
    def filled_in(batch: Any) -> Any:
        return function(batch, None)

    return filled_in


TOLD = {
    "function": _two,
    "positional": lambda batch, info, /: (batch, info),
    "more": lambda batch, info, _=2, *_rest, **_options: (batch, info),
    "method": _Object().two,
    "object": _Object(),
    "partial": functools.partial(lambda _, batch, info: (batch, info), 2),
    "decorated": _pass_on(_two),
}
NOT_TOLD = {
    "function": lambda batch: batch,
    "default": lambda _, info=None: info,
    "any": lambda *arguments: arguments[1:] or None,
    "keyword": lambda _, *, info=None: info,
    "partial": functools.partial(_two, info=None),
    "filled in": _fill_in(_two),
    "builtin": dict,
}


@pytest.mark.parametrize("kind", TOLD)
def test_a_second_argument_that_is_required_is_given(kind: str, numbers: Path) -> None:
    batch, info = make(numbers, transform=TOLD[kind]).peek()
    assert list(batch) == ["id"]
    assert (info.epoch, info.step) == (0, 0)


@pytest.mark.parametrize(
    ("function", "signature"),
    [
        (lambda element, *, info: (element, info), r"\(element, \*, info\)"),
        (lambda: None, r"\(\)"),
        (lambda element, info, more: (element, info, more), r"\(element, info, more\)"),
        (functools.partial(lambda batch: batch, 2), r"\(\)"),
    ],
    ids=["keyword", "no argument", "three arguments", "partial"],
)
def test_a_function_that_takes_neither_one_nor_two_arguments_is_refused_at_once(
    function: Any, signature: str, numbers: Path
) -> None:
    said = rf"its signature is {signature}: write .*def transform\(element, info\)"
    with pytest.raises(TypeError, match=said):
        make(numbers, transform=function)


@pytest.mark.parametrize("kind", NOT_TOLD)
def test_other_functions_get_the_element_alone(kind: str, numbers: Path) -> None:
    got = make(numbers, transform=NOT_TOLD[kind]).peek()
    assert not any(isinstance(part, StepInfo) for part in (got, *(got or ())))
