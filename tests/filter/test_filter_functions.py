# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A filter is a function of the row: all others are refused by name, before reading."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from filtering import F, passing, write
from rowfeed import Catalog, ParquetDataset, ParquetMapDataset
from rowfeed._catalog.filter_functions import check_functions

NUMBERS = ["cumulative_sum", "cumulative_max", "rank", "fill_null_forward", "unique"]
FUNCTIONS = [*NUMBERS, "pairwise_diff", "sum", "mean", "count", "random"]


def filter_that_calls(name: str) -> pc.Expression:
    if name == "random":
        return pc.Expression._call(name, [], pc.RandomOptions()) < 0.5
    if name == "rank":
        return pc.Expression._call(name, [F("row")], pc.RankOptions()) < 5
    if name == "pairwise_diff":
        return pc.Expression._call(name, [F("row")], pc.PairwiseOptions()) < 5
    return pc.Expression._call(name, [F("row")]) < 5


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    prices = pa.array([Decimal(n) / 10 for n in range(9)], pa.decimal128(5, 1))
    table = pa.table({"row": range(9), "word": [*"abcdefghi"], "price": prices})
    return write(tmp_path_factory.mktemp("functions") / "x.parquet", table)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("face", ["rowfeed", "rowfeed.torch", "rowfeed.tensorflow"])
def test_what_is_no_function_of_the_row_is_refused_by_name(
    path: Path, face: str, name: str
) -> None:
    pytest.importorskip(face.removeprefix("rowfeed.").replace("rowfeed", "numpy"))
    module = importlib.import_module(face)
    with pytest.raises(NotImplementedError, match=name):
        module.ParquetDataset(path, 4, filter=filter_that_calls(name))


def test_it_is_refused_within_others_and_by_all_that_takes_filters(path: Path) -> None:
    passes = (F("row") > 2) & ~filter_that_calls("random")
    for make in (
        lambda: ParquetMapDataset(path, filter=passes),
        lambda: Catalog.open(path).count(passes),
        lambda: ParquetDataset(path, 4, filter=filter_that_calls("random")),
    ):
        with pytest.raises(NotImplementedError, match="random gives another result"):
            make()


@pytest.fixture(scope="module")
def registered() -> list[str]:
    """Names of functions of rows that a user has registered in this process."""
    # pyarrow.compute has attributes of some names that are no functions of Arrow.
    names = ["rows_by_chance", "field", "scalar", "Expression"]
    about = {"summary": "Is true by chance.", "description": "Is true by chance."}
    for name in names:
        pc.register_scalar_function(
            lambda context, row: pa.array(  # noqa: ARG005
                np.random.default_rng().random(len(row)) < 0.5
            ),
            name,
            about,
            {"row": pa.int64()},
            pa.bool_(),
        )
    return names


@pytest.mark.parametrize("face", ["rowfeed", "rowfeed.torch", "rowfeed.tensorflow"])
def test_functions_that_a_user_has_registered_are_refused_by_name(
    path: Path, registered: list[str], face: str
) -> None:
    pytest.importorskip(face.removeprefix("rowfeed.").replace("rowfeed", "numpy"))
    module = importlib.import_module(face)
    for name in registered:
        called = pc.Expression._call(name, [F("row")])
        for passes in (
            called,
            (F("row") > 2) & ~called,
            pc.if_else(called, True, False),
        ):
            with pytest.raises(
                NotImplementedError, match=f"{name} was registered in this process"
            ):
                module.ParquetDataset(path, 4, filter=passes)


def test_registered_functions_are_refused_by_all_that_takes_filters(
    path: Path, registered: list[str]
) -> None:
    passes = pc.Expression._call(registered[0], [F("row")])
    for make in (
        lambda: ParquetMapDataset(path, filter=passes),
        lambda: Catalog.open(path).count(passes),
    ):
        with pytest.raises(NotImplementedError, match=registered[0]):
            make()


def test_no_function_of_arrow_is_taken_for_one_that_a_user_registered() -> None:
    program = "import pyarrow.compute; print(*pyarrow.compute.list_functions())"
    listed = subprocess.check_output([sys.executable, "-c", program], text=True)
    check_functions(listed.split())


def test_every_function_that_arrow_lists_is_of_rows_or_refused(path: Path) -> None:
    """By the kinds that Arrow gives them, so that those to come are met as well."""
    refused = 0
    for name in pc.list_functions():
        kind = pc.get_function(name).kind
        if kind not in ("vector", "scalar_aggregate", "hash_aggregate"):
            continue
        call = pc.Expression._call(name, [F("row")])
        with pytest.raises(NotImplementedError, match=name):
            ParquetDataset(path, 4, filter=call.is_valid())
        refused += 1
    assert refused > 50


@pytest.mark.parametrize(
    "passes",
    [
        F("word") == pa.array([b"\xff"]).view(pa.string())[0],
        F("word").isin(pa.array([b"a", b"\xff"]).view(pa.string())),
        [("word", "==", "a\ud800")],
    ],
)
def test_a_string_that_is_not_utf8_is_a_clear_error(path: Path, passes: Any) -> None:
    with pytest.raises(ValueError, match=r"filter: .* UTF-8"):
        ParquetDataset(path, 4, filter=passes)


