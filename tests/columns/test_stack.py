# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Many columns as one tensor."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from rowfeed import Column, HashBuckets, ParquetDataset, Stack

ROWS = 1000
RNG = np.random.default_rng(3)
TABLE = pa.table(
    {
        "f0": RNG.standard_normal(ROWS).astype(np.float32),
        "text": [f"t{i % 7}" for i in range(ROWS)],
        "i0": pa.array([None if i % 5 == 0 else i for i in range(ROWS)]),
        "f1": RNG.standard_normal(ROWS).astype(np.float32),
        "flag": RNG.integers(0, 2, ROWS).astype(bool),
        "f2": RNG.standard_normal(ROWS).astype(np.float32),
        "list": [[i] for i in range(ROWS)],
        "y": np.arange(ROWS),
    }
)
EXPECTED = np.stack([TABLE[f"f{i}"].to_numpy() for i in range(3)], axis=1)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.parquet"
    pq.write_table(TABLE, path, row_group_size=130)
    return path


Columns: TypeAlias = dict[str, str | Column | Stack]
FACES = pytest.mark.parametrize("face", ["", ".torch", ".tensorflow"])


def dataset_of(face: str, *args: Any, **keywords: Any) -> Any:
    if face:
        pytest.importorskip(face[1:])
    return importlib.import_module(f"rowfeed{face}").ParquetDataset(*args, **keywords)


@FACES
@pytest.mark.parametrize("batch_size", [1, 33, 64, ROWS])
@pytest.mark.parametrize("num_lanes", [1, 3])
def test_rows_lie_side_by_side(
    table: Path, face: str, batch_size: int, num_lanes: int
) -> None:
    columns: Columns = {"x": Stack(["f?"]), "text": "text"}
    keywords: dict[str, Any] = {"columns": columns, "label": "y", "shuffle": True}
    dataset = dataset_of(face, table, batch_size, num_lanes=num_lanes, **keywords)
    rows = 0
    for features, y in dataset:
        x = np.asarray(features["x"])
        assert x.flags.c_contiguous
        assert x.tobytes() == EXPECTED[np.asarray(y)].tobytes()
        rows += len(x)
    assert rows == ROWS


@pytest.mark.parametrize("face", ["", ".torch"])
@pytest.mark.parametrize("batch_size", [33, 64])
def test_columns_lie_side_by_side(table: Path, face: str, batch_size: int) -> None:
    columns: Columns = {"x": Stack(["f0", "f1", "f2"], layout="columns"), "y": "y"}
    for batch in dataset_of(face, table, batch_size, columns=columns, shuffle=True):
        x = batch["x"]
        assert x.shape == (len(batch["y"]), 3)
        strides = x.strides if face == "" else [4 * s for s in x.stride()]
        assert strides[0] == 4
        assert strides[1] >= 4 * len(x)
        assert np.array_equal(np.asarray(x), EXPECTED[np.asarray(batch["y"])])
    with pytest.raises(ValueError, match="Stack 'x': TensorFlow has no tensors"):
        dataset_of(".tensorflow", table, 64, columns=columns)


@FACES
def test_single_rows(table: Path, face: str) -> None:
    dataset = dataset_of(face, table, None, columns={"x": Stack(["f?"])})
    found = np.stack([np.asarray(row["x"]) for row in dataset])
    assert found.tobytes() == EXPECTED.tobytes()


def test_members_are_cast_filled_and_encoded(table: Path) -> None:
    i0, text = Column("i0", fill=-1), Column("text", encode=HashBuckets(9))
    floats = Stack(["flag", i0, "f1"], dtype="float32", fill=0)
    integers = Stack([i0, text, "y"])
    columns: Columns = {"floats": floats, "integers": integers}
    (batch,) = ParquetDataset(table, ROWS, columns=columns)
    (alone,) = ParquetDataset(table, ROWS, columns=["flag", i0, "f1", text, "y"])
    assert batch["floats"].dtype == np.float32
    for i, name in enumerate(["flag", "i0", "f1"]):
        assert np.array_equal(batch["floats"][:, i], alone[name].astype(np.float32))
    assert batch["integers"].dtype == np.int64
    for i, name in enumerate(["i0", "text", "y"]):
        assert np.array_equal(batch["integers"][:, i], alone[name])


