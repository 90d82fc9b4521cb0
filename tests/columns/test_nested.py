# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Structs, maps and lists of anything, as pyarrow reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from column_encodings import encodings_of
from nesting import FILLS, expected, leaf_type, leaves, random_value, types
from old_levels import pack_levels
from rowfeed import Catalog, Column, Padded, ParquetDataset, Ragged

WRITING = st.fixed_dictionaries(
    {
        "compression": st.sampled_from(
            ["none", "snappy", "zstd", "gzip", "brotli", "lz4"]
        ),
        "use_dictionary": st.booleans(),
        "data_page_version": st.sampled_from(["1.0", "2.0"]),
        "data_page_size": st.sampled_from([20, 300, 1 << 20]),
        "write_batch_size": st.sampled_from([5, 1024]),
        "row_group_size": st.sampled_from([17, 60]),
    }
)


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    kind=types(3),
    writing=WRITING,
    seed=st.integers(0, 2**32),
    block_rows=st.sampled_from([None, 7]),
    by_arrow=st.booleans(),
)
def test_any_nesting_is_read_as_pyarrow_reads_it(
    kind: pa.DataType,
    writing: dict[str, Any],
    seed: int,
    block_rows: int | None,
    by_arrow: bool,
    tmp_path: Path,
) -> None:
    rng = np.random.default_rng(seed)
    values = [random_value(kind, rng, nulls=0.15) for _ in range(50)]
    table = pa.table({"id": np.arange(50), "x": pa.array(values, kind)})
    if by_arrow:
        writing = {**writing, "data_page_version": "1.0"}
    path = tmp_path / f"{rng.integers(2**62)}.parquet"
    pq.write_table(table, path, **writing)
    if not writing["use_dictionary"]:
        encodings = encodings_of(path, rng)
        pq.write_table(table, path, **writing, column_encoding=encodings)
    read = pq.read_table(path)["x"]
    if by_arrow:  # The kernel leaves such levels to Arrow's reader.
        pack_levels(path)
        assert pq.read_table(path)["x"].equals(read)
    paths = leaves(read.type, ())
    columns = {"id": Column("id")}
    for i, leaf in enumerate(paths):
        name = ".".join(("x", *leaf))
        columns[f"leaf{i}"] = Column(name, fill=FILLS[leaf_type(read.type, leaf)])
    dataset = ParquetDataset(
        path, 13, columns=columns, shuffle=True, block_rows=block_rows, seed=seed
    )
    found: dict[int, list[Any]] = {}
    for batch in dataset:
        tensors = [batch[f"leaf{i}"].tolist() for i in range(len(paths))]
        for row, number in enumerate(batch["id"].tolist()):
            found[number] = [tensor[row] for tensor in tensors]
    rows = read.to_pylist()
    for number in range(50):
        wanted = [expected(rows[number], read.type, leaf) for leaf in paths]
        assert found[number] == wanted, (kind, number)
    path.unlink()


NESTED = pa.table(
    {
        "id": pa.array(range(6)),
        "user": pa.array(
            [
                {"name": f"n{i}", "address": {"city": "c" * i, "zip": i}}
                for i in range(6)
            ]
        ),
        "items": pa.array(
            [[{"price": j / 2, "tags": ["t"] * j} for j in range(i)] for i in range(6)]
        ),
        "scores": pa.array(
            [[(f"k{j}", j) for j in range(i)] for i in range(6)],
            pa.map_(pa.string(), pa.int64()),
        ),
        "words": pa.array([["a", "", "bc"][: i % 4] for i in range(6)]),
        "a.b": pa.array(range(6, 12)),
        "naïve 名": pa.array(range(6)),
    }
)


@pytest.fixture
def nested(tmp_path: Path) -> Path:
    path = tmp_path / "nested.parquet"
    pq.write_table(NESTED, path, row_group_size=2)
    return path


def test_structs_are_dicts(nested: Path) -> None:
    (batch,) = ParquetDataset(nested, 6)
    assert list(batch) == NESTED.column_names
    assert batch["user"]["name"].tolist() == [f"n{i}" for i in range(6)]
    assert batch["user"]["address"]["zip"].tolist() == list(range(6))
    assert batch["items"]["price"].tolist() == [
        [j / 2 for j in range(i)] for i in range(6)
    ]
    assert batch["items"]["tags"].tolist()[3] == [[], ["t"], ["t", "t"]]
    assert batch["scores"]["key"].tolist()[2] == ["k0", "k1"]
    assert batch["scores"]["value"].tolist()[2] == [0, 1]
    assert batch["words"].tolist() == NESTED["words"].to_pylist()
    assert batch["a.b"].tolist() == list(range(6, 12))
    assert batch["naïve 名"].tolist() == list(range(6))


def test_a_field_is_read_alone(nested: Path) -> None:
    dataset = ParquetDataset(nested, 6, columns=["user.address.city", "a.b"])
    assert [f.name for f in dataset.catalog.schema] == ["user.address.city", "a.b"]
    (batch,) = dataset
    assert list(batch) == ["user.address.city", "a.b"]
    assert batch["user.address.city"].tolist() == ["c" * i for i in range(6)]


def test_a_dict_renames(nested: Path) -> None:
    columns: dict[str, str | Column] = {"where": "user.address", "n": Column("id")}
    (batch,) = ParquetDataset(nested, 6, columns=columns, label="user.name")
    features, label = batch
    assert list(features) == ["where", "n"]
    assert features["where"]["zip"].tolist() == list(range(6))
    assert label.tolist() == [f"n{i}" for i in range(6)]


