# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""States that were damaged, or are of something else: refused, whatever they say."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowfeed
from numbered_rows import NUM_ROWS
from rowfeed import Catalog, ParquetDataset

LOOSE: dict[str, Any] = {"columns": ["id"], "shuffle": True, "seed": 11}
SHUFFLED: dict[str, Any] = {
    **LOOSE,
    "shuffle_window": 50,
    "block_rows": 10,
    "num_lanes": 4,
}

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.sampled_from([-1, 2**20 + 1, 2**31, 2**40 + 1, 2**62, 2**63 - 1, 10**300])
    | st.floats()
    | st.text(max_size=40)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def catalog(numbers: Path) -> Catalog:
    return Catalog.open(numbers)


def outcome(dataset: Any, state: Any) -> list[list[int]] | None:
    """Returns what is delivered from a state on; None if it is refused, in a line."""
    before = dataset.state_dict()
    try:
        dataset.load_state_dict(state)
    except ValueError as error:
        message = str(error)
    else:
        return [batch["id"].tolist() for batch in dataset]
    assert len(message) < 300
    assert "\n" not in message
    assert dataset.state_dict() == before  # A refused state changes nothing.
    return None


@pytest.mark.fault(43)
@pytest.mark.filterwarnings("ignore:the state was taken with a global batch")
@given(data=st.data(), value=VALUES, loose=st.booleans())
def test_any_value_in_any_field(
    data: st.DataObject, value: Any, loose: bool, catalog: Catalog
) -> None:
    """A state with one field changed is refused, or names another true position."""
    state = ParquetDataset(catalog, 16, **SHUFFLED).state_at(2, 3)
    names = [*state, *state["order"]]
    name = data.draw(st.sampled_from(names))
    changed = copy.deepcopy(state)
    (changed if name in state else changed["order"])[name] = value
    dataset = ParquetDataset(catalog, 16, **(LOOSE if loose else SHUFFLED))
    got = outcome(dataset, changed)
    if got is not None:
        row = changed["row"]
        assert 0 <= row <= NUM_ROWS
        assert sum(map(len, got)) == NUM_ROWS - row


# A plan takes memory for each lane: the number must not come unchecked from a state.
HUGE = [
    *[("num_lanes", v) for v in (2**20 + 1, 2**31, 2**40, 2**63 - 1)],
    *[(f, v) for f in ("shuffle_window", "block_rows") for v in (2**40 + 1, 2**63 - 1)],
    *[(f, -1) for f in ("num_lanes", "shuffle_window", "block_rows")],
    *[("num_lanes", 0), ("shuffle_window", 0)],
]


@pytest.mark.fault(43)
@pytest.mark.parametrize(("name", "value"), HUGE)
def test_order_options_left_to_the_state_have_the_limits_of_keywords(
    name: str, value: int, catalog: Catalog
) -> None:
    dataset = ParquetDataset(catalog, 16, **LOOSE)
    state = dataset.state_at(0, 1)
    state["order"][name] = value
    for loader in (dataset, iter(dataset)):
        with pytest.raises(ValueError, match=f"state: {name} must be an integer in"):
            loader.load_state_dict(state)
    assert len(list(dataset)) == len(dataset)
    with pytest.raises(ValueError, match=name):
        ParquetDataset(catalog, 16, **{**LOOSE, name: value})


FAR = 2**62  # The last epoch to begin with.


@pytest.mark.parametrize("field", ["epoch", "next_epoch", "epochs_done"])
def test_epochs_that_would_overflow_are_refused(field: str, catalog: Catalog) -> None:
    dataset = ParquetDataset(catalog, 16, first_epoch=FAR, num_epochs=2, **SHUFFLED)
    state = dataset.state_at(FAR, 1)
    for value in (2**63 - 1, 2**63 - 2, FAR + 2**41):
        with pytest.raises(ValueError, match=f"state: {field} must be an integer in"):
            dataset.load_state_dict({**state, field: value})


def test_the_last_epochs(catalog: Catalog) -> None:
    dataset = ParquetDataset(catalog, 16, first_epoch=FAR, num_epochs=2, **SHUFFLED)
    batches = [batch["id"].tolist() for batch in dataset]
    state = dataset.state_dict()
    assert (state["epoch"], state["next_epoch"]) == (FAR + 2, FAR + 3)
    dataset.load_state_dict(dataset.state_at(FAR, 16))
    assert [batch["id"].tolist() for batch in dataset] == batches[16:]
    dataset.load_state_dict(state)
    assert len(list(dataset)) == 32
    for move in (dataset.set_epoch, lambda epoch: dataset.state_at(epoch, 0)):
        with pytest.raises(ValueError, match=f"epoch must be <= {FAR}"):
            move(FAR + 1)


def test_as_many_ranks_as_lanes(catalog: Catalog) -> None:
    keywords: dict[str, Any] = {**LOOSE, "rank": 2**20 - 1, "remainder": "uneven"}
    most = ParquetDataset(catalog, 1, world_size=2**20, **keywords)
    assert list(most) == []
    with pytest.raises(ValueError, match="world_size must be <= 1048576"):
        ParquetDataset(catalog, 1, world_size=2**20 + 1, **keywords)


