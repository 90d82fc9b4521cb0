# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ranks over real files: a sample of test_ranks.py's grid, and exact evaluation."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from numbered_rows import write_numbers
from rowfeed import Catalog, ParquetDataset

pytestmark = [
    pytest.mark.filterwarnings("ignore:world_size="),  # Lanes are shared.
    pytest.mark.filterwarnings("ignore:the state was taken with a global batch"),
]

LAYOUTS: dict[str, list[int]] = {
    "empty": [0, 0],
    "one row": [1],
    "fewer rows than ranks": [2, 0, 1],
    "one row group": [65],
    "two row groups": [31, 33],
    "row groups of one row": [1] * 17,
    "uneven": [40, 25, 0, 1, 64, 33],
}
REMAINDERS = ["drop", "pad", "wrap", "uneven"]
WORLD_SIZES = st.sampled_from([1, 2, 3, 4, 6, 8])


@pytest.fixture(scope="module")
def catalogs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Catalog]:
    folder = tmp_path_factory.mktemp("layouts")
    return {
        name: Catalog.open(write_numbers(folder / name.replace(" ", "-"), rows, 2))
        for name, rows in LAYOUTS.items()
    }


def make(
    catalog: Catalog, batch_size: int, rank: int, world_size: int, **k: Any
) -> Any:
    options = {"columns": ["id"], "shuffle": True, "seed": 9, "block_rows": 5, **k}
    return ParquetDataset(
        catalog,
        batch_size,
        rank=rank,
        world_size=world_size,
        shuffle_window=30,
        num_threads=1,
        **options,
    )


def rows_of(batch: Any) -> list[int]:
    """Returns the rows of a batch that are none of fill."""
    ids = batch["id"]
    found: list[int] = ids[batch.get("__valid", np.ones(len(ids), bool))].tolist()
    return found


def order_of(catalog: Catalog, num_lanes: int) -> list[int]:
    """Returns the epoch's rows as a single process gets them, one by one."""
    return list(chain(*map(rows_of, make(catalog, 1, 0, 1, num_lanes=num_lanes))))


