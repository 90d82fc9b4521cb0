# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""PyTorch's `DataLoader` with workers, one of which may be killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator
from random import Random
from typing import Any

from tests.simulation.rows import ids_of
from tests.soak.loops import Ids, LoaderKilledError
from torch.utils.data import DataLoader

face = "torch"
has_rows = True
state_is_exact = False


def passes(
    dataset: Any,
    rng: Random,
    stop: int | None,  # noqa: ARG001
    kill_after: int | None,
) -> Generator[Ids, None, None]:
    """Yields the ids of each batch of one pass; see `Loader.passes`.

    Raises:
        LoaderKilledError: A worker was killed before the pass had ended.
    """
    loader: Any = DataLoader(dataset, batch_size=None, num_workers=rng.choice([1, 2]))
    batches = iter(loader)
    done = 0
    while True:
        try:
            if done == kill_after:
                _kill(rng.choice(batches._workers))
            element = next(batches, None)
        except RuntimeError as error:
            if "DataLoader worker" in str(error):
                raise LoaderKilledError from error
            raise
        if element is None:
            return
        yield ids_of(element)
        done += 1


def _kill(worker: Any) -> None:
    """Kills a worker, and waits for its end.

    It stays a zombie, so that torch's own handler of SIGCHLD finds what has happened,
    and raises the error here.
    """
    os.kill(worker.pid, signal.SIGKILL)
    os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