def test_a_pattern_takes_numbers_but_label_and_weight(table: Path) -> None:
    columns: Columns = {"x": Stack(["*"], dtype="float64", fill=np.nan), "text": "text"}
    dataset = ParquetDataset(table, 10, columns=columns, label="y", sample_weight="f1")
    # f0, i0, flag and f2: a bool has no NaN, but is cast before nulls are filled.
    assert dataset.element_spec[0]["x"].shape == (None, 4)
    features, _, _ = next(iter(dataset))
    assert np.isnan(features["x"][0, 1])


def test_padded_rows_are_zeros(table: Path) -> None:
    columns: Columns = {"x": Stack(["f?"])}
    *_, last = ParquetDataset(table, 300, columns=columns, remainder="pad")
    assert last["__valid"].sum() == 100
    assert not last["x"][100:].any()


def test_what_cannot_be_stacked_is_refused_by_name(table: Path) -> None:
    def refused(error: type[Exception], match: str, *args: Any, **kwargs: Any) -> None:
        with pytest.raises(error, match=match):
            ParquetDataset(table, 9, columns={"x": Stack(*args, **kwargs)})

    refused(ValueError, "'x': column 'y' is int64, but 'f0' is float32", ["f0", "y"])
    refused(ValueError, r"'x': column 'text' \(string\) is not one number", ["text"])
    refused(ValueError, "'x': column 'list' .* is not one number", ["f0", "list"])
    refused(KeyError, r"no column 'z\*'", ["z*"])
    refused(ValueError, "at least one", [])
    refused(TypeError, "takes a sequence of names", "f*")
    refused(ValueError, "cannot have a mask", [Column("f0", mask=True)])
    refused(ValueError, 'layout must be "rows" or "columns"', ["f0"], layout="c")
    with pytest.raises(TypeError, match="a Stack needs a name"):
        ParquetDataset(table, 9, columns=[Stack(["f?"])])  # type: ignore[list-item]


def test_it_goes_on_from_a_state(table: Path) -> None:
    columns: Columns = {"x": Stack(["f?"]), "y": "y"}
    dataset = ParquetDataset(table, 64, columns=columns, shuffle=True)
    batches = iter(dataset)
    for _ in range(5):
        next(batches)
    state = batches.state_dict()
    expected = next(batches)
    again = rowfeed.ParquetDataset(table, 64, columns=columns, shuffle=True)
    again.load_state_dict(state)
    found = next(iter(again))
    assert found["x"].tobytes() == expected["x"].tobytes()


def test_a_column_is_in_a_stack_once(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1, 2], "x": [None, 3.0]}), tmp_path / "x.parquet")

    def rows(*columns: Any, **keywords: Any) -> Any:
        stack = Stack(columns, dtype="float64")
        (batch,) = rowfeed.ParquetDataset(tmp_path, 2, columns={"x": stack}, **keywords)
        return batch[0]["x"].tolist() if "label" in keywords else batch["x"].tolist()

    assert rows("*", Column("x", fill=9)) == [[1, 9], [2, 3]]
    assert rows(Column("x", fill=9), "*", "i*") == [[9, 1], [3, 2]]
    with pytest.raises(ValueError, match="column 'id' is named twice"):
        rows("id", "id")
    with pytest.raises(ValueError, match=r"'i\*' matches the label or sample weight"):
        rows("i*", Column("x", fill=9), label="id")


NULLS = {
    "a": [1.5, None, 3.0, None],
    "b": [None, 2, None, 4],
    "c": [True, False, True, None],
}


