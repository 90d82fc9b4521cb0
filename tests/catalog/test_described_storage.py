# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Catalog.describe: what it says of row groups, storage, indexes and null lists."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowfeed import Catalog, Column
from rowfeed._catalog.compact_thrift import read_struct
from rowfeed._catalog.null_lists import LevelHistograms
from rowfeed._catalog.storage import Storage
from rowfeed._sheet.text import sized


def storage_of(catalog: Catalog) -> dict[str, Storage]:
    found = {c.field.name: c.storage for c in catalog.describe().columns}
    return {name: storage for name, storage in found.items() if storage is not None}


def chunks_of(path: Path) -> list[Any]:
    """Returns pyarrow's metadata of all column chunks of a file of one column."""
    metadata = pq.read_metadata(path)
    groups = range(metadata.num_row_groups)
    return [metadata.row_group(group).column(0) for group in groups]


def test_least_median_and_most_of_the_row_groups(tmp_path: Path) -> None:
    table = pa.table({"x": np.random.default_rng(0).random(1000)})
    for name, rows in (("a", 300), ("b", 600)):  # 300, 300, 300, 100, and 600, 400.
        pq.write_table(table, tmp_path / f"{name}.parquet", row_group_size=rows)
    description = Catalog.open(tmp_path).describe()
    assert description.row_group_rows == (100, 300, 600)
    sizes = sorted(
        chunk.total_compressed_size
        for name in "ab"
        for chunk in chunks_of(tmp_path / f"{name}.parquet")
    )
    assert description.row_group_bytes == (sizes[0], sizes[3], sizes[-1])
    said = [line.split() for line in repr(description).splitlines()]
    assert ["in", "a", "row", "group", "least", "median", "most"] in said
    assert ["rows", "100", "300", "600"] in said


def test_only_the_columns_of_the_catalog_count_in_a_row_group(tmp_path: Path) -> None:
    table = pa.table({"x": [1, 2], "wide": ["w" * 5000, "v" * 5000]})
    pq.write_table(table, tmp_path / "x.parquet", compression="none")
    narrow = Catalog.open(tmp_path, ["x"]).describe().row_group_bytes
    whole = Catalog.open(tmp_path).describe().row_group_bytes
    assert narrow is not None
    assert whole is not None
    assert narrow.most < 1000
    assert whole.most > 10_000


def test_codecs_of_all_files(tmp_path: Path) -> None:
    table = pa.table({"x": [1, 2], "y": [0.5, 1.5]})
    for i, codec in enumerate([{"x": "snappy", "y": "zstd"}, "gzip", "none"]):
        pq.write_table(table, tmp_path / f"{i}.parquet", compression=codec)
    catalog = Catalog.open(tmp_path)
    stored = storage_of(catalog)
    assert stored["x"].compression == ("gzip", "snappy", "uncompressed")
    assert stored["y"].compression == ("gzip", "uncompressed", "zstd")
    assert stored["x"].chunks == 3
    assert "gzip, uncompressed, zstd, dictionary" in repr(catalog.describe())


@pytest.mark.parametrize(
    ("values", "writer", "encodings"),
    [
        (["a", "b", "a"], {}, ("RLE_DICTIONARY",)),
        (["a", "b", "a"], {"use_dictionary": False}, ("PLAIN",)),
        ([1, 2, 3], {"column_encoding": "DELTA_BINARY_PACKED"}, None),
        ([0.5, 1.5], {"column_encoding": "BYTE_STREAM_SPLIT"}, None),
        (["a", "ab"], {"column_encoding": "DELTA_BYTE_ARRAY"}, None),
        ([True, None], {"use_dictionary": False}, ("RLE",)),
        ([[1], []], {"use_dictionary": False}, ("PLAIN",)),
    ],
    ids=["dictionary", "plain", "delta", "split", "delta_bytes", "bool", "list"],
)
def test_encodings_of_values_and_not_of_levels(
    values: Any, writer: dict[str, Any], encodings: Any, tmp_path: Path
) -> None:
    asked = writer.get("column_encoding")
    if asked is not None:
        writer = {"use_dictionary": False, "column_encoding": {"x": asked}}
        encodings = (asked,)
    if values[0] is True:  # Version 2 pages have booleans in RLE.
        writer = {**writer, "data_page_version": "2.0", "version": "2.6"}
    pq.write_table(pa.table({"x": values}), tmp_path / "x.parquet", **writer)
    assert storage_of(Catalog.open(tmp_path))["x"].encodings == encodings


