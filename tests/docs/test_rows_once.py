# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The faces that benchmarks time deliver every row once, and checksums that say so."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from rowfeed import Ragged

GROUPS, SHRINK = 6, 50  # So many row groups, of so many times fewer rows.
ROWS = 100

Columns: TypeAlias = dict[str, Any]


@pytest.fixture
def rows_once() -> Any:
    return importlib.import_module("benchmarks.rows_once")


@pytest.mark.parametrize("framework", ["", "torch", "tensorflow"])
@pytest.mark.parametrize("data", ["N", "A", "B", "C", "D"])
def test_faces_deliver_every_row_once(
    rows_once: Any, data: str, framework: str, tmp_path: Path
) -> None:
    if framework:
        pytest.importorskip(framework)
    dataset = small(rows_once.DATASETS[data])
    path = tmp_path / f"{data}.parquet"
    importlib.import_module("benchmarks.datasets").write(dataset, path, GROUPS)
    there = rows_once.scanned(path, dataset.batch_size)
    assert there.rows == GROUPS * dataset.group_rows
    module = f"rowfeed.{framework}" if framework else "rowfeed"
    for name, face in rows_once.FACES.items():
        if face.module == module and data in face.data:
            found = rows_once.delivered(face, path, dataset, threads=2)
            rows_once.check(f"{data}, {name}", found, there)


def test_windows_have_four_row_groups_or_blocks(rows_once: Any) -> None:
    sizes = {name: data.window_blocks for name, data in rows_once.DATASETS.items()}
    assert sizes == {"A": 4, "N": 4, "B": 6, "C": 4, "D": 5}


def small(dataset: Any) -> Any:
    """Returns the same with fewer rows to a row group, block, window and batch."""
    rows = dataset.group_rows // SHRINK
    order = {name: number // SHRINK for name, number in dataset.order.items()}
    return replace(dataset, group_rows=rows, batch_size=rows // 5, order=order)


def columns_of(rows: Sequence[int]) -> Columns:
    """Returns rows of a number, floats and text that some have none of."""
    texts = [f"row {i}".encode() * (i % 4) for i in rows]
    return {
        "number": np.array(rows),
        "floats": np.array([[i / 3, i / 7, i / 9] for i in rows], np.float32),
        "text": Ragged(
            np.frombuffer(b"".join(texts), np.uint8),
            np.cumsum([0, *map(len, texts)]),
            "string",
        ),
    }


def checksums(rows_once: Any, *batches: Columns) -> Any:
    found = rows_once.Checksums()
    for batch in batches:
        found.add(batch)
    return found


def test_order_and_batches_do_not_matter(rows_once: Any) -> None:
    there = checksums(rows_once, columns_of(range(ROWS)))
    shuffled = np.random.default_rng(0).permutation(ROWS).tolist()
    batches = columns_of(shuffled[:37]), columns_of(shuffled[37:])
    assert checksums(rows_once, *batches) == there


def test_strings_are_hashed_the_same_in_every_form(rows_once: Any) -> None:
    text = columns_of(range(ROWS))["text"]
    objects = np.array([row.encode() for row in text], object)
    assert checksums(rows_once, {"x": text}) == checksums(rows_once, {"x": objects})


@pytest.mark.parametrize(
    "rows",
    [
        range(ROWS - 1),
        [*range(ROWS), 7],
        [*range(ROWS - 1), 7],  # One is missing, one comes twice.
        [*range(ROWS - 1), ROWS + 3],
    ],
    ids=["missing", "doubled", "both", "another"],
)
def test_rows_that_are_not_there_once_are_found(
    rows_once: Any, rows: Sequence[int]
) -> None:
    there = checksums(rows_once, columns_of(range(ROWS)))
    found = checksums(rows_once, columns_of(rows))
    assert found.whole != there.whole
    for name, checksum in there.columns.items():
        assert found.columns[name] != checksum
    with pytest.raises(ValueError, match=r"rows, not 100|floats: "):
        rows_once.check("N, rowfeed", found, there)


def swap_numbers(columns: Columns) -> None:
    columns["number"][[3, 4]] = columns["number"][[4, 3]]


def swap_floats_of_rows(columns: Columns) -> None:
    columns["floats"][[3, 4]] = columns["floats"][[4, 3]]


@pytest.mark.parametrize("change", [swap_numbers, swap_floats_of_rows])
def test_values_in_another_row_are_found(
    rows_once: Any, change: Callable[[Columns], None]
) -> None:
    columns = columns_of(range(ROWS))
    there = checksums(rows_once, columns)
    change(columns)
    found = checksums(rows_once, columns)
    assert found.columns == there.columns
    with pytest.raises(ValueError, match="N, rowfeed, whole rows: "):
        rows_once.check("N, rowfeed", found, there)


def swap_floats_of_a_row(columns: Columns) -> None:
    columns["floats"][3] = columns["floats"][3, ::-1]


def move_an_end(columns: Columns) -> None:
    columns["text"].offsets[7] -= 1


def change_a_byte(columns: Columns) -> None:
    text = columns["text"]
    values = text.values.copy()
    values[-1] += 1
    columns["text"] = Ragged(values, text.offsets, text.kind)


@pytest.mark.parametrize("change", [swap_floats_of_a_row, move_an_end, change_a_byte])
def test_other_values_are_found(
    rows_once: Any, change: Callable[[Columns], None]
) -> None:
    columns = columns_of(range(ROWS))
    there = checksums(rows_once, columns)
    change(columns)
    found = checksums(rows_once, columns)
    assert found.columns != there.columns
    assert found.whole != there.whole
