# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The ugly endings, in processes of their own: exits and signals."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from numbered_rows import write_numbers

PREAMBLE = """
import os, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # Jobs ignore it
import rowfeed
dataset = rowfeed.ParquetDataset({path!r}, 64, shuffle=True, num_epochs=None)
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Large enough that the threads are always at work."""
    return write_numbers(tmp_path_factory.mktemp("data"), [4000] * 12)


def run(data: Path, *lines: str) -> tuple[int, str, str]:
    """Runs a script; returns its exit code and both outputs."""
    done = subprocess.run(
        [sys.executable, "-c", PREAMBLE.format(path=str(data)) + "\n".join(lines)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.fault(15)
@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("", 0),
        ("sys.exit(3)", 3),
        ("raise RuntimeError('mine')", 1),
        ("del iteration", 0),
        ("iteration.close()", 0),
        ("dataset.close(); sys.exit(4)", 4),
        ("os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)", -signal.SIGTERM),
        (
            "signal.signal(signal.SIGTERM, lambda *_: sys.exit(5));"
            "os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)",
            5,
        ),
    ],
)
def test_exit_in_the_middle(ending: str, code: int, data: Path) -> None:
    lines = ["iteration = iter(dataset)", "next(iteration)", ending]
    got, _, errors = run(data, *lines)
    assert got == code, errors
    assert "terminate" not in errors
    assert ("mine" in errors) == ("mine" in ending)
    if code != 1:
        assert errors == ""


@pytest.mark.fault(15)
def test_exit_while_daemon_threads_iterate(data: Path) -> None:
    code, _, errors = run(
        data,
        "def consume():",
        "    for batch in dataset: pass",
        "for _ in range(3): threading.Thread(target=consume, daemon=True).start()",
        "time.sleep(0.3)",
    )
    assert code == 0, errors
    assert "terminate" not in errors
    assert "Fatal" not in errors


