# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Compares rowfeed for TensorFlow with a loader that has nothing to do.

The floor is `from_tensors(batch).repeat()` with a batch of the same data: what it
takes for the loop, the tensors and the consumer, when all rows are there. Both are
consumed eagerly and in a tf.function, the floor for as many batches as an epoch has;
*ratio* is rowfeed's rate over the floor's.

    python -m benchmarks.tensorflow_floor            # N A B C D
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.command import command_line, forwarded, publish
from benchmarks.datasets import DATASETS, DEFAULT_BYTES, prepare
from benchmarks.faces import NUM_EPOCHS, graph_epoch, keywords
from benchmarks.harness import (
    Epoch,
    Row,
    count,
    measure,
    print_result,
    summary,
    time_epochs,
)
from benchmarks.touch import touch_op

LOOPS, CANDIDATES = ("graph", "eager"), ("floor", "rowfeed")


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    parser = command_line(__doc__, rounds=3, threads=2, seconds=3.0)
    options = parser.parse_args()
    if options.child:
        start = starter(*options.names, options)
        print_result(time_epochs(start, 3, options.seconds))
        return
    publish("tensorflow_floor", [*results(options)])


def results(options: argparse.Namespace) -> Iterator[Row]:
    """Yields a row for each data set, loop and candidate."""
    shared = forwarded(options, "threads", "seconds")
    for data in options.names or sorted(DATASETS):
        for loop in LOOPS:
            children = {name: [data, loop, name, *shared] for name in CANDIDATES}
            floor = None
            for name, samples in measure(children, options.rounds):
                figures = summary(samples)
                floor = floor or figures["rows_per_s"]
                yield {
                    "data": data,
                    "loop": loop,
                    "candidate": name,
                    **{key: figures[key] for key in ("rows_per_s", "low", "high")},
                    "cpu_ns_per_row": figures["cpu_ns_per_row"],
                    "ratio": figures["rows_per_s"] / floor,
                }


def starter(
    data: str, loop: str, candidate: str, options: argparse.Namespace
) -> Callable[[], Epoch]:
    """Returns a function that opens the data and returns one to consume an epoch."""
    import tensorflow as tf

    from rowfeed.tensorflow import ParquetDataset

    path: Path = prepare(data, options.data, DEFAULT_BYTES)
    touch = touch_op(options.data)

    def start() -> Epoch:
        batches = ParquetDataset(path, **keywords(DATASETS[data], options.threads))
        steps = int(batches.cardinality()) // NUM_EPOCHS
        if candidate == "floor":
            batches = tf.data.Dataset.from_tensors(next(iter(batches))).repeat()
        if loop == "graph":
            return graph_epoch(batches, tf.constant(steps), touch)
        return eager_epoch(batches, steps, touch)

    return start


def eager_epoch(batches: Any, steps: int, touch: Any) -> Epoch:
    """Returns a function that consumes `steps` batches eagerly."""
    import tensorflow as tf

    iterator = iter(batches)

    def parts() -> Iterator[tuple[int, int]]:
        for batch in islice(iterator, steps):
            tensors = tf.nest.flatten(batch, expand_composites=True)
            yield len(tensors[0]), int(touch(tensors=tensors))

    return lambda: count(parts())


if __name__ == "__main__":
    main()
