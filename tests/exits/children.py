# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A forked child that runs to the end of the interpreter, and what it leaves."""

from __future__ import annotations

import faulthandler
import os
import select
import signal
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

HANG_S = 240  # A child that has not ended by then hangs.


class Ended(NamedTuple):
    """How a child has ended.

    Attributes:
        code: Exit code, or the negative number of the signal that ended it.
        output: Text that it wrote to stdout.
        errors: Text that it wrote to stderr.
    """

    code: int
    output: str
    errors: str


def ended(run: Callable[[], None], folder: Path) -> Ended:
    """Forks a child that calls `run`, and returns how the child has ended.

    In the child this function does not return: what `run` raises goes up to the end of
    the interpreter, as in a program of the user's.

    Args:
        run: The child's work. If it returns, the child exits with 0.
        folder: Folder for the outputs.
    """
    outputs = [folder / "stdout", folder / "stderr"]
    child = os.fork()
    if child == 0:
        for number, path in enumerate(outputs, start=1):
            opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(opened, number)
            os.close(opened)
        faulthandler.register(signal.SIGUSR1, all_threads=True)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # Jobs ignore it.
        run()
        raise SystemExit(0)
    is_hung = not _has_ended(child, HANG_S)
    if is_hung:
        os.kill(child, signal.SIGUSR1)  # The child prints the stacks of its threads.
        if not _has_ended(child, 5):
            os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    output, errors = (path.read_text(errors="replace") for path in outputs)
    return Ended(code, output, ("it hangs: " if is_hung else "") + errors)


def _has_ended(child: int, timeout_s: float) -> bool:
    end = os.pidfd_open(child)
    try:
        return bool(select.select([end], [], [], timeout_s)[0])
    finally:
        os.close(end)
