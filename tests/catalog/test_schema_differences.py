# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files of one set that differ in their columns: what the error says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from reading import FACES, module_of
from rowfeed import (
    Catalog,
    Column,
    DataWarning,
    Padded,
    ParquetDataset,
    ParquetMapDataset,
    Stack,
)


def write(folder: Path, name: str, **columns: Any) -> None:
    pq.write_table(pa.table(columns), folder / f"{name}.parquet")


def refusal(folder: Path, columns: list[str] | None = None) -> str:
    with pytest.raises(ValueError, match="the files differ in their columns") as caught:
        Catalog.open(folder, columns)
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.fault(6)
def test_every_column_that_differs_with_its_types_and_files(tmp_path: Path) -> None:
    for i in range(5):
        write(tmp_path, f"a{i}", x=[1], y=["s"], z=[1.0])
    write(tmp_path, "b", x=pa.array([1], pa.int32()), y=[1], z=[1.0], more=[1])
    write(tmp_path, "c", z=[1.0], x=[1])
    assert refusal(tmp_path) == (
        "the files differ in their columns:\n"
        "  'x' is int64 in a0.parquet, a1.parquet, a2.parquet and 3 more, "
        'int32 in b.parquet: give Column("x", dtype="int64")\n'
        "  'y' is string in a0.parquet, a1.parquet, a2.parquet and 2 more, "
        "int64 in b.parquet, missing in c.parquet: "
        "no option makes these one; leave the column out of columns=, or give the "
        "files of one type\n"
        "  paste columns=['*', rowfeed.Column(\"x\", dtype=\"int64\"), '!y']"
    )
    with pytest.raises(ValueError, match=r"(?s)'x' is int64.*'y' is string"):
        ParquetDataset(tmp_path, 1)


def test_only_columns_that_are_asked_for(tmp_path: Path) -> None:
    write(tmp_path, "a", x=[1], y=["s"], z=[1])
    write(tmp_path, "b", x=[1.0], y=["s"])
    assert len(Catalog.open(tmp_path, ["y"]).files) == 2
    assert refusal(tmp_path, ["z", "y"]) == (
        "the files differ in their columns:\n  'z' is int64 in a.parquet, "
        'missing in b.parquet: give Column("z", fill=0)\n'
        "  paste columns=[rowfeed.Column(\"z\", fill=0), 'y']"
    )


@pytest.mark.parametrize("is_first", [True, False])
def test_a_column_counts_before_a_pattern_in_either_order(
    is_first: bool, tmp_path: Path
) -> None:
    write(tmp_path, "a", x=[1], y=["s"])
    write(tmp_path, "b", x=[1.5], y=["t"], z=[1])
    columns: list[str | Column] = ["*", Column("x", dtype="float64")]
    columns.append(Column("z", fill=0))
    catalog = Catalog.open(tmp_path, columns if is_first else columns[::-1])
    assert {field.name for field in catalog.schema} == {"x", "y", "z"}
    (batch,) = ParquetDataset(catalog, 2, columns=columns)
    assert (batch["x"].tolist(), batch["z"].tolist()) == ([1.0, 1.5], [0, 1])


def test_an_odd_first_file_is_the_odd_one(tmp_path: Path) -> None:
    write(tmp_path, "a", x=[1.5])
    for name in "bcd":
        write(tmp_path, name, x=[1])
    assert (
        "'x' is int64 in b.parquet, c.parquet, d.parquet, double in a.parquet: "
        'give Column("x", dtype="float64")\n'
    ) in refusal(tmp_path)


def test_types_that_the_kernel_does_not_tell_apart_are_one(tmp_path: Path) -> None:
    strings = pa.array(["s"])
    write(tmp_path, "a", x=[1], text=strings, odd=pa.nulls(1))
    write(tmp_path, "b", x=[1], text=strings.dictionary_encode(), odd=[1])
    assert len(Catalog.open(tmp_path).files) == 2
    write(tmp_path, "c", x=[True], text=strings.cast(pa.large_string()))
    assert refusal(tmp_path) == (
        "the files differ in their columns:\n"
        "  'x' is int64 in a.parquet, b.parquet, bool in c.parquet: "
        'give Column("x", dtype="int64")\n'
        '  paste columns=[\'*\', rowfeed.Column("x", dtype="int64")]'
    )
    write(tmp_path, "d", x=[1], text=[1])
    assert "'text' is string in a.parquet, b.parquet, c.parquet, int64 in d" in refusal(
        tmp_path
    )
    write(tmp_path, "e", x=[1], text=[{"in": "a struct"}])
    assert "int64 in d.parquet, a struct in e.parquet" in refusal(tmp_path)


