# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the demo: `python -m demo`.

`python -m demo --face numpy --face torch` shows these faces only.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import rowfeed
from demo import flights, loader, order
from demo.prepare import prepare
from demo.run import MODES

ROOT = Path(__file__).parent.parent


def run(module: str, *arguments: str, expected: int = 0) -> None:
    """Runs a module of the demo in a new process.

    Its errors, and what TensorFlow logs at every start, are shown only if it fails.

    Raises:
        RuntimeError: The process ended with another status than expected.
    """
    command = [sys.executable, "-m", f"demo.{module}", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != expected:
        raise RuntimeError(
            f"{' '.join(command)} ended with status {done.returncode}:\n{done.stderr}"
        )


def order_by_numpy() -> int:
    """Returns the hash of the order in which rowfeed for NumPy delivers all epochs."""
    training, _ = flights.split(flights.DATA)
    options = flights.OPTIONS | {"columns": ["row"], "label": None, "batch_size": 999}
    total, ladder = order.start(), order.powers(999)
    for batch in rowfeed.ParquetDataset(training, **options, num_epochs=flights.EPOCHS):
        rows = batch["row"]
        total = order.extend(total, rows, ladder[-len(rows) :])
    return total.item()


def train(module: str, expected_order: int) -> None:
    """Trains without interruption, trains until killed, resumes, and compares.

    Raises:
        RuntimeError: A process failed, or the resumed training is not the same.
    """
    with tempfile.TemporaryDirectory() as folder:
        for mode in MODES:
            killed = mode == "killed"
            run(module, mode, folder, expected=-signal.SIGKILL if killed else 0)
        with (
            np.load(Path(folder) / "uninterrupted.npz") as never_stopped,
            np.load(Path(folder) / "resumed.npz") as resumed,
        ):
            if never_stopped["order"] != expected_order:
                raise RuntimeError(f"{module}: rows in another order than NumPy's")
            for name, array in never_stopped.items():
                if array.tobytes() != resumed[name].tobytes():
                    raise RuntimeError(f"{module}: {name} differs after the resume")
            count = sum(array.size for array in never_stopped.values())
            test_loss = float(never_stopped["test_loss"])
    print(
        f"  SAME: {count:,} numbers of model and optimizer are equal to the last bit;\n"
        f"  the rows came in one order, which is NumPy's too (hash "
        f"{expected_order & 2**64 - 1:016x}).\n"
        f"  Loss in December: {test_loss:.4f}; of a constant guess: "
        f"{flights.loss_of_guess(flights.DATA):.4f}\n"
    )


def faces_of(arguments: Sequence[str]) -> list[str]:
    """Returns the faces that the arguments name: without arguments, all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--face", choices=loader.MODULES, action="append")
    return parser.parse_args(arguments).face or list(loader.MODULES)


def main() -> None:
    """Prepares the data, measures the loader, and trains with Keras and PyTorch."""
    faces = faces_of(sys.argv[1:])
    begin = time.perf_counter()
    prepare(flights.DATA)
    catalog = rowfeed.Catalog.open(flights.DATA)
    print(
        f"nycflights13: {catalog.num_rows:,} rows, {len(catalog.schema)} columns, "
        f"{len(catalog.files)} files, {len(catalog.row_groups)} row groups, "
        f"{sum(f.size for f in catalog.files) / 1e6:.1f} MB\n"
    )
    print(f"The loader alone, all columns, shuffled, batches of {flights.BATCH_SIZE}:")
    for face in faces:
        run("loader", face)
    expected = order_by_numpy()
    if "tensorflow" in faces:
        print(f"\nKeras, `fit`, {flights.EPOCHS} epochs of January to November:")
        train("train_keras", expected)
    if "torch" in faces:
        print(f"\nPyTorch, {flights.EPOCHS} epochs of January to November:")
        train("train_torch", expected)
    print(f"Done in {time.perf_counter() - begin:.0f} s.")


if __name__ == "__main__":
    main()
