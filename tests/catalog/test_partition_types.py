# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What values of partition keys are read as: a guess that loses nothing, or dtype."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from reading import FACES, module_of
from rowfeed import Catalog, Column, HashBuckets, ParquetDataset, Vocabulary
from rowfeed._native import core

F = pc.field
OF_VERSION_5 = (
    b"c-jkcb9M|dWM!CSnP+U6a6gKX0RmujHiiHzl#!WNVrIeslVxGR1DHU>|No2#QxGCdP!SO*osw9RsGn_X"
    b"U|_Cap;wStR9Ko?!Vj|>Rrnp$v={gI*1czXBLTCHJEy#&>VA$iva^{Ohyg;Vjxa>n#S3?WA*KWR`#7lN"
    b"0054BGl~"
)
NULL = "__HIVE_DEFAULT_PARTITION__"


def table(root: Path, *directories: str) -> Path:
    """One row in each directory: its number."""
    for number, directory in enumerate(directories):
        add(root, directory, number)
    return root


def add(root: Path, directory: str, number: int) -> None:
    (root / directory).mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"id": [number]}), root / directory / "x.parquet")


def read(
    root: Path, *columns: Any, face: str = "numpy", **options: Any
) -> dict[str, Any]:
    made = module_of(face).ParquetDataset
    found: dict[str, list[Any]] = {}
    for batch in made(root, 100, columns=["id", *columns], **options):
        for name, values in batch.items():
            listed = values if hasattr(values, "tolist") else values.numpy()
            found.setdefault(name, []).extend(
                v.decode() if isinstance(v, bytes) else v for v in listed.tolist()
            )
    order = np.argsort(found.pop("id"), kind="stable")
    return {name: [values[i] for i in order] for name, values in found.items()}


def type_of(root: Path, key: str) -> str:
    (field,) = [f for f in Catalog.open(root).schema if f.name == key]
    return str(field.dtype)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (["1", "-7", "0", str(2**63 - 1), str(-(2**63)), NULL], "int64"),
        (["01234", "5"], "string"),
        (["+1"], "string"),
        (["1e3"], "string"),
        (["-0"], "string"),
        (["1_000"], "string"),
        ([" 1"], "string"),
        ([""], "string"),
        (["0.5", "1"], "string"),
        ([str(2**63)], "string"),
        (["true"], "string"),
        (["2024-01-01"], "string"),
    ],
)
def test_a_guess_loses_no_text(values: list[str], dtype: str, tmp_path: Path) -> None:
    root = table(tmp_path / "data", *(f"k={value}" for value in values))
    assert type_of(root, "k") == dtype
    fill = -5 if dtype == "int64" else "-"
    found = read(root, Column("k", fill=fill))["k"]
    assert [str(value) for value in found] == [
        str(fill) if value == NULL else value for value in values
    ]


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        (["01234", "5", "+7", "-3"], "int64", [1234, 5, 7, -3]),
        (["01", "12"], np.int8, [1, 12]),
        (["0.5", "1", "1e3", "-2"], "float32", [0.5, 1, 1000, -2]),
        (["0.1"], "float64", [0.1]),
        ([str(2**64 - 1)], "uint64", [2**64 - 1]),
        (["true", "False", "1", "0"], "bool", [True, False, True, False]),
        (["12345", "1"], "string", ["12345", "1"]),
        (["a%2Fb", "S%C3%A3o"], str, ["a/b", "São"]),
    ],
)
def test_dtype_decides(
    face: str, values: list[str], dtype: Any, expected: list[Any], tmp_path: Path
) -> None:
    if face == "torch" and dtype == "uint64":
        pytest.skip("no arithmetic on it")
    root = table(tmp_path / "data", *(f"k={value}" for value in values))
    found = read(root, Column("k", dtype=dtype), face=face)["k"]
    assert found == expected
    listed = [root / f"k={value}" / "x.parquet" for value in values]
    assert read(listed, Column("k", dtype=dtype), face=face)["k"] == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("face", FACES)
