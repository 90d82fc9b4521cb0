# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Strings, binaries and lists that a SampleWriter is given, as batches have them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from rowfeed import ParquetDataset, Ragged, SampleWriter

KEYS = ["a", "", "ßc"]
DATA = [key.encode() for key in KEYS]
TAGS = [["a", "b"], [], ["ß"]]
SIZES = [[1], [], [2, 3]]
TEXT = Ragged(np.frombuffer(b"ab", np.uint8), np.array([0, 2]), "string")


def written(directory: Path, kind: Any, values: Any) -> Any:
    """Returns the type and the values of a column that a writer has written."""
    with SampleWriter(directory, {"x": kind}) as writer:
        writer.write({"x": values})
    column = pq.read_table(directory)["x"]
    return column.type, column.to_pylist()


@pytest.mark.parametrize(
    ("name", "kind", "values"),
    [("string", pa.string(), KEYS), ("binary", pa.binary(), DATA)],
)
def test_a_schema_takes_string_and_binary_by_name(
    name: str, kind: pa.DataType, values: Any, tmp_path: Path
) -> None:
    assert written(tmp_path, name, values) == (kind, values)


@pytest.mark.parametrize(
    ("given", "kind", "values"),
    [
        (pa.large_string(), pa.string(), KEYS),
        (pa.string_view(), pa.string(), KEYS),
        (pa.string(), pa.large_string(), KEYS),
        (pa.large_binary(), pa.binary(), DATA),
        (pa.binary_view(), pa.binary(), DATA),
        (pa.large_list(pa.int64()), pa.list_(pa.int64()), SIZES),
        (pa.large_list(pa.large_string()), pa.list_(pa.string()), TAGS),
        (
            pa.large_list(pa.int64()),
            pa.list_(pa.field("element", pa.int64(), nullable=False)),
            SIZES,
        ),
    ],
    ids=str,
)
def test_an_arrow_array_in_another_layout_of_the_same_values_is_written(
    given: pa.DataType, kind: pa.DataType, values: Any, tmp_path: Path
) -> None:
    assert written(tmp_path, kind, pa.array(values, given))[1] == values
    assert written(tmp_path, kind, pa.chunked_array([values], given))[1] == values * 2


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (pa.array(DATA, pa.large_binary()), pa.string()),
        (pa.array(KEYS, pa.large_string()), pa.binary()),
        (pa.array(SIZES, pa.large_list(pa.int32())), pa.list_(pa.int64())),
        (Ragged(np.array([1, 2]), np.array([0, 1, 2])), pa.list_(pa.int32())),
        (TEXT, pa.list_(pa.string())),
    ],
    ids=["binary", "string", "list", "Ragged", "Ragged of strings"],
)
def test_values_of_another_type_are_refused(
    given: Any, kind: pa.DataType, tmp_path: Path
) -> None:
    with pytest.raises(TypeError, match=r"column 'x': expected .*, found large_"):
        written(tmp_path, kind, given)


def test_nulls_of_another_layout_are_refused_too(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="column 'x': expected no nulls, found 1"):
        written(tmp_path, "string", pa.array(["a", None], pa.large_string()))


@pytest.mark.parametrize("face", ["numpy", "torch"])
def test_what_a_batch_has_can_be_written_back(face: str, tmp_path: Path) -> None:
    table = pa.table({"key": KEYS, "data": DATA, "tags": TAGS, "sizes": SIZES})
    pq.write_table(table, tmp_path / "in.parquet")
    module: Any = rowfeed
    if face == "torch":
        module = pytest.importorskip("rowfeed.torch")
    dataset: Any = module.ParquetDataset(tmp_path / "in.parquet", 2)
    with SampleWriter(tmp_path / "out", table.schema) as writer:
        for batch in dataset:
            writer.write(batch)
    assert pq.read_table(tmp_path / "out") == table


def test_the_arrays_of_a_ragged_may_be_used_again(tmp_path: Path) -> None:
    values = np.frombuffer(b"abc", np.uint8).copy()
    with SampleWriter(tmp_path, {"x": "string"}) as writer:
        writer.write({"x": Ragged(values, np.array([0, 1, 3]), "string")})
        values[:] = ord("z")
    assert pq.read_table(tmp_path)["x"].to_pylist() == ["a", "bc"]


def test_strings_of_tensorflow_are_written(tmp_path: Path) -> None:
    tf = pytest.importorskip("tensorflow")
    assert written(tmp_path, "string", tf.constant(KEYS))[1] == KEYS
    lists = tf.ragged.constant(TAGS).to_list()
    assert written(tmp_path / "lists", pa.list_(pa.string()), lists)[1] == TAGS


def test_a_shape_of_strings_is_refused_by_the_schema(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"'string'.* of numbers or a pyarrow.DataType"):
        SampleWriter(tmp_path, {"x": ("string", (2,))})


def test_a_written_key_is_read_as_it_was(tmp_path: Path) -> None:
    written(tmp_path, "string", KEYS)
    assert ParquetDataset(tmp_path, 3).peek()["x"].tolist() == KEYS
