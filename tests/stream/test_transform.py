# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""transform: the same batches, states and errors as without it."""

from __future__ import annotations

import pickle
import time
import traceback
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from numbered_rows import write_numbers
from rowfeed import ParquetDataset
from transforming import FACES, STEPS, Mine, ids_of, make, orders_of, slow_ids_of


@pytest.fixture(scope="module")
def orders(numbers: Path) -> list[list[list[int]]]:
    return orders_of(numbers)


@FACES
def test_elements_are_what_the_function_returns(
    face: str, numbers: Path, orders: Any
) -> None:
    dataset = make(numbers, face)
    assert len(dataset) == len(orders[0])
    assert list(dataset) == orders[0]
    assert list(dataset) == orders[1]
    dataset.set_epoch(4)
    assert list(dataset) == orders[4]
    assert dataset.batch_at(2, 3) == orders[2][3]
    assert list(make(numbers, face, transform=lambda _: None)) == [None] * len(dataset)


def test_the_function_gets_the_element(numbers: Path) -> None:
    got: list[Any] = []
    plain = ParquetDataset(numbers, 7, label="even", sample_weight="half")

    def note(element: Any) -> Any:
        got.append(element)
        return element

    for batch_size in (7, None):
        dataset = make(
            numbers,
            batch_size=batch_size,
            columns=None,
            shuffle=False,
            label="even",
            sample_weight="half",
            transform=note,
        )
        assert list(dataset.element_spec[0]) == list(plain.element_spec[0])
        element = next(iter(dataset))
        assert any(element is one for one in got)
        features, label, _ = element
        assert list(features) == ["id", "name", "parts"]
        assert label.shape == (() if batch_size is None else (7,))


@FACES
@pytest.mark.parametrize("batch_size", [STEPS, None])
def test_single_rows_and_epochs_in_a_row(
    face: str, batch_size: int | None, numbers: Path
) -> None:
    keywords = {"batch_size": batch_size, "num_epochs": 3}
    plain = make(numbers, face, transform=None, **keywords)
    expected = list(map(ids_of, plain))
    assert list(make(numbers, face, transform=ids_of, **keywords)) == expected


@FACES
@pytest.mark.parametrize("num_threads", [1, 4])
def test_states_are_those_of_what_was_delivered(
    face: str, num_threads: int, numbers: Path
) -> None:
    """States of iteration and dataset, at every step of two epochs, and resumed."""
    keywords = {"num_epochs": 2, "num_threads": num_threads, "first_epoch": 1}
    plain, dataset = make(numbers, face, transform=None, **keywords), None
    dataset = make(numbers, face, **keywords)
    without, batches = iter(plain), iter(dataset)
    expected, states = [], []
    while True:
        assert batches.state_dict() == without.state_dict()
        assert dataset.state_dict() == plain.state_dict()
        states.append(batches.state_dict())
        element, raw = next(batches, None), next(without, None)
        if raw is None:
            break
        assert element == ids_of(raw)
        expected.append(element)
    assert element is None
    assert next(batches, None) is None
    assert dataset.state_dict() == plain.state_dict()
    for step in (0, 1, 15, 16, 17, 31, 32):
        resumed = make(numbers, face, **keywords)
        resumed.load_state_dict(states[step])
        assert list(resumed) == expected[step:]
        # In the iteration itself, which has read ahead of another place.
        again = iter(make(numbers, face, **keywords))
        list(islice(again, 5))
        again.load_state_dict(states[step])
        assert list(again) == expected[step:]


@FACES
@pytest.mark.parametrize("steps", range(12, 18))
def test_an_abandoned_iteration_takes_no_epoch_that_it_did_not_deliver(
    face: str, steps: int, numbers: Path
) -> None:
    nexts: list[Any] = []
    for transform in (None, ids_of):
        dataset = make(numbers, face, transform=transform, num_epochs=None)
        batches = iter(dataset)
        assert len(list(islice(batches, steps))) == steps
        time.sleep(0.05)  # Whatever reads ahead has done so.
        place = dataset.state_dict()
        other = next(iter(dataset))
        ids = ids_of(other) if transform is None else other
        # The other one has moved what comes next.
        nexts.append((place, ids, batches.state_dict()))
    assert nexts[0] == nexts[1]


