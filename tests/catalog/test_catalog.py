# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""rowfeed.Catalog: what it shows, saved, pickled and shared."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import lying_files
import rowfeed
from hand_made import BINARY, LIST
from numbered_rows import NUM_ROWS, group_rows_of, write_numbers
from rowfeed import Catalog, Column, ParquetDataset


def test_files_row_groups_rows_and_schema(numbers: Path) -> None:
    catalog = Catalog.open(numbers)
    assert [f.name for f in catalog.files] == ["0.parquet", "1.parquet", "2.parquet"]
    for file in catalog.files:
        assert Path(file.path) == numbers / file.name
        assert file.size == Path(file.path).stat().st_size
        assert file.rows == pq.read_metadata(file.path).num_rows
    assert catalog.num_rows == NUM_ROWS
    assert [g.rows for g in catalog.row_groups] == group_rows_of()
    assert [g.file for g in catalog.row_groups] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert [g.index for g in catalog.row_groups] == [0, 1, 2] * 3
    fields = {f.name: (f.dtype, f.shape) for f in catalog.schema}
    assert fields == {
        "id": ("int64", ()),
        "half": ("float32", ()),
        "even": ("bool", ()),
        "name": ("string", ()),
        "parts": ("int32", (None,)),
    }
    assert "3 files" in repr(catalog)
    assert catalog.fingerprint in repr(catalog)


def test_fingerprint_is_of_the_data_not_of_the_place(
    numbers: Path, tmp_path: Path
) -> None:
    first = Catalog.open(numbers).fingerprint
    assert len(first) == 32
    int(first, 16)
    copy = shutil.copytree(numbers, tmp_path / "copy")
    assert Catalog.open(copy).fingerprint == first
    assert Catalog.open(numbers, ["half"]).fingerprint == first
    other = write_numbers(tmp_path / "other", [1, 2, 3])
    assert Catalog.open(other).fingerprint != first


def test_save_load_and_pickle(numbers: Path, tmp_path: Path) -> None:
    catalog = Catalog.open(numbers)
    catalog.save(tmp_path / "catalog")
    for other in (
        Catalog.load(tmp_path / "catalog"),
        pickle.loads(pickle.dumps(catalog)),
    ):
        assert repr(other) == repr(catalog)
        assert other.files == catalog.files
        assert other.row_groups == catalog.row_groups
        assert other.schema == catalog.schema
        batch = next(iter(ParquetDataset(other, 5)))
        assert batch["id"].tolist() == [0, 1, 2, 3, 4]
    assert [p.name for p in tmp_path.iterdir()] == ["catalog"]