@pytest.mark.fault(43)
def test_a_state_that_lost_its_end_is_refused(catalog: Catalog) -> None:
    dataset = ParquetDataset(catalog, 16, **SHUFFLED)
    items = list(dataset.state_at(1, 5).items())
    for kept in range(len(items)):
        assert outcome(dataset, dict(items[:kept])) is None


FOREIGN: dict[str, Any] = {
    "a model's": {"weight": [0.1, 0.2], "bias": [0.0]},
    "a sampler's": {"seed": 11, "epoch": 2, "num_replicas": 4, "rank": 0},
    "a loader's": {"_snapshot": {"_snapshot_step": 3}, "_steps_since_snapshot": 0},
    "a stream's": {"examples_iterable": {"shard_idx": 0}, "epoch": 1},
    "a backup's": {"format": 1, "epoch": 0, "dataset": {}, "variables": []},
    "a lookalike's": {"format": 1, "order_version": 1, "epoch": 0, "row": 0},
}


@pytest.mark.parametrize("whose", sorted(FOREIGN))
def test_foreign_states_are_refused(whose: str, catalog: Catalog) -> None:
    dataset = ParquetDataset(catalog, 16, **SHUFFLED)
    with pytest.raises(ValueError, match=r"^state has (no|a) field"):
        dataset.load_state_dict(FOREIGN[whose])


def test_a_state_within_what_holds_it_is_refused(catalog: Catalog) -> None:
    dataset = rowfeed.ParquetDataset(catalog, 16, **SHUFFLED)
    with pytest.raises(ValueError, match="no field 'format'"):
        dataset.load_state_dict({"data": dataset.state_at(0, 1)})


@pytest.mark.fault(42)
@pytest.mark.parametrize("version", [0, 2, 10**30])
def test_another_order_version_is_named_with_the_one_that_is_read(
    version: int, catalog: Catalog
) -> None:
    dataset = rowfeed.ParquetDataset(catalog, 16, **SHUFFLED)
    state = {**dataset.state_at(0, 1), "order_version": version}
    text = rf"order_version (is {version}, .* reads 1 only|must be an integer)"
    with pytest.raises(ValueError, match=text):
        dataset.load_state_dict(state)


def nested_deeply() -> list[Any]:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


GIANTS: dict[str, Callable[[], Any]] = {
    "nested deeply": nested_deeply,
    "long text": lambda: "x" * 10**8,
    "long text in a dict": lambda: {"a": "x" * 10**8},
    "a long list": lambda: [0] * 10**7,
    "a long number": lambda: 10**100_000,
    "a long number in a list": lambda: [10**100_000],
}


@pytest.mark.fault(43)
@pytest.mark.parametrize("name", GIANTS)
def test_giant_values_were_written_out_or_ended_in_a_recursion_error(
    name: str, catalog: Catalog
) -> None:
    value = GIANTS[name]()
    dataset = ParquetDataset(catalog, 16, **SHUFFLED)
    state = dataset.state_at(0, 1)
    for field in state:
        assert outcome(dataset, {**state, field: value}) is None
    for field in state["order"]:
        order = {**state["order"], field: value}
        assert outcome(dataset, {**state, "order": order}) is None


@pytest.mark.fault(33)
@pytest.mark.parametrize("growing", [False, True])
@pytest.mark.parametrize(
    "path", ["../outside", "{folder}/outside", "../" * 20 + "etc/passwd", "\0" * 32]
)
def test_a_path_in_the_place_of_a_fingerprint_is_not_opened(
    path: str, growing: bool, tmp_path: Path, numbers: Path
) -> None:
    snapshots = tmp_path / "snapshots"
    options: dict[str, Any] = {"columns": ["id"]}
    if growing:
        options |= {"refresh": "epoch", "snapshot_dir": snapshots}
    dataset = ParquetDataset(numbers, 16, **options)
    batches = iter(dataset)
    next(batches)
    state = batches.state_dict()
    assert str(tmp_path) not in str(state)
    assert str(numbers) not in str(state)
    Catalog.open(numbers).save(tmp_path / "outside")
    text = path.format(folder=tmp_path)
    with pytest.raises(ValueError, match="fingerprint must be 32 hexadecimal digits"):
        dataset.load_state_dict({**state, "fingerprint": text})
    assert dataset.state_dict() == state


@pytest.mark.fault(33)
def test_a_snapshot_that_a_state_names_is_looked_for_in_snapshot_dir_alone(
    tmp_path: Path, numbers: Path
) -> None:
    options: dict[str, Any] = {"columns": ["id"], "refresh": "epoch"}
    here, there = tmp_path / "here", tmp_path / "there"
    batches = iter(ParquetDataset(numbers, 16, snapshot_dir=there, **options))
    next(batches)
    dataset = ParquetDataset(numbers, 16, snapshot_dir=here, **options)
    with pytest.raises(ValueError, match="snapshot") as error:
        dataset.load_state_dict(batches.state_dict())
    assert str(here) in str(error.value)
    assert str(there) not in str(error.value)
