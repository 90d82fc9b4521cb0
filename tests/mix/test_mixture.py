# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A mixture delivers what its model says, from any row, to any rank."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rowfeed
from mixture_model import Source, stream
from numbered_rows import write_numbers
from order_model import batch, steps
from rowfeed import ParquetDataset
from rowfeed._native import core

GROUPS = [[9, 0, 14, 5], [4, 3], [20, 1, 6]]
pytestmark = pytest.mark.filterwarnings(
    "ignore:shuffle_window", "ignore:world_size", "ignore:a global batch"
)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("mixture")
    return [write_numbers(root / str(i), rows, 1) for i, rows in enumerate(GROUPS)]


def ids_of(element: dict[str, Any]) -> list[int | None]:
    """The ids of a batch's rows, None for fill; all columns must be of the same row."""
    ids, halves = np.atleast_1d(element["id"]), np.atleast_1d(element["half"])
    names = [element["name"]] if np.ndim(element["id"]) == 0 else element["name"]
    valid = np.atleast_1d(element.get("__valid", np.ones(len(ids), bool)))
    for row, half, name, is_row in zip(ids, halves, names, valid, strict=True):
        assert not is_row or (half == row / 2 and name == f"row {row}")
    return [int(row) if ok else None for row, ok in zip(ids, valid, strict=True)]


ORDERS = st.fixed_dictionaries(
    {
        "shuffle": st.booleans(),
        "shuffle_window": st.integers(1, 30),
        "block_rows": st.none() | st.integers(1, 9),
        "seed": st.integers(0, 3),
    }
)


@settings(max_examples=80)
@given(
    st.lists(ORDERS, min_size=3, max_size=3),
    st.lists(st.integers(1, 5), min_size=1, max_size=3),
    st.sampled_from(["first_exhausted", "all_exhausted"]),
    st.sampled_from(["drop", "pad", "wrap", "uneven"]),
    st.integers(1, 5),
    st.integers(1, 4),
    st.sampled_from([None, 1, 3, 16]),
    st.data(),
)
def test_every_batch_is_that_of_the_model(
    folders: list[Path],
    orders: list[dict[str, Any]],
    rounds: list[int],
    stop: Any,
    remainder: Any,
    num_lanes: int,
    world_size: int,
    batch_size: int | None,
    data: st.DataObject,
) -> None:
    epoch = data.draw(st.integers(0, 2))
    rank = data.draw(st.integers(0, world_size - 1))
    models = list(map(Source, GROUPS, orders))[: len(rounds)]
    expected = [
        row
        for _, row in stream(
            models, rounds, num_lanes=num_lanes, stop=stop, epoch=epoch
        )
    ]
    start = data.draw(st.integers(0, len(expected)))
    ranks: Any = {"rank": rank, "world_size": world_size}
    rows = batch_size or 1
    sizes = [sum(groups) for groups in GROUPS]
    assume(remainder != "drop" or min(*sizes, len(expected)) >= rows * world_size)
    sources = [
        ParquetDataset(
            folder,
            batch_size,
            **order,
            **ranks,
            num_lanes=num_lanes,
            remainder=remainder,
            num_threads=2,
        )
        for folder, order in zip(folders, orders, strict=True)
    ][: len(rounds)]
    mixture = rowfeed.mix(sources, rounds, stop=stop)
    mixture.load_state_dict({**mixture.state_at(epoch, 0), "row": start})
    got = [ids_of(element) for element in mixture]
    num_steps = steps(len(expected), rows * world_size, remainder, start)
    model = [
        batch(
            expected,
            **ranks,
            batch_size=rows,
            step=step,
            remainder=remainder,
            start=start,
        )
        for step in range(num_steps)
    ]
    while model and not model[-1]:
        model.pop()  # "uneven": this rank ends one step before others.
    assert got == model
    assert mixture._parameters.steps_in(epoch, start) == len(model)


def shuffled(folders: list[Path], **keywords: Any) -> list[ParquetDataset]:
    options = {"batch_size": 8, "shuffle": True, "num_lanes": 4, **keywords}
    return [ParquetDataset(folder, **options) for folder in folders]


