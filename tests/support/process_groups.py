# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Real processes for the distributed tests, and the scripts that they run."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import re
import socket
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from repository import ROOT

# A server that has imported torch forks the ranks: they are real processes, and start
# at once. (The process that runs the tests has threads and should not be forked.)
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["rowfeed.torch", "torch.nn.parallel"])
_TIMEOUT_S = 300


Rank = Callable[..., Any]


class Failure(Exception):
    """What a rank raised: its class's name and message."""


class Process:
    """A rank that runs `work(rank, world_size, pipe, *arguments)`."""

    def __init__(
        self,
        work: Rank,
        rank: int,
        world_size: int,
        store: Path | None,
        arguments: Sequence[Any],
    ) -> None:
        self.pipe, theirs = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(
            target=_main, args=(work, rank, world_size, store, theirs, arguments)
        )
        self.process.start()
        theirs.close()  # So that the end of the rank is the end of the pipe.

    def receive(self) -> Any:
        """Returns what the rank sends next; raises EOFError if it has ended."""
        assert self.pipe.poll(_TIMEOUT_S), "the rank hangs"
        said = self.pipe.recv()
        if isinstance(said, Failure):
            raise said
        return said


@contextmanager
def processes(
    work: Rank, world_size: int, *arguments: Any, store: Path | None = None
) -> Iterator[list[Process]]:
    """Runs ranks until the block ends.

    Args:
        work: A function that can be imported; what it returns is sent.
        world_size: Ranks.
        arguments: For `work`, after the rank, the world size and a pipe to the test.
        store: A path for the store of a gloo process group; None: no group.
    """
    ranks = [Process(work, r, world_size, store, arguments) for r in range(world_size)]
    try:
        yield ranks
    finally:
        for rank in ranks:
            rank.process.kill()
            rank.process.join()
            rank.pipe.close()


def results(
    work: Rank, world_size: int, *arguments: Any, store: Path | None = None
) -> list[Any]:
    """Runs ranks to their ends and returns what each returned, or its `Failure`."""
    with processes(work, world_size, *arguments, store=store) as ranks:
        return [_result(rank) for rank in ranks]


def _result(rank: Process) -> Any:
    try:
        return rank.receive()
    except Failure as failure:
        return failure


def _main(
    work: Rank,
    rank: int,
    world_size: int,
    store: Path | None,
    pipe: Connection,
    arguments: Sequence[Any],
) -> None:
    warnings.simplefilter("error", UserWarning)
    if store is not None:
        import torch.distributed

        torch.set_num_threads(1)
        torch.distributed.init_process_group(
            "gloo", init_method=f"file://{store}", rank=rank, world_size=world_size
        )
    try:
        pipe.send(work(rank, world_size, pipe, *arguments))
    except BaseException as error:
        pipe.send(Failure(f"{type(error).__name__}: {error}"))
        raise
    pipe.poll(None)  # The test ends the ranks: none breaks the others' connections.


def script(name: str, page: str = "distributed.md") -> str:
    """Returns a script that a page of docs shows; its first line is its name."""
    text = (ROOT / "docs" / page).read_text()
    found = re.findall(rf"^```py\n(# {name}\n.*?)^```$", text, re.M | re.S)
    assert len(found) == 1, name
    return str(found[0])


def strategy_workers(code: str, num_workers: int, folder: Path) -> list[str]:
    """Runs the workers of a strategy of TensorFlow and returns what each printed."""
    addresses = free_addresses(num_workers)
    with contextlib.ExitStack() as running:
        processes = []
        for index in range(num_workers):
            task = {"type": "worker", "index": index}
            config = json.dumps({"cluster": {"worker": addresses}, "task": task})
            process = subprocess.Popen(
                [sys.executable, "-c", code],
                cwd=folder,
                env={**os.environ, "TF_CONFIG": config, "CUDA_VISIBLE_DEVICES": ""},
                stdout=subprocess.PIPE,
                text=True,
            )
            running.enter_context(process)
            running.callback(process.kill)
            processes.append(process)
        printed = [process.communicate(timeout=_TIMEOUT_S)[0] for process in processes]
        assert [process.returncode for process in processes] == [0] * num_workers
        return printed


def free_addresses(count: int) -> list[str]:
    """Returns addresses of this machine on which nobody listens."""
    with contextlib.ExitStack() as sockets:
        bound = [sockets.enter_context(socket.socket()) for _ in range(count)]
        for each in bound:
            each.bind(("localhost", 0))
        return [f"localhost:{each.getsockname()[1]}" for each in bound]


@contextmanager
def tf_data_server(*arguments: str) -> Iterator[str]:
    """Runs a server of the tf.data service; gives the dispatcher's address."""
    command = [sys.executable, "-m", "rowfeed.tf_data_service", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.kill()
