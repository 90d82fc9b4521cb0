# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""One Parquet file of a `SampleWriter`, written so that rowfeed reads it fast."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import pyarrow as pa

from rowfeed._versions import VERSION
from rowfeed._write.written_files import WRITER_KEY, IncompleteFile

Compression: TypeAlias = str | Mapping[str, str]

_PAGE_BYTES: Final = 1 << 18  # Small pages, so that reading one row decodes little.


class SampleFile:
    """A Parquet file that is written row group by row group.

    Readers see it after `finish` and `appear`; `discard` removes it unseen.
    """

    def __init__(
        self, directory: Path, schema: pa.Schema, compression: Compression
    ) -> None:
        """Makes the file, under a name that readers do not list.

        Raises:
            OSError: The directory is missing or may not be written.
        """
        self.num_rows = 0
        self.num_bytes = 0  # The size of the written rows in memory.
        self._bytes = IncompleteFile(directory)
        sink = pa.PythonFile(self._bytes, mode="w")
        try:
            self._parquet = _parquet_writer(sink, schema, compression)
        except BaseException:  # For example, the disk is full.
            self._bytes.discard()
            raise
        self._parquet.add_key_value_metadata({WRITER_KEY: VERSION})

    def write(self, rows: pa.Table) -> None:
        """Writes the rows as one row group."""
        self._parquet.write_table(rows, row_group_size=rows.num_rows)
        self.num_rows += rows.num_rows
        self.num_bytes += rows.nbytes

    def finish(self) -> int:
        """Writes the footer, syncs the file to the disk, and returns its size."""
        self._parquet.close()
        self._bytes.sync()
        return self._bytes.size

    def appear(self, name: str) -> None:
        """Renames the finished file to a name that readers list."""
        self._bytes.complete(name)

    def discard(self) -> None:
        """Removes the file."""
        self._bytes.discard()


def check_options(schema: pa.Schema, compression: Compression) -> None:
    """Checks the options by writing a file without rows in memory.

    Raises:
        NotImplementedError: A type of the schema cannot be stored in Parquet.
        ValueError: A compression is unknown, or given for a column that the schema
            lacks.
    """
    if isinstance(compression, Mapping) and (
        unknown := [name for name in compression if name not in schema.names]
    ):
        raise ValueError(f"compression: no such columns: {unknown}")
    try:
        with _parquet_writer(pa.BufferOutputStream(), schema, compression) as writer:
            writer.write_table(schema.empty_table())
    except pa.ArrowException as error:
        if isinstance(error, (NotImplementedError, ValueError)):
            raise
        raise ValueError(str(error)) from error


def _parquet_writer(sink: Any, schema: pa.Schema, compression: Compression) -> Any:
    """Returns a Parquet writer whose pages rowfeed reads fastest.

    Only strings get dictionaries: numbers without one are copied as they are. Only
    columns of one value per row get statistics, which filters use: filters take no
    other columns.
    """
    from pyarrow import parquet  # This import is slow, and only writers need it.

    strings = pa.types.is_string, pa.types.is_large_string, pa.types.is_dictionary
    return parquet.ParquetWriter(
        sink,
        schema,
        compression=compression
        if isinstance(compression, str)
        else _of_leaves(schema, compression),
        use_dictionary=[
            field.name for field in schema if any(f(field.type) for f in strings)
        ],
        write_statistics=[
            field.name for field in schema if not pa.types.is_nested(field.type)
        ],
        data_page_size=_PAGE_BYTES,
        write_page_index=True,
    )


def _of_leaves(schema: pa.Schema, compression: Mapping[str, str]) -> dict[str, str]:
    """Returns the compression for each column as Parquet names it.

    A column "x" of lists, for example, is "x.list.element" in Parquet.
    """
    from pyarrow import parquet

    empty = pa.BufferOutputStream()
    parquet.write_table(schema.empty_table(), empty)
    leaves = parquet.ParquetFile(pa.BufferReader(empty.getvalue())).schema
    paths = [leaves.column(i).path for i in range(len(leaves.names))]
    return {
        path: compression.get(name, "none")
        for path in paths
        for name in schema.names
        if path == name or path.startswith(f"{name}.")
    }