def sources_in(element: dict[str, Any]) -> Counter[int]:
    """How many rows of a batch come from each source; names say which."""
    return Counter(int(tag) for tag in element["tag"])


@pytest.fixture(scope="module")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three data sets whose rows have their source as `tag`."""
    root = tmp_path_factory.mktemp("tagged")
    for tag, num_rows in enumerate((300, 200, 64)):
        (root / str(tag)).mkdir()
        table = pa.table({"tag": [tag] * num_rows, "id": range(num_rows)})
        pq.write_table(table, root / str(tag) / "x.parquet", row_group_size=32)
    return [root / str(tag) for tag in range(3)]


def test_every_batch_has_the_proportions(tagged: list[Path]) -> None:
    mixture = rowfeed.mix(shuffled(tagged, batch_size=40), [5, 3, 2])
    for element in list(mixture)[:-1]:
        assert sources_in(element) == {0: 20, 1: 12, 2: 8}


def test_a_source_that_comes_again_comes_in_another_order(tagged: list[Path]) -> None:
    mixture = rowfeed.mix(
        shuffled(tagged[1:], num_lanes=1), [1, 1], stop="all_exhausted"
    )
    rows = [
        int(row)
        for element in mixture
        for row, tag in zip(element["id"], element["tag"], strict=True)
        if tag == 2
    ]
    laps = [rows[i : i + 64] for i in range(0, 192, 64)]
    assert all(sorted(lap) == list(range(64)) for lap in laps)
    assert len({tuple(lap) for lap in laps}) == 3


def test_equal_sources_do_not_walk_in_step(tagged: list[Path]) -> None:
    mixture = rowfeed.mix(shuffled([tagged[0]] * 2, num_lanes=1, batch_size=2))
    pairs = [element["id"].tolist() for element in mixture]
    assert len(pairs) == 300
    assert sum(a == b for a, b in pairs) < 10
    assert sorted(a for a, _ in pairs) == sorted(b for _, b in pairs)


def test_each_row_comes_once_where_no_source_is_exhausted_early(
    tagged: list[Path],
) -> None:
    mixture = rowfeed.mix(shuffled(tagged), [300, 200, 64], stop="all_exhausted")
    seen = Counter(
        (int(tag), int(row))
        for element in mixture
        for tag, row in zip(element["tag"], element["id"], strict=True)
    )
    assert len(seen) == 564
    assert sum(seen.values()) <= 564 + 3 * 4  # A round or so begins again.


def test_an_endless_mixture_goes_through_each_source_at_its_own_pace(
    tagged: list[Path],
) -> None:
    mixture = rowfeed.mix(shuffled(tagged), [1, 1, 2], stop="endless")
    with pytest.raises(TypeError, match="endless"):
        len(mixture)
    seen = Counter[tuple[int, int]]()
    for element in islice(mixture, 800):
        seen.update(zip(element["tag"].tolist(), element["id"].tolist(), strict=True))
    per_source = {tag: 6400 * share / 4 for tag, share in enumerate((1, 1, 2))}
    for tag, num_rows in enumerate((300, 200, 64)):
        counts = [seen[tag, row] for row in range(num_rows)]
        assert max(counts) - min(counts) <= 1
        assert sum(counts) == per_source[tag]
    mixture.close()


def test_an_epoch_may_have_other_weights(tagged: list[Path]) -> None:
    weights = {0: [3, 1], 2: [1, 1]}
    sources = shuffled(tagged[:2], num_lanes=1, num_epochs=4)
    mixture = rowfeed.mix(sources, weights)
    lengths = [50, 50, 51, 51]  # Epochs have 400 rows, then 401.
    first = rowfeed.mix(shuffled(tagged[:2], num_lanes=1), [3, 1])
    then = rowfeed.mix(shuffled(tagged[:2], num_lanes=1), [1, 1])
    expected: list[list[int]] = []
    for epoch, source in enumerate((first, first, then, then)):
        source.set_epoch(epoch)
        batches = [element["id"].tolist() for element in source]
        assert len(batches) == mixture._parameters.steps_in(epoch) == lengths[epoch]
        expected += batches
    assert len(mixture) == len(expected)
    assert [element["id"].tolist() for element in mixture] == expected
    assert [sources_in(e) for e in islice(first, 1)] == [{0: 6, 1: 2}]
    assert [sources_in(e) for e in islice(then, 1)] == [{0: 4, 1: 4}]


def test_the_length_is_that_of_the_iteration_that_would_begin(
    tagged: list[Path],
) -> None:
    mixture = rowfeed.mix(
        shuffled(tagged[:2], num_lanes=1), {0: [9, 1], 1: [1, 1], 3: [1, 9]}
    )
    for _ in range(5):
        assert len(mixture) == len(list(mixture))


def test_a_mixture_of_one_is_all_of_it(tagged: list[Path]) -> None:
    mixture = rowfeed.mix(shuffled(tagged[2:]))
    rows = [int(row) for element in mixture for row in element["id"]]
    assert sorted(rows) == list(range(64))


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("num_lanes", [1, 3])
def test_sources_may_be_filtered(
    folders: list[Path], shuffle: bool, num_lanes: int
) -> None:
    few = pc.bit_wise_and(pc.field("id"), 3) == 1
    filters = (pc.field("even"), None, few)
    sources = [
        ParquetDataset(
            folder,
            4,
            filter=condition,
            shuffle=shuffle,
            num_lanes=num_lanes,
            remainder="uneven",
        )
        for folder, condition in zip(folders, filters, strict=True)
    ]
    mixture = rowfeed.mix(sources, [2, 1, 1], stop="all_exhausted")
    batches = [ids_of(element) for element in mixture]
    assert len(mixture) == len(batches)
    table = core.round_table([2, 1, 1])
    passing = [range(0, 28, 2), range(7), range(1, 27, 4)]
    laps: list[list[Any]] = [[], [], []]
    for k, row in enumerate(row for rows in batches for row in rows):
        laps[table[k // num_lanes % len(table)]].append(row)
    for rows, own in zip(laps, passing, strict=True):
        assert len(rows) >= len(own)
        for begin in range(0, len(rows) - len(own) + 1, len(own)):
            lap = rows[begin : begin + len(own)]
            assert (sorted(lap) if shuffle or num_lanes > 1 else lap) == list(own)
    state = mixture.state_at(0, 2)
    assert "filter" in state["mixture"]["sources"][0]["order"]
    mixture.load_state_dict(state)
    assert [ids_of(element) for element in mixture] == batches[2:]


def test_a_filter_that_leaves_nothing_is_refused_when_it_is_known(
    folders: list[Path],
) -> None:
    sources = [ParquetDataset(folders[0], 4)]
    sources.append(ParquetDataset(folders[1], 4, filter=pc.field("id") < 0))
    mixture = rowfeed.mix(sources)
    with pytest.raises(ValueError, match="source 1 has no rows that its filter lets"):
        len(mixture)
    with pytest.raises(ValueError, match="source 1 has no rows that its filter lets"):
        next(iter(mixture))


def test_sources_keep_their_own_iterations(tagged: list[Path]) -> None:
    source, other = shuffled(tagged[:2])
    before = source.state_dict()
    mixture = rowfeed.mix([source, other])
    list(mixture)
    assert source.state_dict() == before
    assert mixture.state_dict()["epoch"] == 1


def test_a_mixture_pickles_with_its_place(tagged: list[Path]) -> None:
    mixture = rowfeed.mix(shuffled(tagged), [2, 1, 1])
    mixture.set_epoch(3)
    copy = pickle.loads(pickle.dumps(mixture))
    assert copy.state_dict() == mixture.state_dict()
    pairs = zip(mixture, copy, strict=True)
    assert all((a["id"] == b["id"]).all() for a, b in pairs)


def test_transform_and_batch_at(tagged: list[Path]) -> None:
    def double(element: dict[str, Any]) -> Any:
        return element["id"] * 2

    plain = rowfeed.mix(shuffled(tagged))
    doubled = rowfeed.mix(shuffled(tagged, transform=double))
    ids = [element["id"].tolist() for element in plain]
    assert [(e // 2).tolist() for e in doubled] == ids
    for step in (0, 1, len(ids) - 1):
        assert plain.batch_at(0, step)["id"].tolist() == ids[step]
