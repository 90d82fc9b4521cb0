# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""States over data that changed: the files are named, and it goes on if so wished."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from changing_numbers import (
    CHANGES,
    KEPT,
    LOST,
    NUM_ROWS,
    ROW,
    STEP,
    catalog_of,
    change,
    epochs,
    go_on,
    ids,
    make,
    write,
    write_data,
)
from rowfeed import Catalog


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data")


KINDS = pytest.mark.parametrize("kind", CHANGES)


@pytest.mark.fault(5)
@KINDS
def test_the_files_that_changed_are_named(data: Path, kind: str) -> None:
    state, before, text = change(data, kind)
    dataset = make(data)
    for loader in (dataset, iter(dataset)):
        with pytest.raises(ValueError, match=f"^state: fingerprint is .*: {text}$"):
            loader.load_state_dict(state, catalog=before)
    assert dataset.state_dict() == make(data).state_dict()  # It has not moved.


@pytest.mark.fault(5)
@KINDS
def test_without_the_catalog_it_is_said_how_to_have_them_named(
    data: Path, kind: str
) -> None:
    state, *_ = change(data, kind)
    dataset = make(data)
    for loader in (dataset, iter(dataset)):
        with pytest.raises(ValueError, match=r"^state: fingerprint .*`catalog`$"):
            loader.load_state_dict(state)


def test_a_catalog_that_was_saved_names_them(data: Path, tmp_path: Path) -> None:
    Catalog.open(data).save(tmp_path / "catalog")
    state, _, text = change(data, "added")
    moved = shutil.copytree(data, tmp_path / "elsewhere")
    with pytest.raises(ValueError, match=text):
        make(moved).load_state_dict(state, catalog=Catalog.load(tmp_path / "catalog"))


def test_without_a_change_the_catalog_makes_no_difference(data: Path) -> None:
    state = make(data).state_at(0, STEP)
    dataset = make(data)
    dataset.load_state_dict(state, catalog=Catalog.open(data))
    assert dataset.state_dict() == state
    dataset.load_state_dict(state, strict=False)
    assert ids(dataset) == epochs(data, 1)[0][ROW:]


@pytest.mark.parametrize("strict", [True, False])
def test_another_catalog_than_that_of_the_state_is_refused(
    data: Path, strict: bool
) -> None:
    state = make(data).state_at(0, STEP)
    write(data / "4.parquet", 400)
    other = Catalog.open(data)
    with pytest.raises(ValueError, match=r"^catalog: its fingerprint is "):
        make(other).load_state_dict(state, strict=strict, catalog=other)
    wrong: Any = str(data)
    with pytest.raises(TypeError, match=r"catalog must be a rowfeed\.Catalog, not str"):
        make(other).load_state_dict(state, strict=strict, catalog=wrong)


def test_the_message_names_ten_files_and_counts_the_rest(tmp_path: Path) -> None:
    data = tmp_path / "data"
    long = "n" * 80
    (data / long / long / long).mkdir(parents=True)
    for i in range(25):
        write(data / long / long / long / f"{i:02}.parquet", 100 * i)
    before = Catalog.open(data)
    state = make(before).state_at(0, STEP)
    for path in data.rglob("*.parquet"):
        path.unlink()
    write(data / "one.parquet", 5000)
    with pytest.raises(ValueError, match=r"and 16 more files differ$") as error:
        make(data).load_state_dict(state, catalog=before)
    message = str(error.value)
    for i in range(10):
        assert f"{i:02}.parquet' was removed, 100 rows; " in message
    assert "10.parquet" not in message
    assert len(message) < 2500
    assert "\n" not in message


def test_ten_thousand_files(tmp_path: Path) -> None:
    """The state stays small, and changes are found at once."""
    data = tmp_path / "data"
    data.mkdir()
    write(tmp_path / "one", 0)
    content = (tmp_path / "one").read_bytes()
    for i in range(10_000):
        (data / f"{i:05}.parquet").write_bytes(content)
    before = Catalog.open(data)
    state = make(before).state_at(3, STEP)
    assert len(json.dumps(state)) < 4096
    (data / "05000.parquet").unlink()
    write(data / "07000.parquet", 1)
    after = Catalog.open(data)
    assert [str(found) for found in after.changes(since=before)] == [
        "'05000.parquet' was removed, 100 rows",
        "'07000.parquet' has another footer, with the same size and rows",
    ]
    with pytest.raises(ValueError, match=r"'05000\.parquet' was removed"):
        make(after).load_state_dict(state, catalog=before)


@pytest.mark.fault(5)
@KINDS
@pytest.mark.parametrize("through", ["dataset", "iterator"])
def test_going_on_over_changed_data_keeps_the_place(
    data: Path, kind: str, through: str
) -> None:
    state, *_ = change(data, kind)
    dataset = make(data)
    loader = dataset if through == "dataset" else iter(dataset)
    message = go_on(loader, state)
    assert "fingerprint is" in message
    assert message.endswith(LOST)
    first, second = epochs(data, 2)
    assert ids(loader) == first[ROW:]
    assert ids(dataset) == second
    assert sorted(second) == sorted(first)