@pytest.mark.fault(6)
@pytest.mark.parametrize("face", FACES)
def test_columns_of_later_files_were_left_out_in_silence(
    face: str, tmp_path: Path
) -> None:
    write(tmp_path, "a", x=[1])
    write(tmp_path, "b", x=[2], y=[5])
    write(tmp_path, "c", x=[3], y=[6], z=["s"])
    dataset_of = module_of(face).ParquetDataset
    with pytest.warns(UserWarning, match="left out are columns") as warned:
        dataset_of(tmp_path, 3)
    (text,) = (str(each.message) for each in warned)
    assert f"'y' of {tmp_path}/b.parquet, 'z' of {tmp_path}/c.parquet" in text
    columns = {"x": "x", "y": Column("y", fill=0)}
    (batch,) = dataset_of(tmp_path, 3, columns=columns)
    assert [int(y) for y in batch["y"]] == [0, 5, 6]


# Ways in which all columns of the first file are asked for.
WHOLE: dict[str, Callable[[list[Path]], object]] = {
    "catalog": Catalog.open,
    "catalog-star": lambda path: Catalog.open(path, ["*"]),
    "catalog-star-column": lambda path: Catalog.open(path, [Column("*")]),
    "catalog-star-fill": lambda path: Catalog.open(path, ["*", Column("x", fill=0)]),
    "catalog-exclusion": lambda path: Catalog.open(path, ["*", "!w"]),
    "dataset": lambda path: ParquetDataset(path, 3),
    "dataset-star": lambda path: ParquetDataset(path, 3, columns=["*"]),
    "dataset-stack": lambda path: ParquetDataset(path, 3, columns={"s": Stack(["*"])}),
    "rows-by-index": lambda path: ParquetMapDataset(path, columns=["*"]),
}


@pytest.mark.parametrize("way", WHOLE)
def test_some_ways_of_opening_did_not_warn_of_paths_and_columns(
    way: str, tmp_path: Path
) -> None:
    write(tmp_path, "a", w=[1], x=[1])
    write(tmp_path, "b", w=[2], x=[2], y=[5])
    (tmp_path / "c.parquet.gzip").write_bytes(b"?")
    with pytest.warns(DataWarning) as warned:
        WHOLE[way]([tmp_path, tmp_path / "a.parquet"])
    near, twice, left_out = (str(each.message) for each in warned)
    assert "c.parquet.gzip" in near
    assert "repeats" in twice
    assert f"'y' of {tmp_path}/b.parquet" in left_out


def test_a_catalog_of_a_star_is_that_of_all_columns(tmp_path: Path) -> None:
    table = pa.table({"x": [1], "odd": pa.nulls(1), "y": [[2]]})
    pq.write_table(table, tmp_path / "x.parquet")
    cases: list[tuple[list[str | Column], list[str]]] = [
        (["*"], ["x", "y"]),
        (["y", "*"], ["y", "x"]),
        (["*", "y"], ["x", "y"]),
        (["*", Column("y", fill=0)], ["x", "y"]),
    ]
    for columns, names in cases:
        found = Catalog.open(tmp_path, columns)
        assert [column.name for column in found.schema] == names
    with pytest.raises(KeyError, match="nothing"):
        Catalog.open(tmp_path, ["*", "nothing"])


def test_nulls_of_the_first_file_say_how_later_files_are_read(tmp_path: Path) -> None:
    write(tmp_path, "a", x=pa.nulls(1), y=[1])
    write(tmp_path, "b", x=["s"], y=[2])
    with pytest.raises(NotImplementedError, match=r"Column\('x', fill=…\)"):
        ParquetDataset(tmp_path, 2)
    columns: list[str | Column] = [Column("x", fill=""), "y"]
    (batch,) = ParquetDataset(tmp_path, 2, columns=columns)
    assert batch["x"].to_pyarrow().to_pylist() == ["", "s"]


def test_bytes_beside_strings_are_advised_to_be_binary(tmp_path: Path) -> None:
    write(tmp_path, "a", x=["s"])
    write(tmp_path, "b", x=[b"\xff"])
    assert 'give Column("x", dtype="binary")\n' in refusal(tmp_path)


def test_an_index_that_pandas_added_to_some_files_is_no_difference(
    tmp_path: Path,
) -> None:
    frame = pa.table({"x": [1, 2, 3]}).to_pandas()
    # An index of unequal steps is no range, so pandas stores it as a column.
    frame[frame["x"] != 2].set_axis([3, 8]).to_parquet(tmp_path / "a.parquet")
    frame.to_parquet(tmp_path / "b.parquet")
    assert len(Catalog.open(tmp_path).files) == 2
    (batch,) = ParquetDataset(tmp_path, 9, shuffle=False)
    assert {name: values.tolist() for name, values in batch.items()} == {
        "x": [1, 3, 1, 2, 3]
    }
    with pytest.raises(ValueError, match=r"'__index_level_0__' is int64 in .*missing"):
        Catalog.open(tmp_path, ["__index_level_0__"])


def test_many_columns(tmp_path: Path) -> None:
    write(tmp_path, "a", **{f"x{i}": [1] for i in range(100)})
    write(tmp_path, "b", **{f"x{i}": ["s"] for i in range(100)})
    lines = refusal(tmp_path).splitlines()
    assert len(lines) == 12
    assert lines[-1] == "  and 90 more"


