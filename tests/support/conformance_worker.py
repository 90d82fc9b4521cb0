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
from pathlib import Path
from typing import Any

import pyarrow as pa

from conformance_faces import Face, Reading, faces
from conformance_oracle import Expected, NoRuleError, Oracle
from conformance_records import FINDING, REFUSED, UNREADABLE, Records, Say, is_clean
from conformance_selected import Selected
from rowfeed import Catalog

MOST_BY_FOOTER = 1 << 29


class File(Records):
    """A file, and the `records` of what became of its columns."""

    def __init__(self, path: Path, say: Say, oracle: Oracle | Exception) -> None:
        super().__init__(path, say)
        self.oracle = oracle
        if isinstance(oracle, Oracle):  # Values of 1 GiB are no burst of memory.
            self.table_bytes = min(oracle.footer_bytes // 4, MOST_BY_FOOTER)

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
            Face(self, face, reading).check(names, wanted)
        readable = [
            (column, want)
            for column, want in zip(native, wanted, strict=True)
            if isinstance(want, Expected)
        ]
        Selected(self, catalog).check(readable)

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
            self.oracle_seconds += time.monotonic() - begin
            pa.default_memory_pool().release_unused()
        for flat in (leaf.values, leaf.mask):
            self.table_bytes += sum(a.nbytes for a in (*flat.offsets, flat.values))
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
