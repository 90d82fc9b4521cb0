# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Warnings: their categories, and what is said once where no row is left."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from reading import module_of
from repository import ROOT

CATEGORIES = ("DataWarning", "PerformanceWarning", "StateWarning")
NONE_PASSES = [("id", "<", 0)]


@pytest.mark.parametrize("name", CATEGORIES)
def test_a_category_is_a_user_warning_with_a_public_name(name: str) -> None:
    category = getattr(rowfeed, name)
    assert issubclass(category, UserWarning)
    assert f"{category.__module__}.{category.__qualname__}" == f"rowfeed.{name}"


def test_each_warning_of_the_package_has_a_category() -> None:
    """A call of `warnings.warn` or `warn_caller` names one of the categories."""
    allowed = {*CATEGORIES, "ResourceWarning"}
    without = []
    for path in sorted((ROOT / "python" / "rowfeed").rglob("*.py")):
        if path.name == "caller_warnings.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                "warnings.warn",
                "warn_caller",
            ):
                names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
                if not names & allowed:
                    without.append(f"{path.name}:{node.lineno}")
    assert without == []


@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
def test_a_filter_that_leaves_no_row_warns_once(face: str, numbers: Path) -> None:
    dataset = module_of(face).ParquetDataset(numbers, 8, filter=NONE_PASSES)
    with pytest.warns(rowfeed.DataWarning, match=r"no row is left.*id < 0.*describe"):
        assert dataset.begin_epoch() == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(dataset) == []
        assert dataset.begin_epoch() == 0


@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
def test_an_iteration_over_no_row_warns_at_the_line_of_the_loop(
    face: str, numbers: Path
) -> None:
    dataset = module_of(face).ParquetDataset(numbers, 8, filter=NONE_PASSES)
    with pytest.warns(rowfeed.DataWarning, match="no row is left") as caught:
        for _ in dataset:
            pass
    assert [warning.filename for warning in caught] == [__file__]


def test_a_number_of_steps_that_is_none_warns(numbers: Path) -> None:
    """Keras asks for it before it takes a batch."""
    module = module_of("tensorflow")
    dataset = module.ParquetDataset(numbers, 8, filter=NONE_PASSES)
    with pytest.warns(rowfeed.DataWarning, match="no row is left"):
        assert int(dataset.cardinality()) == 0


def test_a_warning_that_is_an_error_is_raised_by_the_loop(numbers: Path) -> None:
    module = module_of("tensorflow")
    dataset = module.ParquetDataset(numbers, 8, filter=NONE_PASSES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(rowfeed.DataWarning):
            iter(dataset)


def test_rows_by_index_of_which_none_is_left_warn_once(numbers: Path) -> None:
    rows = rowfeed.ParquetMapDataset(numbers, filter=NONE_PASSES)
    with pytest.warns(rowfeed.DataWarning, match="no row is left") as caught:
        assert (len(rows), len(rows)) == (0, 0)
    assert len(caught) == 1


@pytest.mark.fault(8)
def test_files_without_rows_warn_when_the_dataset_is_made(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": pa.array([], pa.int64())}), tmp_path / "e.parquet")
    with pytest.warns(rowfeed.DataWarning, match=r"no row is left.*e\.parquet") as w:
        dataset = rowfeed.ParquetDataset(tmp_path, 8)
    assert [warning.filename for warning in w] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (list(dataset), len(dataset)) == ([], 0)


def test_a_filter_that_leaves_rows_does_not_warn(numbers: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(rowfeed.ParquetDataset(numbers, 8, filter=[("id", "<", 5)]))


@pytest.mark.parametrize("arguments", [("data",), (Path("data"),), ([],), ()])
def test_a_catalog_of_paths_says_how_it_is_opened(arguments: tuple[Any, ...]) -> None:
    for keywords in ({}, {"columns": ["x"]}):
        with pytest.raises(TypeError, match=r"rowfeed\.Catalog\.open\(paths\)"):
            rowfeed.Catalog(*arguments, **keywords)
