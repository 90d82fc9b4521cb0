# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A filter lets pass what pyarrow's does, and is refused where pyarrow's is."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from filtering import NAN, VIEW, F, passing, write
from rowfeed import ParquetDataset

DAY = dt.date(2024, 5, 1)
NOON = dt.datetime(2024, 5, 1, 12)
# A column of each type that a filter may read, with nulls; and filters of it.
COLUMNS: dict[str, pa.Array] = {
    "i8": pa.array([-3, None, 5, 127], pa.int8()),
    "u16": pa.array([3, None, 5, 65535], pa.uint16()),
    "i32": pa.array([-3, None, 5, 2**31 - 1], pa.int32()),
    "u32": pa.array([3, None, 5, 2**32 - 1], pa.uint32()),
    "i64": pa.array([-3, None, 5, 2**63 - 1], pa.int64()),
    "u64": pa.array([3, None, 5, 2**64 - 1], pa.uint64()),
    "f32": pa.array([-1.5, None, NAN, 0.0], pa.float32()),
    "f64": pa.array([-1.5, None, NAN, -0.0], pa.float64()),
    "flag": pa.array([True, None, False, True]),
    "s": pa.array(["a", None, "", "ü" * 40]),
    "large": pa.array(["a", None, "", "b"], pa.large_string()),
    "view": pa.array(["a", None, "", "b"], VIEW),
    "category": pa.array(["a", None, "b", "a"]).dictionary_encode(),
    "bytes": pa.array([b"a", None, b"", b"\xff"]),
    "key": pa.array([b"ab", None, b"cd", b"ef"], pa.binary(2)),
    "day": pa.array([DAY, None, DAY, dt.date(1960, 1, 1)]),
    "s_time": pa.array([NOON, None, NOON, NOON], pa.timestamp("s")),
    "us_time": pa.array([NOON, None, NOON, NOON], pa.timestamp("us", "Europe/Paris")),
    "ns_time": pa.array([NOON, None, NOON, NOON], pa.timestamp("ns")),
    "clock": pa.array([dt.time(1), None, dt.time(2), dt.time(3)], pa.time32("ms")),
    "took": pa.array([1, None, 2, 3], pa.duration("us")),
}
FILTERS: dict[str, pc.Expression] = {
    **{f"{n} > 3": F(n) > 3 for n in ("i8", "u16", "i32", "u32", "i64")},
    "u64": F("u64") > pa.scalar(2**63, pa.uint64()),
    **{f"{n} in": F(n).isin([5, None]) for n in ("i8", "u16", "i32", "u64")},
    **{f"not {n} < 0": ~(F(n) < 0) for n in ("f32", "f64", "i64")},
    **{f"{n} == 0": F(n) == 0.0 for n in ("f32", "f64")},
    **{f"{n} != 0": F(n) != 0.0 for n in ("f32", "f64")},
    **{f"{n} is nan": F(n).is_nan() for n in ("f32", "f64")},
    **{f"{n} null": F(n).is_null() for n in COLUMNS},
    **{f"{n} valid": F(n).is_valid() for n in COLUMNS},
    **{f"{n} == a": F(n) == "a" for n in ("s", "large", "view", "category")},
    **{f"{n} in ab": F(n).isin(["a", "b"]) for n in ("s", "large", "category")},
    "starts": pc.starts_with(F("s"), "ü"),
    "bytes": F("bytes") == b"\xff",
    "key": F("key") == pa.scalar(b"cd", pa.binary(2)),
    "flag": F("flag"),
    "not flag": ~F("flag"),
    "day": F("day") >= DAY,
    "year": pc.year(F("day")) == 1960,
    "seconds": F("s_time") == pa.scalar(NOON, pa.timestamp("s")),
    "zone": F("us_time") == pa.scalar(NOON, pa.timestamp("us", "UTC")),
    "nanoseconds": F("ns_time") <= pa.scalar(NOON, pa.timestamp("ns")),
    "clock": F("clock") > pa.scalar(dt.time(1), pa.time32("ms")),
    "took": F("took") > pa.scalar(1, pa.duration("us")),
    "or null": (F("i32") > 3) | (F("s") == "nobody"),
    "columns": F("i64") > F("i32"),
    "arithmetic": F("i32").cast("int64") * 2 - 1 > F("u16"),
    "literal": pc.scalar(True),
    "null literal": pc.scalar(pa.scalar(None, pa.bool_())),
}


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    table = pa.table({"row": pa.array(range(4)), **COLUMNS})
    directory = tmp_path_factory.mktemp("typed")
    return write(directory / "x.parquet", pa.concat_tables([table] * 50))


@pytest.mark.parametrize("name", FILTERS)
def test_types_and_nulls_follow_arrows_rules(typed: Path, name: str) -> None:
    table = pq.read_table(typed)
    for column in ("view", "category"):  # Arrow compares neither with strings.
        index = table.column_names.index(column)
        table = table.set_column(index, column, table[column].cast("string"))
    expected = table.filter(FILTERS[name])["row"].to_pylist()
    assert passing(typed, FILTERS[name]) == expected


