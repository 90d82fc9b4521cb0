# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`from_state`: a saved state alone says which dataset it is of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from rowfeed import Catalog, ParquetDataset, Split

FACES = ["numpy", "torch", "tensorflow"]
ORDERS: dict[str, dict[str, Any]] = {
    "catalog order": {},
    "shuffled": {"shuffle": True, "seed": 2**64 - 1, "num_lanes": 4},
    "blocks": {"shuffle": True, "block_rows": 11, "shuffle_window": 99},
    "one order": {"shuffle": True, "reshuffle_each_iteration": False, "first_epoch": 6},
    "a filter": {"shuffle": True, "filter": [("half", "<", 60)]},
    "a split": {"shuffle": True, "split": Split(0.1, 0.8, seed=3)},
}


def module_of(face: str) -> Any:
    return rowfeed if face == "numpy" else pytest.importorskip(f"rowfeed.{face}")


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("order", ORDERS)
def test_it_goes_on_where_the_state_was(numbers: Path, order: str, face: str) -> None:
    keywords = ORDERS[order]
    dataset = ParquetDataset(numbers, 16, columns=["id"], **keywords)
    state = json.loads(json.dumps(dataset.state_at(8, 3)))
    given = {k: v for k, v in keywords.items() if k in ("filter", "split")}
    again = module_of(face).ParquetDataset.from_state(
        state, numbers, 16, columns=["id"], **given
    )
    assert again.state_dict() == state
    expected = dataset.batch_at(8, 3)["id"].tolist()
    assert [int(i) for i in next(iter(again))["id"]] == expected
    assert (again.which(8, 3).row == dataset.which(8, 3).row).all()


def test_a_mixture_has_a_list_of_what_its_sources_have(numbers: Path) -> None:
    few = [("id", "<", 70)]
    sources = [
        ParquetDataset(numbers, 16, columns=["id"], shuffle=True, filter=condition)
        for condition in (None, few)
    ]
    mixture = rowfeed.mix(sources, [3, 2], stop="all_exhausted")
    state = json.loads(json.dumps(mixture.state_at(1, 4)))
    catalog = Catalog.open(numbers)
    paths: list[Any] = [catalog, numbers]
    again = ParquetDataset.from_state(
        state, paths, 16, columns=["id"], filter=[None, few]
    )
    assert again.state_dict() == state
    assert (next(iter(again))["id"] == mixture.batch_at(1, 4)["id"]).all()
    with pytest.raises(TypeError, match=r"paths must be a list .* 2 sources"):
        ParquetDataset.from_state(state, numbers, 16)
    with pytest.raises(ValueError, match=r"paths must have an entry .* 2 .* not 1"):
        ParquetDataset.from_state(state, [numbers], 16)
    with pytest.raises(ValueError, match="filter of source 1 is"):
        ParquetDataset.from_state(state, [numbers, numbers], 16, filter=[None, None])


def test_what_the_state_lacks_must_be_given(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 16, filter=[("half", "<", 60)])
    with pytest.raises(ValueError, match=r"filter is '\(half < 60\)"):
        ParquetDataset.from_state(dataset.state_at(0, 1), numbers, 16)


def test_what_the_state_says_is_not_given_again(numbers: Path) -> None:
    state = ParquetDataset(numbers, 16).state_at(0, 1)
    with pytest.raises(TypeError, match="no option 'seed': the state says it"):
        ParquetDataset.from_state(state, numbers, 16, seed=3)
    with pytest.raises(TypeError, match="no option 'num_workers'"):
        ParquetDataset.from_state(state, numbers, 16, num_workers=3)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        ParquetDataset.from_state(state, numbers)  # type: ignore[call-arg]


def test_wrong_states_and_other_data_are_refused(numbers: Path) -> None:
    state = ParquetDataset(numbers, 16).state_at(0, 1)
    with pytest.raises(ValueError, match="no field 'epoch'"):
        ParquetDataset.from_state(
            {k: v for k, v in state.items() if k != "epoch"}, numbers, 16
        )
    with pytest.raises(TypeError, match="a state is a dict"):
        ParquetDataset.from_state("state.json", numbers, 16)  # type: ignore[arg-type]
    few = Catalog.open(numbers).select(row_groups=[0, 1])
    with pytest.raises(ValueError, match="fingerprint"):
        ParquetDataset.from_state(state, few, 16)
    with pytest.warns(rowfeed.StateWarning, match="fingerprint"):
        ParquetDataset.from_state(state, few, 16, strict=False)


def test_another_global_batch_than_the_run_had_is_noticed(numbers: Path) -> None:
    state = ParquetDataset(numbers, 16).state_at(0, 1)
    with pytest.warns(rowfeed.StateWarning, match="global batch of 16 rows"):
        ParquetDataset.from_state(state, numbers, 8)