def pasted(error: BaseException) -> Any:
    """Returns the value of the line `columns=…` that an error says to paste."""
    (line,) = re.findall(r"paste columns=(\[.*\])$", str(error))
    return eval(line, {"rowfeed": rowfeed})


@pytest.mark.parametrize(
    "given",
    [
        None,
        ["*"],
        ["*", Column("t", unit="ns")],
        ["id", Column("x", mask=True), Column("t", mask=True), "y"],
        ["!id"],
        [Column("*", mask=True), "!t"],
        [Column("x", pad=Padded(3), fill=7), "id"],
    ],
    ids=range(7),
)
def test_the_line_to_paste_settles_all(given: Any, tmp_path: Path) -> None:
    us, ns = (pa.array([1], pa.timestamp(unit)) for unit in ("us", "ns"))
    write(tmp_path, "a", id=[1], x=[[1]], t=us, y=["s"])
    write(tmp_path, "b", id=[2], x=[[1.5]], t=ns, y=[1], z=[1])
    with pytest.raises(ValueError, match="the files differ") as caught:
        Catalog.open(tmp_path, given)
    columns = pasted(caught.value)
    catalog = Catalog.open(tmp_path, columns)
    for source in (tmp_path, catalog):
        (batch,) = ParquetDataset(source, 2, columns=columns)
        assert batch["x"].dtype == "float64" if given is None else "x" in batch
    with pytest.raises(ValueError, match="the files differ") as caught:
        ParquetDataset(tmp_path, 2, columns=given)
    assert pasted(caught.value) == columns


def test_exclusions_were_unknown_names_to_a_catalog(tmp_path: Path) -> None:
    write(tmp_path, "a", x=[1], y=["s"], odd=pa.nulls(1))
    write(tmp_path, "b", x=[2], y=[7], odd=pa.nulls(1), z=[3.5])
    names = [[f.name for f in Catalog.open(tmp_path, c).schema] for c in (["!y"],)]
    assert names == [["x"]]
    columns: list[str | Column] = ["!y", "*", Column("z", fill=0)]
    catalog = Catalog.open(tmp_path, columns)
    assert {field.name for field in catalog.schema} == {"x", "z"}
    (batch,) = ParquetDataset(catalog, 2, columns=[Column("z", fill=0), "x"])
    assert batch["z"].tolist() == [0, 3.5]
    with pytest.raises(KeyError, match="'!yy' leaves out no column: did you mean !y"):
        Catalog.open(tmp_path, ["*", "!yy"])


def test_the_warning_of_left_out_columns_forgot_those_beyond_the_third(
    tmp_path: Path,
) -> None:
    write(tmp_path, "a", x=[1])
    names = ("b", "c", "d", "e", "f")
    write(tmp_path, "b", x=[2], s=[{"g": 1}], **{name: [0] for name in names})
    with pytest.warns(DataWarning, match="'b' of .*, 'c' of .*, 'd' of .* and 3 more;"):
        Catalog.open(tmp_path)
    given = [Column(name, fill=0) for name in ("b", "c", "d", "e", "s")]
    with pytest.warns(DataWarning) as warned:
        Catalog.open(tmp_path, ["*", *given])
    (text,) = (str(each.message) for each in warned)
    assert f"later files have: 'f' of {tmp_path}/b.parquet; to read one" in text


@pytest.mark.parametrize("face", FACES)
def test_a_pattern_hid_the_columns_that_only_later_files_have(
    face: str, tmp_path: Path
) -> None:
    write(tmp_path, "a", x=[1])
    write(tmp_path, "b", x=[2], new=[0.5], more=[1])
    columns = ["*", Column("new", fill=-1.0)]
    with pytest.warns(DataWarning, match="left out are columns.*: 'more' of") as warned:
        dataset = module_of(face).ParquetDataset(tmp_path, 2, columns=columns)
    assert "'new'" not in str(warned[0].message)
    assert len(warned) == 1
    (batch,) = dataset
    assert [float(value) for value in batch["new"]] == [-1.0, 0.5]
    with (
        pytest.warns(DataWarning),
        pytest.raises(KeyError, match="there is no column 'nowhere'"),
    ):
        module_of(face).ParquetDataset(tmp_path, 2, columns=["*", "nowhere"])


def test_other_errors_stay_as_they_are(tmp_path: Path) -> None:
    write(tmp_path, "a", x=[1])
    write(tmp_path, "b", x=["s"])
    (tmp_path / "c.parquet").write_text("this is not a Parquet file at all")
    with pytest.raises(ValueError, match=r"c\.parquet is not a Parquet"):
        Catalog.open(tmp_path)
    with pytest.raises(ValueError, match="asked for twice"):
        Catalog.open(tmp_path / "a.parquet", ["x", "x"])