def test_a_long_text_that_arrow_cuts_within_a_letter_is_a_filter(
    tmp_path: Path,
) -> None:
    texts = ["\u07ff" * 40, "\U0010ffff" * 30, "a"]
    path = write(tmp_path / "x.parquet", pa.table({"row": range(3), "s": texts}))
    for begin in range(4):  # Wherever Arrow cuts.
        among = ["b" * begin + texts[0], texts[0], texts[1]]
        assert passing(path, F("s").isin(among)) == [0, 1]
        assert passing(path, F("s") == texts[1]) == [1]


def test_a_list_of_tuples_is_a_filter(typed: Path) -> None:
    assert set(passing(typed, [("i32", ">", 3), ("s", "==", "")])) == {2}
    assert set(passing(typed, [[("i32", ">", 5)], [("s", "in", ["a"])]])) == {0, 3}


def test_fields_of_structs_are_named_either_way(tmp_path: Path) -> None:
    people = [{"age": 3, "city": {"zip": "A"}}, None, {"age": 9, "city": None}]
    path = write(tmp_path / "x", pa.table({"row": range(3), "user": people}))
    assert passing(path, F("user", "age") > 5) == [2]
    assert passing(path, F("user.age") > 5) == [2]
    assert passing(path, F("user", "city", "zip") == "A") == [0]
    assert passing(path, F("user.city.zip").is_null()) == [1, 2]


@pytest.mark.parametrize(
    ("expression", "error", "words"),
    [
        (F("nope") > 3, KeyError, ["nope"]),
        (F("i32") == "x", TypeError, ["equal", "int32", "string", "column 'i32'"]),
        (F("i32") + 1, TypeError, ["int32", "not true or false"]),
        (F("row.deep") > 3, KeyError, ["row.deep"]),
        (F("parts") == 3, NotImplementedError, ["parts", "list", "one value per row"]),
        ("i32 > 3", TypeError, ["Expression", "i32 > 3"]),
        ([("i32", "~", 3)], ValueError, ["~"]),
        (F(0) > 3, ValueError, ["name"]),
    ],
)
def test_wrong_filters_are_refused_when_the_dataset_is_made(
    tmp_path: Path, expression: Any, error: type[Exception], words: list[str]
) -> None:
    columns = {
        "row": [0],
        "i32": pa.array([1], pa.int32()),
        "parts": [[1]],
    }
    path = write(tmp_path / "x.parquet", pa.table(columns))
    for columns_asked in (None, ["row"]):
        with pytest.raises(error) as caught:
            ParquetDataset(path, 1, columns=columns_asked, filter=expression)
        for word in words:
            assert word in str(caught.value)


def test_a_filter_that_fails_names_the_row_group(typed: Path) -> None:
    dataset = ParquetDataset(typed, 1, filter=F("i32") * 2 > 0)
    with pytest.raises(ValueError, match=r"x\.parquet, row group 0: filter: overflow"):
        len(dataset)


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "n": st.integers(-5, 5),
    "x": st.sampled_from([-1.0, -0.0, 0.0, 1.0, NAN]),
    "s": st.sampled_from(["", "a", "ab", "b", "ÿ", "z" * 70]),
}
ROWS = st.tuples(*(st.none() | values for values in VALUES.values()))


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> pc.Expression:
    if depth and draw(st.booleans()):
        left, right = draw(expressions(depth - 1)), draw(expressions(depth - 1))
        return draw(st.sampled_from([left & right, left | right, ~left]))
    name = draw(st.sampled_from(["n", "x", "s"]))
    value, other = draw(VALUES[name]), draw(VALUES[name])
    field = F(name)
    return draw(
        st.sampled_from(
            [
                *(field == value, field != value, field < value, field <= value),
                *(field > value, field >= value, field.is_null(), field.is_valid()),
                field.isin([value, other]),
                field.is_null(nan_is_null=True),
            ]
        )
    )


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(ROWS, max_size=60),
    is_sorted=st.booleans(),
    expression=expressions(),
    rows_per_group=st.integers(1, 30),
    rows_per_page=st.integers(1, 10),
    block_rows=st.none() | st.integers(1, 9),
    has_indexes=st.booleans(),
)
def test_pruning_leaves_out_no_row_that_passes(
    tmp_path: Path,
    rows: list[tuple[Any, ...]],
    is_sorted: bool,
    expression: pc.Expression,
    rows_per_group: int,
    rows_per_page: int,
    block_rows: int | None,
    has_indexes: bool,
) -> None:
    if is_sorted:
        rows = sorted(rows, key=lambda row: (row[0] is None, row[0] or 0))
    numbers, reals, texts = zip(*rows, strict=True) if rows else ((), (), ())
    table = pa.table(
        {
            "row": pa.array(range(len(rows)), pa.int64()),
            "n": pa.array(numbers, pa.int64()),
            "x": pa.array(reals, pa.float64()),
            "s": pa.array(texts, pa.string()),
        }
    )
    indexes: dict[str, Any] = {}
    if has_indexes:
        blooms = {name: {"ndv": 20} for name in ("n", "s")}
        indexes = {"write_page_index": True, "bloom_filter_options": blooms}
    path = write(
        tmp_path / "x.parquet",
        table,
        row_group_size=rows_per_group,
        max_rows_per_page=rows_per_page,
        write_batch_size=rows_per_page,
        **indexes,
    )
    expected = table.filter(expression)["row"].to_pylist()
    assert passing(path, expression, block_rows=block_rows) == expected
