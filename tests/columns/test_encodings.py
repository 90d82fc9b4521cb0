# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What strings become: indices of a vocabulary, buckets of a hash."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading import FACES, WRITING, examples, read, same, write
from rowfeed import Catalog, Column, HashBuckets, Padded, ParquetDataset, Vocabulary

CITIES = ["Bern", "Oslo", "", "Zürich"]
XXH64 = {
    "": 0xEF46DB3751D8E999,
    "a": 0xD24EC4F1A98C6E5B,
    "abc": 0x44BC2CF5AD770999,
    "The quick brown fox jumps over the lazy dog": 0x0B242D361FDA71BC,
}


@pytest.mark.parametrize("writing", WRITING)
@pytest.mark.parametrize("face", FACES)
def test_a_vocabulary(face: str, writing: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path, pa.array(["Oslo", None, "Zürich", "", "Rome"]), **writing)
    encode = Vocabulary(CITIES, unknown=-1)
    same(read(tmp_path, face, encode=encode, fill=7), np.array([1, 7, 3, 2, -1]))
    got = read(tmp_path, face, encode=encode, fill=7, dtype="int8")
    same(got, np.array([1, 7, 3, 2, -1], np.int8))


@pytest.mark.parametrize("writing", WRITING)
def test_an_unknown_value_names_its_row(
    writing: dict[str, Any], tmp_path: Path
) -> None:
    write(tmp_path, pa.array(["Bern", None, "Genève"]), **writing)
    with pytest.raises(
        ValueError, match=r"'x': row 2 .* b'Gen\\xc3\\xa8ve' is not among the 4 values"
    ):
        read(tmp_path, encode=Vocabulary(CITIES), fill=0)


@examples
@given(
    known=st.lists(st.binary(max_size=3), min_size=1, unique=True),
    values=st.lists(st.binary(max_size=3), min_size=1),
    writing=st.sampled_from(WRITING),
)
def test_indices_are_those_of_a_dict(
    known: list[bytes], values: list[bytes], writing: dict[str, Any], tmp_path: Path
) -> None:
    write(tmp_path, pa.array(values, pa.binary()), **writing)
    indices = {value: index for index, value in enumerate(known)}
    expected = [indices.get(value, -5) for value in values]
    same(read(tmp_path, encode=Vocabulary(known, unknown=-5)), expected)


def test_a_vocabulary_of_keras(tmp_path: Path) -> None:
    keras = pytest.importorskip("keras")
    words = ["b", "never seen", "a", "[UNK]", "b"]
    write(tmp_path, pa.array(words))
    layer = keras.layers.StringLookup(vocabulary=["a", "b"])
    encode = Vocabulary(layer.get_vocabulary(), unknown=0)
    same(read(tmp_path, encode=encode), np.asarray(layer(np.array(words))))


@pytest.mark.parametrize("face", FACES)
def test_hash_buckets_are_xxh64(face: str, tmp_path: Path) -> None:
    write(tmp_path, pa.array(list(XXH64)))
    for buckets in (1, 1000, 2**62):
        expected = np.array([value % buckets for value in XXH64.values()])
        same(read(tmp_path, face, encode=HashBuckets(buckets)), expected)
    write(tmp_path, pa.array([value.encode() for value in XXH64], pa.binary()))
    expected = np.array([value % 256 for value in XXH64.values()], np.uint8)
    same(read(tmp_path, face, encode=HashBuckets(256), dtype="uint8"), expected)


@pytest.mark.parametrize("writing", WRITING)
def test_lists_of_strings(writing: dict[str, Any], tmp_path: Path) -> None:
    rows = [["Oslo", "Rome"], [], None, [None, "Bern", ""]]
    write(tmp_path, pa.array(rows, pa.list_(pa.string())), **writing)
    encode = Vocabulary(CITIES, unknown=9)
    got = read(tmp_path, encode=encode, fill=8)
    assert got.tolist() == [[1, 9], [], [], [8, 0, 2]]
    got = read(tmp_path, encode=encode, fill=8, dtype="int32", pad=Padded(2, value=-1))
    same(got, np.array([[1, 9], [-1, -1], [-1, -1], [8, 0]], np.int32))
    with pytest.raises(ValueError, match=r"'x': row 0 .* b'Rome' is not among"):
        read(tmp_path, encode=Vocabulary(CITIES), fill=8)


