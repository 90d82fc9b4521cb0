# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How well does a shuffle window mix, and how large should it be by default?

rowfeed permutes all row groups of the data set, lays them end to end, and permutes the
rows within windows of `shuffle_window` rows. tf.data pushes rows through a buffer. Both
pay with memory. So each order below is compared with others that hold as many decoded
row groups at their peak, between no shuffle and a full permutation, on two data sets
that need shuffling: one sorted by label, and one in the order of time.

Method. An order is a list of row numbers, so no file is read: rowfeed's is the plan of
its kernel, tf.data's is tf.data run over row numbers (shuffle_orders.py). All figures
are means over five seeds.

 * held: decoded row groups in memory of one rank at the peak: for rowfeed a window per
   lane and the window that is read ahead; for tf.data the buffer and one row group per
   open file.
 * entropy: entropy of the labels of a batch, in bits.
 * autocorrelation: autocorrelation of the labels over the lags within a batch: how much
   more often two rows of a batch are alike than two rows of the data set, 1 for always.
 * worth: independent rows that would estimate the labels' shares as well as a batch,
   b / (1 + (b - 1) * autocorrelation).
 * displacement: mean |new place - old place| / rows; 1/3 for a full permutation.
 * files, groups: distinct files and row groups in a batch.
 * decoded: rows decoded per row used. Pages are decoded whole, once for each window
   that needs a row of them. A row group has five pages per column, as Arrow writes
   100,000 rows. dictionaries: how often a row group's dictionaries are decoded.
 * accuracy: accuracy of a small network on held-out rows after one epoch. The learning
   rate is the best for the full permutation; it decays to 0, or stays constant, which
   shows what a model remembers in mid-training.

Writes results/shuffle_quality.csv, and the plot and the tables of docs/shuffle.md:

    pip install '.[tensorflow,demo]' matplotlib
    python -m benchmarks.studies.shuffle_quality
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from benchmarks.studies.shuffle_orders import (
    Layout,
    Order,
    Rows,
    full_permutation,
    rowfeed,
    tf_data,
    unshuffled,
)
from benchmarks.studies.shuffle_report import (
    name_of,
    write_csv,
    write_plot,
    write_tables,
)
from benchmarks.studies.shuffle_tasks import Task, in_time_order, sorted_by_label, train
from numpy.typing import NDArray

SEEDS = range(5)
BATCH = 256  # The number of rows in a batch of a rank.
RATES = (0.01, 0.03, 0.1)
PAGES = 5  # The number of pages in a column chunk.


class Candidate(NamedTuple):
    """A way to shuffle; `size` is the number of row groups in a window, or held."""

    family: str
    size: float
    lanes: int
    ranks: int
    make: Callable[[Layout, int], Order]


