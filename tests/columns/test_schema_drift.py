# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files that differ in a column are read as asked, where a Column settles it."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from differing_rows import dataset_class, plain, rows_of
from drifting import CASES, INTS, MISSING, NUMBERS, ROWS, Drift, fills
from reading import FACES
from rowfeed import (
    Catalog,
    Column,
    ParquetDataset,
    ParquetMapDataset,
    Stack,
    mix,
)

by_name = pytest.mark.parametrize("drift", CASES, ids=lambda drift: drift.name)


@pytest.mark.fault(6)
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("face", FACES)
@by_name
def test_what_is_settled_is_read_as_asked(
    tmp_path: Path, drift: Drift, face: str, shuffle: bool
) -> None:
    folder = drift.write(tmp_path / "data")
    dataset = dataset_class(face)(
        folder, 13, columns=drift.columns(), shuffle=shuffle, seed=3
    )
    assert rows_of(dataset) == drift.rows()


@pytest.mark.parametrize(
    "writing",
    [
        {"use_dictionary": False, "compression": "none"},
        {"data_page_size": 40, "write_batch_size": 3, "compression": "zstd"},
        {"data_page_version": "2.0"},
    ],
    ids=["plain", "pages", "v2"],
)
@by_name
def test_however_it_is_stored(
    tmp_path: Path, drift: Drift, writing: dict[str, Any]
) -> None:
    folder = drift.write(tmp_path / "data", **writing)
    dataset = ParquetDataset(
        folder, 13, columns=drift.columns(), shuffle=True, seed=3, block_rows=5
    )
    assert rows_of(dataset) == drift.rows()


@pytest.mark.fault(6)
@by_name
def test_the_error_says_what_to_give(tmp_path: Path, drift: Drift) -> None:
    folder = drift.write(tmp_path / "data")
    if drift.advice is None:
        ParquetDataset(folder, 1, columns=["id", "x"])
        return
    expected = re.escape(f'give Column("x", {drift.advice})')
    with pytest.raises(
        ValueError, match=f"files differ in their columns.*\n.*{expected}"
    ):
        ParquetDataset(folder, 1, columns=["id", "x"])
    with pytest.raises(ValueError, match=expected):
        Catalog.open(folder, ["id", "x"])
    with pytest.raises(ValueError, match=expected):
        ParquetMapDataset(folder, columns=["x"])
    if drift.files[0][0] not in (MISSING, pa.null()):
        with pytest.raises(ValueError, match=expected):
            ParquetDataset(folder, 1)
        with pytest.raises(ValueError, match=expected):
            Catalog.open(folder)


@by_name
def test_other_columns_are_no_matter(tmp_path: Path, drift: Drift) -> None:
    folder = drift.write(tmp_path / "data")
    dataset = ParquetDataset(folder, 16, columns=["id", "other"])
    assert sum(len(batch["other"]) for batch in dataset) == ROWS * len(drift.files)


@by_name
def test_rows_are_taken(tmp_path: Path, drift: Drift) -> None:
    folder = drift.write(tmp_path / "data", data_page_size=40, write_batch_size=3)
    indices = [*range(0, ROWS * len(drift.files), 7), -1]
    taken = ParquetMapDataset(folder, columns=drift.columns()).take(indices)
    ids, values = plain(taken["id"]), plain(taken["x"])
    assert values == [drift.rows()[i] for i in ids]
    assert len(ids) == len(indices)


@by_name
def test_a_filter_of_another_column(tmp_path: Path, drift: Drift) -> None:
    folder = drift.write(tmp_path / "data")
    options: dict[str, Any] = {
        "filter": pc.field("id") > 20,
        "shuffle": True,
        "seed": 3,
    }
    dataset = ParquetDataset(folder, 13, columns=drift.columns(), **options)
    assert rows_of(dataset) == {i: x for i, x in drift.rows().items() if i > 20}


@by_name
def test_a_catalog_remembers(tmp_path: Path, drift: Drift) -> None:
    folder = drift.write(tmp_path / "data")
    catalog = Catalog.open(folder, drift.columns())
    assert catalog.fingerprint == Catalog.open(folder, ["id"]).fingerprint
    catalog.save(tmp_path / "catalog")
    loaded = Catalog.load(tmp_path / "catalog")
    dataset = ParquetDataset(loaded, 16, columns=drift.columns())
    assert rows_of(dataset) == drift.rows()
    if drift.advice is not None:
        with pytest.raises(ValueError, match=re.escape(drift.advice)):
            ParquetDataset(loaded, 16)
    assert len(loaded.describe().columns) == 2


