# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Lists that are all of one size, by shape=, and masks of rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reading import FACES, WRITING, module_of, read, same, to_array, write
from rowfeed import Column, Padded, ParquetDataset, ParquetMapDataset, Vocabulary

N = 300
NUMBERS = np.arange(N * 6, dtype=np.float32)


def face_of(name: str) -> Any:
    """Returns the dataset class of a face."""
    return module_of(name).ParquetDataset


def lists(*sizes: int) -> Any:
    """N rows of lists, in lists, that all have the same sizes."""
    return pa.array(
        NUMBERS[: N * int(np.prod(sizes))].reshape(N, *sizes).tolist(),
        pa.list_(pa.float32()) if len(sizes) == 1 else pa.list_(pa.list_(pa.float32())),
    )


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("writing", WRITING)
@pytest.mark.parametrize(
    ("sizes", "shape"),
    [((6,), (6,)), ((6,), (2, 3)), ((1,), (1,)), ((6,), (1, 3, 2)), ((3, 2), (3, 2))],
)
def test_lists_of_one_size_are_dense(
    face: str, writing: Any, sizes: Any, shape: Any, tmp_path: Path
) -> None:
    got = read(write(tmp_path, lists(*sizes), **writing), face, shape=shape)
    same(got, NUMBERS[: N * int(np.prod(shape))].reshape(N, *shape))


@pytest.mark.parametrize("face", FACES)
def test_single_rows_have_the_shape(face: str, tmp_path: Path) -> None:
    dataset = face_of(face)(
        write(tmp_path, lists(6)), None, columns=[Column("x", shape=(2, 3))]
    )
    rows = [to_array(row["x"]) for row in dataset]
    same(np.stack(rows), NUMBERS.reshape(N, 2, 3))


def test_lists_of_a_size_that_the_file_knows_take_another_shape(tmp_path: Path) -> None:
    array = pa.FixedSizeListArray.from_arrays(pa.array(NUMBERS), 6)
    same(read(write(tmp_path, array), shape=(3, 2)), NUMBERS.reshape(N, 3, 2))
    spec = Column("x", shape=(3, 3))
    with pytest.raises(ValueError, match=r"'x'.*rows of 6 elements.*\(3, 3\)"):
        ParquetDataset(tmp_path, 1, columns=[spec])


@pytest.mark.parametrize("face", FACES)
def test_the_spec_has_the_shape(face: str, tmp_path: Path) -> None:
    write(tmp_path, lists(6))
    columns = [Column("x", shape=[2, 3], dtype="float16")]
    if face == "torch":
        (batch,) = face_of(face)(tmp_path, N, columns=columns)
        assert tuple(batch["x"].shape) == (N, 2, 3)
    else:
        spec = face_of(face)(tmp_path, 5, columns=columns).element_spec["x"]
        assert tuple(spec.shape) == (None, 2, 3)


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("writing", WRITING)
@pytest.mark.parametrize("found", [0, 5, 7])
def test_a_row_of_another_length_is_named(
    face: str, writing: Any, found: int, tmp_path: Path
) -> None:
    rows = lists(6).to_pylist()
    rows[217] = [1.0] * found
    write(tmp_path, pa.array(rows, pa.list_(pa.float32())), **writing)
    error: type[Exception] = ValueError
    if face == "tensorflow":
        error = pytest.importorskip("tensorflow").errors.InvalidArgumentError
    with pytest.raises(
        error,
        match=rf"x\.parquet.*row group 0.*'x'.*row 217 .* {found} elements, expected 6",
    ):
        read(tmp_path, face, shape=(2, 3))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[[1, 2]], [[3, 4], [5, 6]]], "row 0 .* 1 elements, expected 2"),
        ([[[1, 2], [3, 4]], [[5, 6], [7]]], "row 1 .* 1 elements, expected 2"),
        ([[[1, 2], [3, 4]], []], "row 1 .* 0 elements, expected 2"),
    ],
)
def test_a_list_of_another_length_in_a_row_is_named(
    rows: Any, message: str, tmp_path: Path
) -> None:
    write(tmp_path, pa.array(rows, pa.list_(pa.list_(pa.int32()))))
    with pytest.raises(ValueError, match=f"'x'.*{message}"):
        read(tmp_path, shape=(2, 2))


