# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the kernel has of options: each is taken by its name, other names refused."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from unittest import TestCase

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from rowfeed._native import core

ORDER: dict[str, Any] = {
    "shuffle": True,
    "seed": 2**63,
    "shuffle_window": 7,
    "block_rows": 0,
    "num_lanes": 3,
}
DELIVERY: dict[str, Any] = {
    "batch_size": 4,
    "rank": 1,
    "world_size": 2,
    "remainder": "wrap",
}
COLUMN: dict[str, Any] = {
    "dtype": None,
    "unit": "",
    "vocabulary": None,
    "num_buckets": 0,
    "mask": "none",
}


def test_options_are_what_was_given() -> None:
    for kind, given in (
        (core.OrderOptions, ORDER),
        (core.DeliveryOptions, DELIVERY),
    ):
        options = kind(**given)
        assert {name: getattr(options, name) for name in given} == given
        for name in given:
            fewer = {key: value for key, value in given.items() if key != name}
            # pytest.raises would refuse the message of pybind11, which users never see.
            with TestCase().assertRaises(TypeError):  # noqa: PT027
                kind(**fewer)
            with pytest.raises(AttributeError):
                setattr(options, name, given[name])


def test_a_remainder_that_there_is_not_is_an_error() -> None:
    with pytest.raises(ValueError, match="no such remainder: odd"):
        core.DeliveryOptions(**{**DELIVERY, "remainder": "odd"})


def test_masks_and_dtypes_that_there_are_not_are_errors(numbers: Path) -> None:
    catalog = rowfeed.ParquetDataset(numbers, 4)._parameters.catalog
    core.ColumnSpec(catalog, "id", **COLUMN)
    with pytest.raises(ValueError, match="no such mask: row"):
        core.ColumnSpec(catalog, "id", **{**COLUMN, "mask": "row"})
    with pytest.raises(ValueError, match="no such dtype: int7"):
        core.ColumnSpec(catalog, "id", **{**COLUMN, "dtype": "int7"})
    with pytest.raises(ValueError, match="no such dtype: int7"):
        catalog.with_partition_dtypes({"id": "int7"})


def test_a_truncate_that_there_is_not_is_an_error(numbers: Path) -> None:
    catalog = rowfeed.ParquetDataset(numbers, 4)._parameters.catalog
    feature = core.ColumnSpec(catalog, "id", **COLUMN)
    feature.set_padding([3], "never", b"")
    with pytest.raises(ValueError, match="no such truncate: sometimes"):
        feature.set_padding([3], "sometimes", b"")


def test_a_stop_that_there_is_not_is_an_error(numbers: Path) -> None:
    stream = rowfeed.ParquetDataset(numbers, 4)._parameters.stream
    core.StreamOptions.mix([stream], stop="endless", weights=[(0, [1])])
    with pytest.raises(ValueError, match="no such stop: never"):
        core.StreamOptions.mix([stream], stop="never", weights=[(0, [1])])


def test_partitions_from_a_place_that_there_is_not_are_an_error(numbers: Path) -> None:
    with pytest.raises(ValueError, match="no such place of partitions: above"):
        core.Catalog.open([bytes(numbers)], None, 1, None, ("above", b""))


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("f*", "feature"),
        ("*", ""),
        ("f?", "f"),
        ("f?", "fä"),
        ("[a-c]x", "bx"),
        ("[!a-c]x", "bx"),
        ("[]]", "]"),
        ("[", "["),
        ("[*]", "*"),
        ("[*]", "a"),
        ("\\*", "\\x"),
        ("F", "f"),
        ("a*b*c", "aXbXbc"),
    ],
)
def test_patterns_are_those_of_fnmatchcase(pattern: str, name: str) -> None:
    assert core.match_pattern(pattern, name) == fnmatchcase(name, pattern)


def test_a_backslash_in_a_pattern_for_columns_is_itself(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a\\b": [1], "ab": [2]}), tmp_path / "x.parquet")
    catalog = rowfeed.Catalog.open(tmp_path, columns=["a\\?"])
    assert [field.name for field in catalog.schema] == ["a\\b"]
