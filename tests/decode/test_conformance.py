# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The Parquet project's own files through all faces, and what the comparison sees."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import lying_files
from conformance import FAILURES, Limits, Worker, files_in, run, summary
from conformance_flat import Flat, difference
from conformance_refusals import covering, listed
from conformance_worker import File
from hand_made import I32, I64
from lies import LIES
from strangers import SHARED

CORPUS = os.environ.get("ROWFEED_PARQUET_TESTING", "")
STRANGERS = SHARED / "strangers"
needs_corpus = pytest.mark.skipif(
    not CORPUS, reason="ROWFEED_PARQUET_TESTING does not name the folder"
)
LIMITS = Limits(seconds=60)  # Tests share their machine.


def compare(files: list[Path], least_equal: int) -> None:
    for face in ("tensorflow", "torch"):
        pytest.importorskip(face)
    results = run(files, LIMITS, num_workers=2)
    outcomes = [result.outcome for result in results]
    assert FAILURES.isdisjoint(outcomes), summary(results)
    assert outcomes.count("equal") >= least_equal, summary(results)


@pytest.mark.skipif(not STRANGERS.exists(), reason="the folder is not there")
def test_files_of_strangers_are_read_and_filtered_as_by_pyarrow() -> None:
    compare(files_in(STRANGERS), 2)


@needs_corpus
def test_some_files_of_the_corpus_are_read_as_pyarrow_reads_them() -> None:
    folder = Path(CORPUS)
    bad = files_in(folder / "bad_data")
    small = [f for f in files_in(folder / "data") if f.stat().st_size < 1500]
    compare([*bad, *small, *files_in(folder / "shredded_variant")[::20]], 20)


@pytest.mark.slow
@pytest.mark.timeout(900)
@needs_corpus
def test_all_files_of_the_corpus_are_read_as_pyarrow_reads_them() -> None:
    compare(files_in(Path(CORPUS)), 206)


def outcomes_of(paths: list[Path]) -> dict[str, dict[str, str]]:
    """Returns the outcome of each column of each file; "" stands for the file."""
    for face in ("tensorflow", "torch"):
        pytest.importorskip(face)
    results = run(paths, LIMITS, num_workers=1)
    return {result.path.stem: result.columns for result in results}


def test_odd_files_are_findings_refused_or_unreadable(tmp_path: Path) -> None:
    paths = {n: tmp_path / f"{n}.parquet" for n in ("nulls", "bounds", "twice", "long")}
    for name, lie in (
        ("nulls", "null count of the chunk is zero"),
        ("bounds", "bounds of the chunk are of a page and no index says so"),
    ):
        lying_files.write(paths[name], LIES[lie])
    columns = [pa.array([1, 2]), pa.array(["a", None]), pa.array([0.5, 1])]
    twice = pa.Table.from_arrays(columns, names=["x", "x", "y"])
    pq.write_table(twice, paths["twice"])
    pq.write_table(pa.table({"x": [1, 2, 3]}), paths["long"])
    lying_files.rewrite_footer(paths["long"], claim_rows)
    found = outcomes_of(list(paths.values()))
    assert {found["nulls"][c] for c in ("i64", "text")} == {"equal"}
    assert {found["bounds"][c] for c in ("i64", "text")} == {"finding"}
    assert found["nulls"]["row"] == "equal"
    assert found["twice"] == {"x": "refused", "y": "equal"}
    assert found["long"] == {"": "unreadable"}


def claim_rows(footer: Any) -> None:
    """Makes a footer claim more rows than memory could hold numbers of."""
    footer[3] = (I64, 6_400_000_000)
    for group in footer[4][1][1]:
        group[3] = (I64, 6_400_000_000)


def test_a_refusal_that_is_not_listed_is_a_failure(tmp_path: Path) -> None:
    def say(phase: str, detail: str, **limits: float) -> None:
        pass

    file = File(tmp_path / "x.parquet", say, ValueError())
    for detail in ("nulls without a type are not supported", "I do not feel like it"):
        file.note("x", "refused", "numpy alone", detail)
    assert [record[1] for record in file.records] == ["refused", "unlisted"]
    assert "unlisted" in FAILURES


