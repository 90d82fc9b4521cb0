# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Pages that do not decompress: lost data, by file and column, in every face."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reading import FACES, module_of
from rowfeed import Catalog, Column, ParquetDataset, ParquetMapDataset
from strangers import stranger

CODECS = ("snappy", "gzip", "zstd", "lz4", "brotli")


def error_of(face: str, path: Path, **options: Any) -> BaseException:
    """Returns what reading all of a file raises."""
    module = module_of(face)
    with pytest.raises(Exception) as caught:  # noqa: PT011
        list(module.ParquetDataset(path, 64, **options))
    return caught.value


def check(error: BaseException, face: str, *words: str) -> None:
    """Checks that data is lost, in words of the face, and says where."""
    if face == "tensorflow":
        import tensorflow as tf

        assert isinstance(error, tf.errors.DataLossError)
    else:
        assert isinstance(error, OSError)
    for word in words:
        assert word in str(error)


@pytest.fixture(params=[*CODECS])
def damaged(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file whose column `x` has a page that does not decompress."""
    path = tmp_path / f"{request.param}.parquet"
    random = np.random.default_rng(0)
    table = pa.table({"i": np.arange(500), "x": random.integers(0, 50, 500)})
    writing: dict[str, Any] = {"compression": request.param, "use_dictionary": False}
    pq.write_table(table, path, **writing)
    chunk = pq.read_metadata(path).row_group(0).column(1)
    begin, size = chunk.data_page_offset, chunk.total_compressed_size
    data = bytearray(path.read_bytes())
    middle = begin + size // 2
    data[middle : begin + size] = bytes(b ^ 0xA5 for b in data[middle : begin + size])
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("face", FACES)
def test_a_page_that_does_not_decompress_is_lost_data(damaged: Path, face: str) -> None:
    pytest.importorskip(face)
    error = error_of(face, damaged, columns=["x"])
    check(error, face, str(damaged), "row group 0", "column 'x'")


def test_the_other_columns_of_a_damaged_file_are_read(damaged: Path) -> None:
    (batch,) = ParquetDataset(damaged, 1000, columns=["i"])
    assert batch["i"].tolist() == [*range(500)]


def test_rows_by_index_of_a_damaged_page_are_lost_data(damaged: Path) -> None:
    with pytest.raises(OSError, match=r"row group 0, column 'x'"):
        ParquetMapDataset(damaged, columns=["x"]).take([400])


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("name", ["s34-026-zero.parquet", "s41-001-truncmid.parquet"])
def test_damaged_files_of_others_are_lost_data(name: str, face: str) -> None:
    pytest.importorskip(face)
    path = stranger(name)
    columns = [Column(f.name, mask=True) for f in Catalog.open(path).schema]
    check(error_of(face, path, columns=columns), face, name, "row group 0, column '")


@pytest.mark.parametrize("face", FACES)
def test_a_filter_on_a_damaged_column_says_that_data_is_lost(
    damaged: Path, face: str
) -> None:
    pytest.importorskip(face)
    error = error_of(face, damaged, columns=["i"], filter=[("x", ">", 7)])
    check(error, face, str(damaged), "row group 0", "column 'x'")


def said_by(error: BaseException) -> str:
    """Returns the message; a KeyError shows it as Python writes a string."""
    is_key = isinstance(error, KeyError)
    return str(error.args[0]) if is_key else str(error)


HOSTILE = "a\n\x1b[31mred\x00\u202e"
SHOWN = "a\\n\\x1b[31mred\\x00\\u202e"


@pytest.mark.parametrize("face", FACES)
def test_names_in_messages_are_on_one_line_and_printable(
    tmp_path: Path, face: str
) -> None:
    pytest.importorskip(face)
    folder = tmp_path / "two\nlines\x1b"
    folder.mkdir()
    path = folder / "x.parquet"
    table = pa.table({HOSTILE: pa.array([1, None, 3]), "odd": pa.nulls(3)})
    pq.write_table(table, path)
    ways: list[Callable[[], BaseException]] = [
        lambda: error_of(face, path, columns=[HOSTILE]),  # It has a null.
        lambda: error_of(face, path, columns=["none"]),
        lambda: error_of(face, path, columns=["odd"]),
    ]
    for way in ways:
        said = said_by(way())
        assert said.isprintable()
        assert "two\\nlines\\x1b" in said
    assert SHOWN in said_by(ways[0]())
    assert SHOWN in said_by(ways[1]())


def test_a_name_that_is_not_utf8_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"café": pa.array([1, None])}), path)
    path.write_bytes(path.read_bytes().replace("café".encode(), b"caf\xff\xe9"))
    with pytest.raises(KeyError) as caught:
        ParquetDataset(path, 1, columns=["none"])
    assert r"caf\xff\xe9" in str(caught.value).replace("\\\\", "\\")
