# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`verify_checksums=True`: a page that does not match its checksum is an error."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from checked_pages import (
    ROWS,
    WRITING,
    Page,
    flipped,
    pages_of,
    table,
    written,
)
from reading import FACES, module_of
from rowfeed import Catalog, Column, ParquetDataset, ParquetMapDataset, mix
from s3_server import serving
from strangers import parquet_testing

SAID = r"the (dictionary )?page at byte \d+ of the file does not match its checksum"


@pytest.fixture(params=[*WRITING])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return written(tmp_path / "x.parquet", **WRITING[request.param])


def columns() -> list[str | Column]:
    return ["number", "word", Column("null", fill=0), "list", "wide"]


def read(path: Path, face: str = "numpy", **options: Any) -> Any:
    module = module_of(face)
    options.setdefault("columns", columns())
    return list(module.ParquetDataset(path, 512, verify_checksums=True, **options))


def test_what_matches_is_read_as_without(path: Path) -> None:
    shuffled: dict[str, Any] = {"block_rows": 100, "shuffle": True}
    for options in ({}, shuffled):
        plain = ParquetDataset(path, 512, columns=columns(), **options)
        for got, expected in zip(read(path, **options), plain, strict=True):
            for name, array in expected.items():
                assert got[name].tolist() == array.tolist()


def test_every_damaged_page_is_an_error(path: Path) -> None:
    intact = path.read_bytes()
    unseen = 0
    for page in few(pages_of(path)):
        for place in {page.begin, page.end - 1}:
            flipped(path, place)
            where = rf"{path}, row group 0, column '{page.column}': {SAID}"
            with pytest.raises(OSError, match=where):
                read(path, columns=of(page))
            try:
                list(ParquetDataset(path, 512, columns=of(page)))
            except (OSError, ValueError):  # What is damaged may pass for a null.
                pass
            else:
                unseen += 1
            path.write_bytes(intact)
    if pq.read_metadata(path).row_group(0).column(0).compression != "ZSTD":
        assert unseen > 0  # Without the option, such damage is not seen.


def of(page: Page) -> list[str | Column]:
    return [Column("null", fill=0) if page.column == "null" else page.column]


def few(pages: Iterable[Page]) -> list[Page]:
    """Returns the first two and the last page of each column."""
    by_column: dict[str, list[Page]] = {}
    for page in pages:
        by_column.setdefault(page.column, []).append(page)
    assert len(by_column) == 5
    return [page for found in by_column.values() for page in (*found[:2], found[-1])]


def test_only_pages_that_are_read_are_verified(path: Path) -> None:
    last = [page for page in pages_of(path) if page.column == "number"][-1]
    flipped(path, last.begin)
    read(path, columns=["word", "list"])
    rows = ParquetMapDataset(path, columns=["number"], verify_checksums=True)
    rows.take([0, 10])
    with pytest.raises(OSError, match=SAID):
        rows.take([ROWS - 1])


@pytest.mark.parametrize("face", FACES)
def test_a_damaged_page_is_an_error_in_every_face(tmp_path: Path, face: str) -> None:
    path = written(tmp_path / "x.parquet", compression="none")
    page = [page for page in pages_of(path) if page.column == "number"][1]
    flipped(path, page.begin + 100)
    error: type[Exception] = OSError
    if face == "tensorflow":
        tensorflow = pytest.importorskip("tensorflow")
        error = tensorflow.errors.DataLossError
    with pytest.raises(error, match=rf"row group 0, column 'number': {SAID}"):
        read(path, face, columns=["number"])


def test_small_blocks_and_windows_are_verified(path: Path) -> None:
    page = [page for page in pages_of(path) if page.column == "list"][-1]
    flipped(path, page.end - 1)
    with pytest.raises(OSError, match=SAID):
        read(path, block_rows=50, shuffle=True, columns=["list"])


def test_pages_that_a_filter_reads_are_verified(path: Path) -> None:
    page = [page for page in pages_of(path) if page.column == "number"][2]
    flipped(path, page.begin + 5)
    for wanted in (("number", ">", 0.5), ("number", "<", 0.9)):
        with pytest.raises(OSError, match=SAID):
            read(path, columns=["word"], filter=[wanted])
        with pytest.raises(OSError, match=SAID):
            Catalog.open(path).count([wanted], verify_checksums=True)
        taken = ParquetMapDataset(
            path, columns=["word"], filter=[wanted], verify_checksums=True
        )
        with pytest.raises(OSError, match=SAID):
            len(taken)


