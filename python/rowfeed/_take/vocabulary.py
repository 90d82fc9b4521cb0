# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the distinct values of a column of strings, for a vocabulary."""

from __future__ import annotations

from typing import Any, Final

from rowfeed._catalog.catalog import Catalog
from rowfeed._catalog.split import Split
from rowfeed._columns.column import Column
from rowfeed._columns.dtypes import BYTES
from rowfeed._stream.numpy_dataset import ParquetDataset

_ROWS_AT_ONCE: Final = 2**14


def distinct_values(
    catalog: Catalog, column: str, split: Split | None
) -> list[str | bytes]:
    """Reads a column of all files; returns each of its values once, sorted.

    Args:
        catalog: Catalog of the files.
        column: Name of a column of strings or binaries, or of lists of them, at any
            depth. Nulls are left out.
        split: Split whose rows are read. None for all rows.

    Raises:
        KeyError: The data has no such column.
        ValueError: The column holds neither strings nor binaries.
    """
    import pyarrow as pa

    columns = {"x": Column(column, mask=True)}
    dataset = ParquetDataset(catalog, _ROWS_AT_ONCE, columns=columns, split=split)
    outputs = dataset._parameters.outputs  # The values and their mask.
    if len(outputs) != 2 or outputs[0].dtype not in BYTES:
        raise ValueError(
            f"a vocabulary is of strings or binaries, which {column!r} lacks"
        )
    found: Any = pa.array([], pa.large_binary())
    # New values are merged into `found` when they are as many as those in it, since
    # each merge hashes all values.
    others: list[Any] = []
    num_others = 0
    for batch in dataset:
        values, mask = _flat(batch["x"].to_pyarrow()), batch["x__mask"]
        while hasattr(mask, "values"):
            mask = mask.values
        present = values.filter(pa.array(mask)).cast(pa.large_binary()).unique()
        others.append(present)
        num_others += len(present)
        if num_others > len(found) + _ROWS_AT_ONCE:
            found = pa.concat_arrays([found, *others]).unique()
            others, num_others = [], 0
    listed = sorted(pa.concat_arrays([found, *others]).unique().to_pylist())
    if outputs[0].dtype == "binary":
        return listed
    return [value.decode() for value in listed]


def _flat(array: Any) -> Any:
    import pyarrow as pa

    while pa.types.is_large_list(array.type):
        array = array.values
    return array
