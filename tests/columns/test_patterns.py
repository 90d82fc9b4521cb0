# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Patterns and exclusions in `columns` and in `Stack`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reading import FACES, module_of
from rowfeed import Catalog, Column, ParquetDataset, ParquetMapDataset, Stack


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wide") / "a.parquet"
    table = {
        "x_1": [1.0, None],
        "id": [0, 1],
        "x_2": [3.0, 4.0],
        "x_3": [5.0, 6.0],
        "text": ["a", "b"],
        "s": [{"a": 1, "b": 2}, {"a": 3, "b": 4}],
        "y": [0, 1],
        "!odd": [7, 8],
    }
    pq.write_table(pa.table(table), path)
    return path


ANY = Column("x_*", fill=0.0)

CHOSEN: dict[str, tuple[list[Any], list[str]]] = {
    "a pattern": ([ANY], ["x_1", "x_2", "x_3"]),
    "with an exclusion": ([ANY, "!x_3"], ["x_1", "x_2"]),
    "exclusions come anywhere": (["!x_1", "x_?"], ["x_2", "x_3"]),
    "a name keeps its place": (["id", ANY, "x_2"], ["id", "x_1", "x_3", "x_2"]),
    "an exclusion spares names": (["x_2", "!x_*", "i*"], ["x_2", "id"]),
    "exclusions alone": (["!x_*", "!!odd"], ["id", "text", "s", "y"]),
    "a field": (["!x_*", "!!odd", "!s.b", "!text"], ["id", "s", "y"]),
    "a struct": (["!x_*", "!!odd", "!s", "!text"], ["id", "y"]),
}


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("name", CHOSEN)
def test_columns_are_chosen_by_patterns(name: str, face: str, data: Path) -> None:
    columns, names = CHOSEN[name]
    (batch,) = list(module_of(face).ParquetDataset(data, 2, columns=columns))
    assert list(batch) == names
    if "s" in names:
        assert list(batch["s"]) == (["a"] if "!s.b" in columns else ["a", "b"])


def test_a_pattern_has_one_fill_for_all_its_columns(data: Path) -> None:
    columns = [Column("x_*", fill=-1, dtype="float64")]
    (batch,) = list(ParquetDataset(data, 2, columns=columns))
    assert batch["x_1"].tolist() == [1.0, -1.0]
    assert {array.dtype for array in batch.values()} == {np.dtype("float64")}


def test_patterns_leave_out_label_and_weight(data: Path) -> None:
    columns, y = ["!x_1", "!text", "!s", "!!odd"], "y"
    (element,) = list(
        ParquetDataset(data, 2, columns=columns, label=y, sample_weight="x_3")
    )
    assert list(element[0]) == ["id", "x_2"]


def test_a_catalog_and_rows_by_index_give_the_same_columns(data: Path) -> None:
    columns, names = CHOSEN["with an exclusion"]
    catalog = Catalog.open(data)
    assert list(catalog.take([1], columns=columns)) == names
    assert list(ParquetMapDataset(data, columns=columns)[0]) == names
    assert list(ParquetDataset(catalog, 2, columns=columns).peek()) == names


@pytest.mark.parametrize("face", FACES)
def test_a_stack_has_exclusions(face: str, data: Path) -> None:
    dataset = module_of(face).ParquetDataset
    for members, expected in (
        (["x_*", "!x_1"], [[3, 5], [4, 6]]),
        (["!x_1", "!y", "!s", "!!odd"], [[0, 3, 5], [1, 4, 6]]),
    ):
        columns = {"x": Stack(members, dtype="float32"), "id": "id"}
        (batch,) = list(dataset(data, 2, columns=columns))
        assert np.asarray(batch["x"]).tolist() == expected


def test_a_column_that_is_called_like_an_exclusion_can_be_read(data: Path) -> None:
    (batch,) = list(ParquetDataset(Catalog.open(data), 2, columns=["!odd", "y"]))
    assert list(batch) == ["!odd", "y"]


@pytest.mark.parametrize(
    ("columns", "kind", "said"),
    [
        (["z*"], KeyError, r"no column 'z\*'"),
        (["x_*", "!x_9"], KeyError, "'!x_9' leaves out no column: did you mean !x_"),
        (["x_*", "!x*"], ValueError, r"all columns that 'x_\*' matches are left out"),
        ({"x": Stack(["x_*", "!x*"])}, ValueError, "Stack: all columns that"),
    ],
)
def test_a_pattern_that_stands_for_nothing_is_an_error(
    columns: Any, kind: type[Exception], said: str, data: Path
) -> None:
    with pytest.raises(kind, match=said):
        ParquetDataset(data, 2, columns=columns)


def test_a_pattern_refuses_unsupported_columns_unless_they_are_left_out(
    tmp_path: Path,
) -> None:
    odd = pa.array([None], pa.null())
    pq.write_table(pa.table({"a": [1], "am": odd}), tmp_path / "a.parquet")
    with pytest.raises(NotImplementedError, match="'am"):
        ParquetDataset(tmp_path, 1, columns=["a*"])
    assert list(ParquetDataset(tmp_path, 1, columns=["a*", "!am*"]).peek()) == ["a"]


def test_settings_give_the_same_patterns(data: Path) -> None:
    first = ParquetDataset(data, 2, columns=[ANY, "!x_3"])
    again = ParquetDataset(first.catalog, **first.settings)
    assert list(again.peek()) == list(first.peek()) == ["x_1", "x_2"]