def test_null_lists_of_a_shape_are_filled_and_masked(tmp_path: Path) -> None:
    write(tmp_path, pa.array([[1, None], None, [3, 4]], pa.list_(pa.int32())))
    assert read(tmp_path, shape=(2,), fill=9).tolist() == [[1, 9], [9, 9], [3, 4]]
    for mask, expected in (
        (True, [[True, False], [False, False], [True, True]]),
        ("rows", [True, False, True]),
    ):
        column = Column("x", shape=(2,), fill=0, mask=mask)  # type: ignore[arg-type]
        (batch,) = ParquetDataset(tmp_path, 3, columns=[column])
        assert batch["x__mask"].tolist() == expected
    with pytest.raises(ValueError, match=r"'x'.*null at row 0"):
        read(tmp_path, shape=(2,))


def test_encoded_strings_have_a_shape(tmp_path: Path) -> None:
    write(tmp_path, pa.array([["a", "b"], ["b", "c"]]))
    encode = Vocabulary(["a", "b"], unknown=-1)
    same(read(tmp_path, shape=(2,), encode=encode), np.array([[0, 1], [1, -1]]))


REFUSED: list[tuple[Any, Any, str]] = [
    (pa.array([1]), (1,), "takes no shape"),
    (pa.array(["a"]), (1,), "takes no shape"),
    (pa.array([b"ab"], pa.binary(2)), (2,), "takes no shape"),
    (pa.array([["a"]]), (1,), "takes no shape"),
    (pa.array([[[1]]]), (1,), "a shape of 2 sizes"),
    (pa.array([[[1]]]), (1, 1, 1), "a shape of 2 sizes"),
    (pa.array([[[1, 2]]], pa.list_(pa.list_(pa.int8(), 2))), (2, 1), r"ends with \(2,"),
    (pa.array([[1]]), (2**30, 2**30), r"their product"),
    (pa.array([[1, 2]], pa.list_(pa.int8(), 2)), (3,), "rows of 2 elements"),
]


@pytest.mark.parametrize(("array", "shape", "message"), REFUSED)
def test_a_shape_that_cannot_be_is_refused_by_column(
    array: Any, shape: Any, message: str, tmp_path: Path
) -> None:
    write(tmp_path, array)
    with pytest.raises(ValueError, match=f"'x'.*{message}"):
        ParquetDataset(tmp_path, 1, columns=[Column("x", shape=shape)])


@pytest.mark.parametrize(
    ("shape", "error"),
    [((0,), ValueError), ((-1, 2), ValueError), ((), ValueError), (3, TypeError),
     ((2.0,), TypeError), ("22", TypeError), ((True,), TypeError)],
)  # fmt: skip
def test_a_shape_is_a_tuple_of_sizes(shape: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"'x': shape"):
        Column("x", shape=shape)
    if shape != 3:
        with pytest.raises(error, match="Padded: length"):
            Padded(shape)
    with pytest.raises(ValueError, match="no padding"):
        Column("x", shape=(2,), pad=Padded(3))


@pytest.mark.parametrize("face", FACES)
def test_masks_of_rows_tell_null_lists_from_empty_ones(
    face: str, tmp_path: Path
) -> None:
    array = pa.array([[1], None, [], [2, 3], None] * 40, pa.list_(pa.int32()))
    write(tmp_path, array, data_page_size=50, row_group_size=37)
    columns = {
        "ragged": Column("x", mask="rows"),
        "padded": Column("x", mask="rows", pad=Padded(2)),
        "row": "__row",
        "group": "__row_group",
    }
    batches = list(
        face_of(face)(tmp_path, 7, columns=columns, shuffle=True, block_rows=9)
    )
    valid = array.is_valid().to_pylist()
    for batch in batches:
        place = to_array(batch["group"]) * 37 + to_array(batch["row"])
        expected = [valid[row] for row in place]
        for name in ("ragged", "padded"):
            assert to_array(batch[f"{name}__mask"]).tolist() == expected


