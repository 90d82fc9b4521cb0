# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A mixture goes on from any row, with any ranks, or says why it does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from numbered_rows import write_numbers
from rowfeed import Catalog, ParquetDataset

pytestmark = pytest.mark.filterwarnings(
    "ignore:shuffle_window", "ignore:world_size", "ignore:a global batch"
)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("mixture")
    return [
        write_numbers(root / "a", [30, 17, 25], 1),
        write_numbers(root / "b", [20, 11], 1),
    ]


def mixture_of(
    folders: list[Path],
    weights: Any = (2, 1),
    stop: Any = "all_exhausted",
    **keywords: Any,
) -> ParquetDataset:
    options = {"batch_size": 4, "shuffle": True, "num_lanes": 4, **keywords}
    return rowfeed.mix(
        [ParquetDataset(folder, **options) for folder in folders], weights, stop=stop
    )


def ids(mixture: Any) -> list[int]:
    return [int(row) for element in mixture for row in element["id"]]


def by_ranks(folders: list[Path], state: Any, world_size: int, batch_size: int) -> Any:
    """Returns the rest of the stream, put together of what all ranks get."""
    ranks = []
    for rank in range(world_size):
        mixture = mixture_of(
            folders,
            batch_size=batch_size,
            rank=rank,
            world_size=world_size,
            remainder="uneven",
        )
        mixture.load_state_dict(state)
        ranks.append([element["id"].tolist() for element in mixture])
    rest = []
    for step in range(max(map(len, ranks), default=0)):
        parts = [batches[step] for batches in ranks if step < len(batches)]
        for i in range(max(map(len, parts))):
            rest += [part[i] for part in parts if i < len(part)]
    return rest


@pytest.mark.parametrize("stop", ["first_exhausted", "all_exhausted"])
def test_it_goes_on_from_every_row(folders: list[Path], stop: Any) -> None:
    mixture = mixture_of(folders, stop=stop, batch_size=1)
    every = ids(mixture)
    iteration = iter(mixture_of(folders, stop=stop, batch_size=1))
    for k in range(len(every)):
        state = json.loads(json.dumps(iteration.state_dict()))
        assert (state["epoch"], state["row"]) == (0, k)
        again = mixture_of(folders, stop=stop, batch_size=1)
        again.load_state_dict(state)
        assert ids(again) == every[k:]
        next(iteration)


@pytest.mark.filterwarnings("ignore:the state was taken with")
@pytest.mark.parametrize("world_size", [1, 2, 3, 4, 8])
def test_the_state_of_any_rank_serves_any_number_of_ranks(
    folders: list[Path], world_size: int
) -> None:
    every = ids(mixture_of(folders))
    rank = iter(mixture_of(folders, batch_size=2, rank=1, world_size=2))
    for _ in range(5):
        next(rank)
    state = rank.state_dict()
    assert state["row"] == 20
    rest = by_ranks(folders, state, world_size, batch_size=3)
    # Ranks in turn are the stream where each step begins with rank 0.
    if 20 % world_size == 0:
        assert rest == every[20:]
    assert sorted(rest) == sorted(every[20:])


def test_the_state_says_weights_and_sources(folders: list[Path]) -> None:
    mixture = mixture_of(folders, {0: [0.5, 0.25], 4: [1, 1]}, "first_exhausted")
    state = mixture.state_at(3, 2)
    assert state["row"] == 8
    assert set(state) == {
        *("format", "order_version", "epoch", "row", "next_epoch", "epochs_done"),
        *("mixture", "global_batch"),
    }
    assert state["mixture"]["stop"] == "first_exhausted"
    assert state["mixture"]["weights"] == [2, 1]
    assert mixture.state_at(4, 0)["mixture"]["weights"] == [1, 1]
    alone = ParquetDataset(folders[1], 4, shuffle=True, num_lanes=4).state_dict()
    source = {name: alone[name] for name in ("order", "fingerprint")}
    assert state["mixture"]["sources"][1] == source


def test_options_left_at_none_take_the_states_values(folders: list[Path]) -> None:
    small = mixture_of(folders, shuffle_window=24, block_rows=8)
    iteration = iter(small)
    next(iteration)
    state = iteration.state_dict()
    again = mixture_of(folders, num_lanes=None)
    again.load_state_dict(state)
    assert ids(again) == ids(iteration)


def differing(state: Any, **changes: Any) -> Any:
    return {**state, "mixture": {**state["mixture"], **changes}}


def test_other_weights_are_refused_in_the_middle_of_an_epoch(
    folders: list[Path],
) -> None:
    state = mixture_of(folders).state_at(2, 3)
    other = mixture_of(folders, [1, 1])
    with pytest.raises(ValueError, match=r"weights are \[2, 1\] rounds, but \[1, 1\]"):
        other.load_state_dict(state)
    with pytest.raises(ValueError, match="stop is 'all_exhausted', but 'first"):
        mixture_of(folders, stop="first_exhausted").load_state_dict(state)
    with pytest.warns(UserWarning, match=r"weights are.*may come twice or not at all"):
        other.load_state_dict(state, strict=False)
    assert other.state_dict()["row"] == 12


