# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Measures moving batches to a GPU: rows per second, and the cost to a training step.

Four ways from the same dataset: its tensors moved one by one, as they are or pinned by
a DataLoader; `device="cuda"`; and, for the loader's own pace, not at all. A step is a
few matrix products and a batch: `step_us`; `added_us` is what it takes beyond that of
who moves nothing; `batch_us` is a batch with nothing else to do. Rounds interleave the
ways within one process for each data set. It needs PyTorch with CUDA.

    python -m benchmarks.transfer
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.batches import arrays, num_rows
from benchmarks.command import command_line, forwarded, publish
from benchmarks.datasets import DATASETS, prepare
from benchmarks.faces import keywords, stacks
from benchmarks.harness import Row, print_result, run_child

DATA = ("N", "N stacked", "A", "B", "C", "D")
WARM_STEPS = 100
PRODUCTS, SIDE = 4, 4096


@dataclass(frozen=True)
class Transfer:
    """What one process measured of a data set, by way, once for each round.

    Attributes:
        batch_rows: Mean number of rows in a batch.
        batch_bytes: Mean size of a batch's tensors.
        device: Name of the GPU.
        rows_per_s: Rates without the work of a step, by way.
        step_us: Times of a step that takes a batch, by way.
    """

    batch_rows: float
    batch_bytes: float
    device: str
    rows_per_s: dict[str, list[float]]
    step_us: dict[str, list[float]]


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    parser = command_line(__doc__, rounds=3, seconds=1.0, threads=0)
    options = parser.parse_args()
    if options.child:
        (data,) = options.names
        print_result(run(data, options))
        return
    numbers = forwarded(options, "rounds", "seconds", "threads")
    rows: list[Row] = []
    for data in options.names or DATA:
        prepare(data[0], options.data)
        rows += table(data, Transfer(**run_child([data, *numbers])))
    publish("transfer", rows)


def table(data: str, found: Transfer) -> Iterator[Row]:
    """Yields medians over rounds, and the least and greatest rates."""
    without = median(found.step_us["host"])
    for way, rates in found.rows_per_s.items():
        rate, step = median(rates), median(found.step_us[way])
        yield {
            "data": data,
            "candidate": way,
            "rows_per_s": round(rate),
            "low": round(min(rates)),
            "high": round(max(rates)),
            "gb_per_s": rate / found.batch_rows * found.batch_bytes / 1e9,
            "batch_us": found.batch_rows / rate * 1e6,
            "step_us": step,
            "added_us": step - without,
            "device": found.device,
        }


def run(data: str, options: Any) -> Transfer:
    """Measures all ways in this process."""
    import torch

    work = _work()
    open_dataset = partial(_open, data, prepare(data[0], options.data), options.threads)
    ways: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
        "host": (open_dataset, lambda batch: batch),
        "to(device)": (open_dataset, partial(_to, non_blocking=False)),
        "pin_memory": (
            lambda: torch.utils.data.DataLoader(
                open_dataset(), batch_size=None, pin_memory=True
            ),
            partial(_to, non_blocking=True),
        ),
        "device=": (partial(open_dataset, device="cuda"), lambda batch: batch),
    }
    gpu = torch.cuda.get_device_name()
    found = Transfer(0, 0, gpu, {way: [] for way in ways}, {way: [] for way in ways})
    _step_s(None, work, options.seconds)  # An idle GPU is slow at first.
    sizes = (0.0, 0.0)
    for _ in range(options.rounds):
        for way, (start, move) in ways.items():
            batches = map(move, start())
            sizes = _mean_sizes(batches)
            step_s = _step_s(batches, None, options.seconds)
            found.rows_per_s[way].append(sizes[0] / step_s)
            worked_s = _step_s(batches, work, options.seconds)
            found.step_us[way].append(worked_s * 1e6)
    return replace(found, batch_rows=sizes[0], batch_bytes=sizes[1])


def _open(data: str, path: Path, threads: int, **more: Any) -> Any:
    import rowfeed.torch

    if data.endswith("stacked"):
        more["columns"] = stacks(path, "rows")
    options = keywords(DATASETS[data[0]], threads) | {"num_threads": threads or None}
    return rowfeed.torch.ParquetDataset(path, **options, **more)


def _to(batch: dict[str, Any], *, non_blocking: bool) -> dict[str, Any]:
    return {
        name: value.to("cuda", non_blocking=non_blocking)
        for name, value in batch.items()
    }


def _work() -> Callable[[], None]:
    """Returns a function that keeps the GPU busy for a step, and returns at once."""
    import torch

    x = torch.randn(SIDE, SIDE, device="cuda", dtype=torch.bfloat16)

    def work() -> None:
        for _ in range(PRODUCTS):
            torch.mm(x, x)

    return work


def _mean_sizes(batches: Iterator[Any]) -> tuple[float, float]:
    """Warms up; returns the rows and the bytes of a batch."""
    rows = size = 0
    for _ in range(WARM_STEPS):
        batch = next(batches)
        rows += num_rows(batch)
        size += sum(array.nbytes for array in arrays(batch))
    return rows / WARM_STEPS, size / WARM_STEPS


def _step_s(
    batches: Iterator[Any] | None, work: Callable[[], None] | None, seconds: float
) -> float:
    """Returns the seconds of a step, until the GPU has finished it."""
    import torch

    torch.cuda.synchronize()
    begin = time.perf_counter()
    steps = 0
    while steps % 32 or time.perf_counter() - begin < seconds:
        if batches is not None:
            next(batches)
        if work is not None:
            work()
        steps += 1
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / steps


if __name__ == "__main__":
    main()
