# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Padded lists of lists and strings, as lists of bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading import FACES, WRITING, examples, read, same, write
from rowfeed import Column, Padded, ParquetDataset


def padded(value: Any, lengths: tuple[int, ...], fill: int, start: bool) -> Any:
    """Padded's rule: lists of numbers, or of lists, cut and filled up to sizes."""
    if not lengths:
        return value
    kept = list(value[-lengths[0] :] if start else value[: lengths[0]])
    kept = [padded(item, lengths[1:], fill, start) for item in kept]
    missing = np.full(lengths[1:], fill).tolist()
    return kept + [missing] * (lengths[0] - len(kept))


@settings(examples)
@given(
    rows=st.lists(
        st.lists(st.lists(st.integers(0, 9), max_size=4), max_size=4), min_size=1
    ),
    lengths=st.tuples(st.integers(1, 5), st.integers(1, 5)),
    start=st.booleans(),
    writing=st.sampled_from(WRITING),
)
def test_lists_of_lists_are_padded_at_each_level(
    rows: Any, lengths: tuple[int, int], start: bool, writing: Any, tmp_path: Path
) -> None:
    write(tmp_path, pa.array(rows, pa.list_(pa.list_(pa.int32()))), **writing)
    pad = Padded(lengths, value=-1, truncate="start" if start else "end")
    column = Column("x", pad=pad, mask=True)
    (batch,) = ParquetDataset(tmp_path, len(rows), columns=[column])
    expected = np.array([padded(row, lengths, -1, start) for row in rows], np.int32)
    same(batch["x"], expected)
    same(batch["x__mask"], expected != -1)


@settings(examples)
@given(
    rows=st.lists(st.lists(st.text(max_size=4), max_size=4), min_size=1),
    lengths=st.tuples(st.integers(1, 5), st.integers(1, 6)),
    start=st.booleans(),
    writing=st.sampled_from(WRITING),
)
def test_strings_are_padded_as_lists_of_bytes(
    rows: Any, lengths: tuple[int, int], start: bool, writing: Any, tmp_path: Path
) -> None:
    encoded = [[string.encode() for string in row] for row in rows]
    truncate: Any = "start" if start else "end"
    write(tmp_path, pa.array(rows, pa.list_(pa.string())), **writing)
    column = Column("x", pad=Padded(lengths, value=7, truncate=truncate), mask=True)
    (batch,) = ParquetDataset(tmp_path, len(rows), columns=[column])
    expected = [padded(row, lengths, 7, start) for row in encoded]
    same(batch["x"], np.array(expected, np.uint8))
    mask = np.array([padded(row, lengths, 256, start) for row in encoded]) != 256
    same(batch["x__mask"], mask)
    # And strings that are no list.
    write(
        tmp_path, pa.array([row for row in encoded for row in row] + [b""]), **writing
    )
    (batch,) = ParquetDataset(
        tmp_path, 1000, columns=[Column("x", pad=Padded(lengths[1], truncate=truncate))]
    )
    flat = [padded(s, lengths[1:], 0, start) for row in encoded for s in row]
    same(batch["x"], np.array([*flat, [0] * lengths[1]], np.uint8))


@pytest.mark.parametrize("face", FACES)
def test_padded_strings_and_their_nulls(face: str, tmp_path: Path) -> None:
    write(tmp_path, pa.array(["abc", None, "", "ünd"]))
    same(
        read(tmp_path, face, pad=Padded(4), fill="-"),
        np.array([[97, 98, 99, 0], [45, 0, 0, 0], [0] * 4, [195, 188, 110, 100]], "u1"),
    )
    (batch,) = ParquetDataset(
        tmp_path,
        4,
        columns={
            "bytes": Column("x", pad=Padded(3), mask=True),
            "rows": Column("x", pad=Padded(3), mask="rows"),
        },
    )
    assert batch["bytes__mask"].sum(axis=1).tolist() == [3, 0, 0, 3]
    assert batch["rows__mask"].tolist() == [True, False, True, True]


@pytest.mark.parametrize("face", FACES)
def test_all_faces_pad_lists_of_lists(face: str, tmp_path: Path) -> None:
    rows = [[[1, 2, 3], [4]], [], [[], [5, 6]]]
    write(tmp_path, pa.array(rows, pa.list_(pa.list_(pa.int16()))))
    same(
        read(tmp_path, face, pad=Padded((2, 2)), dtype="float32"),
        np.array([[[1, 2], [4, 0]], [[0, 0]] * 2, [[0, 0], [5, 6]]], np.float32),
    )


@pytest.mark.parametrize(
    ("array", "length", "message"),
    [
        (pa.array([[[1], [2, 3, 4]]]), (2, 2), "3 elements in a list, more than the 2"),
        (pa.array([[[1], [2]]]), (1, 2), "2 elements, more than the 1"),
        (pa.array(["", "four"]), 3, "row 1 .* 4 bytes in a string, more than the 3"),
        (pa.array([["ok"], ["four"]]), (1, 3), "row 1 .* 4 bytes in a string"),
    ],
)
def test_what_is_too_long_and_may_not_be_cut_is_named(
    array: Any, length: Any, message: str, tmp_path: Path
) -> None:
    write(tmp_path, array)
    with pytest.raises(ValueError, match=rf"x\.parquet.*'x'.*{message}"):
        read(tmp_path, pad=Padded(length, truncate=False))


@pytest.mark.parametrize(
    ("array", "pad", "message"),
    [
        (pa.array([[[1]]]), Padded(2), r"'x'.*padded to 2 lengths; not to \(2,\)"),
        (pa.array([["a"]]), Padded(2), "padded to 2 lengths, the last one of strings"),
        (
            pa.array(["a"]),
            Padded((2, 2)),
            "padded to 1 length, the last one of strings",
        ),
        (pa.array([1]), Padded(2), "'x'.*cannot be padded: its rows have one size"),
        (pa.array([b"ab"], pa.binary(2)), Padded(2), "its rows have one size"),
        (pa.array([[[1]]]), Padded((2**30, 2**30)), "their product"),
        (pa.array(["a"]), Padded(2, value=256), "'x'.*a byte, from 0 to 255"),
    ],
)
def test_lengths_that_do_not_fit_are_refused(
    array: Any, pad: Padded, message: str, tmp_path: Path
) -> None:
    write(tmp_path, array)
    with pytest.raises(ValueError, match=message):
        ParquetDataset(tmp_path, 1, columns=[Column("x", pad=pad)])
    write(tmp_path, pa.array(["a"]))
    with pytest.raises(TypeError, match="a byte, an int"):
        ParquetDataset(tmp_path, 1, columns=[Column("x", pad=Padded(2, value=0.5))])