def test_wide_strings_that_would_stay_in_the_file(tmp_path: Path) -> None:
    values = ["a" * 40_000, "b" * 40_000, "a" * 40_000]
    write(tmp_path, pa.array(values), compression="none", use_dictionary=False)
    same(read(tmp_path, encode=Vocabulary(values[:2])), [0, 1, 0])


def test_shuffled_over_row_groups_and_pickled(tmp_path: Path) -> None:
    names = [f"name {i % 300}" for i in range(5000)]
    table = pa.table({"id": np.arange(5000), "x": names})
    pq.write_table(table, tmp_path / "x.parquet", row_group_size=300)
    encode = Vocabulary([f"name {i}" for i in range(300)])
    columns: list[str | Column] = ["id", Column("x", encode=encode)]
    dataset = ParquetDataset(tmp_path, 64, columns=columns, shuffle=True)
    for each in (dataset, pickle.loads(pickle.dumps(dataset))):
        for batch in each:
            np.testing.assert_array_equal(batch["x"], batch["id"] % 300)


def test_vocabularies_are_values() -> None:
    vocabulary = Vocabulary(iter(CITIES), unknown=np.int64(3))
    assert vocabulary == Vocabulary(tuple(CITIES), unknown=3)
    assert hash(vocabulary) == hash(Vocabulary(CITIES, unknown=3))
    assert pickle.loads(pickle.dumps(vocabulary)) == vocabulary
    with pytest.raises(AttributeError):
        vocabulary.unknown = 4  # type: ignore[misc]


def test_a_vocabulary_may_be_an_array_of_pyarrow() -> None:
    for values in (pa.array(CITIES), pa.chunked_array([CITIES])):
        assert Vocabulary(values).values == tuple(CITIES)
    with pytest.raises(TypeError, match="str or bytes, not None"):
        Vocabulary(pa.array(["Bern", None]))


def test_a_word_with_surrogates_is_refused_by_its_name() -> None:
    with pytest.raises(ValueError, match=r"'\\ud800' has surrogates"):
        Vocabulary(["Bern", "\ud800"])


def test_what_is_no_vocabulary() -> None:
    for wrong, error, message in (
        ("abc", TypeError, "a list of values, not 'abc'"),
        ([1], TypeError, "str or bytes, not 1"),
        (["a", None], TypeError, "str or bytes, not None"),
        ([], ValueError, "not 0 of 0"),
        (["a", "b", b"b"], ValueError, "the same string at positions 1 and 2"),
    ):
        with pytest.raises(error, match=message):
            Vocabulary(wrong)  # type: ignore[arg-type]
    for unknown, error in ((0.5, TypeError), (True, TypeError), (2**63, ValueError)):
        with pytest.raises(error, match="unknown must be"):
            Vocabulary(CITIES, unknown=unknown)  # type: ignore[arg-type]
    for first, error in ((-1, ValueError), (True, TypeError), (2**63 - 1, ValueError)):
        with pytest.raises(error, match=r"first (must be|index of a vocabulary)"):
            Vocabulary(CITIES, first=first)
    for number, error in ((0, ValueError), (2.0, TypeError), (2**63, ValueError)):
        with pytest.raises(error, match="num_buckets must be"):
            HashBuckets(number)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"'x': encode must be a rowfeed.Vocabulary"):
        Column("x", encode=CITIES)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("array", "spec", "message"),
    [
        (pa.array([1]), {}, "'x': strings and binaries can be encoded, not int64"),
        (pa.array(["a"]), {"dtype": "float32"}, "'x': strings .* not float32"),
        (pa.array(["a"]), {"dtype": "int8"}, "'x': integers from 0 to 199, .* int8"),
        (pa.array(["a"]), {"fill": 2**63}, r"'x': fill=.* does not fit in int64"),
    ],
)
def test_encodings_that_make_no_sense(
    array: pa.Array, spec: dict[str, Any], message: str, tmp_path: Path
) -> None:
    write(tmp_path, array)
    columns = [Column("x", encode=HashBuckets(200), **spec)]
    with pytest.raises(ValueError, match=message):
        ParquetDataset(tmp_path, 1, columns=columns)
    with pytest.raises(ValueError, match="'__row' says where rows come from"):
        ParquetDataset(tmp_path, 1, columns=[Column("__row", encode=HashBuckets(200))])