@pytest.mark.fault(15)
@pytest.mark.parametrize("options", ["", ", transform=lambda batch: batch"])
def test_no_daemon_thread_raises_while_python_exits(options: str, data: Path) -> None:
    lines = [
        "import atexit, os, sys, threading",
        "raised, consumers = [], []",
        "threading.excepthook = lambda args: raised.append(repr(args.exc_value))",
        "def names(frame):",
        "    return [frame.f_code.co_name, *names(frame.f_back)] if frame else []",
        "def are_halted():",
        "    frames = sys._current_frames()",
        "    return all('_rest' in names(frames[t.ident]) for t in consumers)",
        "@atexit.register  # It runs after the functions that rowfeed registers.",
        "def judge():",
        "    while not raised and not are_halted(): pass",
        "    print(raised, flush=True)",
        "import rowfeed",
        f"path = {str(data)!r}",
        f"dataset = rowfeed.ParquetDataset(path, 64, num_epochs=None{options})",
        "begun = threading.Barrier(4)",
        "def consume():",
        "    iteration = iter(dataset)",
        "    next(iteration)",
        "    begun.wait()",
        "    for batch in iteration: pass",
        "for _ in range(3):",
        "    consumers.append(threading.Thread(target=consume, daemon=True))",
        "    consumers[-1].start()",
        "begun.wait()",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


@pytest.mark.fault(15)
@pytest.mark.parametrize(
    "call",
    [
        "rowfeed.Catalog.open(path)",
        "next(iter(rowfeed.ParquetDataset(path, 64, num_threads=1)))",
        "catalog.take([7, 3000])",
    ],
)
def test_exit_while_daemon_threads_are_within_calls(call: str, data: Path) -> None:
    """Python ends them as they take the GIL, which was std::terminate in C++."""
    code, _, errors = run(
        data,
        f"path = {str(data)!r}",
        "catalog = rowfeed.Catalog.open(path)",
        "begun = threading.Barrier(5)",
        "def call():",
        "    begun.wait()",
        f"    while True: {call}",
        "for _ in range(4): threading.Thread(target=call, daemon=True).start()",
        "begun.wait()",
        call,
    )
    assert (code, errors) == (0, "")


@pytest.mark.fault(15)
def test_a_thread_that_python_waits_for_at_its_exit_may_end(data: Path) -> None:
    """Python waits for it, so it must not be halted when its transform is refused."""
    code, _, errors = run(
        data,
        f"finite = rowfeed.ParquetDataset({str(data)!r}, 64, transform=lambda b: b)",
        "iteration = iter(finite)",
        "next(iteration)",
        "def consume():",
        "    threading.main_thread().join()",
        "    try:",
        "        for _ in iteration: pass",
        "    except RuntimeError: pass",
        "threading.Thread(target=consume).start()",
    )
    assert (code, errors) == (0, "")


def test_iterations_in_reference_cycles_and_globals(data: Path) -> None:
    code, _, errors = run(
        data,
        "class Node: pass",
        "node = Node(); node.self = node; node.iteration = iter(dataset)",
        "next(node.iteration)",
        "sys.modules['kept'] = iter(dataset); next(sys.modules['kept'])",
        "del node",
    )
    assert (code, errors) == (0, "")


@pytest.mark.fault(20)
def test_sigint_is_answered_while_footers_are_read(data: Path, tmp_path: Path) -> None:
    (file, *_) = data.iterdir()
    bad = tmp_path / "bad.parquet"
    bad.write_text("What is opened to its end is a ValueError.")
    links = [str(file)] * 100_000 + [str(bad)]  # Some ten seconds of opening.
    (tmp_path / "paths").write_text("\n".join(links))
    code, output, errors = run(
        data,
        "def interrupt(): time.sleep(0.5); os.kill(os.getpid(), signal.SIGINT)",
        f"paths = open({str(tmp_path / 'paths')!r}).read().split()",
        "threading.Thread(target=interrupt, daemon=True).start()",
        "try:",
        "    rowfeed.Catalog.open(paths)",
        "except KeyboardInterrupt:",
        "    print('interrupted')",
    )
    assert (code, errors) == (0, "")
    assert output == "interrupted\n"


@pytest.mark.fault(20)
@pytest.mark.parametrize("busy", [True, False])
def test_sigint_is_answered_in_next(busy: bool, data: Path) -> None:
    """Busy: a consumer that always waits. Not: one blocked behind another thread."""
    lines = [
        "iteration = iter(dataset)",
        "next(iteration)",
        "ready, held, release = (threading.Event() for _ in range(3))",
        "def interrupt():",
        "    ready.wait(); time.sleep(0.5); os.kill(os.getpid(), signal.SIGINT)",
        "threading.Thread(target=interrupt, daemon=True).start()",
        "def hold():",
        "    with iteration._lock: held.set(); release.wait(20)",
        "    held.clear()",
        "if not BUSY: threading.Thread(target=hold).start(); held.wait()",
        "try:",
        "    ready.set()",
        "    while True: next(iteration)",
        "except KeyboardInterrupt:",
        "    print('interrupted', held.is_set())",
        "release.set()",
        "other = iter(dataset); print(len(next(other)['id']))",
    ]
    code, output, errors = run(
        data, *(line.replace("BUSY", str(busy)) for line in lines)
    )
    assert code == 0, errors
    assert output.split() == ["interrupted", str(not busy), "64"]


@pytest.mark.fault(21)
def test_a_signal_handler_may_save_the_state(data: Path) -> None:
    code, output, errors = run(
        data,
        "iteration = iter(dataset)",
        "states = []",
        "def save(*_): states.append((iteration.state_dict(), dataset.state_dict()))",
        "signal.signal(signal.SIGALRM, save)",
        "signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)",
        "rows = 0",
        "while len(states) < 20:",
        "    rows += len(next(iteration)['id'])",
        "    one, two = states[-1] if states else (None, None)",
        "    assert one == two",
        "signal.setitimer(signal.ITIMER_REAL, 0)",
        "s = states[-1][0]",
        "delivered = s['epochs_done'] * 48000 + s['row']",
        "print(rows - delivered in (0, 64))",
    )
    assert code == 0, errors
    assert output.split() == ["True"]


SAVE_AT_EXIT = """
import atexit, importlib, sys
@atexit.register  # It runs after the functions that rowfeed and weakref register.
def save():
    print(iteration.state_dict()["row"], dataset.state_dict()["row"])
face = importlib.import_module(sys.argv[1])
dataset = face.ParquetDataset(sys.argv[2], 64, num_epochs=None)
iteration = iter(dataset)
next(iteration)
"""


@pytest.mark.fault(15)
@pytest.mark.parametrize("face", ["rowfeed", "rowfeed.torch"])
def test_a_state_can_be_saved_while_python_exits(face: str, data: Path) -> None:
    if face != "rowfeed":
        pytest.importorskip(face.removeprefix("rowfeed."))
    done = subprocess.run(
        [sys.executable, "-c", SAVE_AT_EXIT, face, str(data)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "64 64\n", "")


EXIT_IN_TRANSFORM = """
import importlib, sys
face = importlib.import_module(sys.argv[1])
def leave(batch):
    sys.exit(7)
for batch in face.ParquetDataset(sys.argv[2], 64, transform=leave):
    print("a batch came")
"""


@pytest.mark.fault(15)
@pytest.mark.parametrize("face", ["rowfeed", "rowfeed.torch"])
def test_an_exit_within_a_transform_keeps_its_code(face: str, data: Path) -> None:
    if face != "rowfeed":
        pytest.importorskip(face.removeprefix("rowfeed."))
    done = subprocess.run(
        [sys.executable, "-c", EXIT_IN_TRANSFORM, face, str(data)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")
