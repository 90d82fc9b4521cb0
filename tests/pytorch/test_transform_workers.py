# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""transform in DataLoader workers, each with threads of its own, and at exits."""

from __future__ import annotations

import subprocess
import sys
import threading
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from loader_warnings import LOADER_WARNINGS
from told_steps import Told, note
from transforming import KEYWORDS, ids_of, slow_ids_of

torch = pytest.importorskip("torch")
pytest.importorskip("torchdata")

from torch.utils.data import DataLoader  # noqa: E402
from torchdata.stateful_dataloader import StatefulDataLoader  # noqa: E402

from rowfeed.torch import ParquetDataset  # noqa: E402

pytestmark = LOADER_WARNINGS


def make(data: Path, **keywords: Any) -> ParquetDataset:
    given = {"num_threads": 2, "transform": slow_ids_of, **KEYWORDS, **keywords}
    return ParquetDataset(data, 16, **given)


@pytest.fixture(scope="module")
def orders(numbers: Path) -> list[list[list[int]]]:
    """The batches of the first epochs."""
    dataset = make(numbers, transform=None)
    return [list(map(ids_of, dataset)) for _ in range(4)]


@pytest.mark.parametrize(
    ("num_workers", "keywords"),
    [
        (0, {}),
        (1, {}),
        (3, {"persistent_workers": True}),
        (2, {"multiprocessing_context": "spawn"}),
    ],
    ids=str,
)
def test_workers_deliver_the_epochs(
    num_workers: int, keywords: dict[str, Any], numbers: Path, orders: Any
) -> None:
    dataset = make(numbers)
    loader = DataLoader(dataset, batch_size=None, num_workers=num_workers, **keywords)
    assert [list(loader) for _ in range(2)] == orders[:2]


@pytest.mark.fault(45)
@pytest.mark.parametrize("num_epochs", [1, 3])
@pytest.mark.parametrize("num_workers", [0, 1, 3, 5])
def test_stateful_loaders_resume(
    num_workers: int, num_epochs: int, numbers: Path, orders: Any
) -> None:
    def load() -> Any:
        dataset = make(numbers, num_epochs=num_epochs)
        return StatefulDataLoader(dataset, batch_size=None, num_workers=num_workers)

    expected = [ids for epoch in orders[:num_epochs] for ids in epoch]
    loader = load()
    batches, states = iter(loader), [loader.state_dict()]
    for batch in expected:
        assert next(batches) == batch
        states.append(loader.state_dict())
    for step in {0, 1, 7, 15, 16, len(expected) - 1, len(expected)}:
        resumed = load()
        resumed.load_state_dict(states[step])
        assert list(resumed) == expected[step:]


@pytest.fixture(scope="module")
def told(numbers: Path) -> list[Told]:
    """What a transform is told in two epochs without workers."""
    return list(make(numbers, transform=note, num_epochs=2))


@pytest.mark.parametrize("num_epochs", [1, 2])
@pytest.mark.parametrize(
    ("num_workers", "keywords"),
    [(1, {}), (3, {}), (5, {}), (2, {"multiprocessing_context": "spawn"})],
    ids=str,
)
def test_workers_are_told_the_steps_of_the_whole(
    num_workers: int,
    keywords: dict[str, Any],
    num_epochs: int,
    numbers: Path,
    told: list[Told],
) -> None:
    dataset = make(numbers, transform=note, num_epochs=num_epochs)
    loader = DataLoader(dataset, batch_size=None, num_workers=num_workers, **keywords)
    assert [one for _ in range(2 // num_epochs) for one in loader] == told
    # From a step of the middle, in batches that the epoch does not divide into.
    dataset = make(numbers, transform=note, num_epochs=num_epochs)
    dataset.load_state_dict(dataset.state_at(0, 5))
    loader = DataLoader(dataset, batch_size=None, num_workers=num_workers, **keywords)
    assert list(loader) == told[5 : 16 * num_epochs]


@pytest.mark.parametrize("num_workers", [0, 3])
def test_stateful_loaders_tell_the_steps_that_are_left(
    num_workers: int, numbers: Path, told: list[Told]
) -> None:
    def load() -> Any:
        dataset = make(numbers, transform=note, remainder="drop")
        return StatefulDataLoader(dataset, batch_size=None, num_workers=num_workers)

    for step in (4, 14):
        loader = load()
        batches = iter(loader)
        assert list(islice(batches, step)) == told[:step]
        resumed = load()
        resumed.load_state_dict(loader.state_dict())
        assert list(resumed) == told[step:15]


def test_batches_abandoned_in_workers(numbers: Path, orders: Any) -> None:
    loader = DataLoader(make(numbers), batch_size=None, num_workers=2)
    assert list(islice(loader, 3)) == orders[0][:3]
    assert list(loader) == orders[1]


class Mine(Exception):
    """What a transform raises in a worker."""


def fail(_: Any) -> None:
    raise Mine(threading.current_thread().name)


@pytest.mark.fault(19)
def test_a_worker_hands_on_what_the_function_raises(numbers: Path) -> None:
    loader = DataLoader(make(numbers, transform=fail), batch_size=None, num_workers=1)
    with pytest.raises(Mine, match=r"rowfeed-transform.*\n.*step 0 of epoch 0"):
        next(iter(loader))


SCRIPT = """
import os, signal, sys, threading, time
import rowfeed
def slow(batch): time.sleep(0.2); return len(batch["id"])
dataset = rowfeed.ParquetDataset(sys.argv[1], 4, num_epochs=None, transform=slow)
iteration = iter(dataset)
next(iteration)
def consume():
    try:
        while True: next(iteration)
    except (ValueError, RuntimeError): pass
"""


# All calls but the first run until the executors are told of the exit.
QUEUE = """
import atexit, sys, time
from concurrent.futures import thread
import rowfeed
calls = []
def slow(batch):
    calls.append(batch)
    while batch["id"][0] > 0 and not thread._shutdown: time.sleep(0.001)
dataset = rowfeed.ParquetDataset(sys.argv[1], 4, num_threads=3, transform=slow)
iteration = iter(dataset)
next(iteration)
while len(calls) < 4 or not all(r.done() for r in iteration._ahead._threads.reads):
    time.sleep(0.001)
atexit.register(lambda: print(len(calls)))
"""


def test_an_exit_does_not_call_the_function_for_what_is_queued(numbers: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", QUEUE, str(numbers)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "4\n"


@pytest.mark.fault(15)
@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("", 0),
        ("sys.exit(3)", 3),
        ("raise RuntimeError('mine')", 1),
        ("del iteration", 0),
        ("threading.Thread(target=consume, daemon=True).start(); time.sleep(0.3)", 0),
    ],
)
def test_exit_in_the_middle(ending: str, code: int, numbers: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT + ending, str(numbers)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert ("mine" in done.stderr) == bool(done.stderr)
