# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What is said of columns that cannot be read, and how to read the others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from reading import FACES, module_of
from rowfeed import Catalog, Column, ParquetDataset


def written(path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def line_in(error: BaseException) -> Any:
    """Returns the value of the line `columns=…` that an error gives to paste."""
    (line,) = re.findall(r"columns=(\[.*\])", str(error))
    return eval(line, {"rowfeed": rowfeed})


@pytest.mark.parametrize("face", FACES)
def test_all_columns_but_one_that_is_unsupported_can_be_pasted(
    tmp_path: Path, face: str
) -> None:
    module = module_of(face)
    path = written(
        tmp_path / "x.parquet", a=[1, 2], odd=pa.nulls(2), b=["x", "y"], c=[1.5, 2.5]
    )
    with pytest.raises(NotImplementedError, match=r"column 'odd' \(null\): ") as caught:
        module.ParquetDataset(path, 2)
    assert line_in(caught.value) == ["*", "!odd"]
    (batch,) = module.ParquetDataset(path, 2, columns=line_in(caught.value))
    assert [*batch] == ["a", "b", "c"]


def test_what_is_pasted_keeps_structs_and_leaves_out_the_label(tmp_path: Path) -> None:
    whole = pa.array([{"x": 1, "y": 2}] * 2)
    part = pa.array([{"u": 1, "v": None}] * 2)
    path = written(tmp_path / "x.parquet", whole=whole, part=part, label=[0, 1])
    with pytest.raises(NotImplementedError, match=r"'part.v' \(null\)") as caught:
        ParquetDataset(path, 2, label="label")
    assert line_in(caught.value) == ["*", "!part.v"]
    ((features, label),) = ParquetDataset(
        path, 2, label="label", columns=line_in(caught.value)
    )
    assert features["whole"]["y"].tolist() == [2, 2]
    assert label.tolist() == [0, 1]


def test_several_unsupported_columns_are_named_together(tmp_path: Path) -> None:
    columns = {f"odd{i}": pa.nulls(1) for i in range(7)}
    path = written(tmp_path / "x.parquet", a=[1], **columns)
    with pytest.raises(NotImplementedError, match=r"'odd0'.*and 2 more col") as caught:
        ParquetDataset(path, 1)
    assert line_in(caught.value) == ["*", *(f"!odd{i}" for i in range(7))]
    assert [*ParquetDataset(path, 1, columns=line_in(caught.value)).peek()] == ["a"]


def test_where_nothing_can_be_read_no_columns_are_named(tmp_path: Path) -> None:
    path = written(tmp_path / "x.parquet", odd=pa.nulls(1))
    with pytest.raises(NotImplementedError, match="there is no other column to read"):
        ParquetDataset(path, 1)


def test_wide_files_get_a_short_line(tmp_path: Path) -> None:
    columns = {f"c{i}": pa.nulls(1) for i in range(1000)}
    path = written(tmp_path / "x.parquet", a=[1], **columns)
    with pytest.raises(NotImplementedError) as caught:
        ParquetDataset(path, 1)
    assert len(str(caught.value)) < 700
    names = [c.name for c in Catalog.open(path).schema if not c.unsupported]
    assert "[c.name for c in rowfeed.Catalog.open(...).schema if not c.uns" in str(
        caught.value
    )
    assert names == ["a"]


IMAGE = [{"bytes": b"one", "path": None}, {"bytes": b"two", "path": None}]


@pytest.mark.parametrize("face", FACES)
def test_the_path_of_an_image_points_to_its_bytes(tmp_path: Path, face: str) -> None:
    module = module_of(face)
    path = written(tmp_path / "x.parquet", image=pa.array(IMAGE), label=[0, 1])
    for columns in (["image"], ["image.path"]):
        with pytest.raises(NotImplementedError, match=r"image\.bytes"):
            module.ParquetDataset(path, 2, columns=columns)
    with pytest.raises(NotImplementedError) as caught:
        module.ParquetDataset(path, 2)
    assert line_in(caught.value) == ["*", "!image.path"]
    (batch,) = module.ParquetDataset(path, 2, columns=["image.bytes"])
    assert "image.bytes" in batch


@pytest.mark.parametrize("face", FACES)
def test_null_paths_of_images_point_to_their_bytes(tmp_path: Path, face: str) -> None:
    module = module_of(face)
    kind = pa.struct({"bytes": pa.binary(), "path": pa.string()})
    path = written(tmp_path / "x.parquet", image=pa.array(IMAGE, kind))
    for columns in (["image"], None):
        with pytest.raises(Exception, match=r"'image\.path': null.*'image\.bytes'"):
            list(module.ParquetDataset(path, 2, columns=columns))


def test_what_is_pasted_keeps_the_columns_of_the_list(tmp_path: Path) -> None:
    written(tmp_path / "a.parquet", a=[1], x=pa.array([1], pa.int32()), odd=pa.nulls(1))
    written(tmp_path / "b.parquet", a=[1], x=[2], odd=pa.nulls(1))
    listed: list[str | Column] = ["*", Column("x", dtype="int64")]
    for given in (None, listed):
        with pytest.raises(NotImplementedError, match="column 'odd'") as caught:
            ParquetDataset(tmp_path, 2, columns=given)
        (batch,) = ParquetDataset(tmp_path, 2, columns=line_in(caught.value))
        assert batch["x"].tolist() == [1, 2]


def test_a_name_with_a_star_is_left_out_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "x.parquet", **{"a*": pa.nulls(1), "ab": [1]})
    with pytest.raises(NotImplementedError) as caught:
        ParquetDataset(path, 1)
    assert [*ParquetDataset(path, 1, columns=line_in(caught.value)).peek()] == ["ab"]


def test_what_a_catalog_has_passed_over_can_be_left_out(tmp_path: Path) -> None:
    path = written(tmp_path / "x.parquet", a=[1], legacy=pa.nulls(1))
    for catalog in (Catalog.open(path, ["*"]), Catalog.open(path, ["!legacy"])):
        dataset = ParquetDataset(catalog, 1, columns=["*", "!legacy"])
        assert [*dataset.peek()] == ["a"]
        with pytest.raises(KeyError, match="'!lega' leaves out no column"):
            ParquetDataset(catalog, 1, columns=["*", "!lega"])


def test_descriptions_name_the_columns_that_patterns_pass_over(tmp_path: Path) -> None:
    path = written(tmp_path / "x.parquet", a=[1], legacy=pa.nulls(1), old=pa.nulls(1))
    description = Catalog.open(path, ["*", "!old"]).describe()
    assert [field.name for field in description.left_out] == ["legacy"]
    assert "left out        legacy (null): nulls without a type" in repr(description)
    assert Catalog.open(path, ["a"]).describe().left_out == ()
    assert Catalog.open(path).describe().left_out == ()  # They are in the table.
