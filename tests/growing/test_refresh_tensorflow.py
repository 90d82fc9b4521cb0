# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Data that grows under TensorFlow and Keras."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tensorflow as tf

import rowfeed
import rowfeed.keras
from growing import FILE_ROWS, Folder, ids_of
from rowfeed.tensorflow import ParquetDataset

SHUFFLED: dict[str, Any] = {"shuffle": True, "shuffle_window": 80, "columns": ["id"]}


def dataset_of(folder: Folder, **keywords: Any) -> ParquetDataset:
    given = {**SHUFFLED, **folder.keywords(), **keywords}
    return ParquetDataset(folder.path, given.pop("batch_size", 16), **given)


def rows_of(batches: Any) -> list[int]:
    return [row for batch in batches for row in batch["id"].numpy().tolist()]


def test_each_epoch_is_what_is_there_in_the_order_of_the_other_faces(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path, 0, 1)
    dataset = dataset_of(folder)
    other = rowfeed.ParquetDataset(folder.path, 16, **SHUFFLED, **folder.keywords())
    for number in (2, 3):
        rows = rows_of(dataset)
        assert sorted(rows) == ids_of(*range(number)).tolist()
        assert rows == [row for batch in other for row in batch["id"].tolist()]
        folder.write(number)


def test_the_cardinality_is_not_known(tmp_path: Path) -> None:
    dataset = dataset_of(Folder(tmp_path, 0))
    assert dataset.cardinality() == tf.data.UNKNOWN_CARDINALITY
    assert dataset.begin_epoch() == -(-FILE_ROWS // 16)


def test_an_iterator_is_restored_in_the_epoch_that_was(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    iterator = iter(dataset_of(folder))
    next(iterator)
    saved = tf.train.Checkpoint(iterator=iterator).save(str(tmp_path / "saved"))
    rest = rows_of(iterator)
    folder.write(2)
    dataset = dataset_of(folder)
    iterator = iter(dataset)
    tf.train.Checkpoint(iterator=iterator).restore(saved).assert_consumed()
    assert rows_of(iterator) == rest
    assert sorted(rows_of(dataset)) == ids_of(0, 1, 2).tolist()


def test_an_iterator_whose_files_are_gone_says_so(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    iterator = iter(dataset_of(folder))
    next(iterator)
    saved = tf.train.Checkpoint(iterator=iterator).save(str(tmp_path / "saved"))
    folder.remove(0)
    iterator = iter(dataset_of(folder))
    with pytest.raises(tf.errors.NotFoundError, match=r"0\.parquet is gone"):
        tf.train.Checkpoint(iterator=iterator).restore(saved)


def test_a_new_file_with_other_columns_is_an_error_that_names_both(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder)
    list(dataset)
    pq.write_table(pa.table({"id": ["text"]}), folder.path / "1.parquet")
    message = r"'id' is int64 in .*0\.parquet, string in .*1\.parquet"
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        list(dataset)
    folder.remove(1)
    assert sorted(rows_of(dataset)) == ids_of(0).tolist()


@pytest.mark.parametrize("source", ["numpy", "tensorflow"])
def test_a_state_goes_over_to_the_other_face(tmp_path: Path, source: str) -> None:
    folder = Folder(tmp_path, 0, 1)
    plain = rowfeed.ParquetDataset(folder.path, 16, **SHUFFLED, **folder.keywords())
    ours = dataset_of(folder)
    made, other = (plain, ours) if source == "numpy" else (ours, plain)
    batches = iter(made)
    next(batches)
    next(batches)
    state = made.state_dict()
    assert state["fingerprint"] is not None
    rest = [np.asarray(batch["id"]).tolist() for batch in batches]
    folder.write(2)
    other.load_state_dict(state)
    assert [np.asarray(batch["id"]).tolist() for batch in other] == rest
    total = sum(len(np.asarray(batch["id"])) for batch in other)
    assert total == 3 * FILE_ROWS


def test_lost_rows_weigh_nothing(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    iterator = iter(dataset_of(folder, label="half"))
    next(iterator)
    saved = tf.train.Checkpoint(iterator=iterator).save(str(tmp_path / "saved"))
    assert saved
    state = dataset_of(folder, label="half").state_dict()
    assert state["fingerprint"] is None
    flagged = dataset_of(folder, label="half", columns=["id", "__valid"])
    features, label, weight = next(iter(flagged))
    assert weight.shape == label.shape
    np.testing.assert_array_equal(weight, features["__valid"].numpy().astype("float32"))


def test_what_needs_a_length_is_refused(tmp_path: Path) -> None:
    dataset = dataset_of(Folder(tmp_path, 0))
    with pytest.raises(tf.errors.OpError, match="no random access"):
        tf.data.experimental.at(dataset, 0)


class Noting(keras.callbacks.Callback):  # type: ignore[misc]
    """Notes what callbacks are told."""

    def __init__(self, folder: Folder) -> None:
        super().__init__()
        self.said: list[Any] = []
        self._folder = folder

    def on_train_begin(self, logs: Any = None) -> None:  # noqa: ARG002
        self.said.append("begin")

    def on_train_end(self, logs: Any = None) -> None:  # noqa: ARG002
        self.said.append("end")

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        self.said.append((epoch, self.params["steps"], self.params["epochs"]))
        self._steps = 0

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
        self._steps += 1

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        self.said.append(self._steps)
        self._folder.write(2 * epoch + 4)
        self._folder.write(2 * epoch + 5)


@pytest.mark.parametrize("strategy", ["", "mirrored"])
def test_fit_trains_epochs_of_4_6_and_8_steps(tmp_path: Path, strategy: str) -> None:
    folder = Folder(tmp_path, *range(4))
    dataset = dataset_of(folder, label="half", batch_size=FILE_ROWS)
    scope = (
        tf.distribute.MirroredStrategy() if strategy else tf.distribute.get_strategy()
    )
    with scope.scope():
        inputs = keras.Input((), name="id")
        outputs = keras.layers.Dense(1)(keras.ops.expand_dims(inputs, 1))
        model = keras.Model({"id": inputs}, outputs)
        model.compile("sgd", "mse", jit_compile=False)
    # With several replicas Keras builds a model from sums of features: not of flags.
    features = dataset.map(lambda x, y, weight: ({"id": x["id"]}, y, weight))
    noting = Noting(folder)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*ran out of data")
        history = rowfeed.keras.fit(
            model, features, epochs=3, callbacks=[noting], verbose=0
        )
    assert noting.said == [
        *("begin", (0, 4, 3), 4, (1, 6, 3), 6, (2, 8, 3), 8, "end"),
    ]
    assert history.epoch == [0, 1, 2]
    assert len(history.history["loss"]) == 3


def test_fit_goes_on_from_a_state_at_the_end_of_an_epoch(tmp_path: Path) -> None:
    """A loop that took the last batch and did not ask for another has such a state."""
    folder = Folder(tmp_path, 0)
    given = {**SHUFFLED, **folder.keywords()}
    plain = rowfeed.ParquetDataset(folder.path, 16, **given)
    batches = iter(plain)
    for _ in range(-(-FILE_ROWS // 16)):
        next(batches)
    state = plain.state_dict()
    assert (state["epoch"], state["row"]) == (0, FILE_ROWS)
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")

    def features(x: Any, y: Any, weight: Any) -> Any:
        return tf.reshape(tf.cast(x["id"], tf.float32), (-1, 1)), y, weight

    folder.write(1)
    resumed = dataset_of(folder, label="half")
    resumed.load_state_dict(state)
    noting = Noting(folder)  # Two files more behind each epoch.
    rowfeed.keras.fit(
        model,
        resumed.map(features),
        epochs=3,
        initial_epoch=1,
        callbacks=[noting],
        verbose=0,
    )
    steps = [-(-num_files * FILE_ROWS // 16) for num_files in (2, 4)]
    assert noting.said == [
        *("begin", (1, steps[0], 3), steps[0], (2, steps[1], 3), steps[1], "end")
    ]


def test_fit_stops_when_a_callback_says_so(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    dataset = dataset_of(folder, label="half")
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    stopping = keras.callbacks.EarlyStopping("loss", patience=0, min_delta=1e30)
    data = dataset.map(
        lambda x, y, w: (tf.reshape(tf.cast(x["id"], tf.float32), (-1, 1)), y, w)
    )
    history = rowfeed.keras.fit(model, data, epochs=5, callbacks=[stopping], verbose=0)
    assert history.epoch == [0, 1]
