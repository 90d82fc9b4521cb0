# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Compares rows that are chosen by a filter or by index with those of pyarrow."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance_filters import Asked, asked_of
from conformance_flat import difference, flat_of
from conformance_oracle import Expected
from conformance_records import EQUAL, FINDING, Records
from rowfeed import Catalog, Column, ParquetDataset, ParquetMapDataset


class Selected:
    """Chooses rows by filter and index, with NumPy: the kernel is that of all faces."""

    def __init__(self, file: Records, catalog: Catalog) -> None:
        self.file = file
        self.catalog = catalog
        rows = [rows for _, _, rows in catalog._native.row_groups]
        self._first_rows = np.cumsum([0, *rows])

    def check(self, columns: list[tuple[Any, Expected]]) -> None:
        for column, want in columns:
            self._take(column.name, want)
            if want.column is not None:
                for number, asked in enumerate(asked_of(column.path, want.column)):
                    blocks = self.catalog.num_rows // 4 + 1 if number % 2 else None
                    self._filter(column.name, asked, blocks)

    def _filter(self, name: str, asked: Asked, block_rows: int | None) -> None:
        how = f"filter {asked.text}, block_rows={block_rows}"
        self.file.say("filter", f"{name} {asked.text}")
        try:
            found = self._passing(asked, block_rows)
        except Exception as error:
            self.file.note_error(name, error, how)
            return
        differs = ""
        if not np.array_equal(found, asked.rows):
            differs = f"{len(found)} rows, not {len(asked.rows)}"
            odd = np.setxor1d(found, asked.rows)[:5]
            differs += f"; they differ in rows {odd.tolist()}" if len(odd) else ""
        self.file.note(name, FINDING if differs else EQUAL, how, differs)

    def _passing(self, asked: Asked, block_rows: int | None) -> Any:
        dataset = ParquetDataset(
            self.catalog,
            10_000,
            columns={"group": Column("__row_group"), "row": Column("__row")},
            filter=asked.expression,
            block_rows=block_rows,
        )
        found = [self._first_rows[b["group"]] + b["row"] for b in dataset]
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def _take(self, name: str, want: Expected) -> None:
        rows = self.catalog.num_rows
        if not rows:
            return
        index = np.array([rows - 1, 0, rows // 2, rows // 3, rows - 1])
        self.file.say("take", name)
        try:
            columns = {"x": Column(name, mask=True)}
            taken = ParquetMapDataset(self.catalog, columns=columns).take(index)
        except Exception as error:
            self.file.note_error(name, error, "take")
            return
        pairs = ((taken["x"], want.values), (taken["x__mask"], want.mask))
        differences = (difference(flat_of(t), w.take(index)) for t, w in pairs)
        differs = next(filter(None, differences), "")
        self.file.note(name, FINDING if differs else EQUAL, "take", differs)