def refused_files(folder: Path) -> list[Path]:
    """Writes a file for each line of the list of refusals."""
    tables = {
        "nulls": pa.table({"x": pa.nulls(2)}),
        "far": pa.table({"x": pa.array([10**17], pa.timestamp("us"))}),
        "twice": pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["x", "x"]),
        "interval": pa.table({"x": pa.array([bytes(12)], pa.binary(12))}),
        "bad_column_metadata": pa.table({"x": [1, 2, 3], "y": [4, 5, 6]}),
    }

    def make_interval(footer: Any) -> None:
        footer[2][1][1][1][6] = (I32, 21)

    def claim_a_value(footer: Any) -> None:
        footer[4][1][1][0][1][1][1][0][3][1][5] = (I64, 4)

    changes = {"interval": make_interval, "bad_column_metadata": claim_a_value}
    paths = []
    for name, table in tables.items():
        paths.append(folder / f"{name}.parquet")
        pq.write_table(
            *(table, paths[-1]),
            store_schema=False,
            use_deprecated_int96_timestamps=True,
        )
        if name in changes:
            lying_files.rewrite_footer(paths[-1], changes[name])
    return paths


def test_each_line_of_the_refusals_covers_a_file(tmp_path: Path) -> None:
    for face in ("tensorflow", "torch"):
        pytest.importorskip(face)
    results = run(refused_files(tmp_path), LIMITS, num_workers=1)
    refusals = listed()
    used = {
        covering(refusals, result.path, detail)
        for result in results
        for _, outcome, _, detail in result.records
        if outcome == "refused"
    }
    assert used == set(refusals), summary(results)


def test_a_crash_and_a_hang_are_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "worker.py"
    script.write_text(
        "import json, os, sys, time\n"
        "print(json.dumps({'ready': True}), flush=True)\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'phase': 'numpy', 'detail': ''}), flush=True)\n"
        "    path = json.loads(line)['path']\n"
        "    if 'crash' in path: os.abort()\n"
        "    if 'hang' in path: time.sleep(1000)\n"
        "    if 'grow' in path: kept = bytearray(os.urandom(1)) * (1 << 30)\n"
        "    if 'grow' in path: time.sleep(1000)\n"
        "    print(json.dumps({'records': []}), flush=True)\n"
    )
    monkeypatch.setattr("conformance.WORKER", script)
    worker = Worker(Limits(seconds=10, megabytes=500))
    try:
        found = {n: worker.compare(Path(n)) for n in ("crash", "hang", "grow", "well")}
    finally:
        worker.close()
    assert [r.outcome for r in found.values()] == ["finding"] * 3 + ["equal"]
    details = [found[n].records[0][3] for n in ("crash", "hang", "grow")]
    for detail, words in zip(details, ["-6", "too long", "500 MiB"], strict=True):
        assert words in detail


def test_a_difference_of_one_bit_is_seen() -> None:
    zeros = np.zeros(3)
    for other in (np.array([0, -0.0, 0]), np.zeros(3, np.float32), np.zeros(2)):
        assert difference(Flat([], other), Flat([], zeros))
    assert difference(Flat([], zeros), Flat([], zeros)) == ""
    payload = np.array([0x7FF8000000000001], np.uint64).view(np.float64)
    assert difference(Flat([], payload), Flat([], np.array([np.nan])))
    bounds = [np.array([0, 1, 3]), np.array([0, 2, 3])]
    a, b = (Flat([offsets], zeros) for offsets in bounds)
    assert difference(a, b)
    assert a.take(np.array([1, 0])).offsets[0].tolist() == [0, 2, 3]


def test_what_does_not_begin_as_parquet_is_left_out(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1]}), tmp_path / "a.parquet")
    (tmp_path / "part-0").write_bytes((tmp_path / "a.parquet").read_bytes())
    (tmp_path / "README").write_text("no")
    assert [f.name for f in files_in(tmp_path)] == ["a.parquet", "part-0"]
