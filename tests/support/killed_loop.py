# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A loop that is killed at each of many batches: run by test_kill.py.

    python killed_loop.py FACE DATA LOG RECORD...

Each process goes on from the last whole record of LOG, appends one for every batch (the
rows it consumed and the state behind them), and kills itself with -9 at the next of the
records named: before it, within it or behind it, in turn. The last one ends by itself.

The processes are forked from this one, which has imported the face and started nothing
of it, so that a kill costs no import. (TensorFlow can be forked as long as it has not
run an op; rowfeed itself at any time.)
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import warnings
from pathlib import Path
from typing import Any

OPTIONS: dict[str, Any] = {
    "columns": ["id"],
    "shuffle": True,
    "seed": 6,
    "shuffle_window": 150,
    "num_lanes": 2,
    "num_epochs": 2,
    "num_threads": 2,
}
BATCH_SIZE = 12


def last_record(log: Path) -> tuple[int, Any]:
    """Cuts a torn record off the log; returns how many there are, and the last."""
    text = log.read_bytes() if log.exists() else b""
    whole = text[: text.rfind(b"\n") + 1]
    if whole != text:
        os.truncate(log, len(whole))
    records = whole.splitlines()
    return len(records), json.loads(records[-1]) if records else None


def state_of(batches: Any, dataset: Any, done: int) -> Any:
    """Returns the state behind `done` batches, as each face has it."""
    if hasattr(batches, "state_dict"):
        return batches.state_dict()
    steps = len(dataset) // OPTIONS["num_epochs"]  # tf.data's iterators have none.
    epoch, step = divmod(done - 1, steps)
    return dataset.state_at(epoch, step + 1)


def train(face: str, data: str, log: Path, kills: list[int]) -> None:
    """Consumes batches from the last record on, up to the next kill or the end."""
    module = importlib.import_module(face)
    dataset = module.ParquetDataset(data, BATCH_SIZE, **OPTIONS)
    done, last = last_record(log)
    if last is not None:
        dataset.load_state_dict(last["state"])
    batches = iter(dataset)
    with log.open("ab", buffering=0) as file:
        for batch in batches:
            rows = [int(i) for i in batch["id"]]
            done += 1
            state = state_of(batches, dataset, done)
            line = json.dumps({"rows": rows, "state": state}).encode() + b"\n"
            if done in kills:
                written = (0, len(line) // 2, len(line))[kills.index(done) % 3]
                file.write(line[:written])
                os.kill(os.getpid(), signal.SIGKILL)
            file.write(line)


def main(face: str, data: str, log: Path, kills: list[int]) -> None:
    """Starts the loop again and again; prints how each process ended."""
    importlib.import_module(face)
    ends = []
    # A kill within or before a record comes once: the next process has later ones.
    for k in range(len(kills) + 1):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                left = [0] * k + kills[k:]  # Keeps the turns of before, within, behind.
                train(face, data, log, left)
                code = 0
            finally:
                os._exit(code)
        ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    print(json.dumps(ends))  # noqa: T201


if __name__ == "__main__":
    warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), [int(k) for k in sys.argv[4:]])
