# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Names of a SampleWriter's files: from clocks that go back, and interrupted ones."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rowfeed import SampleWriter
from sampling import SCHEMA, ids_in, rows_of


def test_a_writer_goes_on_after_an_interrupt_while_it_makes_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> int:
        raise KeyboardInterrupt

    writer = SampleWriter(tmp_path, SCHEMA, rows_per_file=4)
    with monkeypatch.context() as interrupted:
        interrupted.setattr(time, "time_ns", interrupt)
        with pytest.raises(KeyboardInterrupt):
            writer.write(rows_of(0, 4))
    writer.write(rows_of(4, 8))
    writer.write(rows_of(8, 10))
    writer.close()
    assert ids_in(tmp_path) == [*range(4, 10)]


def test_a_file_that_an_interrupt_left_full_is_completed_by_the_next_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: SampleWriter) -> None:
        raise KeyboardInterrupt

    writer = SampleWriter(tmp_path, SCHEMA, rows_per_file=4)
    with monkeypatch.context() as interrupted:
        interrupted.setattr(SampleWriter, "_complete", interrupt)
        with pytest.raises(KeyboardInterrupt):
            writer.write(rows_of(0, 4))
    writer.write(rows_of(4, 6))
    writer.close()
    assert ids_in(tmp_path) == [*range(6)]


def test_rows_of_a_clock_that_was_set_back_are_newer_than_those_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(begin: int, end: int) -> None:
        with SampleWriter(tmp_path, SCHEMA, rows_per_file=5) as writer:
            writer.write(rows_of(begin, end))

    write(0, 10)
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now - 3600 * 10**9)
    write(10, 20)
    assert ids_in(tmp_path) == [*range(20)]


@pytest.mark.parametrize("time_of_name", ["20269999T999999", "99991231T235959"])
def test_names_that_are_no_times_or_the_last_there_is_do_not_stop_a_writer(
    time_of_name: str, tmp_path: Path
) -> None:
    name = f"rows-{time_of_name}.999999Z-0123456789abcdef.parquet"
    (tmp_path / name).write_bytes(b"")
    with SampleWriter(tmp_path, SCHEMA) as writer:
        writer.write(rows_of(0, 3))
    (tmp_path / name).unlink()
    assert ids_in(tmp_path) == [0, 1, 2]
