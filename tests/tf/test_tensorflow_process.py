# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The TensorFlow face in a process: its library, its threads, and how it ends."""

from __future__ import annotations

import contextlib
import gc
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

from numbered_rows import write_numbers
from repository import SUPPORT
from rowfeed import _native
from tf_numbers import make

MINOR = "_".join(tf.__version__.split(".")[:2])
LIBRARY = Path(_native.__file__).parent / f"_tf_ops_{MINOR}.so"

# Leaves iterations in every state: waiting for consumers, held by a cycle, ahead in a
# thread of tf.data, pulled by a thread of Python, never pulled.
ENDING = """
import sys, threading, time
sys.path.insert(0, {support!r})
from tf_numbers import ids, make
from pathlib import Path

path = Path({data!r})
begun = iter(make(path, 8, columns=None, num_epochs=None))
next(begun)
cycle = [iter(make(path, 8, columns=None, num_epochs=None))]
next(cycle[0])
cycle.append(cycle)
ahead = iter(make(path, 8, num_epochs=None).prefetch(100))
next(ahead)
unused = iter(make(path, 8))

def pull():
    for _ in make(path, 8, columns=None, num_epochs=None):
        pass

threading.Thread(target=pull, daemon=True).start()
time.sleep(0.3)
{ending}
"""


def test_an_exit_without_eager_execution_says_nothing() -> None:
    program = (
        "import tensorflow as tf; tf.compat.v1.disable_eager_execution(); "
        "import rowfeed.tensorflow"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert "Error" not in ended.stderr


def dynamic_section() -> str:
    return subprocess.run(
        ["readelf", "-d", str(LIBRARY)], check=True, capture_output=True, text=True
    ).stdout


def test_the_library_shows_nothing_and_needs_tensorflow_and_the_kernel() -> None:
    shown = subprocess.run(
        ["nm", "-D", "--defined-only", str(LIBRARY)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert shown.strip() == ""
    needed = set(re.findall(r"NEEDED.*\[(lib\w+)", dynamic_section()))
    wheels = {"librowfeed", "libtensorflow_framework", "libtensorflow_cc"}
    assert wheels <= needed <= {*wheels, "libstdc", "libgcc_s", "libm", "libc"}


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("", 0),
        pytest.param("sys.exit(3)", 3, marks=pytest.mark.slow),
        pytest.param("raise KeyboardInterrupt", -signal.SIGINT, marks=pytest.mark.slow),
    ],
)
def test_a_process_ends_with_iterations_in_every_state(
    tmp_path: Path, ending: str, code: int
) -> None:
    data = write_numbers(tmp_path / "n", [20_000] * 6)
    script = ENDING.format(support=str(SUPPORT), data=str(data), ending=ending)
    done = subprocess.run(
        [sys.executable, "-c", script],
        check=False,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == code, done.stderr


def threads() -> set[str]:
    """Returns the ids of the kernel's threads in this process."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if (task / "comm").read_text() == "rowfeed\n":
                found.add(task.name)
    return found


def test_threads_begin_with_the_first_pull_and_end_with_the_last_user(
    numbers: Path,
) -> None:
    gc.collect()
    before = threads()  # Threads of earlier tests may be about to end.
    dataset = make(numbers, num_threads=7, num_epochs=None)
    iterator = iter(dataset)
    other = iter(dataset.map(lambda x: x))
    late = threads() - before  # Earlier tests' threads; the pool has seven.
    assert len(late) < 7
    before |= late
    patience = time.monotonic() + 30
    # The pool adds a thread for each task that it is given, up to seven.
    while len(pool := threads() - before) < 7 and time.monotonic() < patience:
        next(iterator)
        next(other)
    assert len(pool) == 7  # The pool is one for all iterations of a dataset.
    del dataset, iterator
    gc.collect()
    next(other)  # An iterator keeps what it needs.
    assert threads() >= pool
    del other
    gc.collect()
    patience = time.monotonic() + 30  # A thread that was joined may be listed a while.
    while threads() & pool and time.monotonic() < patience:
        time.sleep(0.01)
    assert not threads() & pool


def test_kept_batches_do_not_change(tmp_path: Path) -> None:
    directory = write_numbers(tmp_path / "n", [500] * 6)
    kept: list[Any] = []
    copies = []
    for batch in make(directory, 50, columns=None, memory_budget_bytes=2**20):
        kept.append(batch)
        copies.append(tf.nest.map_structure(lambda t: t.numpy().copy(), dict(batch)))
    gc.collect()
    assert len(kept) == 60
    for batch, copy in zip(kept, copies, strict=True):
        for name in ("id", "half", "name"):
            assert (batch[name].numpy() == copy[name]).all()
