# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics that nothing contradicts until values are read: then they are dropped."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import lying_files
from filtering import F, passing, write
from hand_made import I32, I64, STRUCT, encoded, struct
from lies import BLOOMS, LIES, NO_INDEX
from lying_files import GROUP_ROWS, Chunk, Lie, column_of, put
from old_levels import Reader
from reading import module_of
from rowfeed import Catalog, ParquetDataset, ParquetMapDataset

Tell = Callable[[Chunk], None]


def lying(path: Path, column: str, tell: Tell, **lie: Any) -> Path:
    lie.setdefault("layout", NO_INDEX)
    lying_files.write(path, Lie("a lie", tell, (column,), **lie))
    return path


def first_page(chunk: Chunk) -> None:
    """Says that the chunk has the bounds of its first page."""
    first = [v for v in chunk.pages[0] if v is not None]
    chunk.say(min(first), max(first))


def right(passes: pc.Expression) -> list[int]:
    return [*lying_files.table().filter(passes)["row"].to_pylist()]


# Row 130 is beyond the first page of the first row group: its group is read, as its
# neighbour is within the bounds, and shows that they lie. Row 1190's group is not.
FOUND: dict[str, tuple[str, Tell, dict[str, Any], pc.Expression]] = {
    "bounds of numbers": (
        "i64",
        first_page,
        {},
        F("i64").isin([column_of("i64")[r].as_py() for r in (50, 130, 1190)]),
    ),
    "bounds of strings": (
        "text",
        first_page,
        {},
        F("text").isin([column_of("text")[r].as_py() for r in (50, 130, 1190)]),
    ),
    "bounds of dates": (
        "day",
        first_page,
        {},
        F("day").isin([column_of("day")[r].as_py() for r in (50, 130, 1190)]),
    ),
    "bounds of fields of structs": (
        "s.x",
        first_page,
        {},
        F("s", "x").isin([column_of("s.x")[r].as_py() for r in (50, 130, 1190)]),
    ),
    "no nulls, where there are some": (
        "i64",
        lambda chunk: no_nulls(chunk),
        {},
        F("i64").is_null() | (F("row") == 130),
    ),
    "more nulls than there are": (
        "i64",
        lambda chunk: all_null(chunk) if chunk.values[0] >= 0 else None,
        {},
        F("i64").is_valid() & (F("row") > 500),
    ),
    "a bloom filter": (
        "i64",
        lambda chunk: bloom_of_one_value(chunk),
        {"layout": BLOOMS},
        (F("i64") == column_of("i64")[50].as_py()) | (F("row") == 130),
    ),
}


def no_nulls(chunk: Chunk) -> None:
    put(chunk.statistics, 3, I64, 0)
    chunk.meta.pop(16, None)  # Levels would show it.


def all_null(chunk: Chunk) -> None:
    """Says that all values but one are null."""
    put(chunk.statistics, 3, I64, GROUP_ROWS - 1)
    chunk.meta.pop(16, None)


def bloom_of_one_value(chunk: Chunk) -> None:
    assert chunk.bloom is not None
    one = b"\1\0\0\0" * 8
    chunk.bloom = chunk.bloom[0], one + bytes(len(chunk.bloom[1]) - len(one))


