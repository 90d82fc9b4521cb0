# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""rowfeed.keras.inputs and numbers: from a dataset to a model that trains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

tf = pytest.importorskip("tensorflow")

import keras  # noqa: E402

from numbered_rows import NUM_ROWS  # noqa: E402
from rowfeed import Catalog, Column  # noqa: E402
from rowfeed.keras import inputs, numbers  # noqa: E402
from rowfeed.tensorflow import ParquetDataset  # noqa: E402


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows of every kind of feature that Keras takes, and a label made of them."""
    random = np.random.default_rng(0)
    price = random.normal(40, 10, 512)
    vector = random.standard_normal((512, 3), np.float32)
    kinds = random.integers(0, 2, 512)
    table = pa.table(
        {
            "price": price,
            "count": pa.array(random.integers(0, 9, 512), pa.uint16()),
            "vector": pa.FixedSizeListArray.from_arrays(vector.ravel(), 3),
            "new": random.random(512) < 0.5,
            "kind": pa.array(["tea", "coffee"]).take(pa.array(kinds)),
            "tags": [list(range(i % 4)) for i in range(512)],
            "bought": ((price > 40) ^ (kinds == 0)).astype(np.float32),
        }
    )
    path = tmp_path_factory.mktemp("shop") / "0.parquet"
    pq.write_table(table, path, row_group_size=64)
    return path


def test_inputs_are_the_features(shop: Path) -> None:
    dataset = ParquetDataset(shop, 32, label="bought")
    described = {
        name: (tensor.shape, tensor.dtype, tensor.ragged, tensor.name)
        for name, tensor in inputs(dataset).items()
    }
    assert described == {
        "price": ((None, 1), "float64", False, "price"),
        "count": ((None, 1), "uint16", False, "count"),
        "vector": ((None, 3), "float32", False, "vector"),
        "new": ((None, 1), "bool", False, "new"),
        "kind": ((None, 1), "string", False, "kind"),
        "tags": ((None, None), "int64", True, "tags"),
    }
    # Pipelines over it, elements without a label, and rows of fill.
    assert list(inputs(dataset.map(lambda x, y: ({"a": x["price"]}, y)))) == ["a"]
    padded = ParquetDataset(shop, 48, columns=["count"], remainder="pad")
    assert list(inputs(padded)) == ["count", "__valid"]


def test_numbers_are_the_same_of_inputs_and_batches(shop: Path) -> None:
    dataset = ParquetDataset(shop, 32, label="bought")
    features, _ = next(iter(dataset))
    batch = numbers(features)
    assert batch.shape == (32, 5)
    assert batch.dtype == tf.float32
    parts = [
        features["price"],
        features["count"],
        *tf.unstack(features["vector"], 3, 1),
    ]
    for i, part in enumerate(parts):
        np.testing.assert_array_equal(batch[:, i], tf.cast(part, tf.float32))
    symbolic = inputs(dataset)
    model = keras.Model(symbolic, numbers(symbolic))
    assert model.output_shape == (None, 5)
    np.testing.assert_array_equal(model(features), batch)


def test_structs_are_dicts_of_inputs(tmp_path: Path) -> None:
    rows = [{"a": i, "b": {"c": i / 2, "d": "x"}} for i in range(8)]
    pq.write_table(pa.table({"s": rows, "e": range(8)}), tmp_path / "x.parquet")
    dataset = ParquetDataset(tmp_path, 4)
    features = inputs(dataset)
    assert features["s"]["b"]["c"].name == "s.b.c"
    assert features["s"]["b"]["d"].dtype == "string"
    model = keras.Model(features, numbers(features))
    batch = next(iter(dataset))
    expected = [[i, i / 2, i] for i in range(4)]
    np.testing.assert_array_equal(numbers(batch), expected)
    np.testing.assert_array_equal(model(batch), expected)


def train(dataset: Any) -> tuple[Any, float]:
    normalize = keras.layers.Normalization()
    normalize.adapt(dataset.map(lambda x, y: numbers(x)))  # noqa: ARG005
    dataset.set_epoch(0)
    lookup = keras.layers.StringLookup(output_mode="one_hot", vocabulary=["tea"])
    features = inputs(dataset)
    tags = keras.layers.Embedding(4, 2)(features["tags"])
    joined = keras.layers.Concatenate()(
        [
            normalize(numbers(features)),
            lookup(features["kind"]),
            keras.ops.cast(features["new"], "float32"),
            keras.ops.sum(tags, axis=1),
        ]
    )
    hidden = keras.layers.Dense(16, "relu")(joined)
    model = keras.Model(features, keras.layers.Dense(1, "sigmoid")(hidden))
    model.compile(
        keras.optimizers.Adam(0.02), "binary_crossentropy", metrics=["accuracy"]
    )
    history = model.fit(dataset, epochs=12, shuffle=False, verbose=0).history
    return model, history["accuracy"][-1]


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
def test_a_model_of_all_features_trains_and_is_saved(
    shop: Path, tmp_path: Path
) -> None:
    keras.utils.set_random_seed(1)
    dataset = ParquetDataset(shop, 32, label="bought", shuffle=True)
    model, accuracy = train(dataset)
    assert accuracy > 0.9
    layer = next(x for x in model.layers if isinstance(x, keras.layers.Normalization))
    np.testing.assert_allclose(layer.mean[0, :2], [40, 4], rtol=0.05)
    np.testing.assert_allclose(layer.variance[0, :2] ** 0.5, [10, 2.6], rtol=0.1)
    model.save(tmp_path / "model.keras")
    again = keras.models.load_model(tmp_path / "model.keras")
    held = ParquetDataset(shop, 32, label="bought")
    np.testing.assert_array_equal(
        again.predict(held, verbose=0), model.predict(held, verbose=0)
    )


def test_what_is_refused(numbers_of_rows: Any) -> None:
    with pytest.raises(ValueError, match=r"'id' is of a single row.*batch_size"):
        inputs(numbers_of_rows)
    with pytest.raises(TypeError, match="no dict of features"):
        inputs(numbers_of_rows.map(lambda x: x["id"]))
    wrong = {
        "name": tf.constant(["a"]),
        "even": tf.constant([True]),
        "tags": tf.ragged.constant([[1, 2]]),
    }
    with pytest.raises(ValueError, match="numbers needs a feature of integers") as said:
        numbers(wrong)
    assert str(said.value).endswith(
        "it was given 'name': string [1], 'even': bool [1], "
        "'tags': int32 in lists of any length [1, None]"
    )
    with pytest.raises(ValueError, match="it was given no feature"):
        numbers({})


@pytest.fixture
def numbers_of_rows(tmp_path: Path) -> Any:
    pq.write_table(pa.table({"id": range(NUM_ROWS)}), tmp_path / "x.parquet")
    return ParquetDataset(tmp_path, None)


def test_inputs_come_from_a_catalog_too(shop: Path) -> None:
    catalog = Catalog.open(shop)
    assert list(inputs(catalog)) == list(inputs(ParquetDataset(catalog, 8)))
    columns = {"pixels": Column("vector", shape=(3, 1)), "id": Column("count", fill=0)}
    assert {
        name: tensor.shape for name, tensor in inputs(catalog, columns).items()
    } == {
        "pixels": (None, 3, 1),
        "id": (None, 1),
    }
    with pytest.raises(KeyError, match="colour"):
        inputs(catalog, ["colour"])
    with pytest.raises(TypeError, match="those of a catalog"):
        inputs(ParquetDataset(shop, 32), ["price"])