def test_page_indexes_of_some_files(tmp_path: Path) -> None:
    table = pa.table({"x": [1, 2]})
    pq.write_table(table, tmp_path / "0.parquet")
    catalog = Catalog.open(tmp_path)
    assert storage_of(catalog)["x"].page_indexes == 0
    assert "page index      no column" in repr(catalog.describe())
    pq.write_table(table, tmp_path / "1.parquet", write_page_index=True)
    catalog = Catalog.open(tmp_path)
    assert storage_of(catalog)["x"].page_indexes == 1
    assert "page index      all columns, in some row groups" in repr(catalog.describe())


def test_bloom_filters_of_some_columns(tmp_path: Path) -> None:
    table = pa.table({"x": ["a", "b"], "y": ["c", "d"]})
    writer: dict[str, Any] = {"bloom_filter_options": {"y": True}}
    try:
        pq.write_table(table, tmp_path / "0.parquet", **writer)
    except TypeError:
        pytest.skip("this pyarrow writes no bloom filters")
    pq.write_table(table, tmp_path / "1.parquet", **writer)
    catalog = Catalog.open(tmp_path)
    assert {n: s.bloom_filters for n, s in storage_of(catalog).items()} == {
        "x": 0,
        "y": 2,
    }
    assert repr(catalog.describe()).endswith("bloom filter    y")
    pq.write_table(table, tmp_path / "1.parquet")
    said = repr(Catalog.open(tmp_path).describe())
    assert said.endswith("bloom filter    y in 1 of 2 row groups")


def test_a_file_that_lacks_a_column_has_no_chunk_of_it(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1], "y": [2]}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"x": [1]}), tmp_path / "1.parquet")
    stored = storage_of(Catalog.open(tmp_path, ["x", Column("y", fill=0)]))
    assert (stored["x"].chunks, stored["y"].chunks) == (2, 1)


# Lists, and the numbers of null lists and of nulls within lists.
LISTS: list[tuple[pa.Array, int, int]] = [
    (pa.array([[1], [2, 3]]), 0, 0),
    (pa.array([[1], None, [], [None], None]), 2, 1),
    (pa.array([[[1], None], None, [[None]], []]), 1, 2),
    (pa.array([None, [1, None], None], pa.list_(pa.int64(), 2)), 2, 1),
    (pa.array([{"b": [1]}, {"b": None}, None, {"b": [None, None]}]), 2, 2),
    (pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.int64())), 1, 0),
    (pa.array([[{"b": None}], None, [{"b": 1}, None]]), 1, 2),
]


@pytest.mark.parametrize(
    ("values", "nulls", "elements"), LISTS, ids=[str(i) for i in range(len(LISTS))]
)
def test_null_lists_and_null_elements_are_counted_apart_and_empty_lists_are_not(
    values: pa.Array, nulls: int, elements: int, tmp_path: Path
) -> None:
    pq.write_table(pa.table({"x": values}), tmp_path / "x.parquet", row_group_size=2)
    pq.write_table(pa.table({"x": values}), tmp_path / "y.parquet")
    for column in Catalog.open(tmp_path).describe().columns:
        assert column.null_count == 2 * nulls, column.field.name
        assert column.null_elements == 2 * elements, column.field.name


def test_no_null_was_shown_where_only_elements_are_null(tmp_path: Path) -> None:
    items = [[{"price": 1.0}, {"price": None}], [{"price": None}]]
    pq.write_table(pa.table({"items": items}), tmp_path / "x.parquet")
    (column,) = Catalog.open(tmp_path).describe().columns
    assert column.cells()[4] == "0 lists, 2 elements"
    with pytest.raises(ValueError, match=r"'items\.price'.*null at row"):
        Catalog.open(tmp_path).take([0, 1])


