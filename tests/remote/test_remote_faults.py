# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Data in an object store behind a network that fails."""

from __future__ import annotations

import io
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from faulty_proxy import Fault, FaultyProxy, every, no_fault
from numbered_rows import write_numbers
from rowfeed import Catalog, ParquetDataset
from s3_server import S3Server

GROUPS = [40] * 24
BUCKET = "numbers"


@pytest.fixture(scope="module")
def s3(s3: S3Server, tmp_path_factory: pytest.TempPathFactory) -> S3Server:
    s3.put_tree(BUCKET, write_numbers(tmp_path_factory.mktemp("data"), GROUPS))
    return s3


def ids(dataset: ParquetDataset) -> list[int]:
    return [int(i) for batch in dataset for i in batch["id"]]


@pytest.mark.fault(24)
@pytest.mark.parametrize("fault", ["reset", "cut", "503", "429"])
def test_what_may_go_away_is_tried_again(
    fault: Fault, s3: S3Server, proxy: FaultyProxy
) -> None:
    proxy.plan = every(3, fault)
    dataset = ParquetDataset(s3.uri(BUCKET, proxy.port), 64, columns=["id", "name"])
    assert ids(dataset) == list(range(sum(GROUPS)))


@pytest.mark.fault(28)
def test_a_stalled_read_is_left_behind(s3: S3Server, proxy: FaultyProxy) -> None:
    dataset = ParquetDataset(s3.uri(BUCKET, proxy.port), 64, columns=["id"])
    stalls = itertools.chain([True, True], itertools.repeat(False))
    proxy.plan = lambda method, *_: (
        "stall" if method == "GET" and next(stalls) else None
    )
    assert ids(dataset) == list(range(sum(GROUPS)))


@pytest.mark.fault(25)
def test_a_store_that_is_busy_for_a_while_is_asked_until_it_is_not(
    s3: S3Server, proxy: FaultyProxy
) -> None:
    dataset = ParquetDataset(s3.uri(BUCKET, proxy.port), 64, columns=["id"])
    before = len(proxy.requests)
    proxy.plan = lambda _method, _path, index: "503" if index < before + 30 else None
    assert ids(dataset) == list(range(sum(GROUPS)))
    assert dataset.stats().fetch_retries > 0


@pytest.mark.slow
@pytest.mark.fault(28)
def test_an_answer_that_drips_is_left_behind(s3: S3Server, proxy: FaultyProxy) -> None:
    """Each byte comes in time, so that the client alone would wait for hours."""
    dataset = ParquetDataset(s3.uri(BUCKET, proxy.port), 64, columns=["id"])
    drips = itertools.chain([True, True], itertools.repeat(False))
    proxy.plan = lambda method, *_: "drip" if method == "GET" and next(drips) else None
    assert ids(dataset) == list(range(sum(GROUPS)))
    assert next(drips) is False
    assert dataset.stats().fetch_retries > 0


@pytest.mark.fault(21)
def test_a_handler_of_sigterm_saves_the_state_while_a_read_is_stalled(
    s3: S3Server, proxy: FaultyProxy
) -> None:
    uri = s3.uri(BUCKET, proxy.port)
    dataset = ParquetDataset(uri, 64, columns=["id"])
    batches = iter(dataset)
    proxy.plan = lambda method, *_: "stall" if method == "GET" else None
    states: list[Any] = []

    def save(*_: object) -> None:
        states.append(batches.state_dict())
        proxy.plan = no_fault
        proxy.released.set()

    def terminate() -> None:
        while not proxy.stalled:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, save)
    thread = threading.Thread(target=terminate)
    thread.start()
    try:
        first = next(batches)["id"].tolist()  # It waits until the handler has run.
    finally:
        thread.join()
        signal.signal(signal.SIGTERM, before)
    assert first == list(range(64))
    (state,) = states
    assert (state["epoch"], state["row"]) == (0, 0)
    resumed = ParquetDataset(uri, 64, columns=["id"])
    resumed.load_state_dict(state)
    assert ids(resumed) == list(range(sum(GROUPS)))


@pytest.mark.fault(26)
@pytest.mark.parametrize(
    ("plan", "error"), [("403", PermissionError), ("404", FileNotFoundError)]
)
def test_what_will_not_go_away_is_asked_once(
    plan: str, error: type[Exception], s3: S3Server, proxy: FaultyProxy
) -> None:
    dataset = ParquetDataset(s3.uri(BUCKET, proxy.port), 64, columns=["id"])
    catalog = dataset.catalog
    before = len(proxy.requests)
    if plan == "403":
        proxy.plan = lambda *_: "403"
        path = f"{BUCKET}/0.parquet"
    else:
        path = f"{BUCKET}/none.parquet"
    with pytest.raises(error, match=f"s3://{path}"):
        Catalog.open(s3.uri(path, proxy.port))
    assert len(proxy.requests) - before <= 3  # A file? A directory? Its region?
    if plan == "403":
        with pytest.raises(PermissionError, match=f"s3://{BUCKET}/0.parquet"):
            ids(ParquetDataset(catalog, 64, columns=["id"]))