@pytest.mark.parametrize("name", FOUND)
def test_a_lie_that_values_show_costs_no_row_and_is_said_once(
    tmp_path: Path, name: str
) -> None:
    column, tell, lie, passes = FOUND[name]
    path = lying(tmp_path / "x.parquet", column, tell, **lie)
    dataset = ParquetDataset(path, 7, columns=["row"], filter=passes)
    with pytest.warns(UserWarning, match="use_statistics=False") as said:
        num_batches = len(dataset)
    (warning,) = said
    for part in (str(path), f"'{column}'", "parquet-cpp-arrow version"):
        assert part in str(warning.message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = [int(row) for batch in dataset for row in batch["row"]]
        assert len(dataset) == num_batches
    assert rows == right(passes)


@pytest.mark.parametrize("num_threads", [1, 3])
@pytest.mark.parametrize("block_rows", [None, 100])
def test_only_the_file_that_lies_is_counted_without_its_statistics(
    tmp_path: Path, num_threads: int, block_rows: int | None
) -> None:
    lying(tmp_path / "b.parquet", "i64", first_page)
    for honest in ("a", "c"):
        lying_files.write(
            tmp_path / f"{honest}.parquet", Lie("none", first_page, (), NO_INDEX)
        )
    passes = FOUND["bounds of numbers"][3]
    with pytest.warns(UserWarning, match=r"b\.parquet") as said:
        count = Catalog.open(tmp_path).count(
            passes, block_rows=block_rows, num_threads=num_threads
        )
    assert len(said) == 1
    assert count == 3 * len(right(passes))


def test_rows_by_index_and_cached_counts_are_right_as_well(tmp_path: Path) -> None:
    path = lying(tmp_path / "x.parquet", "i64", first_page)
    passes = FOUND["bounds of numbers"][3]
    options: dict[str, Any] = {"filter": passes, "cache_dir": tmp_path / "cache"}
    with pytest.warns(UserWarning, match="use_statistics"):
        assert len(ParquetMapDataset(path, **options)) == len(right(passes))
    again = ParquetMapDataset(path, columns=["row"], **options)
    assert again.take(range(len(again)))["row"].tolist() == right(passes)


@pytest.mark.parametrize("name", LIES)
def test_without_statistics_every_lie_is_harmless(tmp_path: Path, name: str) -> None:
    lie = LIES[name]
    path = tmp_path / "x.parquet"
    table = lying_files.write(path, lie)
    catalog = Catalog.open(path)
    for column in lie.columns[:2]:
        field = F(*column.split("."))
        for passes in (
            field == column_of(column)[905],
            field < column_of(column)[250],
            field.is_null(),
            field.is_valid(),
        ):
            rows = passing(catalog, passes, use_statistics=False)  # type: ignore[arg-type]
            assert rows == table.filter(passes)["row"].to_pylist(), passes


def test_what_was_counted_by_statistics_is_not_taken_for_a_read_without(
    tmp_path: Path,
) -> None:
    path = lying(tmp_path / "x.parquet", "i64", first_page)
    passes = F("i64") == column_of("i64")[1190]  # In a row group that is ruled out.
    cache = tmp_path / "cache"
    catalog = Catalog.open(path)
    believed = catalog.count(passes, cache_dir=cache)
    assert believed < len(right(passes))  # Nothing was read that could show it.
    counted = catalog.count(passes, cache_dir=cache, use_statistics=False)
    assert counted == len(right(passes))
    assert passing(path, passes, cache_dir=cache, use_statistics=False) == right(passes)
    assert len(list(cache.iterdir())) == 2
    assert catalog.count(passes, cache_dir=cache) == believed
    with pytest.raises(TypeError, match="use_statistics must be a bool"):
        ParquetDataset(path, 8, use_statistics=None)  # type: ignore[arg-type]


PAGE_ROWS, NUM_PAGES = 6000, 3


@pytest.fixture
def lying_page(tmp_path: Path) -> Path:
    """A row group whose page in the middle is said to have no more than its least."""
    table = pa.table({"row": np.arange(PAGE_ROWS * NUM_PAGES)})
    path = write(
        tmp_path / "x.parquet",
        table.append_column("key", table["row"]),
        max_rows_per_page=PAGE_ROWS,
        write_batch_size=PAGE_ROWS,
        use_dictionary=False,
        write_page_index=True,
    )
    data = path.read_bytes()
    size = int.from_bytes(data[-8:-4], "little")
    footer: Any = Reader(data[-8 - size : -8]).struct()
    column = footer[4][1][1][0][1][1][1][1]
    index: Any = Reader(data, column[6][1]).struct()
    index[3][1][1][1] = PAGE_ROWS.to_bytes(8, "little")
    body = encoded(STRUCT, index)
    out = bytearray(data[: -8 - size])
    put(column, 6, I64, len(out))
    put(column, 7, I32, len(body))
    end = struct(footer)
    path.write_bytes(out + body + end + len(end).to_bytes(4, "little") + b"PAR1")
    return path


@pytest.mark.parametrize("face", ["numpy", "torch", "tensorflow"])
def test_a_lie_that_an_epoch_shows_is_an_error_that_names_the_option(
    lying_page: Path, face: str
) -> None:
    module = module_of(face)
    keys = [10, PAGE_ROWS + 10, 2 * PAGE_ROWS + 10]
    options: dict[str, Any] = {"columns": ["row"], "filter": F("key").isin(keys)}
    with pytest.raises(
        Exception, match=r"x\.parquet.*3 rows pass.*use_statistics=False"
    ):
        list(module.ParquetDataset(lying_page, 8, **options))
    (batch,) = module.ParquetDataset(lying_page, 8, use_statistics=False, **options)
    assert np.asarray(batch["row"]).tolist() == keys


@pytest.fixture
def lying_for_tensorflow(tmp_path: Path) -> Any:
    """A data set of TensorFlow, and the rows that it has to deliver."""
    pytest.importorskip("tensorflow")
    from rowfeed.tensorflow import ParquetDataset as TensorFlowDataset

    path = lying(tmp_path / "x.parquet", "i64", first_page)
    passes = FOUND["bounds of numbers"][3]
    dataset = TensorFlowDataset(path, 7, columns=["row"], filter=passes)
    return dataset, right(passes)


def test_the_op_of_tensorflow_logs_what_it_found(
    lying_for_tensorflow: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    """With a step of tf.data on top, no code of Python runs that could warn."""
    dataset, expected = lying_for_tensorflow
    stepped = dataset.map(lambda batch: batch["row"])
    assert [int(row) for batch in stepped for row in batch] == expected
    assert capfd.readouterr().err.count("use_statistics=False") == 1


def test_a_dataset_of_tensorflow_warns_of_what_it_found(
    lying_for_tensorflow: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    dataset, expected = lying_for_tensorflow
    with pytest.warns(UserWarning, match="use_statistics=False") as said:
        rows = [int(row) for batch in dataset for row in batch["row"]]
    assert rows == expected
    assert len(said) == 1
    assert "use_statistics=False" not in capfd.readouterr().err


def test_ranks_that_share_a_count_share_what_they_found(tmp_path: Path) -> None:
    """Rank 1 reads nothing of the file, and has believed it."""
    path = lying(tmp_path / "x.parquet", "i64", first_page)
    passes = F("i64").isin([column_of("i64")[r].as_py() for r in (50, 1190)])
    ranks = [
        ParquetDataset(path, 7, columns=["row"], filter=passes)._parameters.rows
        for _ in range(2)
    ]
    with pytest.warns(UserWarning, match=r"x\.parquet"):
        first = ranks[0].count_share(0, 2)
    second = ranks[1].count_share(1, 2)
    ranks[0].join([first, second])
    assert ranks[0].num_rows() == len(right(passes))


def test_honest_files_raise_no_warning(tmp_path: Path) -> None:
    """Files of pyarrow with statistics, indexes and bloom filters, zeros and NaN."""
    rows = np.arange(3000)
    floats = np.where(rows % 5 == 0, np.nan, np.where(rows % 2 == 0, -0.0, 0.0))
    blooms = {"text": {"ndv": 3000}, "row": {"ndv": 3000}}
    columns: dict[str, Any] = {
        "row": rows,
        "text": pa.array([f"{n:04}" * 30 if n % 3 else None for n in rows]),
        "float": floats,
        "small": pa.array((rows % 250).astype(np.uint8), mask=rows % 4 == 0),
        "word": pa.array([f"w{n % 7}" for n in rows]).dictionary_encode(),
    }
    table = pa.table(columns)
    path = write(
        tmp_path / "x.parquet",
        table,
        row_group_size=1000,
        max_rows_per_page=100,
        write_page_index=True,
        bloom_filter_options=blooms,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "no row is left")
        for passes in (
            F("text") == "0500" * 30,
            F("text") > "0500" * 30,
            F("text").is_null(),
            F("float") == 0.0,
            F("float") >= 0.0,
            F("float") < 0.0,
            F("small") > 200,
            F("small").is_valid() & (F("row") < 1500),
            F("word") == "w3",
            F("row").isin([5, 2999]),
        ):
            decoded = table.set_column(4, "word", table["word"].cast("string"))
            expected = decoded.filter(passes)["row"].to_pylist()
            assert passing(path, passes) == expected
    assert pq.read_metadata(path).row_group(0).column(1).has_column_index


def test_a_lie_about_bytes_that_are_not_utf8_is_a_warning(tmp_path: Path) -> None:
    def say(chunk: Chunk) -> None:
        chunk.say(b"000\xff", b"000\xff")
        chunk.meta.pop(16)  # The size of all values would show it.

    lie = Lie("bytes", say, ("key",), NO_INDEX)
    lying_files.write(tmp_path / "x.parquet", lie)
    passes = pc.field("key").is_valid()
    dataset = ParquetDataset(tmp_path, 1, columns=["row"], filter=passes)
    with pytest.warns(UserWarning, match=r"key.*000\\xff"):
        count = len(dataset)
    assert count == lying_files.table().filter(passes).num_rows
