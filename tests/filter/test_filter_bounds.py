# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files of strangers that state wrong bounds: a filter has the rows that it has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from rowfeed import Catalog, ParquetDataset, ParquetMapDataset
from strangers import SHARED

F = pc.field
STRANGERS = SHARED / "strangers"
TESTING = SHARED / "parquet-testing" / "data"

# The file, the filter, and how many rows pass.
CASES: list[tuple[Path, pc.Expression, int]] = [
    (STRANGERS / "dst_10.0.1.parquet", F("field_1") == "zzz", 1),
    (STRANGERS / "dst_10.0.1.parquet", F("field_1") <= "sean", 4),
    (STRANGERS / "dst_10.0.1.parquet", F("field_1").is_valid(), 5),
    (STRANGERS / "dst_11.0.0.parquet", F("field_1") == "zzz", 1),
    (STRANGERS / "polars0.17.15_d_rg.parquet", F("cat").is_null(), 80),
    (STRANGERS / "polars0.17.15_d_rg.parquet", F("cat").is_valid(), 320),
    (STRANGERS / "polars0.17.15_60_rg.parquet", F("u") == 62, 1),
    (STRANGERS / "uint_types.parquet", F("int16_field") < 0, 1),
    *[
        (TESTING / f"datapage_v1-{name}-checksum.parquet", F("a") >= 0, 2560)
        for name in ("snappy-compressed", "uncompressed", "corrupt")
    ],
]


def there(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"{path.name} is not beside the checkout")
    return path


def in_memory(path: Path, column: str, passes: pc.Expression) -> int:
    return int(pq.read_table(path, columns=[column]).filter(passes).num_rows)


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case[0].stem}-{case[1]}".replace(" ", "")
)
@pytest.mark.parametrize("block_rows", [None, 1, 3])
def test_a_filter_of_strangers_files_has_the_rows_that_pass(
    case: tuple[Path, pc.Expression, int], block_rows: int | None
) -> None:
    path, passes, expected = case
    catalog = Catalog.open(there(path))
    assert catalog.count(passes, block_rows=block_rows) == expected
    if "corrupt" in path.name:
        return  # Its values are others than were written: nothing to compare with.
    dataset = ParquetDataset(
        path, 64, columns=["__row"], filter=passes, block_rows=block_rows
    )
    assert sum(len(batch["__row"]) for batch in dataset) == expected
    rows = ParquetMapDataset(path, columns=["__row"], filter=passes)
    assert len(rows.take(range(expected))["__row"]) == len(rows) == expected


def some_filters(table: pa.Table, column: str) -> Iterator[pc.Expression]:
    """Comparisons of a column with values that it has, and what asks for nulls."""
    yield F(column).is_null()
    yield F(column).is_valid()
    values = table[column].combine_chunks().drop_null()
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    picked = sorted({0, len(values) // 3, len(values) // 2, len(values) - 1})
    chosen = [values[i] for i in picked if 0 <= i < len(values)]
    if len(values):
        chosen += list(pc.min_max(values).values())
    for value in chosen:
        yield F(column) == value
        yield F(column) < value
        yield F(column) >= value
        yield F(column).isin(pa.array([value.as_py()], values.type))


@pytest.mark.parametrize(
    "path", sorted({case[0] for case in CASES}), ids=lambda p: p.stem
)
def test_every_filter_of_every_column_of_strangers_files_is_right(path: Path) -> None:
    catalog = Catalog.open(there(path))
    table = pq.ParquetFile(path).read()
    compared = 0
    for field in catalog.schema:
        if field.unsupported or field.name not in table.column_names:
            continue
        for passes in some_filters(table, field.name):
            try:
                expected = in_memory(path, field.name, passes)
            except pa.ArrowNotImplementedError:
                continue  # Arrow does not compare such values.
            assert catalog.count(passes) == expected, passes
            compared += 1
    assert compared > 5


def test_columns_without_an_order_have_no_bounds() -> None:
    """The column index of geometries has bounds that are empty."""
    path = there(STRANGERS / "geospatial.parquet")
    catalog = Catalog.open(path)
    for column in ("Geometry", "Geography"):
        values: Any = pq.read_table(path, columns=[column])[column]
        if isinstance(values.type, pa.BaseExtensionType):
            values = pa.chunked_array([chunk.storage for chunk in values.chunks])
        values = values.cast(pa.binary())
        for value in values.drop_null().unique():
            expected = pc.sum(pc.equal(values, value)).as_py()
            assert catalog.count(F(column) == value) == expected
