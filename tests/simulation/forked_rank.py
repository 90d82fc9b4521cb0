# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A rank of the simulated training in a process of its own, which may be killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.simulation.ranks import Answer, Rank, answer_of
from tests.simulation.rows import BrokenPromiseError


class ForkedRank:
    """Sends the calls of a `Rank` to a forked process, and returns its answers."""

    def __init__(
        self,
        case: dict[str, Any],
        run: dict[str, Any],
        rank: int,
        folders: list[Path],
        opened: list[Any] | None,
    ) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = os.fork()
        if self._process == 0:
            code = 1
            try:
                self._pipe.close()
                _serve(Rank(case, run, rank, folders, opened), theirs)
                code = 0
            finally:
                os._exit(code)
        theirs.close()

    def ask(self, call: str, *arguments: Any) -> Answer:
        """Returns the answer of the process.

        Raises:
            BrokenPromiseError: The process has delivered a wrong row, or has died.
        """
        self._pipe.send((call, *arguments))
        try:
            answer: Answer = self._pipe.recv()
        except EOFError:
            self._pipe.close()
            _, status = os.waitpid(self._process, 0)
            raise BrokenPromiseError(
                f"the process of a rank died within {call}: status {status}"
            ) from None
        if answer[0] == "wrong":
            raise BrokenPromiseError(answer[1])
        return answer

    def kill(self, how: str) -> None:
        """Kills the process with -9, within a batch if `how` is "inside"."""
        if how == "inside":
            self._pipe.send(("take",))
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._pipe.close()


def _serve(rank: Rank, pipe: Connection) -> None:
    while True:
        try:
            call, *arguments = pipe.recv()
        except EOFError:  # The simulator has gone.
            return
        try:
            pipe.send(answer_of(getattr(rank, call), *arguments))
        except BrokenPromiseError as error:
            pipe.send(("wrong", str(error)))
