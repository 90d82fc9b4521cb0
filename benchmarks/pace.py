# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Rows per second of loaders that are too slow to be run for epochs.

From the opening on, a process takes the first batch, warms up, and then counts. The
warm-up is as many rows as a window has, or WARM_UP_S, whichever ends first. Counting
goes on for the asked-for seconds at least and for whole windows (of each worker), since
windowed loaders come in bursts; after MAX_SECONDS it stops wherever it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from benchmarks.batches import arrays, num_rows
from benchmarks.harness import count, warm_memory

WARM_UP_S = 5.0
MAX_SECONDS = 30.0

# consume(n) takes up to n batches, touches them, and returns (rows, bytes).
Consume: TypeAlias = Callable[[int], tuple[int, int]]


@dataclass(frozen=True)
class Pace:
    """Result of one process.

    Attributes:
        rows: Number of rows that were counted.
        bytes: Size of their tensors, all of which were touched.
        seconds: Time that they took.
        first_s: Time from opening the data to the end of the first batch.
        versions: Versions of the packages in the loader's own environment.
    """

    rows: int
    bytes: int
    seconds: float
    first_s: float
    versions: str = ""


def time_pace(
    start: Callable[[], Consume], batch: int, window: int, seconds: float
) -> Pace:
    """Times the loader that `start` opens: `batch` rows a batch, `window` a window."""
    warm_memory()
    begin = time.perf_counter()
    consume = start()
    consume(1)
    first_s = time.perf_counter() - begin
    steps = max(1, window // batch // 16)  # The number of batches between two looks.
    _run(consume, steps, lambda rows, spent: rows >= window or spent >= WARM_UP_S)

    def enough(rows: int, spent: float) -> bool:
        whole = rows % window < steps * batch and rows >= window
        return (whole and spent >= seconds) or spent >= MAX_SECONDS

    rows, size, spent = _run(consume, steps, enough)
    return Pace(rows, size, spent, first_s)


def _run(
    consume: Consume, steps: int, enough: Callable[[int, float], bool]
) -> tuple[int, int, float]:
    rows = size = 0
    begin = time.perf_counter()
    while True:
        more_rows, more_size = consume(steps)
        if not more_rows:
            raise RuntimeError("the data came to an end")
        rows, size = rows + more_rows, size + more_size
        spent = time.perf_counter() - begin
        if enough(rows, spent):
            return rows, size, spent


def consumer(batches: Iterable[Any], touch: Callable[[Sequence[Any]], int]) -> Consume:
    """Consumes dictionaries of arrays, buffers, tensors of torch, or Ragged."""
    iterator = iter(batches)

    def part() -> tuple[int, int]:
        batch = next(iterator)
        return num_rows(batch), touch(arrays(batch))

    return lambda steps: count(part() for _ in range(steps))


def graph_consumer(batches: Any, touch: Any) -> Consume:
    """Consumes a tf.data.Dataset in a graph."""
    import tensorflow as tf

    iterator = iter(batches)

    @tf.function  # type: ignore[untyped-decorator]
    def consume(steps: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        rows = size = tf.constant(0, tf.int64)
        for _ in tf.range(steps):
            tensors = tf.nest.flatten(next(iterator), expand_composites=True)
            size += touch(tensors=tensors)
            rows += tf.shape(tensors[0], tf.int64)[0]
        return rows, size

    def run(steps: int) -> tuple[int, int]:
        rows, size = consume(tf.constant(steps))
        return int(rows), int(size)

    return run