def test_nulls_of_each_type_are_filled(face: str, tmp_path: Path) -> None:
    root = table(tmp_path / "data", "k=1", f"k={NULL}", ".")
    for dtype, fill in (
        ("bool", False),
        ("float32", 0.0),
        ("string", "?"),
        ("int8", 0),
    ):
        one = "1" if dtype == "string" else 1
        found = read(root, Column("k", dtype=dtype, fill=fill), face=face)["k"]
        assert found == [one, fill, fill]


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ("x", "int64"),
        ("x", "int32"),
        ("0.5", "int8"),
        ("yes", "bool"),
        ("x", "float32"),
        ("300", "int8"),
        ("-1", "uint8"),
        ("-1", "uint64"),
        ("3000000000", "int32"),
    ],
)
def test_a_value_that_is_not_of_the_dtype_is_named_with_the_dtype_asked_for(
    value: str, dtype: str, tmp_path: Path
) -> None:
    root = table(tmp_path / "data", "k=1", f"k={value}")
    expected = rf"k={value}/x\.parquet.*'{value}'.*is no {dtype},.*'k'"
    with pytest.raises(ValueError, match=expected):
        ParquetDataset(root, 1, columns=[Column("k", dtype=dtype)])
    with pytest.raises(ValueError, match=expected):
        Catalog.open(root, [Column("k", dtype=dtype)])


def test_a_value_beyond_the_dtype_is_found_in_a_catalog_of_a_wider_one(
    tmp_path: Path,
) -> None:
    root = table(tmp_path / "data", "k=300")
    catalog = Catalog.open(root, ["id", Column("k", dtype="int64")])
    with pytest.raises(ValueError, match=r"'300'.*is no int8,.*'k'"):
        ParquetDataset(catalog, 1, columns=["id", Column("k", dtype="int8")])


@pytest.mark.parametrize("face", FACES)
def test_a_filter_has_the_type_that_dtype_gives(face: str, tmp_path: Path) -> None:
    root = table(tmp_path / "data", "f=0.5/z=01", "f=1/z=1", "f=2.5/z=10")

    def passing(column: Column, expression: Any) -> list[Any]:
        found = read(root, column, filter=expression, face=face)
        return list(found[column.name])

    f, z = Column("f", dtype="float32"), Column("z", dtype="string")
    assert passing(f, F("f") > 0.75) == [1, 2.5]
    assert passing(f, [("f", "in", [0.5, 2.5])]) == [0.5, 2.5]
    assert passing(z, F("z") == "01") == ["01"]
    assert passing(Column("z", dtype="int64"), F("z") == 1) == [1, 1]
    assert passing(Column("f"), F("f").cast("float64") > 0.75) == ["1", "2.5"]


def test_a_filter_of_another_type_says_how_to_decide_it(tmp_path: Path) -> None:
    root = table(tmp_path / "data", "month=01", "month=02")
    with pytest.raises(
        TypeError,
        match=r"'month' is made of directories: give rowfeed\.Column\('month'",
    ):
        read(root, filter=[("month", "==", 1)])
    found = read(root, Column("month", dtype="int64"), filter=[("month", "==", 1)])
    assert found["month"] == [1]


def test_counts_of_a_filter_are_of_the_type_that_they_were_made_with(
    tmp_path: Path,
) -> None:
    root = table(tmp_path / "data", "z=10", "z=1")
    catalog = Catalog.open(root)
    longer = F("z").cast("string") == "10"
    cast = F("z").cast("float64").cast("string") == "10"
    for expression in (longer, cast):
        assert catalog.count(expression) == len(
            ParquetDataset(catalog, 1, filter=expression, cache_dir=tmp_path / "cache")
        )
    columns = [Column("z", dtype="string")]
    for source in (catalog, root):
        kept = ParquetDataset(
            source, 1, columns=columns, filter=longer, cache_dir=tmp_path / "cache"
        )
        assert len(kept) == 1


