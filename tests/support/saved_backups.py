# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Backups of a few variables, and what is read of them."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import ml_dtypes
import numpy as np

from numbered_rows import write_numbers
from rowfeed import Catalog
from rowfeed._keras.backup import Backups
from rowfeed._keras.variables import Array, Variable, difference

ARRAYS: list[Array] = [
    np.arange(12, dtype=np.float32).reshape(3, 4),
    np.array(7, np.int64),
    np.zeros((0, 5), np.uint32),
    np.array([1.5, -2.0], ml_dtypes.bfloat16),
    np.array([True, False]),
]


def variables(shift: int = 0) -> list[Variable]:
    return [
        Variable(
            "model", f"v/{i}", (array + array.dtype.type(shift)).astype(array.dtype)
        )
        for i, array in enumerate(ARRAYS)
    ]


@cache
def catalog() -> Catalog:
    """Returns a catalog of files that are gone."""
    with tempfile.TemporaryDirectory() as folder:
        return Catalog.open(write_numbers(Path(folder), [7], num_files=1))


def open_backups(folder: Path) -> Backups:
    return Backups(folder, keep=2, catalog=catalog())


def saved(folder: Path, number: int = 2) -> Backups:
    backups = open_backups(folder)
    for step in range(number):
        backups.save({"step": step}, variables(step))
    return backups


def step_of(backups: Backups) -> int:
    found = backups.load()
    assert found is not None
    step: int = found.fields["step"]
    assert difference(variables(step), found.variables) == ""
    for ours, theirs in zip(variables(step), found.variables, strict=True):
        np.testing.assert_array_equal(ours.value, theirs.value)
        assert ours.name == theirs.name
    return step
