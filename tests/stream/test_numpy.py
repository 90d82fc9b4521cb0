# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The NumPy face: elements, epochs, iterators, memory."""

from __future__ import annotations

import copy
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numbered_rows import NUM_ROWS, write_numbers
from rowfeed import Catalog, Column, ParquetDataset, Ragged
from rowfeed._columns.array_spec import ArraySpec
from rowfeed._options.options import Remainder


def ids(dataset: ParquetDataset) -> list[int]:
    """Returns the ids of one iteration."""
    return [i for batch in dataset for i in batch["id"].tolist()]


def test_elements_are_dicts_in_the_order_of_columns(numbers: Path) -> None:
    batch = next(iter(ParquetDataset(numbers, 3)))
    assert list(batch) == ["id", "half", "even", "name", "parts"]
    assert batch["id"].tolist() == [0, 1, 2]
    assert batch["half"].tolist() == [0.0, 0.5, 1.0]
    assert batch["even"].tolist() == [True, False, True]
    assert batch["name"].tolist() == ["row 0", "row 1", "row 2"]
    assert batch["parts"].tolist() == [[], [1], [2, 2]]
    batch = next(iter(ParquetDataset(numbers, 3, columns=["half", "id"])))
    assert list(batch) == ["half", "id"]


def test_label_and_weight_are_delivered_apart(numbers: Path) -> None:
    features, label = next(iter(ParquetDataset(numbers, 2, label="even")))
    assert list(features) == ["id", "half", "name", "parts"]
    assert label.tolist() == [True, False]
    features, label, weight = next(
        iter(
            ParquetDataset(
                numbers, 2, columns=["name"], label=Column("id"), sample_weight="half"
            )
        )
    )
    assert list(features) == ["name"]
    assert label.tolist() == [0, 1]
    assert weight.tolist() == [0.0, 0.5]


@pytest.mark.parametrize("weighted", [False, True])
def test_fill_rows_are_not_valid_and_weigh_nothing(
    weighted: bool, numbers: Path
) -> None:
    dataset = ParquetDataset(
        numbers,
        96,
        columns=["id", "__valid"],
        label="even",
        sample_weight="half" if weighted else None,
        remainder="pad",
    )
    *_, (features, label, weight) = dataset
    rest = NUM_ROWS % 96
    assert features["id"].shape == label.shape == weight.shape == (96,)
    assert features["__valid"].tolist() == [True] * rest + [False] * (96 - rest)
    expected = features["id"][:rest] / 2 if weighted else np.ones(rest)
    assert weight[:rest].tolist() == expected.tolist()
    assert not weight[rest:].any()
    assert weight.dtype == np.float32


def test_batch_size_none_is_rows(numbers: Path) -> None:
    rows = list(ParquetDataset(numbers, None, label="even"))
    assert len(rows) == len(ParquetDataset(numbers, None)) == NUM_ROWS
    features, label = rows[7]
    assert not label
    assert features["id"] == 7
    assert features["id"].shape == ()
    assert features["name"] == "row 7"
    assert features["parts"].tolist() == [7, 7, 7]


def test_a_budget_without_room_for_the_arenas_of_single_rows_is_refused(
    numbers: Path,
) -> None:
    with pytest.raises(ValueError, match="memory_budget_bytes = 1 is") as refused:
        ParquetDataset(numbers, None, memory_budget_bytes=1)
    needed = int(str(refused.value).split("less than the ")[1].split()[0])
    ParquetDataset(numbers, None, memory_budget_bytes=needed)


def test_element_spec(numbers: Path) -> None:
    spec = ParquetDataset(numbers, 8).element_spec
    assert spec == {
        "id": ArraySpec(np.dtype("int64"), (None,)),
        "half": ArraySpec(np.dtype("float32"), (None,)),
        "even": ArraySpec(np.dtype("bool"), (None,)),
        "name": ArraySpec(np.dtype("uint8"), (None, None)),
        "parts": ArraySpec(np.dtype("int32"), (None, None)),
    }
    remainders: list[Remainder] = ["drop", "pad", "wrap"]
    for remainder in remainders:
        dataset = ParquetDataset(numbers, 8, columns=["id"], remainder=remainder)
        assert dataset.element_spec["id"].shape == (8,)
        assert {batch["id"].shape for batch in dataset} == {(8,)}
        assert ("__valid" in dataset.element_spec) == (remainder == "pad")
    assert ParquetDataset(numbers, None).element_spec["id"].shape == ()


