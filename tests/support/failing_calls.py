# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the n-th call of a kind fail, for n = 1, 2, … until none fails any more.

    LD_PRELOAD=fail_nth.so python failing_calls.py SCENARIO KIND FOLDER [--stride 7]

A scenario of failing_scenarios.py runs once for each n. It must give the right result,
or an error of the class that fits, which names a file if files fail. Then it runs
again, with nothing that fails, and must give the right result. At the end no more files
are open, and no more threads run, than after the first runs. `KIND` is a key of
`ERRORS`. Calls on files count if the files lie in `FOLDER`. With a stride only every
`stride`-th n is tried. `--on` lets all calls after the n-th fail, too. The last line
says how many calls were made to fail, and how many of them were errors.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import operator
import os
import sys
import warnings
from pathlib import Path
from typing import Final

from failing_scenarios import SCENARIOS, Scenario

# For each kind of call, the class of the error that its failing comes to.
ERRORS: Final[dict[str, type[Exception]]] = {
    "memory": MemoryError,
    "thread": RuntimeError,
    "open": OSError,
    "read": OSError,
    "write": OSError,
    "sync": OSError,
    "rename": OSError,
}


class Calls:
    """The calls of this process that may fail; fail_nth.cc is preloaded."""

    def __init__(self, kind: str, folder: Path, *, goes_on: bool) -> None:
        self.kind = kind
        self.folder = folder
        self._goes_on = goes_on
        self._library = ctypes.CDLL(None)

    def arm(self, n: int) -> None:
        """Lets the n-th call from now on fail."""
        self._library.fail_nth_arm(
            self.kind.encode(),
            ctypes.c_long(n),
            os.fsencode(self.folder),
            int(self._goes_on),
        )

    def disarm(self) -> bool:
        """Lets nothing fail any more; returns whether the n-th call was reached."""
        return bool(self._library.fail_nth_disarm())

    def check(self, error: BaseException, scenario: Scenario) -> None:
        """Checks the error of a call that failed."""
        classes = (ERRORS[self.kind], *scenario.errors)
        assert isinstance(error, classes), repr(error)
        assert str(error).strip(), f"an error without a message: {error!r}"
        if ERRORS[self.kind] is OSError:
            assert str(self.folder) in str(error), f"it names no file: {error!r}"


def held() -> tuple[int, int]:
    """Returns the number of open files, and of rowfeed's threads."""
    gc.collect()
    names = [name.read_text() for name in Path("/proc/self/task").glob("*/comm")]
    ours = [name for name in names if name.startswith("rowfeed")]
    return sum(1 for _ in Path("/proc/self/fd").iterdir()), len(ours)


def attempt(scenario: Scenario, calls: Calls, n: int) -> tuple[bool, bool]:
    """Runs a scenario whose n-th call fails.

    Returns:
        Whether there was such a call, and whether it was an error.
    """
    # If the process dies, the last of these lines tells of which call.
    os.write(2, b"n = %d\n" % n)
    error: BaseException | None = None
    calls.arm(n)
    try:
        result = scenario.run()
    except BaseException as raised:
        error = raised
    was_reached = calls.disarm()
    if error is None:
        assert result == scenario.expected, f"a wrong result: {result!r}"
    else:
        calls.check(error, scenario)
    was_error = error is not None
    del error  # Its traceback holds what the run has opened.
    scenario.check_left()
    again = scenario.run()
    assert again == scenario.expected, f"a wrong result afterwards: {again!r}"
    return was_reached, was_error


def main() -> None:
    """Runs the scenario for each n, and prints how many calls failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenario", choices=sorted(SCENARIOS))
    parser.add_argument("kind", choices=ERRORS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--on", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    calls = Calls(options.kind, options.folder, goes_on=options.on)
    scenario = SCENARIOS[options.scenario](options.folder)
    for _ in range(2):  # Whatever is made once is there afterwards.
        assert scenario.run() == scenario.expected
    before = held()
    n, num_failed, num_errors = 1, 0, 0
    while True:
        was_reached, was_error = attempt(scenario, calls, n)
        if not was_reached:
            break
        n += options.stride
        num_failed += 1
        num_errors += was_error
    after = held()
    assert all(map(operator.le, after, before)), (before, after)
    sys.stdout.write(f"{num_failed} calls failed, {num_errors} of them are errors\n")


if __name__ == "__main__":
    main()
