# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files without row groups or columns, of deep schemas, unreadable, or no files."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import lying_files
from hand_made import BINARY, I32, LIST, STRUCT
from reading import FACES, module_of
from rowfeed import Catalog, ParquetDataset


def write_without_row_groups(path: Path) -> None:
    pq.ParquetWriter(path, pa.schema([("x", pa.int64())])).close()


@pytest.mark.fault(8)
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("face", FACES)
def test_files_without_row_groups_or_rows_are_passed_over(
    face: str, shuffle: bool, tmp_path: Path
) -> None:
    pq.write_table(pa.table({"x": range(5)}), tmp_path / "b.parquet")
    pq.write_table(pa.table({"x": pa.array([], "int64")}), tmp_path / "c.parquet")
    for name in "ad":
        write_without_row_groups(tmp_path / f"{name}.parquet")
    dataset = module_of(face).ParquetDataset(tmp_path, 2, shuffle=shuffle)
    assert len(dataset) == 3
    assert sorted(int(x) for batch in dataset for x in batch["x"]) == [*range(5)]


@pytest.mark.fault(8)
@pytest.mark.parametrize("num_epochs", [1, None])
def test_a_data_set_without_row_groups_or_columns_ends_at_once(
    num_epochs: int | None, tmp_path: Path
) -> None:
    write_without_row_groups(tmp_path / "groups.parquet")
    pq.write_table(pa.table({}), tmp_path / "columns.parquet")
    for name in ("groups", "columns"):
        path = tmp_path / f"{name}.parquet"
        with pytest.warns(UserWarning, match=rf"no row is left.*{name}\.parquet"):
            dataset = ParquetDataset(path, 4, shuffle=True, num_epochs=num_epochs)
        assert list(dataset) == []


# Opens what is named, each with its own error.
OPEN = """
import sys
import rowfeed
for path in sys.argv[1:]:
    try:
        print([file.name for file in rowfeed.Catalog.open(path).files])
    except Exception as error:
        print(type(error).__name__, error)
"""


def said_of(*paths: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", OPEN, *map(str, paths)],
        capture_output=True,
        text=True,
        timeout=60,  # The open of a FIFO would block.
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.fault(31)
def test_what_is_no_regular_file_is_named_and_not_opened(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    pq.write_table(pa.table({"x": [1]}), tmp_path / "data" / "ok.parquet")
    odd = {name: tmp_path / "data" / f"{name}.parquet" for name in ("f", "s", "z", "l")}
    os.mkfifo(odd["f"])
    odd["z"].symlink_to("/dev/zero")
    odd["l"].symlink_to("l.parquet")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(odd["s"]))
        said = said_of(tmp_path / "data", *odd.values())
    reasons = {
        "f": "is a FIFO, not a regular file",
        "s": "is a socket, not a regular file",
        "z": "is a device, not a regular file",
        "l": "Too many levels of symbolic links",
    }
    assert said.startswith("ValueError 4 problems:\n")
    for name, reason in reasons.items():
        lines = [line for line in said.splitlines() if f"{odd[name]}" in line]
        assert len(lines) == 2  # Once in the directory, and once by itself.
        assert all(line.endswith(reason) for line in lines)


@pytest.mark.fault(31)
def test_a_directory_that_is_called_as_a_file_is_a_directory(tmp_path: Path) -> None:
    inner = tmp_path / "d.parquet"
    inner.mkdir()
    pq.write_table(pa.table({"x": [1]}), inner / "in.parquet")
    (tmp_path / "round").symlink_to(tmp_path)
    said = said_of(tmp_path, inner)
    assert said == "['d.parquet/in.parquet']\n['in.parquet']\n"


# Becomes a user who may not read all, if root runs the tests. Root may read everything.
OPEN_AS_NOBODY = """
import os, sys
import rowfeed
os.chdir(sys.argv[1])
if os.getuid() == 0:
    os.setuid(65534)
for path in sys.argv[2:]:
    try:
        rowfeed.ParquetDataset(path, 4)
    except Exception as error:
        print(type(error).__name__, error)
"""


@pytest.mark.fault(32)
def test_all_files_that_may_not_be_read_are_named(open_path: Path) -> None:
    for i in range(100):
        path = open_path / "files" / f"{i:02}.parquet"
        path.parent.mkdir(exist_ok=True)
        pq.write_table(pa.table({"x": [i]}), path)
        path.chmod(0 if i in (7, 42, 93) else 0o644)
    locked = open_path / "folders" / "locked"
    locked.mkdir(parents=True)
    pq.write_table(pa.table({"x": [1]}), locked / "a.parquet")
    locked.chmod(0o600)  # It may be neither listed nor searched.
    done = subprocess.run(
        [sys.executable, "-c", OPEN_AS_NOBODY, str(open_path), "files", "folders"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    locked.chmod(0o700)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "PermissionError 3 problems:",
        *(f"  files/{i:02}.parquet: Permission denied" for i in (7, 42, 93)),
        "PermissionError folders/locked: Permission denied",
    ]


@pytest.mark.fault(35)
@pytest.mark.parametrize("kind", ["list", "struct"])
def test_twelve_levels_of_nesting_are_read(kind: str, tmp_path: Path) -> None:
    dtype: pa.DataType = pa.int32()
    value: Any = 7
    for _ in range(12):
        is_list = kind == "list"
        dtype = pa.list_(dtype) if is_list else pa.struct([("s", dtype)])
        value = [value] if is_list else {"s": value}
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": pa.array([value, value], dtype)}), path)
    (batch,) = ParquetDataset(path, 2)
    found = batch["x"]
    for _ in range(12 if kind == "struct" else 0):
        found = found["s"]
    expected = [value, value] if kind == "list" else [7, 7]
    assert found.tolist() == expected


@pytest.mark.fault(35)
@pytest.mark.parametrize("depth", [1000, 10_000])
def test_a_schema_that_is_nested_too_deeply_is_an_error_that_names_the_file(
    depth: int, tmp_path: Path
) -> None:
    path = tmp_path / "deep.parquet"
    pq.write_table(pa.table({"x": [1]}), path, store_schema=False)

    def nest(footer: Any) -> None:
        root, leaf = footer[2][1][1]
        group = {3: (I32, 0), 4: (BINARY, b"g"), 5: (I32, 1)}
        footer[2] = (LIST, (STRUCT, [root, *[group] * depth, leaf]))
        names = [*[b"g"] * depth, b"x"]
        chunk = footer[4][1][1][0][1][1][1][0]
        chunk[3][1][3] = (LIST, (BINARY, names))

    lying_files.rewrite_footer(path, nest)
    said = said_of(path)
    assert said.startswith(f"OSError {path}: the footer cannot be read: ")
    assert "nested" in said
    assert len(said) < 500
    with pytest.raises(OSError, match=r"deep\.parquet"):
        Catalog.open(path, ["x"])