def test_neighbours_are_one_request_and_row_groups_are_read_at_once(
    s3: S3Server, proxy: FaultyProxy
) -> None:
    dataset = ParquetDataset(s3.uri(BUCKET, proxy.port), 64, shuffle=True)
    proxy.requests.clear()
    proxy.latency_s = 0.02
    assert sorted(ids(dataset)) == list(range(sum(GROUPS)))
    reads = [path for method, path in proxy.requests if method == "GET"]
    assert len(reads) == len(GROUPS)  # Each for five columns.
    assert proxy.most_at_once > 4
    # One request for all row groups of a window asks whether a file changed.
    num_asked = sum(method == "HEAD" for method, _ in proxy.requests)
    assert num_asked <= dataset.stats().windows * len(dataset.catalog.files)


def test_a_footer_is_checked_once(s3: S3Server, proxy: FaultyProxy) -> None:
    """However many requests it takes: that of a hundred columns is long."""
    body = io.BytesIO()
    pq.write_table(pa.table({f"c{i:0200}": [i] for i in range(200)}), body)
    s3.request("PUT", "/wide")
    s3.put("wide", "a.parquet", body.getvalue())
    Catalog.open(s3.uri("wide/a.parquet", proxy.port))
    asked = [method for method, _ in proxy.requests]
    assert asked == ["HEAD", "HEAD", "GET", "GET", "HEAD"]


@pytest.mark.fault(29)
def test_footers_are_read_at_once(s3: S3Server, proxy: FaultyProxy) -> None:
    proxy.latency_s = 0.05
    Catalog.open(s3.uri(BUCKET, proxy.port))
    heads = [path for method, path in proxy.requests if method == "GET"]
    assert len(heads) == 3 + 1  # A listing, and 64 KiB of each file.
    assert proxy.most_at_once > 1


@pytest.mark.fault(28)
def test_closing_ends_a_stalled_read(s3: S3Server, proxy: FaultyProxy) -> None:
    dataset = ParquetDataset(s3.uri(BUCKET, proxy.port), 64, columns=["id"])
    proxy.plan = lambda *_: "stall"
    batches = iter(dataset)
    with pytest.raises(Rung):
        _next_within(batches, 0.5)
    batches.close()
    assert proxy.stalled
    assert not proxy.has_given_up


def test_closing_ends_a_stalled_count(s3: S3Server, proxy: FaultyProxy) -> None:
    even = [("even", "==", True)]
    dataset = ParquetDataset(s3.uri(BUCKET, proxy.port), 64, filter=even)
    batches = iter(dataset)
    proxy.plan = lambda *_: "stall"
    ended: list[BaseException | None] = []

    def pull() -> None:
        try:
            next(batches)
        except RuntimeError as error:
            ended.append(error)

    thread = threading.Thread(target=pull, daemon=True)
    thread.start()
    time.sleep(0.5)
    batches.close()
    thread.join(30)
    assert len(ended) == 1
    assert proxy.stalled
    assert not proxy.has_given_up


def test_a_signal_is_answered_while_a_later_epoch_is_listed(
    s3: S3Server, proxy: FaultyProxy, tmp_path: Path
) -> None:
    dataset = ParquetDataset(
        *(s3.uri(BUCKET, proxy.port), 64),
        columns=["id"],
        refresh="epoch",
        snapshot_dir=tmp_path,
        num_epochs=2,
    )
    num_batches = dataset.begin_epoch()
    batches = iter(dataset)
    for _ in range(num_batches):
        next(batches)
    proxy.plan = lambda *_: "stall"
    with pytest.raises(Rung):
        _next_within(batches, 0.5)
    assert proxy.stalled
    assert not proxy.has_given_up


class Rung(Exception):
    pass


def _next_within(batches: Iterator[object], seconds: float) -> None:
    """Raises Rung in `next` itself, as Ctrl-C would KeyboardInterrupt."""

    def ring(*_: object) -> None:
        raise Rung

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        next(batches)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.fault(20, 28)
@pytest.mark.parametrize("stage", ["open", "read", "exit"])
def test_ctrl_c_and_exits_do_not_wait_for_the_network(
    stage: str, s3: S3Server, proxy: FaultyProxy
) -> None:
    uri = s3.uri(BUCKET, proxy.port)
    script = f"""
import signal, sys, threading, rowfeed
signal.signal(signal.SIGINT, signal.default_int_handler)
dataset = rowfeed.ParquetDataset({s3.uri(BUCKET)!r}, 64, columns=["id"])
next(iter(dataset))
print("now", flush=True)
if {stage!r} == "open":
    rowfeed.Catalog.open({uri!r})
dataset = rowfeed.ParquetDataset({uri!r}, 64, columns=["id"])
print("opened", flush=True)
sys.stdin.readline()
batches = iter(dataset)
if {stage!r} == "exit":
    threading.Thread(target=lambda: list(batches), daemon=True).start()
    threading.Event().wait(1)
    sys.exit(0)
next(batches)
"""
    if stage == "open":
        proxy.plan = lambda method, *_: "stall" if method == "GET" else None
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdout.readline()
        if stage != "open":
            process.stdout.readline()
            proxy.plan = lambda *_: "stall"
            process.stdin.write("\n")
            process.stdin.flush()
        time.sleep(1)
        if stage != "exit":
            os.kill(process.pid, signal.SIGINT)
        process.wait(60)
        assert proxy.stalled
        assert not proxy.has_given_up
        errors = process.stderr.read()
    assert process.returncode in (0, -signal.SIGINT), errors  # It did not crash.
    if stage != "exit":
        assert "KeyboardInterrupt" in errors
