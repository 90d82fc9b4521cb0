# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the first rows of a data set as pyarrow sees them, for `Catalog.head`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from rowfeed._catalog.arrow_files import (
    Client,
    check_unchanged,
    is_of_system,
    new_client,
    open_file,
)
from rowfeed._columns.ragged import Ragged

if TYPE_CHECKING:
    from rowfeed._catalog.entries import File

# Pages are read one by one through a buffer of this size, not by whole column chunks.
_BUFFER_BYTES: Final = 1 << 16
_ROWS_AT_ONCE: Final = 1 << 12


def first_rows(
    files: Sequence[File],
    groups: Sequence[Sequence[int]],
    names: Sequence[str],
    num_rows: int,
    roots: Mapping[str, str],
) -> pa.Table:
    """Reads the first rows of some columns.

    Args:
        files: Files of a catalog, at least one.
        groups: Numbers of the row groups that the catalog has of each file.
        names: Names of the columns, structs as wholes. A file may lack some.
        num_rows: Number of rows to read; there may be fewer.
        roots: Roots of stores with their secrets; see `arrow_files.roots_of`.

    Raises:
        NotImplementedError: pyarrow cannot read a file, or its store.
        OSError: A file cannot be read, or has changed since it was catalogued.
    """
    client = new_client(roots)
    tables: list[pa.Table] = []
    for file, of_file in zip(files, groups, strict=True):
        if tables and not file.rows:
            continue
        tables.append(_first_of(file, of_file, names, num_rows, client))
        num_rows -= len(tables[-1])
        if num_rows <= 0:
            break
    return pa.concat_tables(tables, promote_options="permissive")


def with_columns(
    table: pa.Table, names: Sequence[str], taken: Mapping[str, Any]
) -> pa.Table:
    """Returns a table with further columns, of one value per row.

    Args:
        table: Table of the same rows.
        names: Names of the further columns.
        taken: Values of each name, as `Catalog.take` returns them, with a mask.
    """
    arrays = list(table.columns)
    for name in names:
        values = taken[name]
        is_ragged = isinstance(values, Ragged)  # Strings are.
        array = values.to_pyarrow() if is_ragged else pa.array(values)
        null = pa.scalar(None, array.type)
        arrays.append(pc.if_else(pa.array(taken[f"{name}__mask"]), array, null))
    return pa.Table.from_arrays(arrays, [*table.column_names, *names])


def _first_of(
    file: File,
    groups: Sequence[int],
    names: Sequence[str],
    num_rows: int,
    client: Client,
) -> pa.Table:
    with open_file(file.path, client) as opened:
        try:
            reader = pq.ParquetFile(opened, buffer_size=_BUFFER_BYTES, pre_buffer=False)
        except OSError as error:
            if is_of_system(error):
                raise
            raise NotImplementedError(
                f"{file.path}: pyarrow, which reads the first rows here, refuses the "
                f"footer: {error}; Catalog.take() and datasets read the columns that "
                "rowfeed supports"
            ) from error
        check_unchanged(file, groups, opened.size(), reader.metadata)
        # pandas' metadata would name columns that are not read.
        schema = reader.schema_arrow.remove_metadata()
        wanted = [field for field in schema if field.name in names]
        batches: list[Any] = []
        left = num_rows
        for batch in _batches(reader, groups, names, left):
            batches.append(batch.replace_schema_metadata(None).slice(0, left))
            left -= len(batches[-1])
            if left == 0:
                break
        return pa.Table.from_batches(batches, None if batches else pa.schema(wanted))


def _batches(
    reader: Any, groups: Sequence[int], names: Sequence[str], num_rows: int
) -> Any:
    if num_rows == 0:
        return ()
    return reader.iter_batches(
        min(num_rows, _ROWS_AT_ONCE), row_groups=list(groups), columns=list(names)
    )
