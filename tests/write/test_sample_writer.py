# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a SampleWriter is given is what readers get, in row groups of the right size."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowfeed
from rowfeed import SampleWriter
from sampling import SCHEMA, ids_in, rows_of


def group_rows_in(directory: Path) -> list[list[int]]:
    """Returns the rows of the row groups of each file."""
    files = (pq.ParquetFile(path).metadata for path in sorted(directory.iterdir()))
    return [[f.row_group(i).num_rows for i in range(f.num_row_groups)] for f in files]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "float16", "f8"])
@pytest.mark.parametrize("shape", [(), (5,), (4, 3), (2, 3, 4)])
def test_tensors_come_back_as_they_were(
    dtype: str, shape: tuple[int, ...], tmp_path: Path
) -> None:
    random = np.random.default_rng(0)
    values = random.integers(0, 2, (50, *shape)).astype(dtype)
    with SampleWriter(tmp_path, {"x": (dtype, shape)}) as writer:
        writer.write({"x": values[:20]})
        writer.write([{"x": value} for value in values[20:30]])
        writer.write({"x": [*values[30:]]})
    catalog = rowfeed.Catalog.open(tmp_path)
    assert catalog.schema[0].shape == shape
    taken = catalog.take(slice(None))["x"]
    assert taken.dtype == values.dtype
    np.testing.assert_array_equal(taken, values)


def test_columns_of_any_arrow_type(tmp_path: Path) -> None:
    schema = pa.schema(
        [("name", pa.string()), ("tags", pa.list_(pa.int32())), ("x", pa.float32())]
    )
    table = pa.table(
        {"name": ["a", "b"], "tags": [[1, 2], []], "x": [1.5, None]}, schema=schema
    )
    with SampleWriter(tmp_path, schema) as writer:
        writer.write(table)
        writer.write(table.to_batches()[0])
        writer.write({"name": ["a", "b"], "tags": [[1, 2], []], "x": [1.5, None]})
        writer.write(table.to_pylist())
        writer.write(
            {"name": np.array(["a", "b"]), "tags": table["tags"], "x": table["x"]}
        )
    assert pq.read_table(tmp_path) == pa.concat_tables([table] * 5)


def test_numbers_of_python_become_the_dtype(tmp_path: Path) -> None:
    with SampleWriter(tmp_path, {"x": "int8", "y": ("float32", (2,))}) as writer:
        writer.write({"x": [1, 2], "y": [[1, 2], [3, 4]]})
        writer.write([{"x": 3, "y": (5.5, 6)}])
        with pytest.raises(TypeError, match=r"'x': expected int8.*300"):
            writer.write({"x": [300], "y": [[1, 2]]})
    batch = rowfeed.Catalog.open(tmp_path).take(slice(None))
    assert batch["x"].tolist() == [1, 2, 3]
    assert batch["y"].tolist() == [[1, 2], [3, 4], [5.5, 6]]


@pytest.mark.parametrize(
    ("dtype", "rows", "found"),
    [
        ("int8", [[1, 1.5]], "1.5"),
        ("int8", [[300, 2]], "300"),
        ("uint8", [[-1, 1]], "-1"),
        ("uint64", [[2**64, 1]], "uint64"),
        ("bool", [[1, 2]], "2"),
    ],
)
def test_numbers_of_python_are_not_cut_off_to_fit_a_tensor(
    dtype: str, rows: Any, found: str, tmp_path: Path
) -> None:
    with (
        SampleWriter(tmp_path, {"x": (dtype, (2,))}) as writer,
        pytest.raises(TypeError, match=rf"'x': expected .*{found}"),
    ):
        writer.write({"x": rows})


def test_arrays_may_be_used_again(tmp_path: Path) -> None:
    x = np.zeros(10, np.float32)
    with SampleWriter(tmp_path, {"x": "float32"}) as writer:
        writer.write({"x": x})
        x[:] = 1
        writer.write({"x": x})
    batch = rowfeed.Catalog.open(tmp_path).take(slice(None))
    assert batch["x"].tolist() == [0] * 10 + [1] * 10


def test_arrays_may_lie_in_memory_as_they_like(tmp_path: Path) -> None:
    values = np.arange(24, dtype=np.float32).reshape(4, 3, 2)
    given = [
        values.astype(">f4"),
        np.asfortranarray(values),
        np.repeat(values, 2, axis=1)[:, ::2],
        values[::-1].copy()[::-1],
    ]
    with SampleWriter(tmp_path, {"x": ("float32", (3, 2))}) as writer:
        for array in given:
            writer.write({"x": array})
    taken = rowfeed.Catalog.open(tmp_path).take(slice(None))["x"]
    np.testing.assert_array_equal(taken, np.concatenate([values] * len(given)))