@pytest.mark.fault(41)
def test_each_iteration_is_the_next_epoch(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 16, columns=["id"], shuffle=True, seed=3)
    orders = [ids(dataset) for _ in range(4)]
    assert len({tuple(order) for order in orders}) == 4
    assert {tuple(sorted(order)) for order in orders} == {tuple(range(NUM_ROWS))}

    dataset.set_epoch(2)
    assert ids(dataset) == orders[2]
    assert ids(dataset) == orders[3]
    later = ParquetDataset(
        numbers, 16, columns=["id"], shuffle=True, seed=3, first_epoch=1
    )
    assert ids(later) == orders[1]
    twice = ParquetDataset(
        numbers, 16, columns=["id"], shuffle=True, seed=3, num_epochs=2
    )
    assert ids(twice) == orders[0] + orders[1]
    assert ids(twice) == orders[2] + orders[3]
    pinned = ParquetDataset(
        numbers,
        16,
        columns=["id"],
        shuffle=True,
        seed=3,
        first_epoch=1,
        reshuffle_each_iteration=False,
        num_epochs=2,
    )
    assert ids(pinned) == orders[1] * 2
    assert ids(pinned) == orders[1] * 2


def test_an_epoch_is_taken_at_the_first_pull(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 16, columns=["id"], shuffle=True)
    first = ids(ParquetDataset(numbers, 16, columns=["id"], shuffle=True))
    unused = [iter(dataset) for _ in range(3)]
    assert ids(dataset) == first
    next(unused[0])
    assert dataset.state_dict()["epoch"] == 1
    for epoch in ("0", -1, 1.0, None):
        with pytest.raises((TypeError, ValueError), match="epoch"):
            dataset.set_epoch(epoch)  # type: ignore[arg-type]


@pytest.mark.fault(18)
def test_iterators_are_independent(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 16, columns=["id"], shuffle=True)
    one, two = iter(dataset), iter(dataset)
    mixed: list[list[int]] = [[], []]
    for _ in range(len(dataset)):
        mixed[0] += next(one)["id"].tolist()
        mixed[1] += next(two)["id"].tolist()
    assert list(one) == list(two) == []
    again = ParquetDataset(numbers, 16, columns=["id"], shuffle=True)
    assert [ids(again), ids(again)] == mixed


def test_batches_are_the_receivers(tmp_path: Path) -> None:
    data = write_numbers(tmp_path, [2000] * 30)
    # Batches share memory, and these are of whole cache lines.
    reference = list(ParquetDataset(data, 480, shuffle=True))
    dataset = ParquetDataset(data, 480, shuffle=True)
    kept = []
    for batch, expected in zip(dataset, reference, strict=True):
        assert batch["id"].flags.writeable
        assert batch["id"].ctypes.data % 64 == 0
        assert batch["id"].base is batch["half"].base is batch["name"].values.base
        kept.append((batch, batch["name"].tolist()))
        batch["half"][:] = -1  # Nobody else sees it.
        assert (expected["half"] == expected["id"] / 2).all()
    for (batch, names), expected in zip(kept, reference, strict=True):
        assert batch["id"].tolist() == expected["id"].tolist()
        assert names == expected["name"].tolist() == batch["name"].tolist()
        assert (batch["half"] == -1).all()


def test_one_column_of_a_batch_keeps_its_memory(tmp_path: Path) -> None:
    data = write_numbers(tmp_path, [1000] * 4)
    kept = [batch["id"][3:5] for batch in ParquetDataset(data, 100)]
    assert np.concatenate(kept).tolist() == [
        i for k in range(40) for i in (100 * k + 3, 100 * k + 4)
    ]


