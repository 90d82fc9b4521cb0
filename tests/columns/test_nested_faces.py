# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Nested columns, masks and padding: the same in torch and TensorFlow as in NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reading import module_of
from rowfeed import Column, Padded, ParquetDataset, Stack

ROWS = 60
Columns: TypeAlias = dict[str, str | Column | Stack]


@pytest.fixture
def nested(tmp_path: Path) -> Path:
    rows = [
        {
            "id": i,
            "user": {"name": f"user {i}" * (i % 4), "age": None if i % 7 == 0 else i},
            "words": [f"word {j}" * j for j in range(i % 5)],
            "deep": [[j] * (j % 3) for j in range(i % 4)],
            "texts": [["a" * j] * (i % 3) for j in range(i % 4)],
            "vectors": [[i, j] for j in range(i % 3)],
            "tokens": [None if j == 1 else j for j in range(i % 6)],
        }
        for i in range(ROWS)
    ]
    schema = pa.Table.from_pylist(rows).schema
    schema = schema.set(5, pa.field("vectors", pa.list_(pa.list_(pa.int32(), 2))))
    path = tmp_path / "nested.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema), path, row_group_size=17)
    return path


COLUMNS: Columns = {
    "id": "id",
    "user": Column("user", mask=True),
    "words": "words",
    "deep": "deep",
    "texts": Column("texts", mask=True),
    "vectors": "vectors",
    "tokens": Column("tokens", fill=-1, mask=True),
    "padded": Column("tokens", fill=-1, mask=True, pad=Padded(3, value=9)),
}


def plain(value: Any) -> Any:
    """Returns an element, or a part of one, as Python objects."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if hasattr(value, "numpy") and not hasattr(value, "tolist"):
        value = value.numpy()  # It is a tensor of TensorFlow, ragged or not.
    return text(value.tolist() if hasattr(value, "tolist") else value)


def text(value: Any) -> Any:
    if isinstance(value, (list, tuple)) or type(value).__name__ == "ndarray":
        return [text(part) for part in value]
    if isinstance(value, bytes):
        return value.decode()
    return value.item() if hasattr(value, "item") else value


@pytest.mark.parametrize("batch_size", [1, 13, ROWS, None])
@pytest.mark.parametrize("face", ["torch", "tensorflow"])
def test_all_faces_deliver_the_same(
    nested: Path, face: str, batch_size: int | None
) -> None:
    other = module_of(face).ParquetDataset
    options: dict[str, Any] = {"columns": COLUMNS, "shuffle": True, "seed": 3}
    expected = [plain(b) for b in ParquetDataset(nested, batch_size, **options)]
    found = [plain(b) for b in other(nested, batch_size, **options)]
    assert found == expected


def test_the_spec_of_tensorflow_has_ranks_and_shapes(nested: Path) -> None:
    tf = pytest.importorskip("tensorflow")
    from rowfeed import tensorflow

    spec = tensorflow.ParquetDataset(nested, 12, columns=COLUMNS).element_spec
    assert spec["user"]["name"] == tf.TensorSpec([None], tf.string)
    assert spec["user"]["age__mask"] == tf.TensorSpec([None], tf.bool)
    assert spec["deep"].shape.as_list() == [None, None, None]
    assert spec["deep"].ragged_rank == 2
    assert spec["texts"].dtype == tf.string
    assert spec["vectors"].shape.as_list() == [None, None, 2]
    assert spec["padded"] == tf.TensorSpec([None, 3], tf.int64)


def test_a_keras_model_takes_a_struct_and_padded_tokens(nested: Path) -> None:
    keras = pytest.importorskip("keras")
    from rowfeed import tensorflow

    columns: Columns = {
        "tokens": Column("tokens", fill=0, dtype="int32", pad=Padded(4)),
        "numbers": Stack(["user.age", "id"], dtype="float32", fill=0),
    }
    dataset = tensorflow.ParquetDataset(nested, 20, columns=columns, label="id")
    tokens = keras.Input((4,), dtype="int32", name="tokens")
    numbers = keras.Input((2,), name="numbers")
    embedded = keras.layers.Flatten()(keras.layers.Embedding(9, 2)(tokens))
    output = keras.layers.Dense(1)(keras.layers.Concatenate()([embedded, numbers]))
    model = keras.Model({"tokens": tokens, "numbers": numbers}, output)
    model.compile("sgd", "mse")
    history = model.fit(dataset, epochs=2, verbose=0, shuffle=False)
    assert len(history.history["loss"]) == 2
