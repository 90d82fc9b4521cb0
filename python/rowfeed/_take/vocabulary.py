# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The values that a column of strings has."""

from __future__ import annotations

from typing import Any, Final

from rowfeed._catalog.catalog import Catalog
from rowfeed._columns.column import Column
from rowfeed._stream.numpy_dataset import ParquetDataset

_ROWS_AT_ONCE: Final = 2**14


def distinct_values(catalog: Catalog, column: str) -> list[str | bytes]:
    """Reads the column of all files; returns each of its values once, sorted.

    Args:
        catalog: Of the files.
        column: Strings or binaries, or lists of them, at any depth; nulls do not count.

    Raises:
        KeyError: There is no such column.
        ValueError: It holds something else.
    """
    import pyarrow as pa

    columns = {"x": Column(column, mask=True)}
    dataset = ParquetDataset(catalog, _ROWS_AT_ONCE, columns=columns)
    outputs = dataset.resolved.outputs  # The values, and the mask.
    if len(outputs) != 2 or outputs[0].dtype not in ("string", "binary"):
        raise ValueError(
            f"a vocabulary is of strings or binaries, which {column!r} lacks"
        )
    found: Any = pa.array([], pa.large_binary())
    others: list[Any] = []  # Joined when they are as many: else each batch hashes all.
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
