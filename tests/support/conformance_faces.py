# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the columns of a file with pyarrow as each face reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from conformance_flat import Flat, concatenate, difference, flat_of
from conformance_oracle import Expected, NoRuleError, RowsError
from conformance_records import (
    BEYOND,
    EQUAL,
    FINDING,
    REFUSED,
    UNREADABLE,
    Records,
    is_clean,
    is_refusal,
    shown,
)
from rowfeed import Catalog, Column


def faces() -> dict[str, Any]:
    """The dataset classes, by the names of their faces."""
    import rowfeed
    import rowfeed.tensorflow
    import rowfeed.torch

    return {
        "numpy": rowfeed.ParquetDataset,
        "torch": rowfeed.torch.ParquetDataset,
        "tensorflow": rowfeed.tensorflow.ParquetDataset,
    }


class Reading:
    """One file through one face."""

    def __init__(self, path: Path, catalog: Catalog, face: Any) -> None:
        self._path = path
        self._catalog = catalog
        self._face = face
        self.num_rows = catalog.num_rows
        # Batches meet within rows.
        self._batch = max(1, min(self.num_rows // 3 + 1, 10_000))

    def read(self, names: list[str], **options: Any) -> list[Flat]:
        """Columns and their masks, in the order of the file."""
        mask = options.pop("mask", True)
        columns = {f"c{i}": Column(n, mask=mask) for i, n in enumerate(names)}
        columns |= {"group": Column("__row_group"), "row": Column("__row")}
        keys = [key for i in range(len(names)) for key in (f"c{i}", f"c{i}__mask")]
        keys = [*(keys if mask else keys[::2]), "group", "row"]
        dataset = self._face(self._catalog, self._batch, columns=columns, **options)
        batches = [[flat_of(batch[key]) for key in keys] for batch in dataset]
        if not batches:
            return []
        *found, group, row = (concatenate(list(c)) for c in zip(*batches, strict=True))
        order = np.lexsort((row.values, group.values))
        shuffled = options.get("shuffle", False)
        assert shuffled or (order == np.arange(len(order))).all(), "rows out of order"
        return [flat.take(order) for flat in found] if shuffled else found


class Face:
    """Compares all columns as one face reads them, together and alone."""

    def __init__(self, file: Records, face: str, reading: Reading) -> None:
        self.file = file
        self.face = face
        self.reading = reading

    def check(self, names: list[str], wanted: list[Expected | Exception]) -> None:
        readable = {
            name: want
            for name, want in zip(names, wanted, strict=True)
            if isinstance(want, Expected)
        }
        whole = {n: w for n, w in readable.items() if not w.has_nulls}
        together = (
            self._same(readable, "together")
            and self._same(readable, "shuffled", shuffle=True, seed=7)
            and self._same(whole, "without mask", mask=False)
        )
        if self.face == "numpy":
            rows = self.reading.num_rows // 5 + 1
            self._same(readable, f"block_rows={rows}", block_rows=rows)
        for name, want in zip(names, wanted, strict=True):
            if not isinstance(want, Expected):
                self._unreadable(name, want)
            elif not together or self.face == "numpy":
                self._alone(name, want)

    def _same(self, wanted: dict[str, Expected], how: str, **options: Any) -> bool:
        """Reads columns at once; False if they are better looked at one by one."""
        self.file.say(self.face, how)
        try:
            found = self.reading.read(list(wanted), **options)
        except Exception:
            return False
        step = 2 if options.get("mask", True) else 1
        for i, (name, want) in enumerate(wanted.items()):
            self._compare(name, how, found[i * step : i * step + step], want)
        return True

    def _compare(self, name: str, how: str, found: list[Flat], want: Expected) -> None:
        if not found:  # No batches.
            differs = f"no rows, not {len(want.mask)}" if len(want.mask) else ""
        else:
            pairs = zip(found, (want.values, want.mask), strict=False)
            differs = next(filter(None, (difference(*pair) for pair in pairs)), "")
        outcome = FINDING if differs else EQUAL
        self.file.note(name, outcome, f"{self.face} {how}", differs)

    def _alone(self, name: str, want: Expected) -> None:
        ways: list[tuple[str, dict[str, Any]]] = [
            ("alone", {}),
            ("alone, shuffled", {"shuffle": True, "seed": 7}),
            ("alone, without mask", {"mask": False}),
        ]
        for how, options in ways:
            self.file.say(self.face, f"{how}: {name}")
            try:
                found = self.reading.read([name], **options)
            except Exception as error:
                null = options.get("mask", True) is False and want.has_nulls
                self.file.note_error(name, error, f"{self.face} {how}", is_due=null)
            else:
                if want.has_nulls and options.get("mask", True) is False:
                    self.file.note(name, FINDING, f"{self.face} {how}", "nulls passed")
                self._compare(name, how, found, want)

    def _unreadable(self, name: str, want: Exception) -> None:
        """A column that pyarrow cannot read: an error is due, but a clean one."""
        self.file.say(self.face, f"unreadable: {name}")
        how = f"{self.face} unreadable"
        try:
            self.reading.read([name])
        except Exception as error:
            refuses = isinstance(want, NoRuleError)
            clean = is_refusal(error) if refuses else is_clean(error)
            named = shown(name) in str(error)
            outcome = REFUSED if refuses else UNREADABLE
            if not (clean and named):
                outcome = FINDING
            self.file.note(name, outcome, how, f"{type(error).__name__}: {error}")
        else:
            outcome = FINDING if isinstance(want, (NoRuleError, RowsError)) else BEYOND
            self.file.note(name, outcome, how, f"pyarrow: {want!r}")