@pytest.mark.fault(38)
@settings(max_examples=100)
@given(
    name=st.sampled_from(sorted(LAYOUTS)),
    before=WORLD_SIZES,
    after=WORLD_SIZES | st.sampled_from([5, 7]),
    batch_size=st.integers(1, 9),
    num_lanes=st.sampled_from([1, 8, 24]),
    remainder=st.sampled_from(REMAINDERS),
    data=st.data(),
)
def test_ranks_make_equal_steps_and_go_on_as_others(
    name: str,
    before: int,
    after: int,
    batch_size: int,
    num_lanes: int,
    remainder: str,
    data: st.DataObject,
    catalogs: dict[str, Catalog],
) -> None:
    catalog = catalogs[name]
    keywords: dict[str, Any] = {"num_lanes": num_lanes, "remainder": remainder}
    if remainder == "drop":  # Else it is refused, as tested below.
        assume(not 0 < catalog.num_rows < max(batch_size * before, 2 * after))
    stream = order_of(catalog, num_lanes)
    assert sorted(stream) == list(range(catalog.num_rows))

    ranks = [make(catalog, batch_size, r, before, **keywords) for r in range(before)]
    steps = {len(rank) for rank in ranks}
    assert max(steps) - min(steps) <= (remainder == "uneven")
    walks = [iter(rank) for rank in ranks]
    done = data.draw(st.integers(0, min(steps)))
    delivered = [rows_of(next(walk)) for walk in walks for _ in range(done)]
    state = data.draw(
        st.sampled_from(walks)
    ).state_dict()  # Any rank's state is all ranks'.
    if done:
        assert all(rank.state_at(0, done) == state for rank in ranks)
    begun = done * batch_size * before
    fill = [stream[g % len(stream)] for g in range(len(stream), begun) if stream]
    assert Counter(chain(*delivered)) == Counter(
        stream[:begun] + (fill if remainder == "wrap" else [])
    )

    others = [make(catalog, 2, r, after, **keywords) for r in range(after)]
    for rank in others:
        rank.load_state_dict(state)
    rest = [list(map(rows_of, rank)) for rank in others]
    assert max(map(len, rest)) - min(map(len, rest)) <= (remainder == "uneven")
    expected = stream[state["row"] :]
    if remainder == "drop":
        expected = expected[: len(expected) // (2 * after) * 2 * after]
    elif remainder == "wrap":
        full = -(-len(expected) // (2 * after)) * 2 * after
        expected += [stream[i % len(stream)] for i in range(full - len(expected))]
    assert Counter(chain(*chain(*rest))) == Counter(expected)


@pytest.mark.fault(38)
@pytest.mark.parametrize("name", sorted(LAYOUTS))
@pytest.mark.parametrize("world_size", [2, 3, 8])
def test_drop_that_leaves_no_batch_is_refused_with_both_numbers(
    world_size: int, name: str, catalogs: dict[str, Catalog]
) -> None:
    catalog = catalogs[name]
    num_rows = catalog.num_rows
    for batch_size in {1, 2, num_rows // world_size, num_rows // world_size + 1, 99}:
        global_batch = batch_size * world_size
        if 0 < num_rows < global_batch:
            text = f"has {num_rows} rows and a global batch {global_batch} "
            with pytest.raises(ValueError, match=text):
                make(catalog, batch_size, 0, world_size)  # "drop" is the default.
        elif batch_size:
            steps = num_rows // global_batch
            assert len(make(catalog, batch_size, 0, world_size)) == steps


# ---- Exact evaluation: remainder="pad" ----

EVALUATED: dict[str, list[int]] = {
    # A shard by row groups, 5 // 2, 5 // 3 and 5 // 8 of them each, loses 1, 2 and 5.
    "groups that do not divide": [100] * 5,
    "fewer groups than ranks": [300, 211],
    "one group": [257],
    "groups of all sizes": [1, 90, 0, 33, 64, 17, 128, 2],
    "fewer rows than ranks": [3],
}


def evaluate(
    catalog: Catalog, world_size: int, **keywords: Any
) -> tuple[Counter[int], dict[str, float]]:
    """Evaluates a model over ranks: each sums, the sums are added, as all-reduce does.

    Returns:
        How often each row was valid, and the sums and means over all ranks.
    """
    valid_rows: Counter[int] = Counter()
    names = ("count", "correct", "loss", "weight")
    sums = dict.fromkeys(names, 0.0)
    steps = set()
    for rank in range(world_size):
        own = make(
            catalog,
            16,
            rank,
            world_size,
            label="even",
            columns=["id", "half", "__valid"],
            remainder="pad",
            **keywords,
        )
        steps.add(len(own))
        of_rank = dict.fromkeys(names, 0.0)
        for features, label, weight in own:
            valid = features["__valid"]
            assert (weight == valid).all()
            ids = features["id"]
            valid_rows.update(ids[valid].tolist())
            score = np.sin(0.37 * ids + features["half"].astype(np.float64))
            of_rank["count"] += int(valid.sum())
            of_rank["correct"] += int((((score > 0) == label) & valid).sum())
            of_rank["loss"] += float(((score - label) ** 2 * weight).sum())
            of_rank["weight"] += float(weight.astype(np.float64).sum())
        for key in names:
            sums[key] += of_rank[key]
    assert len(steps) == 1  # No rank waits in a collective that another never enters.
    return valid_rows, {**sums, "mean": sums["loss"] / sums["weight"]}


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("name", sorted(EVALUATED))
def test_a_masked_evaluation_is_that_of_one_process(
    name: str, shuffle: bool, tmp_path: Path
) -> None:
    group_rows = EVALUATED[name]
    catalog = Catalog.open(write_numbers(tmp_path, group_rows, 2))
    rows, one = evaluate(catalog, 1, shuffle=shuffle)
    assert rows == Counter(range(sum(group_rows)))
    assert one["count"] == one["weight"] == sum(group_rows)
    for world_size in (2, 3, 8):
        for num_lanes in (None, 1, 8, 24):
            got_rows, many = evaluate(
                catalog, world_size, shuffle=shuffle, num_lanes=num_lanes
            )
            assert got_rows == rows
            assert many["count"] == one["count"]
            assert many["correct"] == one["correct"]
            assert abs(many["mean"] - one["mean"]) <= 1e-12