def test_masks_of_rows_leave_nulls_in_lists_to_the_fill(tmp_path: Path) -> None:
    write(tmp_path, pa.array([[1, None], None], pa.list_(pa.int32())))
    with pytest.raises(ValueError, match=r"'x'.*null at row 0"):
        list(ParquetDataset(tmp_path, 2, columns=[Column("x", mask="rows")]))
    columns = [Column("x", mask="rows", fill=5)]
    (batch,) = ParquetDataset(tmp_path, 2, columns=columns)
    assert batch["x"].tolist() == [[1, 5], []]
    assert batch["x__mask"].tolist() == [True, False]


def test_masks_of_rows_of_single_values_are_masks(tmp_path: Path) -> None:
    write(tmp_path, pa.array([1, None]))
    (batch,) = ParquetDataset(tmp_path, 2, columns=[Column("x", mask="rows")])
    assert batch["x__mask"].tolist() == [True, False]
    with pytest.raises(TypeError, match=r'bool or "rows"'):
        Column("x", mask="row")  # type: ignore[arg-type]


def test_what_a_filter_leaves_out_may_be_null_or_too_long(tmp_path: Path) -> None:
    rows = [[1, 2], None, [3, 4]]
    table = pa.table({"n": [2, 0, 2], "x": pa.array(rows, pa.list_(pa.int32()))})
    pq.write_table(table, tmp_path / "x.parquet")
    dataset = ParquetDataset(
        tmp_path, 2, columns=[Column("x", shape=(2,))], filter=[("n", "==", 2)]
    )
    assert next(iter(dataset))["x"].tolist() == [[1, 2], [3, 4]]
    table = pa.table({"n": [1, 9, 1], "x": [[1], [2] * 9, [3]]})
    pq.write_table(table, tmp_path / "x.parquet")
    column = Column("x", pad=Padded(2, truncate=False))
    dataset = ParquetDataset(tmp_path, 2, columns=[column], filter=[("n", "==", 1)])
    assert next(iter(dataset))["x"].tolist() == [[1, 0], [3, 0]]


@pytest.mark.parametrize("writing", WRITING)
@pytest.mark.parametrize("mask", [False, True, "rows"])
def test_what_a_filter_leaves_out_may_be_of_another_length(
    writing: Any, mask: Any, tmp_path: Path
) -> None:
    # Rows narrow and wide, which are copied in different ways.
    for size in (3, 200):
        random = np.random.default_rng(size)
        sizes = np.where(np.arange(600) % 3 == 1, random.integers(0, 400, 600), size)
        lists = [[*range(i, i + n)] for i, n in enumerate(sizes.tolist())]
        nulls = [[None if v % 17 == 0 else v for v in row] for row in lists]
        table = pa.table({"n": sizes, "x": pa.array(nulls, pa.list_(pa.int32()))})
        pq.write_table(table, tmp_path / "x.parquet", row_group_size=150, **writing)
        dataset = ParquetDataset(
            tmp_path,
            32,
            columns=[Column("x", shape=(size,), mask=mask, fill=-1)],
            filter=[("n", "==", size)],
            shuffle=True,
        )
        batches = list(dataset)
        rows = [row for batch in batches for row in batch["x"].tolist()]
        assert sorted(rows) == sorted(
            [-1 if v % 17 == 0 else v for v in row] for row in lists if len(row) == size
        )
        for batch in batches if mask else ():
            expected = batch["x"] != -1 if mask is True else np.True_
            assert (batch["x__mask"] == expected).all()


def test_rows_of_another_length_do_not_spoil_those_that_are_asked_for(
    tmp_path: Path,
) -> None:
    lists = [[1.0, 2.0, 3.0], [None] * 100]
    table = pa.table({"n": [1, 2], "x": pa.array(lists, pa.list_(pa.float32()))})
    pq.write_table(table, tmp_path / "x.parquet")
    columns = [Column("x", shape=(3,), fill=0)]
    assert ParquetMapDataset(tmp_path, columns=columns)[0]["x"].tolist() == [1, 2, 3]
    (batch,) = ParquetDataset(tmp_path, 2, columns=columns, filter=[("n", "==", 1)])
    assert batch["x"].tolist() == [[1, 2, 3]]
    with pytest.raises(ValueError, match=r"row 1 .*100 elements, expected 3"):
        list(ParquetDataset(tmp_path, 2, columns=columns))
