# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`__epoch`, `__step`: when each row is delivered."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rowfeed
from rowfeed import ParquetDataset, StepInfo

MOMENT = ["__epoch", "__step"]
FACES = pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
SITUATIONS: dict[str, dict[str, Any]] = {
    "catalog order": {},
    "shuffled": {"shuffle": True, "shuffle_window": 140, "num_epochs": 3},
    "lanes": {"shuffle": True, "num_lanes": 3, "num_epochs": 2},
    "a rank": {"shuffle": True, "rank": 1, "world_size": 2, "num_lanes": 4},
    "pad": {"remainder": "pad", "rank": 1, "world_size": 3, "num_epochs": 2},
    "wrap": {"shuffle": True, "remainder": "wrap", "batch_size": 32},
    "drop": {"remainder": "drop", "num_epochs": 2},
    "filtered": {"filter": [("id", ">", 30)], "num_epochs": 2},
    "small batches": {"batch_size": 2, "shuffle": True, "num_epochs": 2},
    "single rows": {"batch_size": None, "shuffle": True, "num_epochs": 2},
    "fixed order": {
        **{"shuffle": True, "reshuffle_each_iteration": False, "num_epochs": 2}
    },
}


def make(face: str, paths: Any, **keywords: Any) -> Any:
    module = rowfeed if face == "numpy" else pytest.importorskip(f"rowfeed.{face}")
    return module.ParquetDataset(paths, **{"batch_size": 16, **keywords})


def moments_of(batch: Any) -> list[tuple[int, int]]:
    """Returns the different moments of an element's rows that are not fill."""
    epoch, step = (np.atleast_1d(np.asarray(batch[name])) for name in MOMENT)
    assert epoch.dtype == step.dtype == np.int64
    if "__valid" in batch:
        valid = np.atleast_1d(np.asarray(batch["__valid"]))
        assert not epoch[~valid].any()
        assert not step[~valid].any()
        epoch, step = epoch[valid], step[valid]
    return sorted({*zip(epoch.tolist(), step.tolist(), strict=True)})


@FACES
@pytest.mark.parametrize("situation", SITUATIONS)
def test_all_rows_of_a_batch_have_its_epoch_and_step(
    numbers: Path, situation: str, face: str
) -> None:
    keywords = SITUATIONS[situation]
    dataset = make(face, numbers, columns=["id", *MOMENT], **keywords)
    num_epochs = keywords.get("num_epochs", 1)
    steps = len(make("numpy", numbers, **keywords)) // num_epochs
    expected = [[(e, s)] for e in range(num_epochs) for s in range(steps)]
    found = [moments_of(batch) for batch in dataset]
    if "rank" in keywords:  # A last batch of this rank may have fill rows alone.
        found = [m or [at] for m, (at,) in zip(found, expected, strict=True)]
    assert found == expected


def test_they_are_those_that_a_transform_gets(numbers: Path) -> None:
    def compare(batch: Any, info: StepInfo) -> Any:
        assert moments_of(batch) == [(info.epoch, info.step)]
        return batch

    keywords: dict[str, Any] = {"shuffle": True, "columns": MOMENT, "num_epochs": 2}
    dataset = ParquetDataset(numbers, 16, transform=compare, **keywords)
    assert len([*dataset]) == len(dataset)


@pytest.mark.filterwarnings("ignore:the state was taken with a global batch")
@pytest.mark.parametrize("position", [0, 3, 5])
def test_after_a_resume_with_other_batches_too(position: int, numbers: Path) -> None:
    told: list[tuple[int, int]] = []

    def compare(batch: Any, info: StepInfo) -> Any:
        assert moments_of(batch) == [(info.epoch, info.step)]
        told.append((info.epoch, info.step))
        return batch

    keywords: dict[str, Any] = {"shuffle": True, "columns": MOMENT, "num_epochs": 2}
    state = ParquetDataset(numbers, 16, **keywords).state_at(1, position)
    other = ParquetDataset(
        *(numbers, 8), rank=1, world_size=3, transform=compare, **keywords
    )
    other.load_state_dict(state)
    assert len([*other]) == len(told) > 0


@FACES
def test_a_resumed_iteration_goes_on_counting(numbers: Path, face: str) -> None:
    keywords: dict[str, Any] = {"shuffle": True, "columns": ["id", *MOMENT]}
    whole = [moments_of(batch) for batch in make(face, numbers, **keywords)]
    dataset = make(face, numbers, **keywords)
    dataset.load_state_dict(make(face, numbers, **keywords).state_at(0, 5))
    assert [moments_of(batch) for batch in dataset] == whole[5:]
    assert whole[5:]


def test_batches_by_number_and_peeks_have_them(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 16, columns=MOMENT, shuffle=True)
    assert moments_of(dataset.batch_at(epoch=4, step=7)) == [(4, 7)]
    assert moments_of(dataset.peek()) == [(0, 0)]


def test_a_mixture_counts_its_own_epochs(numbers: Path) -> None:
    sources = [
        ParquetDataset(
            *(numbers, 16),
            columns=["id", *MOMENT],
            shuffle=True,
            seed=seed,
            num_epochs=2,
        )
        for seed in (1, 2)
    ]
    mixed = rowfeed.mix(sources, weights=[5, 1], stop="all_exhausted")
    steps = len(mixed) // 2
    expected = [[at] for at in itertools.product(range(2), range(steps))]
    assert [moments_of(batch) for batch in mixed] == expected


def test_sources_of_a_mixture_agree_on_them(numbers: Path) -> None:
    made = ParquetDataset(numbers, 16, columns={"n": "__step"})
    stored = ParquetDataset(numbers, 16, columns={"n": "id"})
    for sources in ([made, stored], [stored, made]):
        with pytest.raises(ValueError, match="__step"):
            len(rowfeed.mix(sources, weights=[1, 1]))


def test_they_are_members_of_a_stack_and_labels(numbers: Path) -> None:
    columns = {"x": rowfeed.Stack(["__step", "id", "__epoch"])}
    dataset = ParquetDataset(numbers, 16, columns=columns, label="__epoch")
    for step, (features, label) in enumerate(dataset):
        assert (features["x"][:, [0, 2]] == [step, 0]).all()
        assert (label == 0).all()


def test_rows_by_index_and_filters_have_no_moment(numbers: Path) -> None:
    with pytest.raises(ValueError, match=r"'__step' says when .* only datasets"):
        rowfeed.ParquetMapDataset(numbers, columns=["id", "__step"])[0]
    with pytest.raises(ValueError, match="'__epoch' says when"):
        rowfeed.Catalog.open(numbers).take([1], ["__epoch"])
    with pytest.raises(KeyError, match="__epoch"):
        len(ParquetDataset(numbers, 16, filter=[("__epoch", "==", 0)]))