@pytest.mark.parametrize("name", ["missing", "null", "widths", "units"])
def test_a_state_goes_on(tmp_path: Path, name: str) -> None:
    drift = next(case for case in CASES if case.name == name)
    folder = drift.write(tmp_path / "data")
    options: dict[str, Any] = {"columns": drift.columns(), "shuffle": True, "seed": 3}
    dataset = ParquetDataset(folder, 7, **options)
    iterator = iter(dataset)
    first = rows_of(next(iterator) for _ in range(5))
    state = dataset.state_dict()
    again = ParquetDataset(folder, 7, **options)
    again.load_state_dict(state)
    rest = rows_of(again)
    assert {**first, **rest} == drift.rows()
    assert len(first) + len(rest) == len(drift.rows())
    # The position is that of the rows, whatever is read of them.
    other = ParquetDataset(folder, 7, **{**options, "columns": ["id"]})
    other.load_state_dict(state)
    assert sorted(i for batch in other for i in plain(batch["id"])) == sorted(rest)


@pytest.mark.parametrize("face", FACES)
def test_a_filter_sees_null_where_the_column_is_missing(
    tmp_path: Path, face: str
) -> None:
    drift = Drift(
        "",
        [NUMBERS, fills(5), (pa.null(), [None])],
        {"fill": 5},
        None,
        [INTS, [5], [5]],
    )
    folder = drift.write(tmp_path / "data", write_page_index=True)
    rows, dataset = drift.rows(), dataset_class(face)
    options: dict[str, Any] = {"columns": drift.columns(), "shuffle": True}
    positive = dataset(folder, 7, filter=pc.field("x") > 0, **options)
    assert rows_of(positive) == {i: x for i, x in rows.items() if i < ROWS and x > 0}
    absent = dataset(folder, 7, filter=pc.field("x").is_null(), **options)
    assert rows_of(absent) == {i: x for i, x in rows.items() if i >= ROWS}
    assert (
        Catalog.open(folder, drift.columns()).count(pc.field("x").is_null()) == 2 * ROWS
    )
    with pytest.raises(
        ValueError, match=r"filter: 'x' is int64 in .*, missing in .* null"
    ):
        dataset(folder, 7, columns=["id"], filter=pc.field("x") > 0)


def test_a_filter_refuses_a_column_of_two_types(tmp_path: Path) -> None:
    drift = next(case for case in CASES if case.name == "units")
    folder = drift.write(tmp_path / "data")
    with pytest.raises(
        ValueError, match=r"filter: 'x' is timestamp\[us\] in .* one type"
    ):
        ParquetDataset(
            folder, 7, columns=drift.columns(), filter=pc.field("x").is_valid()
        )


def test_values_that_a_type_cannot_hold_name_file_and_row(tmp_path: Path) -> None:
    drift = Drift(
        "", [(pa.int8(), [1]), (pa.int64(), [2, 3, 2**40])], {"dtype": "int16"}, None
    )
    folder = drift.write(tmp_path / "data")
    with pytest.raises(
        ValueError, match=r"1\.parquet, row group 0, column 'x': row 2 of"
    ):
        list(ParquetDataset(folder, 7, columns=drift.columns()))
    late = Drift(
        "",
        [(pa.timestamp("ns"), [1]), (pa.timestamp("us"), [2**60])],
        {"unit": "ns"},
        None,
    )
    folder = late.write(tmp_path / "late")
    with pytest.raises(
        ValueError, match=r"1\.parquet, row group 0, column 'x': row 0 of"
    ):
        list(ParquetDataset(folder, 7, columns=late.columns()))


