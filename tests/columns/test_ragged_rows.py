# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of a Ragged by mask and by indices, in NumPy and PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rowfeed import Ragged

Make = Callable[[Any], Any]

TEXT = ["a", "", "ßc", "d"]
TAGS = [[["x", "yy"], []], [], [["z"]], [[], ["ü"]]]


def make_numpy(values: Any) -> Any:
    return np.array(values)


def make_torch(values: Any) -> Any:
    return pytest.importorskip("torch").tensor(values)


ARRAYS = pytest.mark.parametrize("make", [make_numpy, make_torch])


def text(make: Make, words: list[str]) -> Ragged:
    data = np.frombuffer("".join(words).encode(), np.uint8).copy()
    sizes = [len(word.encode()) for word in words]
    return Ragged(make(data), make([0, *np.cumsum(sizes).tolist()]), "string")


def lists(make: Make, rows: list[Any]) -> Ragged:
    """Makes a Ragged of lists of lists, or of lists of strings."""
    flat = [element for row in rows for element in row]
    below = text(make, flat) if isinstance(flat[0], str) else lists(make, flat)
    sizes = np.cumsum([len(row) for row in rows]).tolist()
    return Ragged(below, make([0, *sizes]))


@ARRAYS
@pytest.mark.parametrize("index_as", [list, make_numpy, make_torch])
@pytest.mark.parametrize(
    ("index", "rows"),
    [
        ([True, False, True, False], [0, 2]),
        ([False] * 4, []),
        ([3, 0, 0, -2], [3, 0, 0, 2]),
        ([2], [2]),
    ],
)
def test_rows_by_mask_and_by_indices_are_those_of_a_list(
    make: Make, index_as: Make, index: Any, rows: list[int]
) -> None:
    strings, nested = text(make, TEXT), lists(make, TAGS)
    taken = strings[index_as(index)]
    assert type(taken.values) is type(strings.values)
    assert type(taken.offsets) is type(strings.offsets)
    assert (taken.kind, taken.dtype) == (strings.kind, strings.dtype)
    assert taken.offsets.dtype == strings.offsets.dtype
    assert taken.tolist() == [TEXT[row] for row in rows]
    assert nested[index_as(index)].tolist() == [TAGS[row] for row in rows]


@ARRAYS
def test_elements_of_a_fixed_shape_are_taken_whole(make: Make) -> None:
    ragged = Ragged(make([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), make([0, 1, 1, 3]))
    assert ragged[[2, 1]].tolist() == [[[3.0, 4.0], [5.0, 6.0]], []]


def test_an_empty_list_of_rows_is_a_ragged_without_rows() -> None:
    assert text(make_numpy, TEXT)[[]].tolist() == []
    assert lists(make_numpy, TAGS)[[]].tolist() == []


def test_rows_by_index_are_copies() -> None:
    ragged = Ragged(np.array([1, 2, 3]), np.array([0, 2, 3]))
    ragged[[0, 1]].values[:] = 9
    assert ragged.tolist() == [[1, 2], [3]]


def test_rows_of_unsigned_numbers_are_taken() -> None:
    assert text(make_numpy, TEXT)[np.array([3, 0], np.uint64)].tolist() == ["d", "a"]


def test_a_number_of_numpy_is_one_row() -> None:
    assert text(make_numpy, TEXT)[np.int64(2)] == "ßc"
    assert text(make_numpy, TEXT)[np.array(2)] == "ßc"


def test_a_tensor_of_one_number_in_a_list_is_a_list_of_one_row() -> None:
    ragged = text(make_torch, TEXT)
    assert ragged[make_torch([2])].tolist() == ["ßc"]
    assert ragged[make_torch(2)] == "ßc"


@pytest.mark.parametrize(
    ("index", "error", "message"),
    [
        ([0, 4], IndexError, "row 4 of 4"),
        ([-5], IndexError, "row -5 of 4"),
        ([True, False], IndexError, "mask of 2 rows for a Ragged of 4"),
        ("a", TypeError, "index of a Ragged must be a row number, a slice, a mask"),
        ([0.5], TypeError, "index of a Ragged must be"),
        (1.5, TypeError, "index of a Ragged must be"),
        (None, TypeError, "index of a Ragged must be"),
        (np.zeros((2, 2), int), TypeError, "one-dimensional array"),
        ((0, slice(1)), TypeError, "index of a Ragged must be"),
    ],
    ids=repr,
)
def test_what_is_no_index_is_refused_in_words(
    index: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        text(make_numpy, TEXT)[index]


@pytest.mark.parametrize(
    ("rows", "shape"),
    [
        ([[1, 2], [], [3, 4, 5]], (3, 3)),
        ([[7]], (1, 1)),
        ([[], []], (2, 0)),
        ([], (0, 0)),
    ],
    ids=repr,
)
def test_a_nested_tensor_is_padded_to_its_longest_row(
    rows: list[list[int]], shape: tuple[int, int]
) -> None:
    torch = pytest.importorskip("torch")
    values = torch.tensor([float(x) for row in rows for x in row])
    offsets = torch.tensor([0, *np.cumsum([len(row) for row in rows]).tolist()])
    padded = Ragged(values, offsets.long()).to_nested_tensor().to_padded_tensor(0)
    assert padded.shape == shape
    assert padded.tolist() == [row + [0] * (shape[1] - len(row)) for row in rows]
