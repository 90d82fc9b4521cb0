# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Footers and pages that claim more than there is: an error soon, and little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import lying_files
from hand_made import I32, INT32, STRUCT, Stored, page_of, struct, write_pages

BODY = b"".join(i.to_bytes(4, "little") for i in range(10))
MOST = 2**31 - 1
BUDGET = 16 << 20

# Reads a file within limits of memory; prints what came of it, and the peak.
CHILD = """
import json, resource, sys, warnings
import rowfeed

path, budget = sys.argv[1], int(sys.argv[2]) or None

def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if "VmHWM" in line)

resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
warnings.simplefilter("ignore")
before, kind, text = peak(), "", ""
try:
    for shuffle in (False, True):
        for _ in rowfeed.ParquetDataset(
            path, 4096, shuffle=shuffle, memory_budget_bytes=budget):
            pass
except Exception as error:
    kind, text = type(error).__name__, str(error)
print(json.dumps([kind, text, peak() - before]))
"""


def claims(values: int, rows: int, in_page: int) -> Callable[[Path], None]:
    """Returns what writes ten values, and says that there are others."""

    def write(path: Path) -> None:
        page = page_of(1, in_page, in_page, b"", BODY)
        write_pages(path, Stored(INT32), [(page, 0)], values, rows)

    return write


def claims_runs(values: int, rows: int, in_page: int) -> Callable[[Path], None]:
    """Returns what writes ten values and claims others, with encodings of any size."""

    def write(path: Path) -> None:
        page = page_of(1, in_page, in_page, b"", BODY)
        pages, dictionaries = [(page, 0)], (0, 3, 8)
        write_pages(path, Stored(INT32), pages, values, rows, encodings=dictionaries)

    return write


def claims_bytes(plain: int, compressed: int) -> Callable[[Path], None]:
    """Returns what writes ten values in a page whose header claims other sizes."""

    def write(path: Path) -> None:
        counts = {1: (I32, 10), 2: (I32, 0), 3: (I32, 3), 4: (I32, 3)}
        sizes = {1: (I32, 0), 2: (I32, plain), 3: (I32, compressed)}
        page = struct({**sizes, 5: (STRUCT, counts)}) + BODY
        write_pages(path, Stored(INT32), [(page, 0)], 10, 10)

    return write


def bomb(path: Path) -> None:
    """Writes a row of 100 MB, which compresses to some KB."""
    table = pa.table({"x": pa.array([bytes(100 << 20)], pa.binary())})
    pq.write_table(table, path, compression="zstd", use_dictionary=False)


def denied_bomb(path: Path) -> None:
    """Writes a bomb whose footer says that it is small."""
    bomb(path)

    def shrink(footer: Any) -> None:
        chunk = footer[4][1][1][0][1][1][1][0]
        chunk[3][1][6] = (chunk[3][1][6][0], 1000)

    lying_files.rewrite_footer(path, shrink)


LIES: dict[str, Callable[[Path], None]] = {
    "rows beyond 32 bits": claims(2**62, 2**62, 10),
    "rows of the footer": claims(10, MOST, 10),
    "values of the footer": claims(MOST, 10, 10),
    "values of the page": claims(10, 10, MOST),
    "rows and values of the footer": claims(MOST, MOST, 10),
    "rows and values of all": claims(MOST, MOST, MOST),
    "rows and values that may be runs": claims_runs(MOST, MOST, 10),
    "rows and values of all that may be runs": claims_runs(MOST, MOST, MOST),
    "bytes of the plain page": claims_bytes(MOST, len(BODY)),
    "bytes of the page in the file": claims_bytes(len(BODY), MOST),
    "no bytes": claims_bytes(0, 0),
    "a bomb": bomb,
    "a bomb that the footer denies": denied_bomb,
}


def outcome(path: Path, budget: int) -> tuple[str, str, int]:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(path), str(budget)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kind, text, grown = json.loads(done.stdout)
    return kind, text, grown


@pytest.mark.fault(10)
@pytest.mark.parametrize("lie", LIES)
def test_a_lie_about_sizes_is_an_error_that_takes_no_memory(
    lie: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.parquet"
    LIES[lie](path)
    kind, text, grown = outcome(path, BUDGET)
    assert kind in ("OSError", "ValueError", "NotImplementedError")
    assert str(path) in text or "memory_budget_bytes = " in text
    assert grown < BUDGET + (64 << 20)


@pytest.mark.fault(10)
@pytest.mark.parametrize("in_page", [10, MOST])
def test_rows_that_footer_and_pages_claim_alike_took_all_memory(
    in_page: int, tmp_path: Path
) -> None:
    """Ten values of four bytes, PLAIN and required, cannot be two billion."""
    path = tmp_path / "x.parquet"
    claims(MOST, MOST, in_page)(path)
    kind, text, grown = outcome(path, 0)
    assert kind == "OSError"
    assert str(path) in text
    assert "2147483647 values of at least 4 bytes in" in text
    assert grown < 200 << 20