def test_encodings_take_the_text_of_directories(tmp_path: Path) -> None:
    root = table(tmp_path / "data", "z=10", "z=7")
    values = Vocabulary(["7", "10"])
    assert read(root, Column("z", encode=values, dtype="int32"))["z"] == [1, 0]
    assert len(set(read(root, Column("z", encode=HashBuckets(1000)))["z"])) == 2


def test_a_new_directory_does_not_change_a_type_that_was_given(tmp_path: Path) -> None:
    root = table(tmp_path / "data", "z=10")
    column = Column("z", dtype="string")
    assert read(root, column)["z"] == ["10"]
    add(root, "z=01234", 1)
    assert read(root, column)["z"] == ["10", "01234"]


def growing(root: Path, tmp_path: Path, *columns: Any, face: str = "numpy") -> Any:
    return module_of(face).ParquetDataset(
        root,
        10,
        columns=["id", *columns],
        refresh="epoch",
        snapshot_dir=tmp_path / "epochs",
    )


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(
    ("value", "to_give"),
    [("01234", "string"), ("x", "string"), ("0.5", "float64"), ("+1", "string")],
)
def test_a_new_directory_that_does_not_fit_is_an_error_that_names_the_dtype(
    face: str, value: str, to_give: str, tmp_path: Path
) -> None:
    root = table(tmp_path / "data", "z=10")
    dataset = growing(root, tmp_path, "z", face=face)
    assert len(list(dataset)) == 1
    add(root, f"z={value}", 1)
    with pytest.raises(
        Exception, match=rf"z={value.replace('+', '.')}/x\.parquet"
    ) as e:
        list(dataset)
    assert f"give rowfeed.Column('z', dtype='{to_give}')" in str(e.value)
    again = growing(root, tmp_path, Column("z", dtype=to_give), face=face)
    assert sum(len(batch["z"]) for batch in again) == 2


@pytest.mark.parametrize("face", FACES)
def test_a_new_directory_fits_the_type_that_was_given(
    face: str, tmp_path: Path
) -> None:
    root = table(tmp_path / "data", "m=10")
    dataset = growing(root, tmp_path, Column("m", dtype="int32"), face=face)
    assert len(list(dataset)) == 1
    add(root, "m=01", 1)
    found = [int(m) for batch in dataset for m in batch["m"]]
    assert sorted(found) == [1, 10]


def test_a_state_goes_on_where_the_type_of_a_partition_changes(tmp_path: Path) -> None:
    root = table(tmp_path / "data", "m=10", "m=7", "m=8")
    before = ParquetDataset(root, 1, columns=["id", "m"], shuffle=True)
    batches = iter(before)
    next(batches)
    columns: list[str | Column] = ["id", Column("m", dtype="string")]
    after = ParquetDataset(root, 1, columns=columns, shuffle=True)
    after.load_state_dict(batches.state_dict())
    assert [b["id"].tolist() for b in after] == [b["id"].tolist() for b in batches]


def test_a_catalog_of_an_earlier_version_keeps_its_types() -> None:
    """The saved catalog is of data/k=1/x.parquet and data/k=007/x.parquet."""
    native = core.Catalog.parse(zlib.decompress(base64.b85decode(OF_VERSION_5)))
    catalog = Catalog(native)
    assert [(field.name, field.dtype) for field in catalog.schema] == [("k", "int64")]
    assert native.partitions == [b"k=007/", b"k=1/"]
    assert catalog.fingerprint == "d37ff1148af1b5aa8d98afaa7df20e48"
    dataset = ParquetDataset(catalog, 4, columns=["k"])
    assert [batch["k"].tolist() for batch in dataset] == [[7, 7, 1, 1]]
    as_text = ParquetDataset(catalog, 4, columns=[Column("k", dtype="string")])
    assert [batch["k"].tolist() for batch in as_text] == [["007", "007", "1", "1"]]


def test_a_dtype_of_text_is_for_directories(tmp_path: Path) -> None:
    root = table(tmp_path / "data", "z=10")
    with pytest.raises(ValueError, match="'id': int64 cannot become string"):
        ParquetDataset(root, 1, columns=[Column("id", dtype="string")])