def test_each_source_of_a_mixture_has_its_own_option(tmp_path: Path) -> None:
    good = written(tmp_path / "good.parquet", compression="none")
    bad = written(tmp_path / "bad.parquet", compression="none")
    page = [page for page in pages_of(bad) if page.column == "number"][2]
    flipped(bad, page.begin + 5)

    def mixed(of_good: bool, of_bad: bool) -> list[Any]:
        sources = [
            ParquetDataset(path, 64, columns=["number"], verify_checksums=verified)
            for path, verified in ((good, of_good), (bad, of_bad))
        ]
        return list(mix(sources, weights=[1, 1]))

    assert mixed(True, False)
    with pytest.raises(OSError, match=r"bad\.parquet.*" + SAID):
        mixed(False, True)


def test_wide_strings_that_stay_in_the_file_are_verified(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    random = np.random.default_rng(1)
    rows = [random.bytes(40_000 + i) for i in range(60)]
    for dictionary in (False, True):
        pq.write_table(
            pa.table({"x": rows}),
            path,
            compression="none",
            write_page_checksum=True,
            use_dictionary=dictionary,
            dictionary_pagesize_limit=1 << 30,
        )
        (batch,) = ParquetDataset(path, 60, verify_checksums=True)
        assert [bytes(row) for row in batch["x"]] == rows
        page = next(pages_of(path))
        flipped(path, page.begin + 50_000)
        with pytest.raises(OSError, match=SAID):
            list(ParquetDataset(path, 60, verify_checksums=True))


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("datapage_v1-uncompressed-checksum.parquet", []),
        ("datapage_v1-snappy-compressed-checksum.parquet", []),
        ("datapage_v1-corrupt-checksum.parquet", ["a", "b"]),
        ("plain-dict-uncompressed-checksum.parquet", []),
        (
            "rle-dict-uncompressed-corrupt-checksum.parquet",
            ["long_field", "binary_field"],
        ),
        ("rle-dict-snappy-checksum.parquet", []),
    ],
)
def test_checksums_of_parquet_testing(name: str, bad: list[str]) -> None:
    path = parquet_testing(name)
    for field in Catalog.open(path).schema:
        dataset = ParquetDataset(path, 100, columns=[field.name], verify_checksums=True)
        if field.name in bad:
            with pytest.raises(OSError, match=SAID):
                list(dataset)
        else:
            assert sum(len(batch[field.name]) for batch in dataset) > 0


@pytest.mark.fault(27)
@pytest.mark.parametrize("cached", [False, True])
def test_pages_of_a_store_are_verified(tmp_path: Path, *, cached: bool) -> None:
    pytest.importorskip("moto")
    path = written(tmp_path / "data" / "x.parquet", compression="none")
    page = [page for page in pages_of(path) if page.column == "number"][1]
    options: dict[str, Any] = {"columns": ["number"], "verify_checksums": True}
    if cached:
        options["cache_dir"] = tmp_path / "cache"
    with serving() as s3:
        s3.put_tree("pages", path.parent)
        (intact, *_) = ParquetDataset(s3.uri("pages"), ROWS, **options)
        assert intact["number"].tolist() == table()["number"].to_pylist()
        s3.put("pages", "x.parquet", flipped(path, page.begin + 100).read_bytes())
        orders: list[dict[str, Any]] = [{}, {"shuffle": True, "block_rows": 100}]
        for order in orders:
            with pytest.raises(OSError, match=rf"s3://pages/x\.parquet.*{SAID}"):
                list(ParquetDataset(s3.uri("pages"), ROWS, **options, **order))
        rows = ParquetMapDataset(s3.uri("pages"), **options)
        with pytest.raises(OSError, match=SAID):
            rows.take([*range(ROWS)])


def test_pages_without_a_checksum_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": range(10)}), path, write_page_checksum=False)
    (batch,) = ParquetDataset(path, 10, verify_checksums=True)
    assert batch["x"].tolist() == [*range(10)]


def test_the_option_is_a_bool(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": [1]}), path)
    for verify in (1, "crc", None):
        wrong: Any = verify
        with pytest.raises(TypeError, match="verify_checksums must be a bool, not"):
            ParquetDataset(path, 1, verify_checksums=wrong)
        with pytest.raises(TypeError, match="verify_checksums must be a bool, not"):
            ParquetMapDataset(path, verify_checksums=wrong)


def test_states_do_not_depend_on_the_option(path: Path) -> None:
    plain, verified = (
        ParquetDataset(path, 512, columns=["number"], verify_checksums=verify)
        for verify in (False, True)
    )
    iterator = iter(plain)
    next(iterator)
    verified.load_state_dict(plain.state_dict())
    assert [b["number"].tolist() for b in verified] == [
        b["number"].tolist() for b in iterator
    ]