def test_a_damaged_catalog_is_refused(numbers: Path, tmp_path: Path) -> None:
    path = tmp_path / "catalog"
    Catalog.open(numbers).save(path)
    good = path.read_bytes()
    rng = np.random.default_rng(0)
    damaged = [b"", b"x", good[:-1], good + b"x", good[: len(good) // 2]]
    for _ in range(30):
        at = int(rng.integers(len(good)))
        damaged.append(good[:at] + bytes([good[at] ^ 0x40]) + good[at + 1 :])
    for data in damaged:
        path.write_bytes(data)
        with pytest.raises(ValueError, match="catalog"):
            Catalog.load(path)


def test_a_saved_catalog_can_be_read_by_whom_the_umask_lets(
    numbers: Path, tmp_path: Path
) -> None:
    Catalog.open(numbers).save(tmp_path / "catalog")
    (tmp_path / "usual").touch()
    mode = (tmp_path / "usual").stat().st_mode
    assert (tmp_path / "catalog").stat().st_mode == mode


def test_save_leaves_nothing_behind_when_it_fails(
    numbers: Path, tmp_path: Path
) -> None:
    (tmp_path / "catalog").mkdir()
    with pytest.raises(OSError, match="catalog"):
        Catalog.open(numbers).save(tmp_path / "catalog")
    assert [p.name for p in tmp_path.iterdir()] == ["catalog"]


def test_save_beneath_a_file_names_the_path_that_was_given(
    numbers: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    path = f"{tmp_path}/file/catalog"
    with pytest.raises(NotADirectoryError) as error:
        Catalog.open(numbers).save(path)
    assert error.value.filename == path


def test_a_catalog_serves_many_datasets_without_opening_again(
    tmp_path: Path,
) -> None:
    data = write_numbers(tmp_path / "data", [10, 10])
    catalog = Catalog.open(data)
    os.truncate(data / "0.parquet", 0)  # No footer is there to be read.
    dataset = ParquetDataset(catalog, 4, columns=["half"])
    assert len(dataset) == 5


def test_columns_of_a_catalog(numbers: Path) -> None:
    catalog = Catalog.open(numbers, ["half", "id"])
    assert [f.name for f in catalog.schema] == ["half", "id"]
    assert list(next(iter(ParquetDataset(catalog, 2)))) == ["half", "id"]
    with pytest.raises(KeyError, match="name"):
        ParquetDataset(catalog, 2, columns=["name"])
    with pytest.raises(TypeError, match="columns"):
        Catalog.open(numbers, "id")


@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
def test_a_dataset_shows_its_catalog(numbers: Path, face: str) -> None:
    module = rowfeed if face == "numpy" else pytest.importorskip(f"rowfeed.{face}")
    catalog = module.ParquetDataset(numbers, 4, columns=["half"]).catalog
    assert catalog.files == Catalog.open(numbers).files
    assert [field.name for field in catalog.schema] == ["half"]
    again = module.ParquetDataset(catalog, 4).catalog
    assert repr(again) == repr(catalog)


def test_an_unsupported_column_is_an_error_when_it_is_asked_for(tmp_path: Path) -> None:
    table = pa.table({"id": [1, 2], "odd": pa.nulls(2)})
    pq.write_table(table, tmp_path / "x.parquet")
    catalog = Catalog.open(tmp_path)
    assert "null" in {f.name: f for f in catalog.schema}["odd"].unsupported
    assert len(ParquetDataset(catalog, 1, columns=["id"])) == 2
    for columns in (None, ["odd"]):
        with pytest.raises(NotImplementedError, match=r"'odd'.*null"):
            ParquetDataset(tmp_path, 1, columns=columns)
    with pytest.raises(NotImplementedError, match=r"'odd'.*null"):
        ParquetDataset(catalog, 1)


@pytest.mark.fault(30)
@pytest.mark.parametrize(
    "name", ["plain", "sp ace", "per%20cent", "hash#?=", "ünï", "new\nline", "-dash"]
)
def test_odd_names(name: str, tmp_path: Path) -> None:
    data = write_numbers(tmp_path / name, [7], num_files=1)
    assert [f.name for f in Catalog.open(data).files] == ["0.parquet"]
    file = (data / "0.parquet").rename(tmp_path / f"{name}.parquet")
    catalog = Catalog.open(file)
    assert catalog.files[0].path == str(file)
    assert len(list(ParquetDataset(str(file), 7))) == 1


@pytest.mark.fault(30)
def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    data = write_numbers(tmp_path / "data", [7], num_files=1)
    odd = tmp_path / os.fsdecode(b"\xff\xfe.parquet")
    (data / "0.parquet").rename(odd)
    catalog = Catalog.open(odd)
    assert catalog.files[0].path == str(odd)
    os.truncate(odd, 10)
    with pytest.raises(OSError, match=r"\\xff\\xfe\.parquet"):
        Catalog.open(odd)


MANY_FILES = """
import resource, sys
import rowfeed

def resident_kb():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))

resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
before = resident_kb()
with rowfeed.ParquetDataset(sys.argv[1], 512, shuffle=True, num_threads=4) as dataset:
    print(resident_kb() - before, sum(len(batch["x"]) for batch in dataset))
"""


@pytest.mark.fault(29)
def test_ten_thousand_files_take_few_descriptors_and_little_memory(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    pq.write_table(pa.table({"x": range(3), "y": ["a", "b", "c"]}), tmp_path / "one")
    content = (tmp_path / "one").read_bytes()
    for i in range(10_000):
        (data / f"{i:05}.parquet").write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-c", MANY_FILES, str(data)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    opening_kb, rows = map(int, done.stdout.split())
    assert rows == 30_000
    assert opening_kb < 64 * 1024


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing"):
        Catalog.open(tmp_path / "missing")
    with pytest.raises(FileNotFoundError, match=r"\*\.parquet"):
        Catalog.open(tmp_path / "*.parquet")
    with pytest.raises((ValueError, FileNotFoundError), match=tmp_path.name):
        Catalog.open(tmp_path)
    (tmp_path / "text.parquet").write_text("this is not a Parquet file at all")
    with pytest.raises(ValueError, match=r"text\.parquet"):
        Catalog.open(tmp_path)
    for wrong in (3, None, b"bytes", [3], {"a": 1}):
        with pytest.raises(TypeError, match="path"):
            Catalog.open(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="empty"):
        Catalog.open([])


def test_a_name_that_is_not_utf8_leaves_the_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"a": [1], "cafe": [2]}), path, store_schema=False)

    def rename(footer: Any) -> None:
        latin = "caf\u00e9".encode("latin-1")
        footer[2][1][1][2][4] = (BINARY, latin)
        footer[4][1][1][0][1][1][1][1][3][1][3] = (LIST, (BINARY, [latin]))

    lying_files.rewrite_footer(path, rename)
    (batch,) = ParquetDataset(path, 1, columns=["a"])
    assert batch["a"].tolist() == [1]
    for columns in (None, [r"caf\xe9"]):
        with pytest.raises(NotImplementedError, match=r"caf.*xe9.*not UTF-8"):
            ParquetDataset(path, 1, columns=columns)


@pytest.mark.fault(35)
def test_columns_of_one_name_are_refused_by_it(tmp_path: Path) -> None:
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"])
    pq.write_table(table, tmp_path / "x.parquet")
    asked: list[Any] = [None, ["a"], {"b": Column("a", mask=True)}]
    for source in (tmp_path, Catalog.open(tmp_path)):
        for columns in asked:
            with pytest.raises(NotImplementedError, match=r"'a'.*2 columns have this"):
                ParquetDataset(source, 1, columns=columns)
