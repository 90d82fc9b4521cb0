# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the files of this folder with the version of commit 89c654d.

    python make.py FOLDER

Run it in an environment into which that commit is installed. It writes small data
files, and beside them what that version saves: states of each face, a catalog, pickles,
a backup of Keras and a checkpoint of TensorFlow. `expected.json` has the rows that the
version itself delivered from each of them, and the times of the files, which catalogs
remember.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from pathlib import Path
from runpy import run_path
from typing import Any

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import keras
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import tensorflow as tf
from torchdata.stateful_dataloader import StatefulDataLoader

import rowfeed
import rowfeed.keras
import rowfeed.tensorflow
import rowfeed.torch
from rowfeed import (
    Catalog,
    Column,
    HashBuckets,
    Padded,
    ParquetMapDataset,
    Stack,
    Vocabulary,
)

BATCH = 8
NUM_ROWS = [30, 0, 41]
KEYWORDS = run_path(str(Path(__file__).with_name("keywords.py")))["KEYWORDS"]
NAMES = [f"row {i}" for i in range(sum(NUM_ROWS))]


def write_data() -> None:
    Path("data").mkdir()
    base = 0
    for k, rows in enumerate(NUM_ROWS):
        ids = np.arange(base, base + rows)
        table = pa.table(
            {
                "id": pa.array(ids, pa.int64()),
                "half": pa.array(ids / 2, pa.float32()),
                "name": pa.array(NAMES[base : base + rows], pa.string()),
                "parts": pa.array([[i] * (i % 4) for i in ids], pa.list_(pa.int32())),
            }
        )
        pq.write_table(table, f"data/{k}.parquet", row_group_size=12)
        base += rows


def ids_of(batch: Any) -> list[int]:
    features = batch[0] if isinstance(batch, tuple) else batch
    ids = features["id"]
    found: list[int] = np.asarray(ids).tolist()
    return found


def rest_of(dataset: Any, limit: int = 20) -> list[list[int]]:
    found = []
    for batch in dataset:
        found.append(ids_of(batch))
        if len(found) == limit:
            break
    return found


def numpy(keywords: dict[str, Any]) -> Any:
    return rowfeed.ParquetDataset("data", BATCH, columns=["id"], **keywords)


def mixture() -> Any:
    sources = [numpy({"shuffle": True, "seed": seed}) for seed in (1, 2)]
    return rowfeed.mix(sources, weights=[2, 1])


def states() -> dict[str, Any]:
    found = {}
    for name, keywords in KEYWORDS.items():
        for steps in (0, 3):
            dataset = numpy(keywords)
            walk = iter(dataset)
            for _ in range(steps):
                next(walk)
            state = walk.state_dict()
            resumed = numpy(keywords)
            resumed.load_state_dict(state)
            rows = rest_of(resumed)
            found[f"{name}, {steps}"] = {"state": state, "rows": rows}
    dataset = mixture()
    walk = iter(dataset)
    for _ in range(3):
        next(walk)
    resumed = mixture()
    resumed.load_state_dict(walk.state_dict())
    found["mixture, 3"] = {"state": walk.state_dict(), "rows": rest_of(resumed)}
    return found


def growing() -> dict[str, Any]:
    def make() -> Any:
        return rowfeed.ParquetDataset(
            "data", BATCH, columns=["id"], refresh="epoch", snapshot_dir="snapshots"
        )

    walk = iter(make())
    for _ in range(2):
        next(walk)
    state = walk.state_dict()
    resumed = make()
    resumed.load_state_dict(state)
    return {"state": state, "rows": rest_of(resumed)}


def loaders() -> dict[str, Any]:
    found = {}
    for num_workers in (0, 2):

        def make(num_workers: int = num_workers) -> Any:
            dataset = rowfeed.torch.ParquetDataset(
                "data", BATCH, columns=["id"], shuffle=True, seed=7
            )
            return StatefulDataLoader(dataset, batch_size=None, num_workers=num_workers)

        loader = make()
        walk = iter(loader)
        for _ in range(3):
            next(walk)
        state = loader.state_dict()
        Path(f"loader_{num_workers}.pickle").write_bytes(pickle.dumps(state))
        resumed = make()
        resumed.load_state_dict(state)
        found[f"loader, {num_workers} workers"] = rest_of(resumed)
    return found


def tensorflow_dataset() -> Any:
    return rowfeed.tensorflow.ParquetDataset(
        "data", BATCH, columns=["id"], shuffle=True, seed=7
    )


def checkpoint() -> list[list[int]]:
    walk = iter(tensorflow_dataset())
    for _ in range(3):
        next(walk)
    path = tf.train.Checkpoint(data=walk).write("checkpoint/data")
    again = iter(tensorflow_dataset())
    tf.train.Checkpoint(data=again).read(path)
    return rest_of(again)


def backed_up() -> Any:
    return rowfeed.tensorflow.ParquetDataset(
        "data", BATCH, columns=["half"], label="id", shuffle=True, seed=7
    )


def backup() -> None:
    half = keras.Input((), name="half")
    dense = keras.layers.Dense(1, kernel_initializer="zeros")
    model = keras.Model({"half": half}, dense(keras.layers.Reshape((1,))(half)))
    model.compile(keras.optimizers.SGD(1e-5), "mae")
    dataset = backed_up()

    class Stop(keras.callbacks.Callback):  # type: ignore[misc]
        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
            if batch == 4:
                self.model.stop_training = True

    callback = rowfeed.keras.BackupAndRestore("backup", dataset, every_steps=2, keep=1)
    model.fit(dataset, epochs=2, shuffle=False, verbose=0, callbacks=[callback, Stop()])


def pickles() -> None:
    shuffled: dict[str, Any] = {"shuffle": True, "seed": 7}
    objects = {
        "numpy": numpy(shuffled),
        "torch": rowfeed.torch.ParquetDataset(
            "data", BATCH, columns=["id"], **shuffled
        ),
        "filter": numpy(KEYWORDS["tuples"]),
        "columns": rowfeed.ParquetDataset(
            "data",
            BATCH,
            columns={
                "id": "id",
                "both": Stack([Column("id", dtype="float32"), "half"]),
                "hashed": Column("name", encode=HashBuckets(9)),
                "indexed": Column("name", encode=Vocabulary(NAMES)),
                "padded": Column("parts", pad=Padded(3)),
            },
        ),
        "mixture": mixture(),
        "catalog": Catalog.open("data"),
        "batch": next(iter(rowfeed.ParquetDataset("data", BATCH))),
        "take": ParquetMapDataset("data", columns=["id"]),
    }
    for name, made in objects.items():
        Path(f"{name}.pickle").write_bytes(pickle.dumps(made))


def main() -> None:
    folder = Path(sys.argv[1]).absolute()
    folder.mkdir(exist_ok=True)
    os.chdir(folder)
    write_data()
    Catalog.open("data").save("data.catalog")
    expected = {
        "times": {
            path.name: path.stat().st_mtime_ns for path in Path("data").iterdir()
        },
        "states": states(),
        "growing": growing(),
        "loaders": loaders(),
        "checkpoint": checkpoint(),
    }
    pickles()
    backup()
    Path("expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
