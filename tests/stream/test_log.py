# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The logger `rowfeed`: what is opened, counted and waited for, and no secrets."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from numbered_rows import write_numbers
from reading import FACES, module_of
from rowfeed import Catalog, Split
from rowfeed._process import log
from rowfeed._ranks import store_wait
from rowfeed._ranks.store_wait import Wait


@pytest.mark.parametrize("face", FACES)
def test_what_is_opened_and_counted_is_logged_once(
    face: str, numbers: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "rowfeed")
    dataset = module_of(face).ParquetDataset(numbers, 10, filter=[("id", "<", 25)])
    dataset.begin_epoch()
    num_lines = len(caplog.messages)
    for _ in range(2):
        list(dataset)
    assert len(caplog.messages) == num_lines  # Nothing is said of batches.
    opening, opened, counting, counted = caplog.messages
    assert opening == f"opening {numbers}"
    assert opened.startswith(f"opening {numbers}: 3 files, 9 row groups, 250 rows, in ")
    assert counting.startswith("counting the rows that (id < 25) lets pass")
    assert ": 25 of 250 rows, in " in counted


def test_the_count_of_a_split_is_logged(
    numbers: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "rowfeed")
    len(module_of("numpy").ParquetDataset(numbers, 10, split=Split(0, 0.5)))
    assert caplog.messages[-2] == "counting the rows that Split(0, 0.5) lets pass"


def test_a_catalog_logs_its_count(
    numbers: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "rowfeed")
    Catalog.open([numbers / "0.parquet", numbers / "1.parquet"]).count([("id", "<", 5)])
    assert caplog.messages[0].endswith("0.parquet and 1 other path")
    assert " of " in caplog.messages[-1]


def test_each_listing_of_data_that_grows_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_numbers(tmp_path / "data", [5], num_files=1)
    caplog.set_level(logging.INFO, "rowfeed")
    dataset = module_of("numpy").ParquetDataset(
        tmp_path / "data", 2, refresh="epoch", snapshot_dir=tmp_path / "snapshots"
    )
    list(dataset)
    lines = [text for text in caplog.messages if text.startswith("listing")]
    assert lines[0] == "listing the files of epoch 0"
    assert lines[1].startswith("listing the files of epoch 0: 5 rows, in ")


def test_an_error_ends_the_work_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "rowfeed")
    with pytest.raises(FileNotFoundError):
        Catalog.open("/none/x.parquet")
    assert caplog.messages[-1].startswith("opening /none/x.parquet: FileNotFoundError")


def test_secrets_of_a_uri_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "rowfeed")
    uri = "s3://AK:HIDDEN@bucket/x?region=r&endpoint_override=127.0.0.1:1&secret=HIDDEN"
    with pytest.raises((OSError, ValueError)):
        Catalog.open(uri)
    assert caplog.messages[0].startswith("opening s3://bucket/x")
    assert "HIDDEN" not in caplog.text


def test_long_work_says_that_it_goes_on(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "_EVERY_S", 0.001)
    caplog.set_level(logging.INFO, "rowfeed")
    has_told = threading.Event()

    class Listens(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.getMessage().startswith("still working, for "):
                has_told.set()

    handler = Listens()
    log.LOGGER.addHandler(handler)
    try:
        with log.logged("working", lambda: "done"):
            assert has_told.wait(60)
    finally:
        log.LOGGER.removeHandler(handler)
    # The thread may be telling that the work goes on while it ends.
    assert any(said.startswith("working: done, in ") for said in caplog.messages)


def test_no_thread_is_started_where_nobody_listens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(threading, "Thread", None)
    log.LOGGER.setLevel(logging.WARNING)
    try:
        with log.logged("working", lambda: "done"):
            pass
    finally:
        log.LOGGER.setLevel(logging.NOTSET)


class LateStore:
    """A store in which a key is found once the log has said that it is awaited."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog

    def set(self, key: str, value: bytes | str, /) -> None: ...

    def get(self, key: str, /) -> bytes:
        return key.encode()

    def check(self, _: list[str], /) -> bool:
        return bool(self._caplog.messages)

    def delete_key(self, _: str, /) -> bool:
        return True


def test_a_rank_logs_for_whom_it_waits(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_wait, "_TELL_S", 0.001)
    caplog.set_level(logging.INFO, "rowfeed")
    wait = Wait(LateStore(caplog), 1, 60, lambda: False, "begin an epoch")
    assert wait.get("key", "rank 0") == b"key"
    said, done = caplog.messages
    assert said.startswith("rank 1 waits for rank 0 to begin an epoch, for ")
    assert done.startswith("rank 1 goes on after ")


def test_nothing_is_printed_unless_the_user_asks(numbers: Path) -> None:
    program = f"import rowfeed; list(rowfeed.ParquetDataset({str(numbers)!r}, 50))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "")
