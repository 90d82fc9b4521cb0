# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A disk of which a sector fails, a clock that is set, a process that is stopped."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from faulty_proxy import FaultyProxy, every
from numbered_rows import write_numbers
from repository import SUPPORT
from s3_server import S3Server

GROUPS = [40] * 12


@pytest.fixture(scope="module")
def preloaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with which reads fail and the clock jumps on demand."""
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    library = tmp_path_factory.mktemp("library") / "disk_and_clock.so"
    source = SUPPORT / "disk_and_clock.c"
    line = ["cc", "-shared", "-fPIC", "-O1", str(source), "-o", str(library)]
    subprocess.run(line, check=True)
    return library


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_numbers(tmp_path_factory.mktemp("data"), GROUPS)


def said(preloaded: Path, program: str, argument: str) -> list[str]:
    """Returns the words that a program prints in a process with the library."""
    done = subprocess.run(
        [sys.executable, "-c", program, argument],
        env={**os.environ, "LD_PRELOAD": str(preloaded)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


# Lets each read of a run fail in turn: those of footers, and those of row groups.
FAIL_EACH_READ = """
import ctypes, sys
import rowfeed

library = ctypes.CDLL(None)
data = sys.argv[1]
options = {"columns": ["id", "name"], "shuffle": True, "seed": 3, "num_threads": 2}

def rows_of(batch):
    return list(zip(batch["id"].tolist(), batch["name"].tolist(), strict=True))

expected = [rows_of(b) for b in rowfeed.ParquetDataset(data, 32, **options)]
failed_openings = failed_batches = 0
number = 0
while True:
    number += 1
    library.fail_read(number)
    try:
        dataset = rowfeed.ParquetDataset(data, 32, **options)
    except OSError as error:
        assert ".parquet: " in str(error) and "Input/output error" in str(error), error
        failed_openings += 1
        continue
    batches, came = iter(dataset), {}
    for step in range(len(expected)):
        try:
            came[step] = rows_of(next(batches))
        except OSError as error:
            assert ".parquet" in str(error), error
            assert "Input/output error" in str(error), error
    assert next(batches, None) is None
    assert all(rows == expected[step] for step, rows in came.items())
    if not library.has_failed():
        assert len(came) == len(expected)
        break
    failed_batches += len(came) < len(expected)
    library.fail_read(0)
    dataset.set_epoch(0)
    assert [rows_of(batch) for batch in dataset] == expected
print(failed_openings, failed_batches, number)
"""


@pytest.mark.fault(47)
def test_each_read_that_fails_is_an_error_with_its_path(
    data: Path, preloaded: Path
) -> None:
    openings, batches, number = map(int, said(preloaded, FAIL_EACH_READ, str(data)))
    assert openings >= 3  # A footer of each file.
    assert batches >= len(GROUPS)  # A read of each row group.
    assert openings + batches == number - 1  # The last one had nothing to fail.


JUMP = """
import ctypes, sys, time
import rowfeed

ctypes.CDLL(None).jump_clock(1)
looks = [time.time() for _ in range(4)]
assert max(looks) - min(looks) > 700  # Far more than any deadline; S3 allows 900.
dataset = rowfeed.ParquetDataset(sys.argv[1], 32, columns=["id"], shuffle=True)
rows = [int(i) for batch in dataset for i in batch["id"]]
print(sorted(rows) == list(range(sum(%s))), dataset.stats().fetch_retries)
"""


@pytest.mark.fault(49)
def test_a_clock_that_is_set_again_and_again_ends_no_wait_and_no_trying(
    data: Path, s3: S3Server, proxy: FaultyProxy, preloaded: Path
) -> None:
    s3.put_tree("clocks", data)
    proxy.plan = every(3, "503")
    has_all, retries = said(preloaded, JUMP % GROUPS, s3.uri("clocks", proxy.port))
    assert has_all == "True"
    assert int(retries) > 0


STOPPED = """
import sys
import rowfeed
dataset = rowfeed.ParquetDataset(sys.argv[1], 1, columns=["id"], num_epochs=40)
batches = iter(dataset)
rows = [int(next(batches)["id"][0])]
print("begun", flush=True)
for batch in batches:
    rows.append(int(batch["id"][0]))
print(rows == list(range(480)) * 40)
"""


@pytest.mark.fault(49)
def test_a_process_that_is_stopped_and_continued_goes_on(data: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STOPPED, str(data)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        for _ in range(3):
            process.send_signal(signal.SIGSTOP)
            assert os.WIFSTOPPED(os.waitpid(process.pid, os.WUNTRACED)[1])
            time.sleep(0.5)
            process.send_signal(signal.SIGCONT)
        assert process.stdout.read() == "True\n"
        assert process.wait(60) == 0
