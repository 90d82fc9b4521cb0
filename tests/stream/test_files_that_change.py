# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files that are cut, deleted, rewritten or replaced while an epoch is read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

FILES, GROUPS, GROUP_ROWS, BATCH = 3, 20, 1000, 100
FILE_ROWS = GROUPS * GROUP_ROWS
AFTER = 10**6  # The rows of the new version of a file begin at this number.

# Reads with the least budget, so that the last row groups of each file are not read
# before the file changes. Prints what came, as JSON.
CHILD = """
import json, os, re, sys
import numpy as np
import rowfeed

change, data, other, number = sys.argv[1:]
path, new = f"{data}/{number}.parquet", f"{other}/{number}.parquet"

def dataset(budget):
    return rowfeed.ParquetDataset(
        data, 100, num_threads=1, memory_budget_bytes=budget, num_epochs=2)

try:
    dataset(1)
except ValueError as error:
    budget = int(re.search(r"less than the (\\d+) needed", str(error))[1])
batches = iter(dataset(budget))
kept = [next(batches)["x"]]
if change == "cut":
    os.truncate(path, 1000)
elif change == "deleted":
    os.unlink(path)
elif change == "rewritten":
    content = open(new, "rb").read()
    with open(path, "r+b") as file:
        file.write(content)
        file.truncate()
else:
    os.replace(new, path)
errors = []
for _ in range(2 * 600 - 1):
    try:
        kept.append(next(batches)["x"])
    except OSError as error:
        errors.append([type(error).__name__, str(error)])
assert next(batches, None) is None
print(json.dumps({"rows": np.concatenate(kept).tolist(), "errors": errors}))
"""


def write(folder: Path, first: int) -> Path:
    folder.mkdir()
    for number in range(FILES):
        begin = first + number * FILE_ROWS
        table = pa.table({"x": np.arange(begin, begin + FILE_ROWS)})
        pq.write_table(
            table,
            folder / f"{number}.parquet",
            row_group_size=GROUP_ROWS,
            compression="none",
            use_dictionary=False,
        )
    return folder


def read(change: str, number: int, folder: Path) -> Any:
    """Changes a file after the first batch; returns the rows and errors that came."""
    data, other = write(folder / "data", 0), write(folder / "other", AFTER)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, change, str(data), str(other), str(number)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def check_rows(rows: list[int], number: int) -> None:
    """Checks that whole batches of the old version came, and all of other files."""
    assert max(rows) < AFTER
    for i in range(0, len(rows), BATCH):
        assert rows[i : i + BATCH] == [*range(rows[i], rows[i] + BATCH)]
    expected = set(range(FILES * FILE_ROWS))
    changed = set(range(number * FILE_ROWS, (number + 1) * FILE_ROWS))
    assert expected - changed <= set(rows)


@pytest.mark.parametrize("number", [0, FILES - 1])
@pytest.mark.fault(2)
def test_a_file_that_is_cut_is_an_error_of_its_batches(
    number: int, tmp_path: Path
) -> None:
    found = read("cut", number, tmp_path)
    check_rows(found["rows"], number)
    path = tmp_path / "data" / f"{number}.parquet"
    assert found["errors"]
    for kind, text in found["errors"]:
        assert kind == "OSError"
        assert text.startswith(f"{path}, row group ")
        assert f"{path} changed since it was catalogued: size was " in text
        assert ", is 1000; " in text


@pytest.mark.fault(3)
def test_an_open_file_that_is_deleted_is_read_to_its_end(tmp_path: Path) -> None:
    found = read("deleted", 0, tmp_path)
    every = list(range(FILES * FILE_ROWS))
    assert found == {"rows": every + every, "errors": []}


@pytest.mark.fault(3)
def test_a_deleted_file_that_is_not_open_is_named(tmp_path: Path) -> None:
    found = read("deleted", FILES - 1, tmp_path)
    check_rows(found["rows"], FILES - 1)
    path = tmp_path / "data" / f"{FILES - 1}.parquet"
    assert len(found["errors"]) == 2 * FILE_ROWS // BATCH
    for kind, text in found["errors"]:
        assert kind == "FileNotFoundError"
        assert text.endswith(f"{path}: No such file or directory")


@pytest.mark.parametrize("number", [0, FILES - 1])
@pytest.mark.fault(4)
def test_a_file_that_is_rewritten_is_an_error_and_never_a_mix(
    number: int, tmp_path: Path
) -> None:
    found = read("rewritten", number, tmp_path)
    check_rows(found["rows"], number)
    path = tmp_path / "data" / f"{number}.parquet"
    assert found["errors"]
    for kind, text in found["errors"]:
        assert kind == "OSError"
        assert f"{path} changed since it was catalogued: size was " in text
        assert "; mtime was " in text


@pytest.mark.fault(4)
def test_an_open_file_that_is_replaced_is_read_in_its_old_version(
    tmp_path: Path,
) -> None:
    found = read("replaced", 0, tmp_path)
    every = list(range(FILES * FILE_ROWS))
    assert found == {"rows": every + every, "errors": []}


@pytest.mark.fault(4)
def test_a_replaced_file_that_is_not_open_is_an_error(tmp_path: Path) -> None:
    found = read("replaced", FILES - 1, tmp_path)
    check_rows(found["rows"], FILES - 1)
    assert len(found["errors"]) == 2 * FILE_ROWS // BATCH
    assert all("changed since it was catalogued" in text for _, text in found["errors"])
