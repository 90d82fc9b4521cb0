# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""States of another order: refused by name, or gone on from with what that gives up."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from changing_numbers import (
    KEPT,
    LOST,
    NUM_ROWS,
    ROW,
    STEP,
    change,
    epochs,
    go_on,
    ids,
    make,
    write_data,
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data")


ORDERS: dict[str, tuple[dict[str, Any], str]] = {
    "shuffle": ({"shuffle": False}, "shuffle is True, but False in this dataset"),
    "seed": ({"seed": 12, "num_lanes": 3}, "seed is 11, but 12 in this dataset"),
    "window": ({"shuffle_window": 49}, "shuffle_window is 50, but 49 in this dataset"),
    "blocks": ({"block_rows": 11}, "block_rows is 10, but 11 in this dataset"),
    "lanes": ({"num_lanes": 3}, "num_lanes is 4, but 3 in this dataset"),
    "pinned": (
        {"reshuffle_each_iteration": False, "first_epoch": 2},
        "pinned_epoch is None, but 2 in this dataset",
    ),
}


@pytest.mark.parametrize("option", ORDERS)
def test_another_order_goes_on_at_the_place(data: Path, option: str) -> None:
    keywords, text = ORDERS[option]
    state = make(data).state_at(0, STEP)
    dataset = make(data, **keywords)
    with pytest.raises(ValueError, match=f"^state: {text}$"):
        dataset.load_state_dict(state)
    message = go_on(dataset, state)
    assert f"the state is not of this dataset: {text}" in message
    assert message.endswith(LOST)
    assert ids(dataset) == epochs(data, 1, **keywords)[0][ROW:]
    following = ids(dataset)
    assert sorted(following) == list(range(NUM_ROWS))
    if option != "pinned":
        assert following == epochs(data, 2, **keywords)[1]


def test_every_field_that_differs_is_named(data: Path) -> None:
    state, before, text = change(data, "grown")
    dataset = make(data, 10, seed=12, num_lanes=3)
    with pytest.raises(
        ValueError, match=r"^state: seed is 11, but 12 in this dataset$"
    ):
        dataset.load_state_dict(state, catalog=before)
    message = go_on(dataset, state, catalog=before)
    assert re.search(
        "dataset: seed is 11, but 12 in this dataset; num_lanes is 4, but 3 in this "
        f"dataset; fingerprint is .*: {text}; global_batch is 16, but 10 in this data",
        message,
    )
    assert message.endswith(LOST)
    assert ids(dataset) == epochs(data, 1, seed=12, num_lanes=3)[0][ROW:]


def test_a_seed_that_nothing_depends_on_gives_nothing_up(data: Path) -> None:
    state = make(data, shuffle=False).state_at(0, STEP)
    dataset = make(data, shuffle=False, seed=12, shuffle_window=9, block_rows=7)
    later = "; later epochs come in this dataset's order"
    assert go_on(dataset, state).endswith(KEPT + later)
    assert ids(dataset) == epochs(data, 1, shuffle=False)[0][ROW:]


def test_an_order_that_is_no_longer_pinned(data: Path) -> None:
    """The epoch whose order all had goes on exactly, any other does not."""
    pinned = make(data, reshuffle_each_iteration=False)
    first, second = epochs(data, 2)
    dataset = make(data)
    message = go_on(dataset, pinned.state_at(0, STEP))
    assert "pinned_epoch is 0, but None in this dataset" in message
    assert message.endswith(f"{KEPT}; later epochs come in this dataset's order")
    assert ids(dataset) == first[ROW:]
    assert ids(dataset) == second
    message = go_on(dataset, pinned.state_at(1, STEP))
    assert message.endswith(LOST.replace("epoch 0", "epoch 1"))
    assert ids(dataset) == second[ROW:]


REFUSED: list[tuple[str, Any]] = [
    *[("format", 2), ("order_version", 2), ("row", -1), ("row", 2**63)],
    *[("epoch", "3"), ("next_epoch", 2**63), ("global_batch", None)],
    *[("fingerprint", "x" * 32), ("fingerprint", "0" * 33), ("fingerprint", None)],
]
REFUSED_ORDERS: list[tuple[str, Any]] = [
    *[("shuffle", 1), ("seed", True), ("seed", 2**64), ("seed", None)],
    *[("shuffle_window", 0), ("block_rows", -1), ("num_lanes", 2**21)],
    *[("pinned_epoch", -1), ("pinned_epoch", "0")],
]


@pytest.mark.parametrize(
    ("field", "value"), [*REFUSED, *REFUSED_ORDERS], ids=lambda part: repr(part)[:20]
)
def test_malformed_states_are_refused_all_the_same(
    data: Path, field: str, value: Any
) -> None:
    dataset = make(data)
    state = dataset.state_at(0, STEP)
    (state if field in state else state["order"])[field] = value
    with pytest.raises(ValueError, match=f"^state: {field} ") as error:
        dataset.load_state_dict(state, strict=False)
    assert len(str(error.value)) < 300
    assert dataset.state_dict()["row"] == 0
    with pytest.raises(TypeError, match="dict"):
        dataset.load_state_dict([], strict=False)
    with pytest.raises(ValueError, match="state has no field"):
        dataset.load_state_dict({}, strict=False)