def test_nulls_of_lists_are_not_known_without_histograms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = pa.table({"x": [[1, None], None, []], "whole": [[1], [2], [3]]})
    pq.write_table(table, tmp_path / "x.parquet")
    monkeypatch.setattr(LevelHistograms, "_counts", lambda *_: [])
    x, whole = Catalog.open(tmp_path).describe().columns
    assert (x.null_count, x.null_elements, x.cells()[4]) == (None, None, "?")
    assert (whole.null_count, whole.null_elements, whole.cells()[4]) == (0, 0, "0")


def test_elements_that_cannot_be_null_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    required = pa.list_(pa.field("element", pa.int64(), nullable=False))
    table = pa.table({"x": pa.array([[1], None, []], required)})
    pq.write_table(table, tmp_path / "x.parquet")
    monkeypatch.setattr(LevelHistograms, "_counts", lambda *_: [])
    (column,) = Catalog.open(tmp_path).describe().columns
    assert (column.null_count, column.null_elements) == (None, 0)
    assert column.cells()[4] == "?"


def test_lists_that_cannot_be_null_have_none_though_they_may_be_empty(
    tmp_path: Path,
) -> None:
    field = pa.field("x", pa.list_(pa.int64()), nullable=False)
    table = pa.table({"x": [[], [None]]}, pa.schema([field]))
    pq.write_table(table, tmp_path / "x.parquet", write_statistics=False)
    (column,) = Catalog.open(tmp_path).describe().columns
    assert column.null_count == 0


@pytest.mark.parametrize(
    "data", [b"", b"\x15", b"\x1c" * 5000, b"\x19\xfc\xff\xff\x03", b"\x0e\x01"]
)
def test_bytes_that_are_no_struct_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no struct"):
        read_struct(data)


@pytest.mark.parametrize(
    ("num_bytes", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.00 kB"),
        (11_852, "11.9 kB"),
        (999_499, "999 kB"),
        (999_500, "1.00 MB"),
        (67_108_864, "67.1 MB"),
        (3 * 10**18, "3,000 PB"),
    ],
)
def test_sizes_have_three_digits(num_bytes: int, text: str) -> None:
    assert sized(num_bytes) == text


def test_a_file_that_pyarrow_refuses_is_described_without_its_footer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pq.write_table(pa.table({"x": [1, None]}), tmp_path / "x.parquet")
    catalog = Catalog.open(tmp_path)

    def refuse(_: Any) -> Any:
        raise pa.ArrowInvalid("Map keys must be annotated as required.")

    monkeypatch.setattr(pq, "read_metadata", refuse)
    description = catalog.describe()
    (column,) = description.columns
    assert (column.null_count, column.storage) == (None, None)
    assert description.row_group_rows == (2, 2, 2)
    assert description.row_group_bytes is None
    assert "page index" not in repr(description)
    assert description._repr_html_()


def files_of_the_parquet_project() -> list[Path]:
    folder = os.environ.get("ROWFEED_PARQUET_TESTING")
    return sorted(Path(folder).rglob("*.parquet")) if folder else []


def test_files_of_the_parquet_project_are_described() -> None:
    files = files_of_the_parquet_project()
    if not files:
        pytest.skip("ROWFEED_PARQUET_TESTING does not name a folder")
    num_described, refused = 0, []
    for path in files:
        try:
            catalog = Catalog.open(path)
        except (OSError, ValueError, NotImplementedError):
            continue
        try:
            description = catalog.describe()
        except OSError:
            refused.append(path.name)
            continue
        assert repr(description)
        assert description._repr_html_()
        for column in description.columns:
            nulls = column.null_count
            assert nulls is None or 0 <= nulls <= catalog.num_rows, path
        num_described += 1
    assert num_described > len(files) // 2
    assert set(refused) <= {"PARQUET-1481.parquet"}  # A damaged footer.