@pytest.mark.parametrize("fill", ["Bern", b"Bern"])
def test_a_fill_of_a_string_is_encoded(tmp_path: Path, fill: str | bytes) -> None:
    write(tmp_path, pa.array(["Oslo", None, "Bern"]))
    oslo, null, bern = read(tmp_path, encode=HashBuckets(1000), fill=fill)
    assert null == bern != oslo
    listed = Vocabulary(["Rome", b"Bern", "Oslo"], first=7)
    assert [*read(tmp_path, encode=listed, fill=fill)] == [9, 8, 8]


def test_a_fill_that_no_vocabulary_has(tmp_path: Path) -> None:
    write(tmp_path, pa.array(["Bern", None]))
    known = Vocabulary(["Bern"], unknown=-1)
    assert [*read(tmp_path, encode=known, fill=b"\xff")] == [0, -1]
    with pytest.raises(ValueError, match="'x': fill='Rome' is not among the values"):
        read(tmp_path, encode=Vocabulary(["Bern"]), fill="Rome")


@pytest.mark.parametrize("face", FACES)
def test_indices_below_the_first_are_for_nulls_and_unknown_values(
    tmp_path: Path, face: str
) -> None:
    write(tmp_path, pa.array(["Oslo", None, "Rome", "Bern"]))
    encode = Vocabulary(["Bern", "Oslo"], unknown=1, first=2)
    assert encode != Vocabulary(["Bern", "Oslo"], unknown=1)
    assert [*read(tmp_path, face, encode=encode, fill=0)] == [3, 0, 1, 2]


def test_a_vocabulary_of_a_catalog_reserves_indices(tmp_path: Path) -> None:
    write(tmp_path, pa.array(["Oslo", "Bern", None]))
    catalog = Catalog.open(tmp_path)
    vocabulary = catalog.vocabulary("x", unknown=1, first=2)
    assert vocabulary == Vocabulary(["Bern", "Oslo"], unknown=1, first=2)
    for unknown, value, first in ((0, "Bern", 0), (1, "Oslo", 0), (2, "Oslo", 1)):
        advice = f"first={unknown + 1} so"
        with pytest.raises(ValueError, match=f"the index of '{value}', .*{advice}"):
            catalog.vocabulary("x", unknown=unknown, first=first)


def test_a_vocabulary_of_all_that_a_column_has(tmp_path: Path) -> None:
    parts: list[list[str | None]] = [["b", None, "ä"], ["c", "b", "a"]]
    for part, words in enumerate(parts):
        lists = [[word, "z"] for word in words]
        table = pa.table({"word": pa.array(words).dictionary_encode(), "list": lists})
        table = table.append_column("flag", pa.array([True] * 3))
        binary = pa.array([w and w.encode() for w in words], pa.binary())
        table = table.append_column("bytes", binary).append_column(
            "n", pa.array([1] * 3)
        )
        pq.write_table(table, tmp_path / f"{part}.parquet")
    catalog = Catalog.open(tmp_path)
    vocabulary = catalog.vocabulary("word", unknown=-1)
    assert vocabulary.values == ("a", "b", "c", "ä")
    assert catalog.vocabulary("bytes").values == (b"a", b"b", b"c", "ä".encode())
    assert catalog.vocabulary("list").values == ("a", "b", "c", "z", "ä")
    column = Column("word", encode=vocabulary, fill=-9)
    (batch,) = ParquetDataset(catalog, 6, columns=[column])
    assert batch["word"].tolist() == [1, -9, 3, 2, 1, 0]
    for name in ("n", "flag"):
        with pytest.raises(ValueError, match=f"or binaries, which '{name}' lacks"):
            catalog.vocabulary(name)
    with pytest.raises(KeyError, match="no column 'q'"):
        catalog.vocabulary("q")


def test_a_vocabulary_of_many_batches_has_each_value_once(tmp_path: Path) -> None:
    words = [f"{i % 50_000:05}" for i in range(120_000)]
    pq.write_table(pa.table({"word": words}), tmp_path / "words.parquet")
    vocabulary = Catalog.open(tmp_path).vocabulary("word")
    assert vocabulary.values == tuple(sorted(set(words)))