def test_other_weights_are_taken_where_no_epoch_is_under_way(
    folders: list[Path],
) -> None:
    mixture = mixture_of(folders)
    iteration = iter(mixture)
    for _ in range(len(mixture)):
        next(iteration)
    at_the_end = iteration.state_dict()  # The end itself was not seen.
    assert at_the_end["row"] == mixture._parameters.epochs.rows_in(0)
    list(iteration)
    other = mixture_of(folders, [1, 1])
    other.set_epoch(1)
    expected = ids(other)
    for state in (at_the_end, iteration.state_dict()):
        again = mixture_of(folders, [1, 1])
        again.load_state_dict(state)
        assert (again.state_dict()["epoch"], again.state_dict()["row"]) == (1, 0)
        assert ids(again) == expected


def test_what_differs_is_named_with_its_source(folders: list[Path]) -> None:
    state = mixture_of(folders).state_at(0, 1)
    with pytest.raises(ValueError, match="seed of source 0 is 0, but 7 in this"):
        mixture_of(folders, seed=7).load_state_dict(state)
    with pytest.raises(ValueError, match=r"fingerprint of source 0 is .*other data"):
        mixture_of(folders[::-1]).load_state_dict(state)
    with pytest.raises(ValueError, match="mixture of 2 datasets, but this one is of 1"):
        mixture_of(folders[:1], [1]).load_state_dict(state)
    with pytest.warns(UserWarning, match="seed of source 1 is 0.*may come twice"):
        mixture_of(folders, seed=7).load_state_dict(state, strict=False)


def test_states_of_mixtures_and_of_datasets_are_told_apart(
    folders: list[Path],
) -> None:
    mixture = mixture_of(folders)
    alone = ParquetDataset(folders[0], 4, shuffle=True)
    with pytest.raises(ValueError, match="of a mixture, but this dataset is none"):
        alone.load_state_dict(mixture.state_dict())
    with pytest.raises(ValueError, match="of one dataset, but this one is a mixture"):
        mixture.load_state_dict(alone.state_dict())
    catalog = Catalog.open(folders[0])
    with pytest.raises(ValueError, match="catalog: it is of one dataset"):
        mixture.load_state_dict(mixture.state_dict(), catalog=catalog)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"stop": "never"}, "stop is 'never'"),
        ({"stop": ["endless"]}, "stop is"),
        ({"weights": [2]}, "weights must be rounds"),
        ({"weights": [2, 0]}, "weights must be rounds"),
        ({"weights": [2, True]}, "weights must be rounds"),
        ({"weights": [65536, 1]}, "weights must be rounds"),
        ({"weights": "21"}, "weights must be a list"),
        ({"sources": []}, "sources must be a list"),
        ({"sources": [1, 2]}, "a source must be a dict, not 1"),
        ({"sources": [{}, {}]}, "a source has no field 'order'"),
        ({"more": 1}, "has a field 'more' that is not known"),
    ],
)
def test_what_is_no_state_is_refused(
    folders: list[Path], changes: Any, message: str
) -> None:
    mixture = mixture_of(folders)
    with pytest.raises(ValueError, match=message):
        mixture.load_state_dict(differing(mixture.state_dict(), **changes))
    with pytest.raises(ValueError, match="mixture must be a dict"):
        mixture.load_state_dict({**mixture.state_dict(), "mixture": 3})


def test_a_row_behind_the_end_is_refused(folders: list[Path]) -> None:
    mixture = mixture_of(folders)
    rows = mixture._parameters.epochs.rows_in(0)
    with pytest.raises(ValueError, match=rf"row is {rows + 1}, but epoch 0 has {rows}"):
        mixture.load_state_dict({**mixture.state_dict(), "row": rows + 1})


def test_a_state_with_a_filter_is_not_one_without(folders: list[Path]) -> None:
    def mixture(rows: Any) -> ParquetDataset:
        filters = (rows, None)
        return rowfeed.mix(
            [
                ParquetDataset(folder, 4, num_lanes=4, filter=rows)
                for folder, rows in zip(folders, filters, strict=True)
            ]
        )

    few, all_rows = mixture([("id", "<", 20)]), mixture(None)
    for source, target in ((few, all_rows), (all_rows, few)):
        batches = iter(source)
        next(batches)
        state = json.loads(json.dumps(batches.state_dict()))
        with pytest.raises(ValueError, match="state: filter of source 0 is"):
            target.load_state_dict(state)
        with pytest.warns(UserWarning, match="filter of source 0 is"):
            target.load_state_dict(state, strict=False)
