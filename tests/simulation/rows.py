# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Rows that are functions of their number, and the files that they stand in.

A file is described by JSON: its number, its name, and the rows of its row groups. Row i
of file n has the id 1000 n + i, so that an id tells file and row.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

FILE_IDS = 1000
File = dict[str, Any]  # {"number": 3, "name": "a003.parquet", "groups": [5, 0, 7]}


class BrokenPromiseError(AssertionError):
    """The library has done something else than the model says."""


def maybe(row: int) -> int | None:
    """Returns the value of the column that has nulls."""
    return None if row % 5 == 0 else row % 17


# The stored type of each column, and its value in a row. Readers fill `maybe` with -1.
COLUMNS: dict[str, tuple[pa.DataType, Callable[[int], Any]]] = {
    "id": (pa.int64(), lambda row: row),
    "half": (pa.float32(), lambda row: row / 2),
    "even": (pa.bool_(), lambda row: row % 2 == 0),
    "name": (pa.string(), lambda row: f"row {row}"),
    "kind": (pa.string(), lambda row: f"k{row % 7}"),
    "parts": (pa.list_(pa.int32()), lambda row: [row] * (row % 4)),
    "point": (pa.list_(pa.float32(), 3), lambda row: [row, row + 0.5, row + 1.0]),
    "maybe": (pa.int32(), maybe),
}


def groups_of(files: list[File]) -> list[tuple[File, int, list[int]]]:
    """Returns the file, the number and the ids of each row group in catalog order."""
    found = []
    for file in sorted(files, key=lambda file: str(file["name"])):
        ends = list(accumulate(file["groups"]))
        first = FILE_IDS * file["number"]
        for index, (end, rows) in enumerate(zip(ends, file["groups"], strict=True)):
            found.append((file, index, list(range(first + end - rows, first + end))))
    return found


def write(path: Path, file: File, columns: list[str], writing: dict[str, Any]) -> None:
    """Writes a file under another name and renames it, so that it appears whole."""
    fields = {name: COLUMNS[name] for name in columns}
    schema = pa.schema([(name, kind) for name, (kind, _) in fields.items()])
    temporary = path.with_name(f".{path.name}.tmp")
    with pq.ParquetWriter(temporary, schema, **writing) as writer:
        for _, _, ids in groups_of([file]):
            arrays = [
                pa.array([value(row) for row in ids], kind)
                for kind, value in fields.values()
            ]
            writer.write_table(pa.table(arrays, schema=schema), max(len(ids), 1))
    temporary.rename(path)


def _cells(values: Any) -> list[Any]:
    found: list[Any] = values.tolist()
    return found


def ids_of(element: dict[str, Any]) -> list[int | None]:
    """Returns the ids of a batch, or of a single row; a fill row is None.

    Raises:
        BrokenPromiseError: A value of another column is not that of the row.
    """
    if np.ndim(element["id"]) == 0:
        alone = {k: [_single(v)] for k, v in element.items()}
    else:
        alone = {k: _cells(v) for k, v in element.items()}
    valid = alone.pop("__valid", [True] * len(alone["id"]))
    ids: list[int | None] = []
    for i, is_row in enumerate(valid):
        row = alone["id"][i]
        ids.append(row if is_row else None)
        for name, cells in alone.items():
            if name == "id":
                continue
            expected = COLUMNS[name][1](row) if is_row else _FILL[name]
            if expected is None:
                expected = -1
            if _plain(cells[i]) != expected:
                raise BrokenPromiseError(
                    f"column {name!r} of row {row} is {cells[i]!r}, not {expected!r}"
                )
        if not is_row and row != 0:
            raise BrokenPromiseError(f"column 'id' of a fill row is {row}, not 0")
    return ids


_FILL: dict[str, Any] = {
    "half": 0,
    "even": False,
    "name": "",
    "kind": "",
    "parts": [],
    "point": [0, 0, 0],
    "maybe": 0,
}


def _plain(cell: Any) -> Any:
    return cell.decode() if isinstance(cell, bytes) else cell


def _single(cell: Any) -> Any:
    if hasattr(cell, "tolist"):
        return cell.tolist()
    return _plain(cell)


def key_of(*description: Any) -> str:
    """Returns a text that is equal for equal descriptions of a data set."""
    return json.dumps(description, sort_keys=True)
