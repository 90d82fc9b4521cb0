# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A directory that grows: samplers write raw tensors, Keras and PyTorch train on them.

Samplers write rows of 1024 float32 and a label, each in a process of its own: first as
fast as they can and alone, then at a set rate, while two processes train from the same
directory. A step of theirs is a small one of the CPU, and a pause as if an accelerator
did the rest. Each epoch of these is of the files that are there at its beginning; the
oldest go when the directory is full, but for those of the epochs that are read.

A line for each second says what has appeared, one for each epoch what a training has
read: `wait` is the share of its time in which the training thread waited for a batch;
`gil` its share of the CPU time of all threads that Python knows, which are those that
can hold the GIL; `gone` the rows that were evicted before their turn. `cpu_s_per_gb` is
the CPU time of the process, and depends less than rates do on what else the machine
does.

    python -m benchmarks.studies.growing --data /dev/shm/growing  # Then growing_report.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.datasets import DEFAULT_FOLDER
from benchmarks.harness import Row, print_table, this_module, write_csv

import rowfeed

WIDTH = 1024
BLOCK_ROWS = 2048
FILE_ROWS = 4096
BATCH_SIZE = 256
ROW_BYTES = WIDTH * 4 + 8
SCHEMA = {"x": ("float32", (WIDTH,)), "label": "int64"}
TRAININGS = ("keras", "torch")


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER / "growing")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--samplers", type=int, default=2)
    parser.add_argument("--rate", type=float, default=300, help="MB/s of all samplers")
    parser.add_argument("--max-bytes", type=int, default=5 * 10**8)
    parser.add_argument("--step-ms", type=float, default=5, help="of an accelerator")
    parser.add_argument("--child", choices=("sampler", *TRAININGS))
    options = parser.parse_args()
    if options.child == "sampler":
        sample(options)
    elif options.child:
        train(options.child, options)
    else:
        lines = [*run("alone", [], options, rate=1e6), *run("both", TRAININGS, options)]
        print_table(lines)
        print(f"wrote {write_csv('growing', lines)}")


def run(
    phase: str,
    trainings: tuple[str, ...] | list[str],
    options: argparse.Namespace,
    rate: float | None = None,
) -> Iterator[Row]:
    """Runs samplers beside trainings; yields the lines of their results."""
    shutil.rmtree(options.data, ignore_errors=True)
    (options.data / "rows").mkdir(parents=True)
    seconds = options.seconds if trainings else options.seconds / 4
    each = (rate or options.rate) / options.samplers
    arguments = [
        f"--data={options.data}",
        f"--seconds={seconds}",
        f"--rate={each}",
        f"--max-bytes={options.max_bytes}",
        f"--step-ms={options.step_ms}",
    ]
    children = [start("sampler", arguments) for _ in range(options.samplers)]
    children += [start(name, arguments) for name in trainings]
    begin = time.monotonic()
    for child in children:
        said, _ = child.communicate()
        if child.returncode:
            raise SystemExit(f"a child failed with {child.returncode}")
        for line in said.splitlines():
            row = json.loads(line)
            yield {"phase": phase, **row, "second": row["second"] - begin}
    shutil.rmtree(options.data)


def start(name: str, arguments: list[str]) -> subprocess.Popen[str]:
    """Starts a child process, which prints each result as a line of JSON."""
    command = [sys.executable, "-m", this_module(), f"--child={name}", *arguments]
    quiet = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=quiet)


def tell(who: str, begin: float, end: float, rows: int, **more: Any) -> None:
    """Prints a line of JSON: the rows of a span of time, and more figures."""
    line = {
        "who": who,
        "second": end,  # By the machine's clock, which all processes share.
        "rows": rows,
        "mb_per_s": rows * ROW_BYTES / 1e6 / (end - begin),
    }
    blank = {"cpu_s_per_gb": "", "wait": "", "gil": "", "gone": ""}
    print(json.dumps(line | blank | more), flush=True)