@pytest.fixture
def nulls(tmp_path: Path) -> Path:
    path = tmp_path / "nulls.parquet"
    pq.write_table(pa.table(NULLS), path, row_group_size=3)
    return path


@FACES
@pytest.mark.parametrize("layout", ["rows", "columns"])
@pytest.mark.parametrize("fill", [None, -1])
def test_a_stack_has_a_mask(
    nulls: Path, face: str, layout: Any, fill: int | None
) -> None:
    if (face, layout) == (".tensorflow", "columns"):
        pytest.skip("TensorFlow has no such tensors")
    stack = Stack(["?"], dtype="float32", fill=fill, layout=layout, mask=True)
    dataset = dataset_of(face, nulls, 3, columns={"x": stack})
    found = [(np.asarray(f["x"]), np.asarray(f["x__mask"])) for f in dataset]
    assert [list(f) for f in dataset] == [["x", "x__mask"]] * 2
    x, mask = (np.concatenate(parts) for parts in zip(*found, strict=True))
    expected = [
        [v is not None for v in row] for row in zip(*NULLS.values(), strict=True)
    ]
    assert mask.dtype == bool
    assert mask.tolist() == expected
    assert x.dtype == np.float32
    zero = fill or 0
    assert x.tolist() == [
        [zero if v is None else v for v in row]
        for row in zip(*NULLS.values(), strict=True)
    ]


def test_a_masked_stack_stands_beside_other_columns(table: Path) -> None:
    columns: Columns = {
        "text": "text",
        "x": Stack(["f0", "i0", "f2"], dtype="float32", mask=True),
        "masked": Column("i0", mask=True),
        "plain": Stack(["f1", "f2"]),
    }
    for options in ({}, {"num_lanes": 3}, {"batch_size": None}):
        keywords: dict[str, Any] = {"batch_size": 64, "shuffle": True, **options}
        dataset = ParquetDataset(table, columns=columns, label="y", **keywords)
        assert list(dataset.element_spec[0]) == [
            *("text", "x", "x__mask", "masked", "masked__mask", "plain"),
        ]
        for features, y in dataset:
            rows = np.atleast_1d(y)
            x, mask, plain = (
                np.asarray(features[name]).reshape(len(rows), -1)
                for name in ("x", "x__mask", "plain")
            )
            masked = np.atleast_1d(features["masked__mask"])
            assert (mask == np.stack([rows >= 0, rows % 5 != 0, rows >= 0], 1)).all()
            assert (masked == mask[:, 1]).all()
            assert (x[:, [0, 2]] == EXPECTED[rows][:, [0, 2]]).all()
            assert (x[:, 1] == np.where(rows % 5 == 0, 0, rows)).all()
            assert (plain == EXPECTED[rows][:, 1:]).all()


def test_fill_rows_of_a_masked_stack_are_null(nulls: Path) -> None:
    stack = Stack(["a", "b"], dtype="float32", fill=7, mask=True)
    dataset = ParquetDataset(nulls, 3, columns={"x": stack}, remainder="pad")
    last = [*dataset][-1]
    assert last["x__mask"].tolist() == [[False, True], [False, False], [False, False]]
    assert last["x"].tolist() == [[7, 4], [0, 0], [0, 0]]


def test_nulls_of_a_masked_stack_do_not_warn(nulls: Path) -> None:
    stack = Stack(["?"], dtype="float32", mask=True)
    assert len(ParquetDataset(nulls, 3, columns={"x": stack})) == 2  # Warnings fail.


def test_a_mask_of_one_member_names_that_of_the_stack() -> None:
    with pytest.raises(ValueError, match=r"Stack\(\[...\], mask=True\)"):
        Stack([Column("a", mask=True)])
    with pytest.raises(TypeError, match="Stack: mask must be"):
        Stack(["a"], mask="rows")  # type: ignore[arg-type]