@pytest.mark.fault(19)
@FACES
def test_an_error_comes_in_its_turn_as_it_was(
    face: str, numbers: Path, orders: Any
) -> None:
    failing = orders[0][5]

    def fail(batch: Any) -> list[int]:
        ids = slow_ids_of(batch)
        if ids == failing:
            raise Mine(5, "odd")
        return ids

    dataset = make(numbers, face, transform=fail)
    batches = iter(dataset)
    assert list(islice(batches, 5)) == orders[0][:5]
    with pytest.raises(Mine) as caught:
        next(batches)
    assert caught.value.args == (5, "odd")
    assert traceback.extract_tb(caught.tb)[-1].name == "fail"
    # An error of the kernel is alike: the state repeats it, the iteration goes on.
    assert batches.state_dict() == dataset.state_at(0, 5)
    assert list(batches) == orders[0][6:]


@pytest.mark.fault(19)
@FACES
@pytest.mark.parametrize("batch_size", [STEPS, None])
@pytest.mark.parametrize("rank", [0, 1])
def test_an_error_of_the_function_says_which_batch_it_is_of(
    face: str, batch_size: int | None, rank: int, numbers: Path
) -> None:
    keywords = {"batch_size": batch_size, "rank": rank, "world_size": 2}
    plain = make(numbers, face, transform=None, **keywords)
    last = len(plain) - 1
    failing = [ids_of(plain.batch_at(1, step)) for step in (3, last)]

    def fail(batch: Any) -> list[int]:
        ids = ids_of(batch)
        if ids in failing:
            raise Mine(5, "odd")
        return ids

    dataset = make(numbers, face, transform=fail, first_epoch=1, **keywords)
    batches = iter(dataset)
    for step in range(last + 1):
        if step in (3, last):
            with pytest.raises(Mine) as caught:
                next(batches)
            (note,) = caught.value.__notes__
            assert f"step {step} of epoch 1" in note
            assert f"dataset.batch_at(1, {step}) reads that batch again" in note
            with pytest.raises(Mine) as again:
                dataset.batch_at(1, step)
            assert again.value.__notes__ == [note]
        else:
            next(batches)


def test_an_error_of_the_function_says_its_place_after_a_resume(numbers: Path) -> None:
    def fail(_: Any) -> Any:
        raise Mine(5, "odd")

    dataset = make(numbers, transform=fail)
    dataset.load_state_dict(dataset.state_at(2, 7))
    with pytest.raises(Mine) as caught:
        next(iter(dataset))
    assert "step 7 of epoch 2" in caught.value.__notes__[0]


def test_errors_of_the_kernel_come_in_their_turn(tmp_path: Path) -> None:
    data = write_numbers(tmp_path, [64, 64], num_files=2)
    with (data / "1.parquet").open("r+b") as file:
        file.seek(4)
        file.write(bytes(100))
    seen = []
    for transform in (None, ids_of):
        dataset = make(data, transform=transform, shuffle=False, batch_size=8)
        batches = iter(dataset)
        got: list[Any] = []
        while True:
            try:
                batch = next(batches)
                got.append(batch if transform else ids_of(batch))
            except StopIteration:
                break
            except (OSError, ValueError) as error:
                got.append((type(error), str(error), batches.state_dict()["row"]))
        seen.append(got)
    assert seen[0] == seen[1]
    assert len(seen[0]) == 16


def test_stop_iteration_of_the_function_does_not_end_the_epoch(numbers: Path) -> None:
    batches = iter(make(numbers, transform=lambda _: next(iter(()))))
    with pytest.raises(RuntimeError, match="transform raised StopIteration"):
        next(batches)


@FACES
def test_pickles_with_its_function(face: str, numbers: Path, orders: Any) -> None:
    copy = pickle.loads(pickle.dumps(make(numbers, face)))
    assert list(copy) == orders[0]
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(make(numbers, face, transform=lambda batch: batch))


def test_what_is_refused(numbers: Path) -> None:
    with pytest.raises(TypeError, match="transform must be a function, not 3"):
        rowfeed.ParquetDataset(numbers, 8, transform=3)  # type: ignore[arg-type]
    tensorflow = pytest.importorskip("rowfeed.tensorflow", exc_type=ImportError)
    with pytest.raises(TypeError, match=r"dataset\.map\(function"):
        tensorflow.ParquetDataset(numbers, 8, transform=ids_of)