@pytest.mark.fault(52)
def test_close(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 16)
    iteration = iter(dataset)
    next(iteration)
    state = iteration.state_dict()
    iteration.close()
    iteration.close()
    assert iteration.state_dict() == state == dataset.state_dict()
    for use in (lambda: next(iteration), lambda: iteration.load_state_dict(state)):
        with pytest.raises(ValueError, match="closed"):
            use()
    with dataset as entered:
        assert entered is dataset
        open_iteration = iter(dataset)
        next(open_iteration)
    with pytest.raises(ValueError, match="closed"):
        next(open_iteration)
    with pytest.raises(ValueError, match="closed"):
        iter(dataset)
    dataset.close()
    unused = iter(ParquetDataset(numbers, 16))
    unused.close()
    with pytest.raises(ValueError, match="closed"):
        next(unused)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, "pickle"])
def test_copies_start_at_the_same_place_and_go_their_own_way(
    duplicate: Any, numbers: Path
) -> None:
    if duplicate == "pickle":
        duplicate = lambda dataset: pickle.loads(pickle.dumps(dataset))  # noqa: E731
    dataset = ParquetDataset(numbers, 16, columns=["id"], shuffle=True)
    orders = [ids(dataset) for _ in range(3)]
    dataset.set_epoch(1)
    other = duplicate(dataset)
    assert len(other) == len(dataset)
    assert [ids(other), ids(other)] == orders[1:]
    assert [ids(dataset), ids(dataset)] == orders[1:]


def test_paths_may_be_a_list_and_a_catalog(numbers: Path) -> None:
    files: list[str | Path] = [numbers / "2.parquet", str(numbers / "0.parquet")]
    first = next(iter(ParquetDataset(files, 10, columns=["id"])))["id"].tolist()
    assert first == list(range(first[0], first[0] + 10))
    assert first[0] > 0
    everything = ids(ParquetDataset(str(numbers / "*.parquet"), 7))
    assert everything == ids(ParquetDataset(Catalog.open(numbers), 7))
    assert everything == list(range(NUM_ROWS))


def test_ragged() -> None:
    ragged = Ragged(np.array([1, 2, 3]), np.array([0, 2, 2, 3]))
    assert len(ragged) == 3
    assert ragged.tolist() == [[1, 2], [], [3]]
    assert [row.tolist() for row in ragged] == ragged.tolist()
    assert ragged[-1].tolist() == [3]
    assert ragged.to_pyarrow().to_pylist() == ragged.tolist()
    for index in (3, -4):
        with pytest.raises(IndexError):
            ragged[index]
    data = np.frombuffer("aßc".encode(), np.uint8)
    text = Ragged(data, np.array([0, 1, 3, 4]), "string")
    assert text.tolist() == ["a", "ß", "c"]
    assert text[1] == "ß"
    assert Ragged(data, text.offsets, "binary").tolist() == [b"a", "ß".encode(), b"c"]
    assert "string" in repr(text)
    assert pickle.loads(pickle.dumps(text)).tolist() == text.tolist()
    flags = Ragged(np.array([True, False]), np.array([0, 2]))
    assert flags.to_pyarrow().to_pylist() == [[True, False]]


@pytest.mark.fault(51)
def test_an_error_belongs_to_its_batch(tmp_path: Path) -> None:
    data = write_numbers(tmp_path, [100, 100, 100], num_files=3)
    dataset = ParquetDataset(data, 50, columns=["id"])
    damaged = data / "1.parquet"
    content = bytearray(damaged.read_bytes())
    content[4:60] = bytes(56)
    stat = damaged.stat()
    damaged.write_bytes(content)
    os.utime(damaged, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    iteration = iter(dataset)
    got = []
    for k in range(6):
        if k in (2, 3):
            with pytest.raises(OSError, match=r"1\.parquet, row group 0, column 'id'"):
                next(iteration)
        else:
            got.append(next(iteration)["id"][0])
    assert got == [0, 50, 200, 250]
    assert list(iteration) == []


def test_a_file_that_changes_is_named(tmp_path: Path) -> None:
    data = write_numbers(tmp_path, [100, 100, 100], num_files=3)
    dataset = ParquetDataset(data, 50)
    write_numbers(tmp_path, [100, 101, 100], num_files=3)
    with pytest.raises(OSError, match=r"\.parquet.*chang"):
        list(dataset)