def candidates() -> Iterator[Candidate]:
    """Yields all orders: for one rank, then for four."""
    yield Candidate("none", 0, 1, 1, lambda layout, _: unshuffled(layout))
    windows = {1: (1, 2, 3, 4, 6, 8, 16), 4: (1, 2, 4, 8), 16: (0.25, 1, 4, 8)}
    for parts, sizes in windows.items():
        for size in sizes:
            yield rowfeed_candidate(size, parts, lanes=1, ranks=1)
    for held in (8, 16, 32):
        yield tf_data_candidate(held, cycle=1, ranks=1)
        yield tf_data_candidate(held, cycle=held // 2, ranks=1)
    yield full_candidate(ranks=1)

    for ranks in (1, 4):
        for size in (1, 2, 4, 8):
            yield rowfeed_candidate(size, 1, lanes=4, ranks=ranks)
    yield tf_data_candidate(16, cycle=1, ranks=4)
    yield tf_data_candidate(16, cycle=8, ranks=4)
    yield full_candidate(ranks=4)


def rowfeed_candidate(size: float, parts: int, lanes: int, ranks: int) -> Candidate:
    """Returns rowfeed with windows of `size` row groups, and 1/parts of one a block."""
    family = "rowfeed" if parts == 1 else f"rowfeed, blocks of 1/{parts}"
    return Candidate(
        family,
        size,
        lanes,
        ranks,
        lambda layout, seed: rowfeed(layout, size, parts, lanes, ranks, seed),
    )


def tf_data_candidate(held: int, cycle: int, ranks: int) -> Candidate:
    """Returns tf.data's shuffle, of one file at a time or of `cycle` interleaved."""
    family = "tf.data shuffle" if cycle == 1 else "tf.data interleave, shuffle"
    return Candidate(
        family,
        held,
        ranks,
        ranks,
        lambda layout, seed: tf_data(layout, held, cycle, ranks, seed),
    )


def full_candidate(ranks: int) -> Candidate:
    """Returns the full permutation."""
    return Candidate(
        "full permutation",
        0,
        ranks,
        ranks,
        lambda layout, seed: full_permutation(layout, ranks, seed),
    )


def label_counts(labels: Rows, classes: int) -> NDArray[np.float64]:
    """Returns how often each class is in each batch; `labels` has a batch per line."""
    batches = len(labels)
    cells = labels + np.arange(batches)[:, None] * classes
    counts = np.bincount(cells.ravel(), minlength=batches * classes)
    return counts.reshape(batches, classes).astype(np.float64)


def entropy_bits(counts: NDArray[np.float64]) -> float:
    """Returns the mean entropy of the batches' labels."""
    share = counts / counts.sum(1, keepdims=True)
    return float(-(share * np.log2(np.maximum(share, 1e-12))).sum(1).mean())


def autocorrelation(counts: NDArray[np.float64], batch: int) -> float:
    """Returns the labels' correlation within batches of `batch` rows."""
    alike = (counts * (counts - 1)).sum(1).mean() / (batch * (batch - 1))
    by_chance = ((counts.sum(0) / counts.sum()) ** 2).sum()
    return float((alike - by_chance) / (1 - by_chance))


def distinct(ids: Rows) -> float:
    """Returns the mean number of different ids in a line."""
    changes = np.diff(np.sort(ids, axis=1), axis=1) != 0
    return float(changes.sum(1).mean() + 1)


def measure(order: Order, task: Task, ranks: int) -> dict[str, float]:
    """Returns all figures of an order that need no training."""
    layout = task.layout
    if (np.bincount(order.stream, minlength=layout.num_rows) != 1).any():
        raise AssertionError("an order must have every row once")
    steps = layout.num_rows // (BATCH * ranks)
    world = order.stream[: steps * BATCH * ranks].reshape(steps, BATCH * ranks)
    rank = world.reshape(steps, BATCH, ranks).swapaxes(1, 2).reshape(-1, BATCH)
    counts = label_counts(task.y[rank], task.classes)
    correlation = autocorrelation(counts, BATCH)
    group = order.stream // layout.group_rows
    result = {
        "held_row_groups": order.held_groups,
        "entropy_rank": entropy_bits(counts),
        "entropy_global": entropy_bits(label_counts(task.y[world], task.classes)),
        "autocorrelation": correlation,
        "worth_rows": BATCH / (1 + (BATCH - 1) * max(correlation, 0)),
        "displacement": np.abs(order.stream - np.arange(layout.num_rows)).mean()
        / layout.num_rows,
        "files": distinct(rank // layout.group_rows // layout.groups_per_file),
        "groups": distinct(rank // layout.group_rows),
        "groups_global": distinct(world // layout.group_rows),
        "decoded": 1.0,
        "dictionaries": 1.0,
    }
    if order.window is not None:
        page = order.stream * PAGES // layout.group_rows
        num_pages = layout.num_groups * PAGES
        page_visits = np.unique(order.window * num_pages + page).size
        group_visits = np.unique(order.window * layout.num_groups + group).size
        result["decoded"] = page_visits / num_pages
        result["dictionaries"] = group_visits / layout.num_groups
    return result


def best_rate(task: Task, batch: int, *, decay: bool) -> float:
    """Returns the learning rate at which a full permutation has the least loss."""
    stream = full_permutation(task.layout, 1, seed=100).stream
    losses = [train(task, [stream], batch, rate, decay=decay)[1][0] for rate in RATES]
    return RATES[int(np.argmin(losses))]


def study(make_task: Callable[[], Task]) -> list[dict[str, Any]]:
    """Measures every order on one data set; returns a line of results for each."""
    task = make_task()
    schedules = {"decayed": True, "constant": False}
    rates = {
        (ranks, name): best_rate(task, BATCH * ranks, decay=decay)
        for ranks in (1, 4)
        for name, decay in schedules.items()
    }
    lines = []
    for c in candidates():
        orders = [c.make(task.layout, seed) for seed in SEEDS]
        measured = [measure(order, task, c.ranks) for order in orders]
        line: dict[str, Any] = {"data": task.name, "order": c.family, "size": c.size}
        line |= {"lanes": c.lanes, "ranks": c.ranks}
        line |= {key: np.mean([m[key] for m in measured]) for key in measured[0]}
        for name, decay in schedules.items():
            streams = [order.stream for order in orders]
            rate = rates[c.ranks, name]
            accuracy, loss = train(task, streams, BATCH * c.ranks, rate, decay=decay)
            line[f"accuracy_{name}"] = accuracy.mean()
            line[f"accuracy_{name}_sd"] = accuracy.std(ddof=1)
            line[f"loss_{name}"] = float(loss.mean())
        lines.append(line)
        print(f"{task.name}: {name_of(line)}", flush=True)
    return lines


def main() -> None:
    """Runs the study, a process per data set, and writes what it found."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # Threads slow small products.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as pool:
        results = list(pool.map(study, (sorted_by_label, in_time_order)))
    lines = [line for result in results for line in result]
    write_csv(lines)
    write_plot(lines)
    write_tables(lines)


if __name__ == "__main__":
    main()
