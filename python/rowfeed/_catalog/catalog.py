# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Catalog`: the files, row groups and columns of a data set, read once."""

from __future__ import annotations

import contextlib
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rowfeed._catalog import file_changes, schema_differences
from rowfeed._catalog.description import ColumnDescription, Description, extent_of
from rowfeed._catalog.entries import Field, File, RowGroup
from rowfeed._catalog.file_changes import FileChange
from rowfeed._catalog.filters import Filter, FilterLike
from rowfeed._catalog.paths import (
    DataPaths,
    Partitions,
    PathLike,
    Paths,
    cache_directory,
    local_path,
    open_native,
)
from rowfeed._catalog.row_indices import Indices
from rowfeed._columns.column import Column, dtypes_asked
from rowfeed._columns.nearest import naming_nearest
from rowfeed._columns.stack import Stack
from rowfeed._columns.string_encodings import Vocabulary
from rowfeed._native import core
from rowfeed._process.log import logged
from rowfeed._process.option_names import names_options
from rowfeed._process.usable import usable_cpus
from rowfeed._sheet.sheet import Sheet
from rowfeed._sheet.shown import Shown
from rowfeed._sheet.text import clipped

if TYPE_CHECKING:
    import pyarrow as pa


class Catalog(Shown):
    """The files, row groups and schema of a data set: an immutable value.

    It can be given to `ParquetDataset` as `paths`, pickled, and saved, so that the
    footers are read once for many datasets, processes and runs.

    Example:
        >>> catalog = rowfeed.Catalog.open("data/*.parquet")  # doctest: +SKIP
        >>> dataset = rowfeed.ParquetDataset(catalog, 256)  # doctest: +SKIP
    """

    # The functions that `take` and `vocabulary` call. They stand in modules that import
    # this one, so the package sets them here when it is imported.
    _take_rows: ClassVar[Callable[..., dict[str, Any]]]
    _distinct_values: ClassVar[Callable[[Catalog, str], list[str | bytes]]]

    def __init__(self, *native: core.Catalog, **keywords: Any) -> None:
        """Wraps the kernel's catalog; use `open` or `load`.

        Raises:
            TypeError: Paths are given in the place of the kernel's catalog.
        """
        if keywords or len(native) != 1 or not isinstance(native[0], core.Catalog):
            raise TypeError(
                "a rowfeed.Catalog is not made by its class: "
                "rowfeed.Catalog.open(paths) opens the one of data files, and "
                "rowfeed.Catalog.load(path) reads one that was saved"
            )
        self._native = native[0]
        self._counted: dict[tuple[bytes, int, bool], bytes] = {}

    @classmethod
    @names_options
    def open(
        cls,
        paths: Paths,
        columns: Sequence[str | Column] | None = None,
        *,
        partitions: Partitions = True,
        storage_options: Mapping[str, Any] | None = None,
        filesystem: Any = None,
    ) -> Catalog:
        """Lists `paths` and reads every footer, in parallel.

        Args:
            paths: A file, a directory (recursive), a glob, or a list or an iterator of
                these, such as what `pathlib.Path.glob` returns; local paths or URIs
                (`s3://bucket/train?region=eu-west-1`). Names that begin with "." or,
                unless they are a `_key=value`, with "_" are skipped in directories.
            columns: The columns that datasets over this catalog will read, fields of
                structs joined by dots (see `rowfeed.Column`); default: all columns of
                the first file. Every file must have them with the same type, but for
                `__file`, `__row_group` and `__row`, which datasets have without them.
                Where files differ, a `rowfeed.Column` says what the datasets will
                make of the column: `Column("price", fill=0.0)` where files lack it.
            partitions: Whether directories called `key=value` become columns, or the
                path of the directory below which they do. With True it depends on how
                a file was given. For a file or a glob, all directories of the given
                path count. For a single directory, only the directories below it
                count. For a directory in a list, also those at the end of its own path
                count.
            storage_options: Dict of what the store of the paths needs, in the words of
                fsspec and pandas, Polars or pyarrow: `{"key": ..., "secret": ...,
                "endpoint_url": ...}`. It is put into the URIs, and secrets are treated
                as in a URI; docs/remote.md lists the words. Default: the URIs and the
                environment say all.
            filesystem: File system of fsspec (s3fs, gcsfs, adlfs, local) or of
                `pyarrow.fs` that the paths are in. Only its settings are taken: the
                kernel's own clients read. Default: the URIs say it.

        Raises:
            FileNotFoundError: A path or pattern matches nothing.
            KeyError: A column of `columns` is in no file.
            NotImplementedError: A column of `columns` has a type that is not supported,
                or a folder belongs to a table of Delta, Iceberg, Hudi or Paimon.
            ValueError: A file is not Parquet; or a file is not below the directory
                `partitions`; or files differ in their columns, and the message names
                each such column, its types, their files and what to give; or
                `storage_options` or `filesystem` has what no URI can carry.

        Warns:
            rowfeed.DataWarning: A file is listed more than once, or a directory has a
                file that is skipped although its name is nearly that of a Parquet file.
        """
        if isinstance(columns, str):
            raise TypeError(f"columns must be a sequence of names, not {columns!r}")
        specs = None
        if columns is not None:
            specs = [Column._of(column, "columns") for column in columns]
        names = None if specs is None else [spec.name for spec in specs]
        data = DataPaths.of(paths, partitions, storage_options, filesystem)
        native = open_native(data, names, usable_cpus())
        native = native.with_partition_dtypes(dtypes_asked(specs or ()))
        schema_differences.check(native, specs)
        return cls(native)

    @classmethod
    def load(cls, path: PathLike) -> Catalog:
        """Reads a catalog that `save` wrote; the data files are not read.

        Raises:
            NotImplementedError: `path` is a URI.
            ValueError: The file is not a saved catalog, or is damaged.
        """
        return cls(core.Catalog.parse(_file(path).read_bytes()))

    def save(self, path: PathLike) -> None:
        """Writes the catalog to `path`.

        The new file replaces an old one in a single step, so that a reader finds either
        the whole old file or the whole new one.

        Raises:
            NotImplementedError: `path` is a URI.
            OSError: The file cannot be written; the error names `path`.
        """
        target = _file(path)
        temporary = target.with_name(f".{target.name}-{os.urandom(8).hex()}")
        try:
            with temporary.open("xb") as file:
                file.write(self._native.serialize())
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        except BaseException as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            if not isinstance(error, OSError):
                raise
            # The error of a failed write, as to a full disk, names no file: name it.
            raise OSError(error.errno, error.strerror, os.fspath(path)) from error

    @property
    def files(self) -> list[File]:
        """Files in catalog order."""
        return [File(*file) for file in self._native.files]

    @property
    def row_groups(self) -> list[RowGroup]:
        """Row groups in catalog order."""
        return [RowGroup(*group) for group in self._native.row_groups]

    @property
    def num_rows(self) -> int:
        """Number of rows in all files."""
        return self._native.num_rows

    @property
    def schema(self) -> list[Field]:
        """Columns that `open` was asked for; by default, all of the first file."""
        return [
            Field(
                name=c.name,
                type=c.logical_type,
                dtype=c.dtype,
                shape=(*[None] * c.ragged_rank, *c.dense_shape),
                unit=c.unit,
                unsupported=c.unsupported,
            )
            for c in self._native.columns
        ]

    @property
    def fingerprint(self) -> str:
        """Digest of the data, 32 hexadecimal digits, by which states recognise it.

        It is the same for the same files on another machine or mount, whatever columns
        were asked for.
        """
        return self._native.fingerprint

    def changes(self, since: Catalog) -> list[FileChange]:
        """Returns how the files differ from those of an earlier catalog.

        Args:
            since: The earlier catalog, of any columns, on any machine or mount.

        Returns:
            One change for each file that differs, sorted by name. The list is empty if
            and only if the fingerprints are the same. Names, sizes, row groups and
            footers are compared; the values in the files are not.

        Example:
            >>> saved = rowfeed.Catalog.load("catalog")  # doctest: +SKIP
            >>> for change in rowfeed.Catalog.open("data").changes(since=saved):
            ...     print(change)  # doctest: +SKIP
            'part-1.parquet' has 5000 rows (was 4000) and 73211 bytes (was 58569)
            'part-4.parquet' was added, 4000 rows
        """
        return file_changes.changes(since._native, self._native)

    def describe(self) -> Description:
        """Returns a table of the columns, with what the footers say of their values.

        The table has a row for each column: its type, its form in NumPy, PyTorch and
        TensorFlow batches, the number of nulls, the least and the greatest value. For
        a column that is not supported it has the reason. pyarrow reads the footers
        again for it, in parallel, and nothing else of the files; it takes the
        credentials of stores from the environment alone.

        Raises:
            FileNotFoundError: A file is gone.
            NotImplementedError: pyarrow cannot read from a file's store (`tf+…`).
            OSError: A file cannot be read, or has changed since it was catalogued.

        Example:
            >>> rowfeed.Catalog.open("data").describe()  # doctest: +SKIP
            column  type   NumPy, torch           TensorFlow  nulls  min  max
            user    int64  int64 [b]              int64 [b]   0      0    15999
            title   string Ragged uint8 [b, None] string [b]  0      Item 0  Item 9999
        """
        from rowfeed._catalog import footer_statistics  # Imports pyarrow.parquet.

        fields = self.schema
        known = footer_statistics.read(self.files, fields, self._native.differences)
        return Description(
            tuple(
                ColumnDescription(field, found.nulls, *(found.bounds or (None, None)))
                for field, found in zip(fields, known, strict=True)
            )
        )

    def head(self, num_rows: int = 5) -> pa.Table:
        """Returns the first rows as a `pyarrow.Table`: the values as they are stored.

        It serves to look at the data. In contrast to `take`, nulls are nulls, dates are
        dates, structs are whole, and columns that rowfeed cannot deliver are there too.
        pyarrow reads the rows, and takes the credentials of stores from the environment
        alone. `to_pandas` and `to_pylist` of the table make other forms of it.

        Args:
            num_rows: Number of rows, from 0 on. The table has all rows if there are
                fewer.

        Returns:
            Table of the catalog's columns, those made of directories last. A row of a
            file that lacks a column has null there.

        Raises:
            NotImplementedError: pyarrow cannot read a file, or its store (`tf+…`).
            OSError: A file cannot be read, or has changed since it was catalogued.
            TypeError: `num_rows` is not an int.
            ValueError: `num_rows` is negative.

        Example:
            >>> rowfeed.Catalog.open("data").head(2).to_pylist()  # doctest: +SKIP
            [{'user': 0, 'price': 3.2}, {'user': 1, 'price': None}]
        """
        # This import is slow, as it imports pyarrow.parquet.
        from rowfeed._catalog.first_rows import first_rows, with_columns

        num_rows = operator.index(num_rows)
        if num_rows < 0:
            raise ValueError(f"num_rows must be >= 0: {num_rows}")
        columns = self._native.columns
        stored = [column.path[0] for column in columns if not column.is_partition]
        table = first_rows(self.files, list(dict.fromkeys(stored)), num_rows)
        made = [c.name for c in columns if c.is_partition]
        if not made:
            return table
        taken = self.take(slice(num_rows), [Column(name, mask=True) for name in made])
        return with_columns(table, made, taken)

    @names_options
    def count(
        self,
        filter: FilterLike,
        *,
        block_rows: int | None = None,
        num_threads: int | None = None,
        cache_dir: PathLike | None = None,
        verify_checksums: bool = False,
        use_statistics: bool = True,
    ) -> int:
        """Counts the rows that a filter lets pass, ahead of the datasets that use it.

        A dataset that is made of this catalog with the same `filter` and `block_rows`
        need not count again; one of another process need not either if both are given
        the same `cache_dir`.

        Args:
            filter: Filter, in the forms that `rowfeed.ParquetDataset` takes.
            block_rows: Number of rows of a block, the same that the datasets to come
                will be given.
            num_threads: Number of threads that read. Default: the number of CPUs that
                this process may use.
            cache_dir: Directory that keeps the result for other processes. Default:
                the result is kept in this object alone.
            verify_checksums: Whether pages must match their checksums.
            use_statistics: Whether statistics, page indexes and bloom filters of the
                files are believed. The datasets to come must be given the same value.

        Raises:
            KeyError: The catalog lacks a column that the filter names.
            NotImplementedError: A column has a type that filters do not take, or
                `cache_dir` is a URI.
            TypeError: The filter does what the types of its columns do not allow.
            ValueError: The filter cannot be computed for some row.

        Example:
            >>> catalog = rowfeed.Catalog.open("data")  # doctest: +SKIP
            >>> catalog.count([("price", "<", 5)])  # doctest: +SKIP
            3573
        """
        condition = Filter.of(filter)
        key = (condition.serialized, block_rows or 0, use_statistics)
        rows = core.DatasetRows.filtered(
            self._native,
            filter=key[0],
            block_rows=key[1],
            num_threads=num_threads or usable_cpus(),
            cache_dir=os.fsencode(cache_directory(cache_dir)),
            verify_checksums=verify_checksums,
            use_statistics=use_statistics,
        )
        rows.load(self._counted.get(key, b""))
        with (
            logged(
                f"counting the rows that {clipped(condition.text)} lets pass",
                lambda: f"{rows.num_rows()} of {self.num_rows} rows",
            ),
            naming_nearest(lambda _: self._native.columns),
        ):
            num_rows = rows.num_rows()
        self._counted[key] = rows.save()
        return num_rows

    def _known_count(
        self, serialized_filter: bytes, block_rows: int, *, use_statistics: bool
    ) -> bytes:
        """Returns the serialized result of `count`; empty if it was not called."""
        return self._counted.get((serialized_filter, block_rows, use_statistics), b"")

    @names_options
    def vocabulary(self, column: str, *, unknown: int | None = None) -> Vocabulary:
        """Reads a column of strings, and makes a vocabulary of all its values.

        Given as `Column(encode=...)` it makes datasets deliver the column as indices
        into `vocabulary.values`. An index means the same value in all files, whatever
        dictionaries the files have.

        Args:
            column: Name of a column of strings or binaries, or of lists of them.
            unknown: Index for values that are not in the vocabulary, which other data
                may have; see `rowfeed.Vocabulary`.

        Returns:
            Vocabulary of the column's values, sorted by their bytes, without null.

        Raises:
            KeyError: The data has no such column.
            ValueError: The column holds neither strings nor binaries, or more
                different values than a vocabulary can have.

        Example:
            >>> catalog = rowfeed.Catalog.open("data")  # doctest: +SKIP
            >>> city = rowfeed.Column(
            ...     "city", encode=catalog.vocabulary("city")
            ... )  # doctest: +SKIP
        """
        return Vocabulary(self._distinct_values(column), unknown=unknown)

    @names_options
    def take(
        self,
        indices: Indices,
        columns: Sequence[str | Column]
        | Mapping[str, str | Column | Stack]
        | None = None,
        *,
        num_threads: int | None = None,
        memory_budget_bytes: int | None = None,
    ) -> dict[str, Any]:
        """Returns rows by index, as one batch, and keeps nothing for the next call.

        To take rows many times, make a `rowfeed.ParquetMapDataset` of the catalog: it
        takes the same keywords, and its `take` has the same indices and errors.

        Returns:
            Dict from column name to an array of `len(indices)` rows in the order of
            `indices`; arrays are those that `rowfeed.ParquetDataset` delivers.

        Raises:
            IndexError: An index is not that of a row.
            KeyError: The data has no such column.
            TypeError: An index is not an integer.

        Example:
            >>> rowfeed.Catalog.open("data").take([7, -1], columns=["user"])
            ... # doctest: +SKIP
            {'user': array([    7, 15999])}
        """
        return self._take_rows(
            indices,
            columns,
            num_threads=num_threads,
            memory_budget_bytes=memory_budget_bytes,
        )

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles the catalog itself, so that unpickling reads no file."""
        return Catalog, (self._native,)

    def _sheet(self) -> Sheet:
        return Sheet(
            "rowfeed.Catalog",
            [
                ("data", extent_of(self._native)),
                ("fingerprint", self.fingerprint),
                ("columns", [_row_of(field) for field in self.schema]),
            ],
        )


def _row_of(field: Field) -> tuple[str, ...]:
    """Returns the cells of a column: its name, its type and the delivered rows."""
    name, type_ = clipped(field.name), clipped(field.type)
    if field.unsupported:
        return name, type_, f"cannot be read: {field.unsupported}"
    shape = f"[{', '.join(map(str, field.shape))}]" if field.shape else ""
    return name, type_, f"{field.dtype} {shape}".rstrip()


def _file(path: PathLike) -> Path:
    return local_path("a catalog is saved in a local or mounted file", path)
