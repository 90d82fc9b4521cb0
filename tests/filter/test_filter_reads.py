# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What is read to count what a filter leaves, and to deliver it; what is kept."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from filtering import F, passing, write
from reading import module_of
from rowfeed import Catalog, Column, ParquetDataset


@pytest.fixture
def reads() -> Callable[[], int]:
    """Bytes that this process has read since the fixture or the last call."""

    def total() -> int:
        fields = dict(
            line.split(": ") for line in Path("/proc/self/io").read_text().splitlines()
        )
        return int(fields["rchar"])

    last = [total()]

    def since() -> int:
        last.append(total())
        return last[-1] - last[-2]

    return since


NUM_ROWS = 200_000


def numbered(order: np.ndarray) -> pa.Table:
    return pa.table({"row": np.arange(len(order)), "key": order, "wide": order / 7})


@pytest.mark.parametrize("has_nulls", [False, True])
@pytest.mark.parametrize("how", ["statistics", "page index", "bloom filter"])
def test_a_look_up_reads_little_of_the_file(
    tmp_path: Path, reads: Callable[[], int], how: str, has_nulls: bool
) -> None:
    order = np.arange(NUM_ROWS)
    writing: dict[str, Any] = {"row_group_size": NUM_ROWS // 4}
    if how == "page index":
        writing |= {"row_group_size": NUM_ROWS, "write_page_index": True}
    if how == "bloom filter":
        np.random.default_rng(0).shuffle(order)
        options = {"key": {"ndv": NUM_ROWS // 20, "fpp": 0.001}}
        writing |= {"row_group_size": NUM_ROWS // 20, "bloom_filter_options": options}
    writing |= {"use_dictionary": False, "compression": "none"}
    table = numbered(order)
    if has_nulls:  # In each row group and page.
        mask = np.arange(NUM_ROWS) % 100 == 5
        table = table.set_column(1, "key", pa.array(order, mask=mask))
    path = write(tmp_path / "x.parquet", table, **writing)
    whole = path.stat().st_size
    (expected,) = np.flatnonzero(order == 77_777)
    catalog = Catalog.open(path)
    reads()
    assert passing(catalog, F("key") == 77_777) == [expected]  # type: ignore[arg-type]
    most = {"statistics": 0.5, "page index": 0.1, "bloom filter": 0.1}[how]
    assert reads() < most * whole


@pytest.mark.fault(23)
def test_what_a_filter_leaves_is_kept_in_cache_dir(
    tmp_path: Path, reads: Callable[[], int]
) -> None:
    order = np.random.default_rng(0).permutation(NUM_ROWS)
    path = write(tmp_path / "x.parquet", numbered(order), compression="none")
    catalog = Catalog.open(path)
    cache = tmp_path / "made" / "cache"

    def length(less_than: int = 1000) -> tuple[int, int]:
        dataset = ParquetDataset(
            catalog, 1, filter=F("key") < less_than, cache_dir=cache
        )
        reads()
        return len(dataset), reads()

    assert not cache.exists()
    rows, counting = length()
    assert rows == 1000
    (kept,) = cache.iterdir()
    assert counting > 50 * kept.stat().st_size
    rows, again = length()
    assert rows == 1000
    assert again < counting / 50
    assert length(500)[0] == 500
    assert len(list(cache.iterdir())) == 2
    kept.write_bytes(kept.read_bytes()[:-1] + b"?")  # Damaged: counted again.
    assert length()[0] == 1000


@pytest.mark.parametrize("has_other_length", [False, True])
def test_what_is_kept_in_cache_dir_is_not_of_a_file_that_was_rewritten(
    tmp_path: Path, has_other_length: bool
) -> None:
    """Though its footer and its size stayed as they were."""
    cache, path = tmp_path / "cache", tmp_path / "data" / "x.parquet"
    before, after = [False, True, True, False], [True, False, False, True]
    if has_other_length:
        after = [True, False, False, False]
    for now, keep in enumerate((before, after)):
        write(path, pa.table({"row": range(4), "keep": keep}))
        os.utime(path, (now, now))
        expected = [row for row in range(4) if keep[row]]
        assert passing(path.parent, F("keep"), cache_dir=cache) == expected
    assert len(list(cache.iterdir())) == 2


class Touching:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


@pytest.mark.fault(23)
def test_foreign_files_in_cache_dir_are_counted_anew_and_never_unpickled(
    tmp_path: Path,
) -> None:
    path = write(tmp_path / "x.parquet", numbered(np.arange(100)))
    cache = tmp_path / "cache"

    def count() -> int:
        return len(ParquetDataset(path, 1, filter=F("key") < 37, cache_dir=cache))

    assert count() == 37
    (kept,) = cache.iterdir()
    good = kept.read_bytes()
    touched = tmp_path / "touched"
    foreign = [
        b"",
        b"x",
        good[:10],
        good + b"x",
        bytes(len(good)),
        good[:4] + b"\xff\xff\xff\xff" + good[8:],  # Perhaps another version.
        pickle.dumps(Touching(touched)),
    ]
    for content in foreign:
        kept.write_bytes(content)
        assert count() == 37
        assert kept.read_bytes() == good
    assert not touched.exists()
    pickle.loads(foreign[-1])
    assert touched.exists()


def test_a_count_that_is_wrong_names_the_cache_dir_it_came_from(tmp_path: Path) -> None:
    cache, path = tmp_path / "cache", tmp_path / "x.parquet"
    for keep in ([True, False, True, False], [True, False, False, False]):
        write(path, pa.table({"row": range(4), "keep": keep}))
        os.utime(path, (0, 0))  # Nothing tells that it was rewritten.
        dataset = ParquetDataset(path, 4, filter=F("keep"), cache_dir=cache)
        assert len(dataset) == 1
    with pytest.raises(OSError, match=rf"1 rows pass .* expected 2 .*'{cache}'"):
        list(dataset)


@pytest.mark.fault(23)
def test_an_unusable_cache_dir_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "x.parquet", numbered(np.arange(10)))
    (tmp_path / "file").touch()
    dataset = ParquetDataset(
        path, 1, filter=F("key") < 5, cache_dir=tmp_path / "file" / "cache"
    )
    with pytest.raises(OSError, match="file"):
        len(dataset)


def test_a_file_that_was_rewritten_since_it_was_counted_is_named(
    tmp_path: Path,
) -> None:
    path = write(tmp_path / "x.parquet", numbered(np.arange(1000)))
    dataset = ParquetDataset(path, 1, filter=F("key") < 5)
    write(path, numbered(np.arange(2000)))
    with pytest.raises(OSError, match=r"x\.parquet"):
        len(dataset)


def test_nulls_and_values_of_rows_that_do_not_pass_are_no_error(tmp_path: Path) -> None:
    columns = {
        "row": pa.array(range(4)),
        "keep": pa.array([True, False, True, None]),
        "number": pa.array([1, None, 3, None], pa.int32()),
        "text": pa.array(["a", None, "c", None]),
        "list": pa.array([[1], None, [], [None]], pa.list_(pa.int64())),
        "fixed": pa.array([[1, 2], None, [3, 4], None], pa.list_(pa.int64(), 2)),
        "nested": pa.array([[["x"]], None, [[], ["y"]], [[None]]]),
        "big": pa.array([1, 2**40, 3, 2**40]),
    }
    path = write(tmp_path / "x.parquet", pa.table(columns))
    wanted: list[str | Column] = [Column("big", dtype="int16")]
    wanted += [name for name in columns if name != "big"]
    (batch,) = ParquetDataset(path, 10, columns=wanted, filter=F("keep"))
    assert batch["row"].tolist() == [0, 2]
    assert batch["number"].tolist() == [1, 3]
    assert batch["text"].tolist() == ["a", "c"]
    assert batch["list"].tolist() == [[1], []]
    assert batch["fixed"].tolist() == [[1, 2], [3, 4]]
    assert batch["nested"].tolist() == [[["x"]], [[], ["y"]]]
    assert batch["big"].tolist() == [1, 3]
    with pytest.raises(ValueError, match="row 1"):
        list(ParquetDataset(path, 10, columns=["number"], filter=F("row") < 2))


@pytest.mark.parametrize("compression", ["none", "zstd"])
@pytest.mark.parametrize("use_dictionary", [False, ["wide"]])
def test_pages_without_a_row_that_passes_are_not_read(
    tmp_path: Path,
    reads: Callable[[], int],
    compression: str,
    use_dictionary: bool | list[str],
) -> None:
    num_rows = 2000
    words = [bytes([i % 251]) * 8000 for i in range(num_rows)]
    if not use_dictionary:
        random = np.random.default_rng(0)
        words = [random.bytes(8000) for _ in range(num_rows)]
    table = pa.table({"row": range(num_rows), "wide": words})
    path = write(
        tmp_path / "x.parquet",
        table,
        compression=compression,
        use_dictionary=use_dictionary,
        max_rows_per_page=20,
    )
    catalog = Catalog.open(path)
    wanted = [5, 900, 1999]
    reads()
    (batch,) = ParquetDataset(catalog, 10, filter=F("row").isin(wanted), num_threads=1)
    assert batch["row"].tolist() == wanted
    assert batch["wide"].tolist() == [words[row] for row in wanted]
    if not use_dictionary:
        assert reads() < 0.2 * path.stat().st_size


@pytest.mark.parametrize("first", ["len", "state_at", "iteration"])
def test_in_a_process_a_tensorflow_dataset_is_counted_once(
    tmp_path: Path, first: str
) -> None:
    pytest.importorskip("tensorflow")
    from rowfeed.tensorflow import ParquetDataset as TensorFlowDataset

    path = write(tmp_path / "x.parquet", numbered(np.arange(1000)), row_group_size=300)
    dataset = TensorFlowDataset(path, 100, filter=F("key") < 700)
    if first == "len":
        assert len(dataset) == 7
    elif first == "state_at":
        assert dataset.state_at(0, 3)["row"] == 300
    else:
        assert len(list(dataset)) == 7
    path.unlink()  # Nothing of it can be read any more.
    assert len(dataset) == 7
    assert dataset.state_at(0, 3)["row"] == 300
    state = dataset.state_at(1, 2)
    dataset.load_state_dict(state)
    assert dataset.state_dict() == state
    assert dataset.begin_epoch() == 5


def test_what_is_wrong_with_a_tensorflow_datasets_filter_is_an_error_of_python(
    tmp_path: Path,
) -> None:
    pytest.importorskip("tensorflow")
    from rowfeed.tensorflow import ParquetDataset as TensorFlowDataset

    path = write(tmp_path / "x.parquet", numbered(np.arange(1000)))
    dataset = TensorFlowDataset(path, 100, filter=F("key") < 700)
    path.unlink()
    with pytest.raises(FileNotFoundError, match=r"x\.parquet"):
        dataset.state_at(0, 3)


@pytest.mark.parametrize("face", ["numpy", "tensorflow"])
def test_datasets_of_a_catalog_do_not_count_what_it_has_counted(
    tmp_path: Path, face: str
) -> None:
    module = module_of(face)
    path = write(tmp_path / "x.parquet", numbered(np.arange(1000)), row_group_size=300)
    catalog = Catalog.open(path)
    with pytest.raises(KeyError, match="nope"):
        catalog.count(F("nope") > 3)
    for block_rows in (100, sys.maxsize):
        assert catalog.count(F("key") < 700, block_rows=block_rows) == 700
    path.unlink()  # Nothing of it can be read any more.
    known = module.ParquetDataset(catalog, 100, filter=F("key") < 700, block_rows=100)
    assert len(known) == 7
    other = module.ParquetDataset(catalog, 100, filter=F("key") < 600, block_rows=100)
    with pytest.raises((FileNotFoundError, TypeError)):
        len(other)
