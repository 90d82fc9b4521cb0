# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Decimals in filters: what passes is what pyarrow's dataset lets pass."""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hand_made
from filtering import DECIMAL64, F, passing, write
from rowfeed import ParquetDataset

DECIMAL = 5  # The format's ConvertedType.
# Of each way to store decimals, a type that is stored in it.
TYPES = {
    "int32": (pa.decimal128(7, 2), {"store_decimal_as_integer": True}),
    "int64": (pa.decimal128(15, 2), {"store_decimal_as_integer": True}),
    "fixed": (pa.decimal128(7, 2), {}),
    "wide": (pa.decimal256(50, 2), {}),
    "narrow type": (DECIMAL64(15, 2), {}),
}
# In hundredths; those near each other lie in one row group if they are sorted.
CENTS = st.sampled_from([-99_999, -100, -1, 0, 1, 99, 100, 150, 1234, 99_999])
LITERALS: st.SearchStrategy[Any] = st.one_of(
    CENTS.map(lambda cents: Decimal(cents).scaleb(-2)),
    st.sampled_from([0, 1, -1, 12, Decimal("1.5"), Decimal("0.005"), Decimal(7)]),
)


# One of ours and the same for pyarrow, which has decimals of few digits and integers
# that do not fit them: there, literals are decimals.
Pair: TypeAlias = "tuple[pc.Expression, pc.Expression]"
COMPARISONS: list[Callable[[Any, Any], pc.Expression]] = [
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge),
    lambda field, _: field.is_null(),
    lambda field, _: field.is_valid(),
]


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> Pair:
    if depth and draw(st.booleans()):
        left, right = draw(expressions(depth - 1)), draw(expressions(depth - 1))
        joins: list[Callable[[Any, Any], pc.Expression]] = [
            *(operator.and_, operator.or_),
            lambda left, _: ~left,
        ]
        join = draw(st.sampled_from(joins))
        return join(left[0], right[0]), join(left[1], right[1])
    value = draw(LITERALS)
    compare = draw(st.sampled_from(COMPARISONS))
    return compare(F("cost"), value), compare(F("cost"), Decimal(value))


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    cents=st.lists(st.none() | CENTS, max_size=40),
    is_sorted=st.booleans(),
    pair=expressions(),
    stored=st.sampled_from(sorted(TYPES)),
    rows_per_group=st.integers(1, 20),
    rows_per_page=st.integers(1, 10),
    use_dictionary=st.booleans(),
)
def test_what_passes_is_what_pyarrow_lets_pass(
    tmp_path: Path,
    cents: list[int | None],
    is_sorted: bool,
    pair: Pair,
    stored: str,
    rows_per_group: int,
    rows_per_page: int,
    use_dictionary: bool,
) -> None:
    if is_sorted:
        cents = sorted(cents, key=lambda value: (value is None, value or 0))
    type_, writing = TYPES[stored]
    costs = [None if value is None else Decimal(value).scaleb(-2) for value in cents]
    table = pa.table({"row": pa.array(range(len(costs)), pa.int64())})
    table = table.append_column("cost", pa.array(costs, type_))
    path = write(
        tmp_path / "x.parquet",
        table,
        row_group_size=rows_per_group,
        max_rows_per_page=rows_per_page,
        write_batch_size=rows_per_page,
        write_page_index=True,
        use_dictionary=use_dictionary,
        **writing,
    )
    ours, of_pyarrow = pair
    if stored == "narrow type":  # Arrow compares it with few things.
        wide = table["cost"].cast(pa.decimal128(type_.precision, type_.scale))
        expected = table.set_column(1, "cost", wide).filter(of_pyarrow)
    else:
        expected = ds.dataset(path).to_table(filter=of_pyarrow)
    assert passing(path, ours) == expected["row"].to_pylist()


@pytest.mark.parametrize("stored", ["int32", "int64"])
def test_statistics_of_decimals_rule_out_row_groups(
    tmp_path: Path, stored: str
) -> None:
    type_, writing = TYPES[stored]
    costs = pa.array([Decimal(i).scaleb(-2) for i in range(1000)], type_)
    table = pa.table({"row": range(1000), "cost": costs})
    path = write(tmp_path / "x.parquet", table, row_group_size=100, **writing)
    bytes_of = bytearray(path.read_bytes())
    for group in range(9):  # All but the last hold nothing that can be decoded.
        chunk = pq.read_metadata(path).row_group(group).column(1)
        begin = chunk.dictionary_page_offset or chunk.data_page_offset
        end = begin + chunk.total_compressed_size
        bytes_of[begin:end] = bytes(end - begin)
    path.write_bytes(bytes_of)
    assert passing(path, F("cost") >= Decimal("9.98")) == [998, 999]


def test_literals_may_be_lists_and_of_other_types(tmp_path: Path) -> None:
    costs = pa.array(
        [Decimal("1.50"), None, Decimal(2), Decimal(-3)], TYPES["fixed"][0]
    )
    path = write(tmp_path / "x.parquet", pa.table({"row": range(4), "cost": costs}))
    assert passing(path, F("cost").isin(costs.slice(0, 2))) == [0, 1]
    assert passing(path, F("cost") > 1.5) == [2]
    assert passing(path, [("cost", "<", Decimal(2))]) == [0, 3]
    assert passing(path, F("cost") * 2 == 3) == [0]
    assert passing(path, F("cost").cast(pa.float64()) == 1.5) == [0]


def test_decimals_that_are_byte_arrays_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    integers = [150, -1, 2**70, -(2**40)]
    values = [
        n.to_bytes((n.bit_length() + 8) // 8, "big", signed=True) for n in integers
    ]
    stored = hand_made.Stored(hand_made.BYTE_ARRAY, DECIMAL, scale=2, precision=30)
    hand_made.write(path, stored, values)

    def count(passes: pc.Expression) -> int:
        return len(ParquetDataset(path, 1, columns=[], filter=passes))

    assert count(F("x") == Decimal("1.5")) == 1
    assert count(F("x") < 0) == 2
    assert count(F("x") >= Decimal(2**70).scaleb(-2)) == 1
    assert count(F("x") > 10**18) == 1


def test_a_file_of_another_scale_is_compared_by_value(tmp_path: Path) -> None:
    for i, type_ in enumerate((pa.decimal128(9, 2), pa.decimal128(5, 1))):
        costs = pa.array([Decimal("1.5"), Decimal(20)], type_)
        write(tmp_path / f"{i}.parquet", pa.table({"row": range(2), "cost": costs}))
    assert passing(tmp_path, F("cost") == Decimal("1.5")) == [0, 0]
    assert passing(tmp_path, F("cost") > 2) == [1, 1]
    costs = pa.array([Decimal("1.125")], pa.decimal128(9, 3))
    write(tmp_path / "2.parquet", pa.table({"row": range(1), "cost": costs}))
    with pytest.raises(ValueError, match=r"2\.parquet.*'cost'.*1\.125.*2 decimals"):
        passing(tmp_path, F("cost") > 2)