@given(
    sizes=st.lists(st.integers(0, 50), max_size=12),
    rows_per_group=st.integers(1, 20),
    rows_per_file=st.integers(1, 60),
)
def test_groups_and_files_have_the_rows_asked_for(
    sizes: list[int],
    rows_per_group: int,
    rows_per_file: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("samples")
    with SampleWriter(
        folder, SCHEMA, rows_per_group=rows_per_group, rows_per_file=rows_per_file
    ) as writer:
        end = 0
        for size in sizes:
            begin, end = end, end + size
            writer.write(rows_of(begin, end))
    if end == 0:
        assert not [*folder.iterdir()]
        return
    assert ids_in(folder) == [*range(end)]
    files = group_rows_in(folder)
    assert all(sum(groups) == rows_per_file for groups in files[:-1])
    assert sum(files[-1]) <= rows_per_file
    for groups in files:
        assert all(n == rows_per_group for n in groups[:-1])
        assert groups[-1] <= rows_per_group


def test_row_groups_are_of_a_size_that_is_read_well(tmp_path: Path) -> None:
    wide, narrow = tmp_path / "wide", tmp_path / "narrow"
    with SampleWriter(wide, {"x": ("float32", (1024,))}) as writer:
        for _ in range(9):
            writer.write({"x": np.zeros((4096, 1024), np.float32)})
    assert group_rows_in(wide) == [[8192] * 4, [4096]]  # 32 MiB, 128 MiB.
    with SampleWriter(narrow, {"x": "int8"}) as writer:
        writer.write({"x": np.zeros(300_000, np.int8)})
    assert group_rows_in(narrow) == [[131_072, 131_072, 37_856]]


def test_single_rows_are_put_together(tmp_path: Path) -> None:
    with SampleWriter(tmp_path, SCHEMA) as writer:
        for i in range(2000):
            writer.write(rows_of(i, i + 1))
    assert group_rows_in(tmp_path) == [[2000]]
    assert ids_in(tmp_path) == [*range(2000)]


def test_flush_makes_rows_appear(tmp_path: Path) -> None:
    with SampleWriter(tmp_path, SCHEMA) as writer:
        writer.flush()
        writer.write(rows_of(0, 5))
        with pytest.raises(FileNotFoundError):
            rowfeed.Catalog.open(tmp_path)
        writer.flush()
        assert ids_in(tmp_path) == [*range(5)]
        writer.write(rows_of(5, 7))
    assert group_rows_in(tmp_path) == [[5], [2]]


def test_names_sort_by_age(tmp_path: Path) -> None:
    with SampleWriter(tmp_path, SCHEMA, rows_per_file=1) as writer:
        for i in range(50):
            writer.write(rows_of(i, i + 1))
    assert ids_in(tmp_path) == [*range(50)]


def test_statistics_are_there_for_filters_and_raw_numbers_are_plain(
    tmp_path: Path,
) -> None:
    schema = {"id": "int64", "x": ("float32", (8,)), "s": str}
    with SampleWriter(tmp_path, schema, compression={"s": "zstd"}) as writer:
        x = np.zeros((10, 8), np.float32)
        writer.write({"id": np.arange(10), "x": x, "s": ["a"] * 10})
    (path,) = tmp_path.iterdir()
    numbers, tensors, strings = (
        pq.ParquetFile(path).metadata.row_group(0).column(i) for i in range(3)
    )
    assert (numbers.statistics.min, numbers.statistics.max) == (0, 9)
    assert numbers.has_column_index
    assert tensors.has_offset_index
    assert tensors.compression == numbers.compression == "UNCOMPRESSED"
    assert "PLAIN" in tensors.encodings
    assert not tensors.has_dictionary_page
    assert strings.compression == "ZSTD"
    assert strings.has_dictionary_page
    assert rowfeed.Catalog.open(tmp_path).count([("id", "<", 3)]) == 3


def test_exception_in_the_block_discards_what_is_not_complete(tmp_path: Path) -> None:
    def fail() -> None:
        with SampleWriter(tmp_path, SCHEMA) as writer:
            writer.write(rows_of(0, 3))
            writer.flush()
            writer.write(rows_of(3, 5))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert ids_in(tmp_path) == [0, 1, 2]
    assert len([*tmp_path.iterdir()]) == 1


def test_unclosed_writer_warns(tmp_path: Path) -> None:
    def forget() -> None:
        writer = SampleWriter(tmp_path, SCHEMA, rows_per_group=2)
        writer.write(rows_of(0, 3))

    with pytest.warns(ResourceWarning, match="3 rows of an unclosed"):
        forget()
    assert not [*tmp_path.iterdir()]


def test_threads_may_share_a_writer(tmp_path: Path) -> None:
    with SampleWriter(tmp_path, SCHEMA, rows_per_group=7, rows_per_file=50) as writer:

        def write(thread: int) -> None:
            for i in range(100 * thread, 100 * thread + 100, 5):
                writer.write(rows_of(i, i + 5))

        threads = [threading.Thread(target=write, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(ids_in(tmp_path)) == [*range(400)]


@pytest.mark.parametrize("rows", [[], {"id": [], "state": []}])
def test_no_rows_are_no_error(rows: Any, tmp_path: Path) -> None:
    with SampleWriter(tmp_path, SCHEMA) as writer:
        writer.write(rows)
        writer.write(rows_of(0, 3))
        writer.write(rows)
    assert ids_in(tmp_path) == [0, 1, 2]