def test_the_label_leaves_the_rest_of_its_struct(nested: Path) -> None:
    ((features, label),) = ParquetDataset(nested, 6, label="user.address.zip")
    assert label.tolist() == list(range(6))
    assert list(features["user"]["address"]) == ["city"]


def test_unknown_fields_are_refused_by_name(nested: Path) -> None:
    for name in ("user.street", "user.", "address", "items.0"):
        with pytest.raises(KeyError, match=f"no column '{name}'"):
            ParquetDataset(nested, 6, columns=[name])
    whole = Catalog.open(nested)
    with pytest.raises(KeyError, match=r"no column 'user\.street'"):
        ParquetDataset(whole, 6, columns=["user.street"])


def test_the_catalog_shows_leaves(nested: Path) -> None:
    fields = {f.name: f for f in Catalog.open(nested).schema}
    assert fields["user.address.zip"].shape == ()
    assert fields["items.price"].shape == (None,)
    assert fields["items.price"].type == "list<double>"
    assert fields["items.tags"].shape == (None, None)
    assert fields["scores.key"].dtype == "string"


MASKED = pa.table(
    {
        "id": pa.array(range(6)),
        "x": pa.array([1.5, None, 2.5, None, 3.5, 4.5]),
        "s": pa.array(["a", None, "", "b", None, "c"]),
        "l": pa.array([[1, None], None, [], [2], [None], [3, 4, 5]]),
        "f": pa.array(
            [[1, None], None, [2, 3], [4, 5], [6, None], [7, 8]],
            pa.list_(pa.int32(), 2),
        ),
        "ll": pa.array([[["a"], None], None, [[]], [[None, "b"]], [], [["c", "d"]]]),
    }
)


@pytest.fixture
def masked(tmp_path: Path) -> Path:
    path = tmp_path / "masked.parquet"
    pq.write_table(MASKED, path, row_group_size=3)
    return path


@pytest.mark.fault(7)
def test_a_mask_says_what_is_null(masked: Path) -> None:
    columns: list[str | Column] = ["id"]
    columns.extend(Column(n, mask=True) for n in ("x", "s", "l", "f", "ll"))
    (batch,) = ParquetDataset(masked, 6, columns=columns, shuffle=True)
    order = np.argsort(batch["id"])

    def rows(name: str) -> list[Any]:
        return [batch[name].tolist()[i] for i in order]

    assert rows("x") == [1.5, 0, 2.5, 0, 3.5, 4.5]
    assert rows("x__mask") == [True, False, True, False, True, True]
    assert rows("s") == ["a", "", "", "b", "", "c"]
    assert rows("s__mask") == [True, False, True, True, False, True]
    assert rows("l") == [[1, 0], [], [], [2], [0], [3, 4, 5]]
    assert rows("l__mask") == [
        [True, False], [], [], [True], [False], [True, True, True]
    ]  # fmt: skip
    assert rows("f") == [[1, 0], [0, 0], [2, 3], [4, 5], [6, 0], [7, 8]]
    assert rows("f__mask")[:2] == [[True, False], [False, False]]
    assert rows("ll") == [[["a"], []], [], [[]], [["", "b"]], [], [["c", "d"]]]
    assert rows("ll__mask")[3] == [[False, True]]


def test_lists_are_padded_and_masked(masked: Path) -> None:
    pad = Padded(2, value=-9)
    columns = [Column("id"), Column("l", fill=0, pad=pad, mask=True)]
    dataset = ParquetDataset(masked, 6, columns=columns)
    assert dataset.element_spec["l"].shape == (None, 2)
    (batch,) = dataset
    assert batch["l"].tolist() == [[1, 0], [-9, -9], [-9, -9], [2, -9], [0, -9], [3, 4]]
    assert batch["l__mask"].tolist() == [
        [True, False], [False, False], [False, False], [True, False], [False, False],
        [True, True],
    ]  # fmt: skip
    last = Column("l", fill=0, pad=Padded(2, truncate="start"))
    assert next(iter(ParquetDataset(masked, 6, columns=[last])))["l"][5].tolist() == [
        4, 5
    ]  # fmt: skip
    never = Column("l", fill=0, pad=Padded(2, truncate=False))
    with pytest.raises(ValueError, match=r"column 'l'.*row 2 .*3 elements, more than"):
        list(ParquetDataset(masked, 6, columns=[never]))


def test_what_cannot_be_padded_is_refused(masked: Path) -> None:
    for name in ("x", "f"):
        with pytest.raises(ValueError, match=f"'{name}'.* cannot be padded"):
            ParquetDataset(masked, 6, columns=[Column(name, fill=None, pad=Padded(2))])
    with pytest.raises(TypeError, match=r"pad=0\.5"):
        ParquetDataset(masked, 6, columns=[Column("l", pad=Padded(2, value=0.5))])


def test_single_rows_of_nested_columns(masked: Path) -> None:
    columns = [Column("ll", fill="-", mask=True), Column("l", fill=0)]
    rows = list(ParquetDataset(masked, None, columns=columns))
    assert [row["l"].tolist() for row in rows] == [[1, 0], [], [], [2], [0], [3, 4, 5]]
    assert isinstance(rows[3]["ll"], Ragged)
    assert rows[3]["ll"].tolist() == [["-", "b"]]
    assert rows[3]["ll__mask"].tolist() == [[False, True]]


def test_ragged_of_ragged_has_rows_slices_and_pyarrow(nested: Path) -> None:
    (batch,) = ParquetDataset(nested, 6, columns=["items.tags"])
    tags = batch["items.tags"]
    assert tags[3].tolist() == [[], ["t"], ["t", "t"]]
    assert tags[2:4].tolist() == tags.tolist()[2:4]
    assert tags.to_pyarrow().to_pylist() == tags.tolist()