def sample(options: argparse.Namespace) -> None:
    """Writes rows at a given rate, and prints a result for each second."""
    random = np.random.default_rng(os.getpid())
    x = random.standard_normal((BLOCK_ROWS, WIDTH), np.float32)
    block = {"x": x, "label": random.integers(0, 2, BLOCK_ROWS)}
    cpu, begin = time.process_time(), time.monotonic()
    told, rows, untold = begin, 0, 0
    with rowfeed.SampleWriter(
        options.data / "rows",
        SCHEMA,
        rows_per_file=FILE_ROWS,
        max_bytes=options.max_bytes,
        snapshot_dir=[options.data / name for name in TRAININGS],
        keep_epochs=1,
    ) as writer:
        while (now := time.monotonic()) - begin < options.seconds:
            writer.write(block)
            rows += BLOCK_ROWS
            untold += BLOCK_ROWS
            due = begin + rows * ROW_BYTES / 1e6 / options.rate
            time.sleep(max(0, due - time.monotonic()))
            if now - told >= 1:
                tell("sampler", told, now, untold)
                told, untold = now, 0
        writer.close()
    cpu = time.process_time() - cpu
    per_gb = cpu / (rows * ROW_BYTES / 1e9)
    tell("sampler, in all", begin, time.monotonic(), rows, cpu_s_per_gb=per_gb)


def train(framework: str, options: argparse.Namespace) -> None:
    """Trains epoch after epoch, each on the files that are there at its beginning."""
    open_dataset, step = {"keras": keras_loop, "torch": torch_loop}[framework]()
    begin = time.monotonic()
    rows = options.data / "rows"
    while not [*rows.glob("*.parquet")]:
        time.sleep(0.05)
    dataset = open_dataset(rows, **keywords(options.data / framework))
    while time.monotonic() - begin < options.seconds:
        train_epoch(framework, dataset, step, options.step_ms)


def train_epoch(
    framework: str, dataset: Any, step: Callable[[Any, Any], object], step_ms: float
) -> None:
    """Trains on an epoch, and prints how long the thread waited for batches."""
    begin, cpu, all_cpu = time.monotonic(), cpu_seconds(), time.process_time()
    waited, rows, gone = 0.0, 0, 0
    batches = iter(dataset)
    while True:
        asked = time.perf_counter()
        batch = next(batches, None)
        waited += time.perf_counter() - asked
        if batch is None:
            break
        features, label, weight = batch
        step(features["x"], label)
        time.sleep(step_ms / 1000)
        rows += len(label)
        gone += len(label) - int(np.asarray(weight).sum())
    end, used = time.monotonic(), cpu_seconds() - cpu
    tell(
        framework,
        begin,
        end,
        rows,
        cpu_s_per_gb=(time.process_time() - all_cpu) / max(1, rows * ROW_BYTES) * 1e9,
        wait=waited / (end - begin),
        gil=float(used[0] / max(1e-9, used.sum())),
        gone=gone,
    )


def cpu_seconds() -> np.ndarray[Any, Any]:
    """Returns the CPU times of this thread, and of all others that Python knows."""
    mine, others = threading.get_native_id(), 0
    for thread in threading.enumerate():
        if thread.native_id not in (mine, None):
            stat = Path(f"/proc/self/task/{thread.native_id}/stat")
            if stat.exists():
                fields = stat.read_text().rpartition(")")[2].split()
                others += int(fields[11]) + int(fields[12])
    return np.array([time.thread_time(), others / os.sysconf("SC_CLK_TCK")])


def keywords(snapshots: Path) -> dict[str, Any]:
    """Returns the options of ParquetDataset for both trainings."""
    return {
        "batch_size": BATCH_SIZE,
        "label": "label",
        "shuffle": True,
        "shuffle_window": 16_384,
        "block_rows": 2048,
        "refresh": "epoch",
        "snapshot_dir": snapshots,
    }


def keras_loop() -> tuple[Any, Callable[[Any, Any], object]]:
    """Returns the dataset class for a Keras model, and its training step."""
    import keras

    import rowfeed.tensorflow

    x = keras.Input((WIDTH,))
    model = keras.Model(x, keras.layers.Dense(1)(x))
    model.compile("sgd", keras.losses.BinaryCrossentropy(from_logits=True))
    return rowfeed.tensorflow.ParquetDataset, model.train_on_batch


def torch_loop() -> tuple[Any, Callable[[Any, Any], object]]:
    """Returns the dataset class for a PyTorch model, and its training step."""
    import torch

    import rowfeed.torch

    torch.set_num_threads(1)
    model = torch.nn.Linear(WIDTH, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits

    def step(x: Any, label: Any) -> None:
        loss = loss_of(model(x).squeeze(1), label.float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return rowfeed.torch.ParquetDataset, step


if __name__ == "__main__":
    main()
