# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Features that were not asked for, and models that would take them for a column."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed.keras
from rowfeed import Column
from rowfeed.keras import BackupAndRestore, StartAt, TensorBoardStats
from rowfeed.tensorflow import ParquetDataset

NUM_ROWS = 70  # The last of three batches of 32 has 26 rows of fill.
LOSS = 10_000.0  # What the model has where its one input is "x", which is 100.
Keywords = dict[str, Any]


@pytest.fixture(scope="module")
def pandas_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table that pandas took rows out of: pandas stores its index as a column."""
    path = tmp_path_factory.mktemp("pandas") / "0.parquet"
    index = "__index_level_0__"
    table = pa.table(
        {
            "x": np.full(NUM_ROWS, 100.0, np.float32),
            "y": np.zeros(NUM_ROWS, np.float32),
            index: np.arange(NUM_ROWS),
        }
    )
    metadata = {"index_columns": [index], "columns": [{"name": "x"}, {"name": "y"}]}
    pq.write_table(
        table.replace_schema_metadata({"pandas": json.dumps(metadata)}), path
    )
    return path


def model_of_a_dict() -> Any:
    """Its prediction is "x", so that its loss is its square."""
    x = keras.Input((1,), name="x")
    layer = keras.layers.Dense(1, kernel_initializer="ones")
    model = keras.Model({"x": x}, layer(x))
    model.compile(
        keras.optimizers.SGD(0.0), "mse", weighted_metrics=["mse"], jit_compile=False
    )
    return model


def model_of_a_list() -> Any:
    x = keras.Input((1,), name="x")
    layer = keras.layers.Dense(1, kernel_initializer="ones")
    model = keras.Model([x], layer(x))
    model.compile(
        keras.optimizers.SGD(0.0), "mse", weighted_metrics=["mse"], jit_compile=False
    )
    return model


def dataset_of(path: Path, tmp_path: Path, kind: str) -> Any:
    options: dict[str, Keywords] = {
        "pad": {"remainder": "pad", "columns": ["x"]},
        "refresh": {
            "refresh": "epoch",
            "snapshot_dir": tmp_path / "snapshots",
            "columns": ["x"],
        },
        "pandas index": {},
        "pad, pandas index": {"remainder": "pad"},
    }
    return ParquetDataset(path, 32, label="y", **options[kind])


KINDS = ["pad", "refresh", "pandas index", "pad, pandas index"]


def weighted_mse(history: Any) -> float:
    return float(history.history["mse"][-1])


WAYS: dict[str, Callable[[Any, Any, Path], float]] = {
    "fit": lambda model, data, _: weighted_mse(
        model.fit(data, verbose=0, shuffle=False)
    ),
    "evaluate": lambda model, data, _: model.evaluate(
        data, verbose=0, return_dict=True
    )["mse"],
    "rowfeed.keras.fit": lambda model, data, _: weighted_mse(
        rowfeed.keras.fit(model, data, verbose=0)
    ),
    "BackupAndRestore": lambda model, data, path: weighted_mse(
        model.fit(
            data,
            verbose=0,
            shuffle=False,
            callbacks=[BackupAndRestore(path / "backup", data)],
        )
    ),
}


@pytest.mark.parametrize("make_model", [model_of_a_dict, model_of_a_list])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.filterwarnings("ignore:Your input ran out of data")  # It grows.
def test_a_model_trains_on_a_flag_in_the_place_of_a_column(
    pandas_file: Path,
    tmp_path: Path,
    make_model: Callable[[], Any],
    kind: str,
    way: str,
) -> None:
    if (kind, way) == ("refresh", "BackupAndRestore"):
        pytest.skip("BackupAndRestore is for datasets that do not grow")
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "0.parquet").write_bytes(pandas_file.read_bytes())
    data = dataset_of(folder, tmp_path, kind)
    assert list(data.element_spec[0]) == ["x"]
    found = WAYS[way](make_model(), data, tmp_path)
    assert found == pytest.approx(LOSS, rel=1e-4)


EXTRA: dict[str, Keywords] = {
    "__valid": {"columns": ["x", "__valid"], "remainder": "pad"},
    "x__mask": {"columns": [Column("x", mask=True)]},
    "__index_level_0__": {"columns": ["x", "__index_level_0__"]},
}


@pytest.mark.parametrize("extra", EXTRA)
@pytest.mark.parametrize("method", ["fit", "evaluate", "predict"])
def test_features_that_are_no_inputs_are_refused_before_the_first_step(
    pandas_file: Path, extra: str, method: str
) -> None:
    data = ParquetDataset(pandas_file, 32, label="y", **EXTRA[extra])
    keywords = {"shuffle": False} if method == "fit" else {}
    with pytest.raises(ValueError, match=f"'{extra}' are no inputs of it"):
        getattr(model_of_a_dict(), method)(data, verbose=0, **keywords)
    found = model_of_a_list().evaluate(data, verbose=0, return_dict=True)
    assert found["mse"] == pytest.approx(LOSS, rel=1e-4)


class OwnStep(keras.Model):  # type: ignore[misc]
    """Does what Keras does, in a step of its own."""

    def train_step(self, *arguments: Any, **keywords: Any) -> Any:
        return super().train_step(*arguments, **keywords)


@pytest.mark.filterwarnings("ignore:The structure of `inputs`")
def test_a_model_with_a_step_of_its_own_trained_on_a_flag_in_silence(
    pandas_file: Path,
) -> None:
    x = keras.Input((1,), name="x")
    model = OwnStep({"x": x}, keras.layers.Dense(1)(x))
    model.compile("sgd", "mse")
    data = ParquetDataset(pandas_file, 32, label="y", **EXTRA["__valid"])
    with pytest.warns(
        rowfeed.DataWarning, match="'__valid' are no inputs .*train_step"
    ):
        model.fit(data, verbose=0, shuffle=False)


@pytest.mark.parametrize("entry", ["fit", "backup", "stats", "start"])
def test_a_pipeline_is_looked_at_wherever_rowfeed_sees_the_model(
    pandas_file: Path, tmp_path: Path, entry: str
) -> None:
    data = ParquetDataset(pandas_file, 32, label="y", columns=["x"])
    pipeline = data.map(lambda x, y: ({**x, "a": x["x"] * 0}, y))
    callbacks: dict[str, Callable[[], Any]] = {
        "backup": lambda: BackupAndRestore(tmp_path / "backup", pipeline),
        "stats": lambda: TensorBoardStats(tmp_path / "logs", data),
        "start": lambda: StartAt(pipeline),
    }

    def train() -> None:
        model = model_of_a_dict()
        if entry == "fit":
            rowfeed.keras.fit(model, pipeline, verbose=0)
        else:
            given = [callbacks[entry]()]
            model.fit(pipeline, verbose=0, shuffle=False, callbacks=given)

    with pytest.raises(ValueError, match="'a' are no inputs of it"):
        train()


def test_validation_data_is_looked_at_too(pandas_file: Path) -> None:
    data = ParquetDataset(pandas_file, 32, label="y", columns=["x"])
    held = data.map(lambda x, y: ({"z": x["x"]}, y))
    with pytest.raises(ValueError, match="'x' of its inputs are no features; 'z' are"):
        model_of_a_dict().fit(
            data,
            validation_data=held,
            verbose=0,
            shuffle=False,
            callbacks=[StartAt(data)],
        )


def test_a_model_that_picks_by_itself_is_left_alone(pandas_file: Path) -> None:
    class Picking(keras.Model):  # type: ignore[misc]
        def call(self, features: Any) -> Any:
            return keras.ops.expand_dims(features["x"], -1)

    data = ParquetDataset(pandas_file, 32, label="y", columns=["x"])
    features = data.map(lambda x, y: ({**x, "other": x["x"]}, y))
    picking = Picking()
    picking.compile(loss="mse", jit_compile=False)
    for given in (data, features):
        assert picking.evaluate(given, verbose=0) == pytest.approx(LOSS, rel=1e-4)


def test_the_loss_of_evaluate_over_padded_rows_is_too_small(pandas_file: Path) -> None:
    def made(remainder: Any) -> Any:
        return ParquetDataset(
            pandas_file, 32, label="y", columns=["x"], remainder=remainder
        )

    model = model_of_a_dict()
    padded = model.evaluate(made("pad"), verbose=0, return_dict=True)
    assert padded["loss"] == pytest.approx(LOSS * NUM_ROWS / 96, rel=1e-4)
    for data in (
        made("pad"),
        made("pad").map(lambda x, y, w: (x, y, w)),
        made("uneven"),
    ):
        exact = model.evaluate(
            rowfeed.keras.exact_loss(data), verbose=0, return_dict=True
        )
        assert exact["loss"] == pytest.approx(LOSS, rel=1e-4)
        assert exact["mse"] == pytest.approx(LOSS, rel=1e-4)
    with pytest.raises(ValueError, match="'drop' evaluates other rows"):
        rowfeed.keras.exact_loss(made("drop"))
    with pytest.raises(ValueError, match="needs elements"):
        rowfeed.keras.exact_loss(made("pad").map(lambda x, y, w: (x, y)))  # noqa: ARG005
