# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Reads and trains by tensorflow-io's s3: run by test_tensorflow_io.py.

    python s3_by_plugin.py LOCAL BUCKET FOLDER

LOCAL and BUCKET have the same files; what is found there, and how the training went on
each, is printed as JSON. The process ends without exiting: tensorflow-io 0.37.1 aborts
one that exits after it has used this s3 (issue 2039 of tensorflow/io).
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf
import tensorflow_io  # noqa: F401 - registers its file systems

from rowfeed.tensorflow import ParquetDataset
from tf_numbers import ids, make

NUM_BATCHES = 5  # before a checkpoint


def elements(path: str) -> list[Any]:
    """Every value of an epoch, strings and lists too."""
    return [
        [
            [value.decode() if isinstance(value, bytes) else value for value in values]
            for values in (
                tensor.numpy().tolist()
                for tensor in tf.nest.flatten(dict(batch), expand_composites=True)
            )
        ]
        for batch in make(path, columns=None)
    ]


def train(path: str) -> dict[str, Any]:
    keras.utils.set_random_seed(3)
    model = keras.Sequential([keras.Input(()), keras.layers.Reshape((1,))])
    model.add(keras.layers.Dense(1))
    model.compile(keras.optimizers.SGD(1e-6), "mse")
    dataset = make(path, label="half").map(lambda x, y: (x["id"], y))
    history = model.fit(dataset, epochs=1, shuffle=False, verbose=0)
    weights = [weight.ravel().tolist() for weight in model.get_weights()]
    return {"loss": history.history["loss"], "weights": weights}


def resume(path: str, folder: Path) -> list[int]:
    """The rows behind a checkpoint, of an iterator that restored it."""
    iterator = iter(make(path))
    for _ in range(NUM_BATCHES):
        next(iterator)
    saved = tf.train.Checkpoint(iterator=iterator).save(str(folder / "iterator"))
    again = iter(make(path))
    tf.train.Checkpoint(iterator=again).restore(saved).assert_consumed()
    return ids(again)


def go_on_elsewhere(path: str, local: str) -> list[int]:
    """The rows behind a state that was taken of `path` and loaded over `local`."""
    dataset = make(path)
    dataset_elsewhere = make(local)
    dataset_elsewhere.load_state_dict(dataset.state_at(0, NUM_BATCHES))
    return ids(dataset_elsewhere)


def error_of(make_rows: Any) -> list[str]:
    try:
        make_rows()
    except Exception as error:
        return [type(error).__name__, str(error)]
    return []


def error_of_change(path: str) -> list[str]:
    dataset = make(path)
    name = path.removeprefix("tf+") + "/0.parquet"
    with tf.io.gfile.GFile(name, "rb") as file:
        body = file.read()
    with tf.io.gfile.GFile(name, "wb") as file:
        file.write(body + b"more")
    return error_of(lambda: ids(dataset))


def main(local: str, bucket: str, folder: str) -> dict[str, Any]:
    remote = f"tf+s3://{bucket}"
    return {
        "elements": [elements(local), elements(remote)],
        "training": [train(local), train(remote)],
        "resumed": [ids(make(local).skip(NUM_BATCHES)), resume(remote, Path(folder))],
        "elsewhere": go_on_elsewhere(remote, local),
        "missing": error_of(lambda: ParquetDataset(f"{remote}/none.parquet", 16)),
        "changed": error_of_change(remote),
    }


if __name__ == "__main__":
    json.dump(main(*sys.argv[1:]), sys.stdout)
    sys.stdout.flush()
    os._exit(0)
