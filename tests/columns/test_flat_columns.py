# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Flat columns of any type, however they are written, as pyarrow reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st

from column_encodings import encodings_of
from conformance_flat import Flat, concatenate, difference, flat_of
from conformance_oracle import Expected, Oracle
from reading import examples
from rowfeed import Column, ParquetDataset

INTEGERS = [
    pa.int8(), pa.int16(), pa.int32(), pa.int64(),
    pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(),
    pa.date32(), pa.timestamp("ms"), pa.timestamp("us"), pa.timestamp("ns"),
]  # fmt: skip
FLOATS = [pa.float16(), pa.float32(), pa.float64()]
LISTS_OF_INTEGERS = [pa.list_(pa.uint8(), 16), pa.list_(pa.int16(), 4)]
LISTS_OF_FLOATS = [
    pa.list_(pa.float32(), 3),
    pa.list_(pa.float64(), 50),
    pa.list_(pa.float32(), 300),
]
FILLS: dict[pa.DataType, Any] = {
    pa.bool_(): True,
    **dict.fromkeys([*INTEGERS, *LISTS_OF_INTEGERS], 5),
    **dict.fromkeys([*FLOATS, *LISTS_OF_FLOATS], 0.5),
    **dict.fromkeys([pa.binary(3), pa.binary(8), pa.binary(140)], 7),
    pa.string(): "none",
    pa.binary(): b"none",
}
# A column: its type, where it is null, of how many values it is made.
Spec = tuple[pa.DataType, str, int]
SPECS = st.tuples(
    st.sampled_from(list(FILLS)),
    st.sampled_from(["required", "none", "random", "runs", "all"]),
    st.sampled_from([4, 300, 5000]),
)
WRITING = st.fixed_dictionaries(
    {
        "compression": st.sampled_from(
            ["none", "snappy", "zstd", "gzip", "brotli", "lz4"]
        ),
        "use_dictionary": st.booleans(),
        "dictionary_pagesize_limit": st.sampled_from([700, 1 << 20]),
        "data_page_version": st.sampled_from(["1.0", "2.0"]),
        "data_page_size": st.sampled_from([500, 20_000, 1 << 20]),
        "max_rows_per_page": st.sampled_from([90, 20_000]),
        "write_batch_size": st.sampled_from([50, 1024]),
        "row_group_size": st.sampled_from([100, 900, 4000]),
    }
)