@pytest.mark.fault(6)
@pytest.mark.parametrize(
    ("first", "second", "types"),
    [
        (pa.int64(), pa.string(), "'x' is int64 in .*, string in "),
        (pa.timestamp("us"), pa.timestamp("us", "UTC"), "tz=UTC"),
        (pa.timestamp("us"), pa.duration("us"), "duration"),
        (pa.timestamp("us"), pa.int64(), "int64"),
        (pa.date32(), pa.timestamp("us"), "date32"),
        (pa.int64(), pa.list_(pa.int64()), "list<element: int64>"),
        (pa.binary(), pa.binary(4), "fixed_size_binary"),
        (pa.binary(8), pa.binary(4), r"fixed_size_binary\[4\]"),
        (pa.list_(pa.int64(), 2), pa.list_(pa.int64(), 3), r"int64>\[3\]"),
        (pa.int64(), pa.struct([("y", pa.int64())]), "a struct in "),
    ],
)
def test_what_no_option_settles(
    tmp_path: Path, first: pa.DataType, second: pa.DataType, types: str
) -> None:
    for name, type_ in (("a", first), ("b", second)):
        pq.write_table(
            pa.table({"x": pa.nulls(3, type_)}), tmp_path / f"{name}.parquet"
        )
    specs: list[dict[str, Any]] = [{}, {"fill": 0}, {"mask": True}]
    if not pa.types.is_nested(first) and not pa.types.is_binary(first):
        specs += [{"dtype": "int64", "mask": True}, {"unit": "us", "mask": True}]
    for spec in specs:
        with pytest.raises((TypeError, ValueError)) as caught:
            ParquetDataset(tmp_path, 1, columns=[Column("x", **spec)])
        # An option that the first file's type cannot take is an error of its own.
        assert re.fullmatch(
            f"(?s)the files differ in their columns:.*{types}.*no option makes these "
            "one.*|column 'x': (unit is for timestamps.*|.* cannot become int64)"
            "|column 'x': fill=0 must be bytes",
            str(caught.value),
        )
    with pytest.raises(ValueError, match=f"(?s){types}.*no option makes these one"):
        ParquetDataset(tmp_path, 1, columns=["x"])


def write(folder: Path, name: str, **columns: Any) -> None:
    folder.mkdir(exist_ok=True)
    pq.write_table(pa.table(columns), folder / f"{name}.parquet")


def test_fields_of_structs(tmp_path: Path) -> None:
    user = pa.struct([("city", pa.string()), ("zip", pa.int32())])
    write(tmp_path, "a", user=pa.array([{"city": "Oslo", "zip": 7}], user))
    write(tmp_path, "b", user=pa.array([{"city": "Bern"}]))
    write(tmp_path, "c", user=pa.nulls(1))
    write(tmp_path, "d", other=[1])
    fields = [Column("user.city", fill="?"), Column("user.zip", fill=-1)]
    (batch,) = ParquetDataset(tmp_path, 9, columns=fields)
    assert batch["user.city"].tolist() == ["Oslo", "Bern", "?", "?"]
    assert batch["user.zip"].tolist() == [7, -1, -1, -1]
    (batch,) = ParquetDataset(tmp_path, 9, columns=[Column("user", mask=True)])
    assert batch["user"]["zip__mask"].tolist() == [True, False, False, False]
    with pytest.raises(ValueError, match=r'give Column\("user.zip", fill=0\)'):
        ParquetDataset(tmp_path, 9, columns=["user"])
    write(tmp_path, "e", user=["a string"])
    with pytest.raises(ValueError, match=r"'user' string in .*e\.parquet: no option"):
        ParquetDataset(tmp_path, 9, columns=fields)


def test_lists_of_nulls_are_lists_of_any_type(tmp_path: Path) -> None:
    write(tmp_path, "a", x=[[1, 2], []], y=[[{"s": "a"}], []])
    write(tmp_path, "b", x=[[], []], y=[[], []])
    write(tmp_path, "c", x=[[None], []], y=[[], [None]])
    assert pq.read_schema(tmp_path / "b.parquet").field("x").type == pa.list_(pa.null())
    for first in ("", "0"):
        columns = [Column("x", fill=-1), Column("y.s", fill="?")]
        (batch,) = ParquetDataset(tmp_path, 9, columns=columns)
        start: list[list[Any]] = [[], []] if first else []
        assert batch["x"].tolist() == [*start, [1, 2], [], [], [], [-1], []]
        assert batch["y.s"].tolist() == [*start, ["a"], [], [], [], [], ["?"]]
        write(tmp_path, "0", x=[[], []], y=[[], []])  # The first one, from now on.
    with pytest.raises(ValueError, match=r"c\.parquet, .* column 'x': null at row 0"):
        list(ParquetDataset(tmp_path, 9, columns=["x"]))


def test_fields_that_lists_lack(tmp_path: Path) -> None:
    write(tmp_path, "a", items=[[{"price": 1, "count": 2}]])
    write(tmp_path, "b", items=[[{"count": 2}, {"count": 3}]])
    with pytest.raises(
        ValueError, match=r"lists that hold 'items.count' in .*no option"
    ):
        ParquetDataset(tmp_path, 1, columns=[Column("items.price", fill=0)])
    (batch,) = ParquetDataset(tmp_path, 9, columns=["items.count"])
    assert batch["items.count"].tolist() == [[2], [2, 3]]


