# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Compares files with pyarrow, one for each line of stdin: what conformance.py starts.

Answers are lines of JSON: what is about to be read by whom, then what became of it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from conformance_filters import Asked, asked_of
from conformance_flat import Flat, concatenate, difference, flat_of
from conformance_oracle import Expected, NoRuleError, Oracle, RowsError
from conformance_refusals import covering, listed
from rowfeed import Catalog, Column, ParquetDataset, ParquetMapDataset

EQUAL, REFUSED, UNLISTED, UNREADABLE, BEYOND, FINDING = (
    "equal", "refused", "unlisted", "unreadable", "beyond pyarrow", "finding",
)  # fmt: skip
Say = Callable[..., None]  # say(phase, detail, seconds=…, bytes=…): limits that grow.

# What rowfeed may take of what pyarrow took, where that is more than the least limit.
TIMES_THE_SECONDS = 20
TIMES_THE_BYTES = 16
MOST_BY_FOOTER = 1 << 29


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


class File:
    """A file, and the `records` of what became of its columns."""

    def __init__(self, path: Path, say: Say, oracle: Oracle | Exception) -> None:
        self.path = path
        self.oracle = oracle
        self.records: list[tuple[str, str, str, str]] = []
        self._say = say
        self._refusals = listed()
        self._table_bytes = 0
        if isinstance(oracle, Oracle):  # Values of 1 GiB are no burst of memory.
            self._table_bytes = min(oracle.footer_bytes // 4, MOST_BY_FOOTER)
        self._oracle_seconds = 0.0

    def say(self, phase: str, detail: str) -> None:
        self._say(
            phase,
            detail,
            seconds=TIMES_THE_SECONDS * self._oracle_seconds,
            bytes=TIMES_THE_BYTES * self._table_bytes,
        )

    def note(self, column: str, outcome: str, how: str, detail: object = "") -> None:
        text = str(detail)
        if outcome == REFUSED and covering(self._refusals, self.path, text) is None:
            outcome = UNLISTED
        self.records.append((column, outcome, how, text[:400]))

    def note_error(
        self, column: str, error: Exception, how: str, *, is_due: bool = False
    ) -> None:
        """Notes an error where pyarrow reads: if it names all, it is a refusal."""
        named = self.path.name in str(error) and shown(column) in str(error)
        refuses = is_refusal(error) and named
        outcome = FINDING if not refuses else EQUAL if is_due else REFUSED
        self.note(column, outcome, how, f"{type(error).__name__}: {error}")

    def check(self) -> None:
        self.say("catalog", "")
        try:
            catalog = Catalog.open(self.path)
        except Exception as error:
            self._not_opened(error)
            return
        native = catalog._native.columns
        wanted = [self._expected(i, len(native)) for i in range(len(native))]
        names = [column.name for column in native]
        for i, column in enumerate(native):
            if column.unsupported:
                is_read = isinstance(wanted[i], (Expected, NoRuleError))
                outcome = REFUSED if is_read else UNREADABLE
                self.note(column.name, outcome, "catalog", column.unsupported)
                if isinstance(wanted[i], Expected):
                    wanted[i] = NoRuleError(column.unsupported)
        for face, dataset_class in faces().items():
            reading = Reading(self.path, catalog, dataset_class)
            _Face(self, face, reading).check(names, wanted)
        readable = [
            (column, want)
            for column, want in zip(native, wanted, strict=True)
            if isinstance(want, Expected)
        ]
        _Selected(self, catalog).check(readable)

    def _expected(self, index: int, num_leaves: int) -> Expected | Exception:
        if isinstance(self.oracle, Exception):
            return self.oracle
        if self.oracle.num_leaves != num_leaves:
            return ValueError(f"{num_leaves} leaves, not {self.oracle.num_leaves}")
        self.say("pyarrow", str(index))
        begin = time.monotonic()
        try:
            leaf = self.oracle.leaf(index)
        except Exception as error:
            return error
        finally:
            self._oracle_seconds += time.monotonic() - begin
            pa.default_memory_pool().release_unused()
        for flat in (leaf.values, leaf.mask):
            self._table_bytes += sum(a.nbytes for a in (*flat.offsets, flat.values))
        return leaf

    def _not_opened(self, error: Exception) -> None:
        clean = is_clean(error) and self.path.name in str(error)
        leaves = 0 if isinstance(self.oracle, Exception) else self.oracle.num_leaves
        readable = leaves and all(
            isinstance(self._expected(i, leaves), Expected) for i in range(leaves)
        )
        if not clean:
            outcome = FINDING
        elif not readable:
            outcome = UNREADABLE
        else:
            refuses = isinstance(error, (NotImplementedError, ValueError))
            outcome = REFUSED if refuses else FINDING
        self.note("", outcome, "catalog", f"{type(error).__name__}: {error}")


class _Face:
    def __init__(self, file: File, face: str, reading: Reading) -> None:
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


class _Selected:
    """Chooses rows by filter and index, with NumPy: the kernel is that of all faces."""

    def __init__(self, file: File, catalog: Catalog) -> None:
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


def shown(name: str) -> str:
    """Returns a name as messages have it: one that does not print is escaped."""
    return name if name.isprintable() else repr(name)[1:-1]


def is_refusal(error: Exception) -> bool:
    """Whether an error says that values cannot be delivered, not that they are bad."""
    kinds: tuple[type, ...] = (NotImplementedError, ValueError, KeyError)
    if "tensorflow" in sys.modules:
        errors = sys.modules["tensorflow"].errors
        kinds += (errors.InvalidArgumentError, errors.UnimplementedError)
    return isinstance(error, kinds)


def is_clean(error: Exception) -> bool:
    """Whether an error is among those that docs/reference.md has for bad files."""
    if is_refusal(error) or isinstance(error, OSError):
        return True
    if "tensorflow" not in sys.modules:
        return False
    errors = sys.modules["tensorflow"].errors
    return isinstance(error, (errors.DataLossError, errors.FailedPreconditionError))


def look(path: Path, say: Say, *, without_pyarrow: bool) -> dict[str, Any]:
    """Compares a file; with pyarrow left out, as it did not survive the file."""
    say("pyarrow", "")
    oracle: Oracle | Exception
    try:
        oracle = ValueError("it died") if without_pyarrow else Oracle(path)
    except Exception as error:
        oracle = error
    file = File(path, say, oracle)
    file.check()
    return {"records": file.records}


def main() -> None:
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # Leaves stdout to the answers: libraries print to stderr.
    faces()
    pa.set_cpu_count(1)
    print(json.dumps({"ready": True}), file=out)
    for line in sys.stdin:
        asked = json.loads(line)

        def say(phase: str, detail: str, **limits: float) -> None:
            print(json.dumps({"phase": phase, "detail": detail, **limits}), file=out)

        try:
            answer = look(Path(asked["path"]), say, without_pyarrow=asked["alone"])
        except Exception as error:  # A mistake of this program: it is to be seen.
            answer = {"records": [["", FINDING, "harness", repr(error)]]}
        print(json.dumps(answer), file=out)


if __name__ == "__main__":
    main()