@pytest.mark.parametrize(
    ("passes", "expected"),
    [
        (F("price") < Decimal("0.25"), [0, 1, 2]),
        (F("price") < Decimal("1e30"), list(range(9))),
        (F("price") > Decimal("-1e30"), list(range(9))),
        (F("price") == Decimal("0.1000000000000000000000000000001"), []),
        (F("price").isin([Decimal("0.3"), Decimal("0.4")]), [3, 4]),
    ],
)
def test_decimals_of_any_size_are_compared(
    path: Path, passes: pc.Expression, expected: list[int]
) -> None:
    assert passing(path, passes) == expected


def test_a_decimal_beyond_its_precision_is_a_clear_error(path: Path) -> None:
    wide = pa.scalar(Decimal("9" * 76), pa.decimal256(76, 0))
    with pytest.raises((TypeError, ValueError), match=r"filter: .*price"):
        ParquetDataset(path, 4, filter=F("price") < wide)


@pytest.mark.parametrize("operator", ["<", "==", "in"])
@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("Infinity", r"no Infinity: .*field\('price'\)\.is_valid"),
        ("-Infinity", "no -Infinity: leave the condition out"),
        ("NaN", "no NaN: leave the condition out"),
        ("sNaN", "no sNaN: leave the condition out"),
        ("1e80", "81 digits, and decimals have at most 76: give a number of fewer"),
        ("1e-80", "80 digits, and decimals have at most 76"),
        ("9" * 77, "77 digits, and decimals have at most 76"),
    ],
)
def test_a_decimal_in_tuples_that_arrow_has_not_names_column_and_value(
    path: Path, operator: str, value: str, reason: str
) -> None:
    number = Decimal(value)
    given = [Decimal(1), number] if operator == "in" else number
    conditions: list[Any] = [("row", ">", 1), ("price", operator, given)]
    shown = re.escape(f"('price', '{operator}', ")
    for passes in (conditions, [conditions], [[("row", ">", 1)], conditions]):
        with pytest.raises(ValueError, match=rf"^filter: {shown}.*Decimal.*{reason}"):
            ParquetDataset(path, 4, filter=passes)


@pytest.mark.parametrize(
    ("condition", "kind", "reason"),
    [
        (("row", "<", 2**70), ValueError, "too large.*value of the column's type"),
        (("row", "<", object()), ValueError, "value of the column's type"),
        (("row", "in", 3), TypeError, "a list of them for in"),
        (("row", "<>", 3), ValueError, "'<>' is not an operator: give =, ==, "),
        (("row", "<"), ValueError, r"is not a \(column, operator, value\) tuple"),
        ("row=1", ValueError, r"is not a \(column, operator, value\) tuple"),
        (5, ValueError, r"is not a \(column, operator, value\) tuple"),
        ([], ValueError, r"is not a \(column, operator, value\) tuple"),
        ((5, "=", 1), ValueError, "the column must be a string, not 5"),
        (("word", "==", "a\ud800"), ValueError, "a string is not UTF-8"),
    ],
)
def test_a_tuple_that_is_wrong_is_named(
    path: Path, condition: Any, kind: type[Exception], reason: str
) -> None:
    shown = re.escape(repr(condition)[:8])
    with pytest.raises(kind, match=rf"^filter: .?{shown}.*{reason}"):
        ParquetDataset(path, 4, filter=[("row", ">", 1), condition])


@pytest.mark.parametrize(
    ("passes", "reason"),
    [
        ([], "the list has no conditions: give at least one, or no filter"),
        ([[]], r"\[\] is not a \(column, operator, value\) tuple"),
        ([(5, "=", 1)], r"\(5, '=', 1\): the column must be a string, not 5"),
        ([[(5, "=", 1)]], r"\(5, '=', 1\): the column must be a string, not 5"),
        ([[("row", "=", 1)], 5], "5 is not a list of .* tuples, as another"),
        ([[("row", "=", 1)], []], r"\[\] is not a list of .* tuples, as another"),
        ([("row", "=", 1), [("row", "=", 2)]], r"\('row', '=', 1\) is not a list of"),
    ],
    ids=str,
)
def test_a_list_of_another_shape_than_a_filter_has_is_a_clear_error(
    path: Path, passes: Any, reason: str
) -> None:
    with pytest.raises(ValueError, match=f"^filter: {reason}"):
        ParquetDataset(path, 4, filter=passes)


@pytest.mark.parametrize(
    "passes",
    [
        [("row", "in", [3, 4])],
        [["row", "in", {3, 4}]],
        [[("row", "=", 3)], [["row", "=", 4]]],
        [(("row", ">", 2), ("row", "<", 5))],
        [{("row", ">", 2), ("row", "<", 5)}],
    ],
    ids=["list", "set of values", "lists in lists", "tuple", "set of conditions"],
)
def test_conditions_may_be_lists_and_their_lists_tuples(
    path: Path, passes: Any
) -> None:
    assert passing(path, passes) == [3, 4]


def test_a_filter_that_pyarrow_writes_otherwise_is_refused_with_both_versions(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_: bytes) -> list[str]:
        raise ValueError("these bytes are not a filter: no field 'form'")

    monkeypatch.setattr("rowfeed._native.core.filter_functions", read)
    message = (
        rf"filter \(row > 2\): pyarrow {pa.__version__} .* Arrow .*no field 'form'"
    )
    with pytest.raises(NotImplementedError, match=message):
        ParquetDataset(path, 4, filter=F("row") > 2)