def pool_of(
    kind: pa.DataType, size: int, longest: int, rng: np.random.Generator
) -> pa.Array:
    """Values of any bits; strings of up to `longest` bytes."""
    if pa.types.is_fixed_size_list(kind):
        elements = pool_of(kind.value_type, size * kind.list_size, longest, rng)
        return pa.FixedSizeListArray.from_arrays(elements, kind.list_size)
    if pa.types.is_boolean(kind):
        return pa.array(rng.integers(0, 2, size).astype(bool))
    if pa.types.is_binary(kind) or pa.types.is_string(kind):
        lengths = rng.integers(0, longest + 1, size).tolist()
        if pa.types.is_string(kind):
            return pa.array([rng.bytes(n // 2).hex() for n in lengths], kind)
        return pa.array([rng.bytes(n) for n in lengths], kind)
    data = pa.py_buffer(rng.bytes(size * (kind.bit_width // 8)))
    return pa.Array.from_buffers(kind, size, [None, data])


def nulls_of(pattern: str, rows: int, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    if pattern == "random":
        return rng.random(rows) < 0.2
    if pattern == "runs":
        runs: np.ndarray[Any, Any] = np.arange(rows) // rng.integers(1, 200)
        return runs % 2 < 1
    return np.full(rows, pattern == "all")


def table_of(
    specs: list[Spec], rows: int, rng: np.random.Generator, longest: int = 12
) -> pa.Table:
    """Numbered rows, and a column for each of `specs`."""
    fields, arrays = [pa.field("id", pa.int64())], [pa.array(np.arange(rows))]
    for i, (kind, nulls, distinct) in enumerate(specs):
        pool = pool_of(kind, min(distinct, rows), longest, rng)
        mask = nulls_of(nulls, rows, rng)
        indices = pa.array(rng.integers(0, len(pool), rows), mask=mask)
        arrays.append(pool.take(indices))
        fields.append(pa.field(f"c{i}", kind, nullable=nulls != "required"))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def write(
    path: Path, table: pa.Table, rng: np.random.Generator, writing: dict[str, Any]
) -> None:
    """Without dictionaries, each column in any encoding that fits."""
    encodings = None
    if not writing["use_dictionary"]:
        pq.write_table(table.slice(0, 0), path)
        encodings = encodings_of(path, rng)
    pq.write_table(table, path, column_encoding=encodings, **writing)


def filled(leaf: Expected, fill: Any) -> Flat:
    """What pyarrow reads, with its nulls filled."""
    if not leaf.has_nulls:
        return leaf.values
    values, valid = leaf.values.values, leaf.mask.values
    if not leaf.values.offsets:
        valid = valid.reshape(*valid.shape, *[1] * (values.ndim - valid.ndim))
        return Flat([], np.where(valid, values, np.array(fill, values.dtype)))
    data = fill.encode() if isinstance(fill, str) else fill
    row = Flat([np.array([0, len(data)])], np.frombuffer(data, np.uint8))
    rows = np.where(valid, np.arange(len(valid)), len(valid))
    return concatenate([leaf.values, row]).take(rows)


def expect_what_pyarrow_reads(
    path: Path, specs: list[Spec], batch_size: int, **options: Any
) -> None:
    """Every column, in the order of the file and shuffled."""
    oracle = Oracle(path)
    columns: list[str | Column] = ["id"]
    wanted = []
    for i, (kind, nulls, _) in enumerate(specs):
        fill = None if nulls in ("required", "none") else FILLS[kind]
        columns.append(Column(f"c{i}", fill=fill))
        wanted.append(filled(oracle.leaf(i + 1), fill))
    numbers = oracle.leaf(0).values.values
    orders: list[dict[str, Any]] = [{}, {"shuffle": True, **options}]
    for order in orders:
        batches = list(ParquetDataset(path, batch_size, columns=columns, **order))
        ids = np.concatenate([batch["id"] for batch in batches])
        np.testing.assert_array_equal(np.sort(ids) if order else ids, numbers)
        for i, want in enumerate(wanted):
            got = concatenate([flat_of(batch[f"c{i}"]) for batch in batches])
            assert difference(got, want.take(ids)) == "", (specs[i], order)


@settings(examples, max_examples=60)
@given(
    specs=st.lists(SPECS, min_size=1, max_size=5),
    rows=st.integers(1, 3000),
    writing=WRITING,
    batch_size=st.sampled_from([70, 1000, 5000]),
    block_rows=st.sampled_from([None, 97]),
    seed=st.integers(0, 2**32),
)
def test_any_flat_column_is_read_as_pyarrow_reads_it(
    specs: list[Spec],
    rows: int,
    writing: dict[str, Any],
    batch_size: int,
    block_rows: int | None,
    seed: int,
    tmp_path: Path,
) -> None:
    rng = np.random.default_rng(seed)
    path = tmp_path / "flat.parquet"
    write(path, table_of(specs, rows, rng), rng, writing)
    expect_what_pyarrow_reads(path, specs, batch_size, block_rows=block_rows, seed=seed)


@settings(examples, max_examples=15)
@given(
    kind=st.sampled_from([pa.binary(), pa.string()]),
    nulls=st.sampled_from(["required", "random", "runs"]),
    distinct=st.sampled_from([4, 300]),
    rows=st.integers(1, 120),
    writing=WRITING,
    seed=st.integers(0, 2**32),
)
def test_rows_that_stay_in_their_file_are_those_that_pyarrow_reads(
    kind: pa.DataType,
    nulls: str,
    distinct: int,
    rows: int,
    writing: dict[str, Any],
    seed: int,
    tmp_path: Path,
) -> None:
    rng = np.random.default_rng(seed)
    specs: list[Spec] = [
        (kind, nulls, distinct),
        (pa.list_(pa.float32(), 300), nulls, 9),
    ]
    path = tmp_path / "wide.parquet"
    table = table_of(specs, rows, rng, longest=60_000)
    write(path, table, rng, {**writing, "compression": "none"})
    expect_what_pyarrow_reads(path, specs, 17, seed=seed)


def test_types_that_go_through_buckets_are_those_that_pyarrow_reads(
    tmp_path: Path,
) -> None:
    # More than 8 MB of each but int32, which shares their window without a bucket.
    specs: list[Spec] = [
        (pa.int64(), "runs", 200_000),
        (pa.uint64(), "required", 300),
        (pa.float64(), "none", 200_000),
        (pa.timestamp("us"), "random", 5000),
        (pa.list_(pa.int16(), 4), "runs", 5000),
        (pa.binary(8), "random", 300),
        (pa.string(), "runs", 300),
        (pa.int32(), "random", 200_000),
    ]
    rows = 1_200_000
    rng = np.random.default_rng(11)
    path = tmp_path / "narrow.parquet"
    pq.write_table(table_of(specs, rows, rng), path, row_group_size=170_000)
    expect_what_pyarrow_reads(path, specs, 50_000, shuffle_window=rows, num_threads=4)