def test_stacks_mixtures_labels_and_partitions(tmp_path: Path) -> None:
    write(tmp_path / "day=1", "a", x=pa.array([1], pa.int32()), y=[0.5], id=[0])
    write(tmp_path / "day=2", "b", x=[2], y=[1.5], z=[9], id=[1])
    write(tmp_path / "day=3", "c", y=pa.array([2.5], pa.float32()), id=[2])
    stack = Stack(["x", "y", "z"], dtype="float32", fill=-1)
    (batch,) = ParquetDataset(
        tmp_path, 9, columns={"all": stack, "day": "day", "__file": "__file"}
    )
    assert batch["all"].tolist() == [[1, 0.5, -1], [2, 1.5, 9], [-1, 2.5, -1]]
    assert batch["day"].tolist() == [1, 2, 3]
    assert batch["__file"].tolist() == [0, 1, 2]
    labelled = ParquetDataset(
        tmp_path,
        9,
        columns=["id"],
        label=Column("z", fill=0),
        sample_weight=Column("y", dtype="float32"),
    )
    ((features, label, weight),) = labelled
    assert features["id"].tolist() == [0, 1, 2]
    assert (label.tolist(), weight.tolist()) == ([0, 9, 0], [0.5, 1.5, 2.5])
    columns = [Column("id"), Column("x", dtype="int64", fill=-1)]
    parts = ["day=3", "day=1"], ["day=1", "day=2"]
    mixture = mix(
        [
            ParquetDataset([tmp_path / day for day in days], 2, columns=columns)
            for days in parts
        ]
    )
    rows = [
        row
        for batch in mixture
        for row in zip(batch["id"].tolist(), batch["x"].tolist(), strict=True)
    ]
    assert sorted(rows) == [(0, 1), (0, 1), (1, 2), (2, -1)]


def test_descriptions_count_the_nulls_of_files_without_the_column(
    tmp_path: Path,
) -> None:
    write(tmp_path, "a", x=[3, 4], t=pa.array([1, 2], pa.timestamp("us")))
    write(tmp_path, "b", y=[1], t=pa.array([5], pa.timestamp("ns")))
    columns = [Column("x", fill=0), Column("t", unit="ns")]
    x, t = Catalog.open(tmp_path, columns).describe().columns
    assert (x.null_count, x.minimum, x.maximum) == (1, 3, 4)
    assert (t.null_count, t.minimum, t.maximum) == (0, 5, 2000)
    assert t.field.unit == "ns"


def test_descriptions_show_what_files_of_different_types_have_in_common(
    tmp_path: Path,
) -> None:
    write(tmp_path, "a", x=pa.array([1.5, None], pa.float32()), n=[1, 2], s=["a", "b"])
    write(tmp_path, "b", x=[-7.25, None], n=[2.5, None], s=[b"c", None])
    asked = [
        Column("x", dtype="float64"),
        Column("n", dtype="float32"),
        Column("s", dtype="binary"),
    ]
    x, n, s = Catalog.open(tmp_path, asked).describe().columns
    assert (x.null_count, x.minimum, x.maximum) == (2, -7.25, 1.5)
    assert (n.null_count, n.minimum, n.maximum) == (1, 1.0, 2.5)
    assert isinstance(n.minimum, float)
    # Text and bytes have no order in common.
    assert (s.null_count, s.minimum, s.maximum) == (1, None, None)


def test_descriptions_show_the_form_that_was_asked_for(tmp_path: Path) -> None:
    write(tmp_path, "a", x=pa.array([1.5], pa.float32()), y=[1])
    write(tmp_path, "b", x=[2.5], y=[2])
    catalog = Catalog.open(tmp_path, ["*", Column("x", dtype="float64")])
    for opened in (catalog, pickle.loads(pickle.dumps(catalog))):
        x, _ = opened.describe().columns
        assert x.cells()[1:4] == ("float", "float64 [b]", "float64 [b]")


def test_binaries_that_are_no_text_stay_what_they_are(tmp_path: Path) -> None:
    write(tmp_path, "a", x=["text"])
    write(tmp_path, "b", x=[b"\xff\x00"])
    (batch,) = ParquetDataset(tmp_path, 9, columns=[Column("x", dtype="binary")])
    assert batch["x"].tolist() == [b"text", b"\xff\x00"]
    (batch,) = ParquetDataset(tmp_path, 9, columns=[Column("x", dtype="string")])
    assert batch["x"].values.tobytes() == b"text\xff\x00"
