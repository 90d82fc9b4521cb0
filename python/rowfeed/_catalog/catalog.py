# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Catalog`: the files, row groups and columns of a data set, read once."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rowfeed._catalog import schema_differences
from rowfeed._catalog.look import CatalogLook
from rowfeed._catalog.paths import (
    DataPaths,
    Partitions,
    PathLike,
    Paths,
    local_path,
    open_native,
)
from rowfeed._catalog.selection import selected_groups
from rowfeed._columns.column import Column, dtypes_asked
from rowfeed._columns.layout import MADE
from rowfeed._columns.nearest import MADE_BY_KERNEL
from rowfeed._columns.patterns import expanded, is_exclusion, names_in
from rowfeed._native import core
from rowfeed._process.option_names import names_options
from rowfeed._process.usable import usable_cpus


class Catalog(CatalogLook):
    """The files, row groups and schema of a data set: an immutable value.

    It can be given to `ParquetDataset` as `paths`, pickled, and saved, so that the
    footers are read once for many datasets, processes and runs.

    Example:
        >>> catalog = rowfeed.Catalog.open("data/*.parquet")  # doctest: +SKIP
        >>> dataset = rowfeed.ParquetDataset(catalog, 256)  # doctest: +SKIP
    """

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
        self._asked, self._given = (), ()
        self._counted = {}

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
                structs joined by dots (see `rowfeed.Column`), patterns, and exclusions
                such as `"!x"`; default: all columns of the first file. Footers are read
                twice if a list has an exclusion or `"*"` and names a column that only
                later files have, or `"*"` stands beside columns that are not supported.
                Patterns pass over these. Every file must have the columns with the same
                type, but for `__file`, `__row_group`, `__row`, `__epoch` and `__step`,
                which datasets have without them. Where files differ, a `rowfeed.Column`
                says what the datasets will make of the column: `["*", Column("price",
                fill=0.0)]` where files lack it. A column of the list counts before
                patterns, in either order.
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
        data = DataPaths.of(paths, partitions, storage_options, filesystem)
        native = _open(data, specs)
        native = native.with_partition_dtypes(dtypes_asked(specs or ()))
        schema_differences.check(native, specs)
        opened = cls(native)
        opened._asked, opened._given = tuple(specs or ()), data.encoded
        return opened

    @names_options
    def select(
        self,
        *,
        files: str | int | Iterable[str | int] | None = None,
        row_groups: int | Iterable[int] | None = None,
    ) -> Catalog:
        """Returns the catalog of some files or row groups, and reads nothing.

        Datasets of it deliver the rows of these alone. Row groups keep their order and
        their number within their file, so `__row_group` and a `rowfeed.Split` mean the
        same as before; the numbers of files (`__file`) and rows count anew. Its
        fingerprint, and so the states of its datasets, are those of other data, unless
        all row groups are selected.

        Args:
            files: One or more files: their names in `Catalog.files`, patterns of these
                names (`"2024-*"`), or their numbers. Default: all files.
            row_groups: One or more numbers of row groups in `Catalog.row_groups`, for
                example `range(10)`. Default: all row groups of the files.

        Raises:
            IndexError: A number is not that of a file or row group.
            TypeError: A file or row group is neither a name nor a number.
            ValueError: A name or a pattern matches no file, or no row group is left.

        Example:
            >>> catalog = rowfeed.Catalog.open("data")  # doctest: +SKIP
            >>> first = catalog.select(files="*-0.parquet")  # doctest: +SKIP
            >>> few = catalog.select(row_groups=range(3))  # doctest: +SKIP
        """
        chosen = selected_groups(self._native, files, row_groups)
        selected = type(self)(self._native.select(chosen))
        selected._asked, selected._given = self._asked, self._given
        return selected

    @classmethod
    def load(cls, path: PathLike, *, within: Paths | None = None) -> Catalog:
        """Reads a catalog that `save` wrote; the data files are not read.

        Args:
            path: File of the saved catalog.
            within: Path or paths, as in `open`, that all files of the catalog must be
                in. Give it for a catalog that somebody else has made: a dataset opens
                the files that its catalog names, wherever they are. A glob stands for
                all that is below the directory before its first special character.
                Default: files anywhere are accepted.

        Raises:
            NotImplementedError: `path` is a URI.
            OSError: The file cannot be read; the error names `path`.
            ValueError: The file is not a saved catalog, or is damaged; or it names a
                file that is not in `within`.

        Example:
            >>> catalog = rowfeed.Catalog.load("theirs.catalog", within="data")
            ... # doctest: +SKIP
        """
        try:
            saved = _file(path).read_bytes()
        except OSError as error:
            raise _named(error, path) from error
        native = core.Catalog.parse(saved)
        if within is not None:
            allowed = DataPaths.of(within, True).encoded  # noqa: FBT003
            native.check_files_are_in([core.without_secrets(p) for p in allowed])
        return cls(native)

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
            raise _named(error, path) from error

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles the catalog itself, so that unpickling reads no file."""
        return Catalog, (self._native,), {"_asked": self._asked}


def _named(error: OSError, path: PathLike) -> OSError:
    """Returns an error with a path: that of a failed read or write has none."""
    return OSError(error.errno, error.strerror or str(error), os.fspath(path))


def _open(data: DataPaths, specs: Sequence[Column] | None) -> core.Catalog:
    """Opens the columns that specs stand for.

    The kernel knows no exclusions, and with names it does not tell which columns the
    first file lacks. So a list that has an exclusion or "*" is first opened as a whole.
    """
    names = None if specs is None else [spec.name for spec in specs]
    if specs is None or names is None:
        return open_native(data, None, usable_cpus())
    has_exclusions = any(map(is_exclusion, names))
    if not has_exclusions and "*" not in names:
        return open_native(data, names, usable_cpus())
    native = open_native(data, None, usable_cpus(), asked=names)
    if has_exclusions:
        known, takes = {*names_in(native.columns), *MADE}, _is_readable
        kept = expanded(specs, native.columns, known, set(), takes, "columns")
        names = [column.name for column in kept]
    if _are_known(names, native.columns):
        return native.project(names)
    return open_native(data, names, usable_cpus(), asked=None)


def _are_known(names: Sequence[str], native: Sequence[core.Column]) -> bool:
    """Returns whether a catalog of all columns knows all that the names stand for.

    It does not know columns that only later files have. Of a column that it refuses, it
    does not know in which file; the error of a catalog that is opened by names says so.
    """
    refused = names_in(column for column in native if column.unsupported)
    known = {*names_in(native), *MADE_BY_KERNEL} - refused
    return known.issuperset(name for name in names if name != "*" or refused)


def _is_readable(column: core.Column) -> bool:
    return not column.unsupported and not column.is_added_index


def _file(path: PathLike) -> Path:
    return local_path("a catalog is saved in a local or mounted file", path)