@KINDS
def test_going_on_with_the_catalog_knows_whether_the_order_is_the_same(
    data: Path, kind: str
) -> None:
    (whole,) = epochs(data, 1)
    state, before, text = change(data, kind)
    dataset = make(data)
    message = go_on(dataset, state, catalog=before)
    assert re.search(text, message)
    if kind != "rewritten with the same size":
        assert message.endswith(LOST)
        assert ids(dataset) == epochs(data, 1)[0][ROW:]
        return
    assert message.endswith(f"{KEPT}, with other values where files have changed")
    # The epoch as it would have gone on, with the values that its rows have now.
    assert ids(dataset) == [i + 1000 * (i // 100 == 1) for i in whole[ROW:]]


def test_a_file_renamed_within_its_place_keeps_the_order(data: Path) -> None:
    whole = epochs(data, 2)
    before = Catalog.open(data)
    state = make(before).state_at(0, STEP)
    (data / "3.parquet").rename(data / "35.parquet")
    write(data / "2e.parquet", 0, [0])
    dataset = make(data)
    message = go_on(dataset, state, catalog=before)
    assert "'2e.parquet' was added, 0 rows; '3.parquet' was renamed to" in message
    assert KEPT in message
    assert ids(dataset) == whole[0][ROW:]
    assert ids(dataset) == whole[1]


@pytest.mark.parametrize(
    "names", [(1, 0, 2, 3), (1, 2, 3, 0)], ids=["swapped", "turned"]
)
def test_files_in_another_order_do_not_pass_for_the_same(
    data: Path, names: tuple[int, ...]
) -> None:
    """The row groups have the same rows in the same order, but are others."""
    paths = [data / f"{i}.parquet" for i in range(4)]
    before = Catalog.open(paths)
    state = make(before).state_at(0, STEP)
    after = Catalog.open([paths[i] for i in names])
    message = go_on(make(after), state, catalog=before)
    assert "is files[" in message
    assert message.endswith(LOST)


def test_a_file_that_takes_the_place_of_another_moves_those_between(
    data: Path,
) -> None:
    before = Catalog.open(data)
    state = make(before).state_at(0, STEP)
    (data / "0.parquet").unlink()
    write(data / "4.parquet", 400)
    assert go_on(make(data), state, catalog=before).endswith(LOST)


FILES = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from([0, 100, 200, 300, 400])),
    min_size=1,
    max_size=4,
    unique_by=lambda file: file[1],
)


@given(before=FILES, after=FILES)
def test_what_is_said_to_go_on_exactly_does(
    before: list[tuple[str, int]],
    after: list[tuple[str, int]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("files")
    old, new = catalog_of(folder, before), catalog_of(folder, after)
    if old.fingerprint == new.fingerprint:
        return
    (was,), (now,) = epochs(old, 1), epochs(new, 1)
    message = go_on(make(new), make(old).state_at(0, 2), catalog=old)
    if "go on exactly" in message:
        common = set(was) & set(now)
        assert len(was) == len(now)
        assert all(x == y for x, y in zip(was, now, strict=True) if {x, y} & common)
    else:
        assert "may come twice or not at all" in message


def test_a_row_beyond_the_end_is_the_end_of_the_epoch(data: Path) -> None:
    state = make(data).state_at(2, 20)
    for name in ("1", "2"):
        (data / f"{name}.parquet").unlink()
    dataset = make(data)
    assert (
        "it goes on at epoch 2, row 200, which is the end of the epoch here and not "
        "row 320: rows of this epoch may come twice or not at all; from the next epoch"
    ) in go_on(dataset, state)
    assert (dataset.state_dict()["epoch"], dataset.state_dict()["row"]) == (2, 200)
    assert ids(dataset) == []
    assert ids(dataset) == epochs(data, 4)[3]


def test_a_row_beyond_the_data_of_the_state_is_refused(data: Path) -> None:
    before = Catalog.open(data)
    state = {**make(before).state_at(0, STEP), "row": NUM_ROWS + 1}
    write(data / "4.parquet", 400)
    for dataset, known in ((make(data), before), (make(before), None)):
        with pytest.raises(ValueError, match="row is 401, but an epoch has 400 rows"):
            dataset.load_state_dict(state, strict=False, catalog=known)


def test_at_the_beginning_of_an_epoch_nothing_is_given_up(data: Path) -> None:
    state = make(data).state_at(1, 0)
    write(data / "4.parquet", 400)
    dataset = make(data, seed=12)
    assert go_on(dataset, state).endswith(
        "So it goes on at epoch 1, row 0: each row comes once, in this dataset's order"
    )
    assert ids(dataset) == epochs(data, 2, seed=12)[1]


def test_the_epochs_that_are_left_are_counted(data: Path) -> None:
    state = make(data, num_epochs=3).state_at(1, STEP)
    write(data / "4.parquet", 400)
    dataset = make(data, num_epochs=3)
    go_on(dataset, state)
    _, second, third = epochs(data, 3)
    assert ids(dataset) == second[ROW:] + third


def test_options_left_at_none_take_the_states_over_other_data(data: Path) -> None:
    state, *_ = change(data, "added")
    loose: dict[str, Any] = {
        "shuffle_window": None,
        "block_rows": None,
        "num_lanes": None,
    }
    dataset = make(data, **loose)
    message = go_on(dataset, state)
    assert "num_lanes" not in message
    assert ids(dataset) == epochs(data, 1)[0][ROW:]


def test_ranks_go_on_at_one_place(data: Path) -> None:
    state, *_ = change(data, "added")
    got = []
    for rank in range(2):
        dataset = make(data, 8, rank=rank, world_size=2, remainder="uneven")
        go_on(dataset, state)
        got.append([batch["id"].tolist() for batch in dataset])
    (whole,) = epochs(data, 1)
    assert sorted(i for rank in got for step in rank for i in step) == sorted(
        whole[ROW:]
    )
    assert got[0][0] == whole[ROW : ROW + 16 : 2]
