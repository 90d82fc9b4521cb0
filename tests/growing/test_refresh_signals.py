# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Signal handlers that are called while data that grows is listed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from growing import FILE_ROWS, Folder, dataset_of

NUM_LINKS = (
    6000  # Listing them takes longer than the time between two looks for signals.
)


@contextmanager
def handling(handle: Callable[[], None]) -> Iterator[list[bool]]:
    """Calls `handle` by a signal, soon; yields whether that was done."""
    done: list[bool] = []

    def handler(*_: Any) -> None:
        done.append(True)
        handle()

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        yield done
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def add_links(folder: Folder) -> None:
    for i in range(NUM_LINKS):
        os.link(folder.path / "0.parquet", folder.path / f"link-{i}.parquet")


def test_an_iteration_may_be_closed_while_its_next_epoch_is_listed(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path, 0)
    batches = iter(
        dataset_of(folder, num_epochs=2, num_threads=1, batch_size=FILE_ROWS)
    )
    next(batches)
    add_links(folder)
    with (
        handling(batches.close) as done,
        pytest.raises(RuntimeError, match="cancelled"),
    ):
        next(batches)
    assert done


def test_a_state_cannot_be_loaded_while_the_data_is_listed(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder, num_threads=1, batch_size=FILE_ROWS // 2)
    batches = iter(dataset)
    next(batches)
    state = batches.state_dict()
    list(batches)
    add_links(folder)
    with (
        handling(lambda: dataset.load_state_dict(state)) as done,
        pytest.raises(ValueError, match="a signal handler was called while"),
    ):
        next(iter(dataset))
    assert done
    assert sum(len(batch["id"]) for batch in dataset) == (NUM_LINKS + 1) * FILE_ROWS
