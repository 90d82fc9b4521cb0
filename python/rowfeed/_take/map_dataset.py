# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Datasets that return rows of Parquet files by index."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from rowfeed._catalog.catalog import Catalog
from rowfeed._catalog.filters import Filter, FilterLike
from rowfeed._catalog.paths import Partitions, Paths, cache_directory
from rowfeed._catalog.row_indices import Indices, index_of, is_many, rows_of
from rowfeed._catalog.split import Split
from rowfeed._columns import layout
from rowfeed._columns.column import Column
from rowfeed._columns.stack import Stack
from rowfeed._look.dataset_sheet import data_entries, public_name
from rowfeed._look.features import tables_of
from rowfeed._native import core
from rowfeed._options.data import data_of
from rowfeed._options.make_parameters import make_parameters
from rowfeed._options.options import Options, check_option
from rowfeed._options.parameters import Parameters
from rowfeed._process.option_names import names_options
from rowfeed._recorder.surviving_rows import surviving_rows
from rowfeed._sheet.sheet import Sheet
from rowfeed._sheet.shown import Shown
from rowfeed._stream.elements import Elements

if TYPE_CHECKING:
    from rowfeed._take.stats import TakeStats

_DEFAULT_BUDGET_BYTES: Final = 1 << 30


class MapDataset(Shown, Elements):
    """Base class of the datasets by index for NumPy and for PyTorch."""

    @names_options
    def __init__(
        self,
        paths: Paths | Catalog,
        *,
        columns: Sequence[str | Column]
        | Mapping[str, str | Column | Stack]
        | None = None,
        label: str | Column | None = None,
        sample_weight: str | Column | None = None,
        num_threads: int | None = None,
        memory_budget_bytes: int | None = None,
        filter: FilterLike | None = None,
        split: Split | None = None,
        cache_dir: str | os.PathLike[str] | None = None,
        verify_checksums: bool = False,
        use_statistics: bool = True,
        partitions: Partitions = True,
        storage_options: Mapping[str, Any] | None = None,
        filesystem: Any = None,
    ) -> None:
        """Opens the data set: reads footers, and starts no thread.

        Args:
            paths: A file, a directory (recursive), a glob, a list or an iterator of
                these, or a `rowfeed.Catalog`. Rows are numbered through all files, in
                the order of the files' paths relative to the directory given.
            columns: Columns to deliver, in the forms that `ParquetDataset` takes.
                Default: all columns.
            label: Column that is delivered apart, so that elements are
                `(features, label)`.
            sample_weight: Column of weights, so that elements are
                `(features, label, weight)`.
            num_threads: Number of threads that read and decode. Default: the number of
                CPUs that this process may use.
            memory_budget_bytes: Bytes of decoded rows that each process keeps for later
                calls. Default: 1 GiB. The elements returned, and the rows that threads
                are decoding, take memory beside it.
            filter: Filter, in the forms that `ParquetDataset` takes. The dataset has
                only the rows that it lets pass, numbered from 0. They are counted at
                the first `len`, and found at the first row, once in each process, which
                then keeps 8 bytes for each.
            split: Share of the rows that the dataset has: see `rowfeed.Split`. Default:
                all rows.
            cache_dir: Directory that keeps the number of rows that the filter lets
                pass, for other processes.
            verify_checksums: Whether pages must match their checksums.
            use_statistics: Whether the filter believes statistics, page indexes and
                bloom filters of the files.
            partitions: Whether directories called `key=value` become columns; see
                `ParquetDataset`.
            storage_options: Dict of what the store of the paths needs; see
                `ParquetDataset`.
            filesystem: File system of fsspec or `pyarrow.fs` that the paths are in; see
                `ParquetDataset`.

        Raises:
            FileNotFoundError: A path or pattern matches nothing.
            KeyError: A column is in no file.
            NotImplementedError: A column's type is not supported.
            TypeError: An option has the wrong type, or `filter` does what the types
                of its columns do not allow.
            ValueError: An option is out of range, a file is not Parquet, or files
                differ in their columns.
        """
        data = data_of(paths, partitions, storage_options, filesystem)
        specs, target, weight = layout.named(columns, label, sample_weight)
        # The budget of `Options` is for windows; here are none.
        check_option("memory_budget_bytes", memory_budget_bytes)
        options = Options(
            columns=specs,
            label=target,
            sample_weight=weight,
            num_threads=num_threads,
            filter=None if filter is None else Filter.of(filter),
            split=split,
            cache_dir=cache_directory(cache_dir),
            verify_checksums=verify_checksums,
            use_statistics=use_statistics,
        )
        self._build(
            make_parameters(data, options),
            int(memory_budget_bytes or _DEFAULT_BUDGET_BYTES),
        )

    def _build(self, parameters: Parameters, memory_budget_bytes: int) -> None:
        self._parameters = parameters
        self._memory_budget_bytes = memory_budget_bytes
        self._survivors: NDArray[np.int64] | None = None  # None until found.
        self._convert(parameters.outputs)
        self._taker = core.RowTaker(
            parameters.catalog,
            parameters.stream,
            memory_budget_bytes=memory_budget_bytes,
            exchange=self._dlpack_exchange,
        )

    @property
    def catalog(self) -> Catalog:
        """Catalog of the files, their row groups and the columns that are read."""
        return Catalog(self._parameters.catalog)

    @property
    def element_spec(self) -> Any:
        """Element that `take` returns, with a spec in place of each array or tensor.

        See `ParquetDataset.element_spec`.
        """
        return self._spec(self._parameters, (None,))

    def __len__(self) -> int:
        """Returns the number of rows; with a filter, of those that it lets pass."""
        self._parameters.count()
        return self._parameters.rows.num_rows()

    def take(self, indices: Indices) -> Any:
        """Returns rows by index, as one batch, in the order of the indices.

        Any number of threads may call it at once; they wait without the GIL. Rows that
        lie close together are decoded together, so one call with many indices is much
        faster than many calls with few.

        Args:
            indices: Ints, an array or tensor of integers, or a slice. A negative index
                counts from the end. Indices may repeat, and there may be none.

        Returns:
            Element as of `ParquetDataset`, with `len(indices)` rows. Its memory is not
            shared with other elements.

        Raises:
            IndexError: An index is not that of a row.
            OSError: A file cannot be read, has changed since it was catalogued, or is
                damaged.
            TypeError: An index is not an integer.
            ValueError: A value is null, and its column has neither fill nor mask.
        """
        rows = self._located(rows_of(indices, len(self)))
        return self._batch_element(self._taker.take(rows), self._parameters)

    def _located(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the indices of rows among all rows, before the filter."""
        if self._parameters.options.condition is None:
            return rows
        if self._survivors is None:  # No lock: a fork could leave it held.
            self._survivors = surviving_rows(self._parameters)
        return self._survivors[rows]

    def __getitem__(self, index: SupportsIndex | Indices) -> Any:
        """Returns one row without the batch dimension; for many indices, a batch.

        Raises:
            IndexError: An index is not that of a row.
            TypeError: An index is not an integer.
        """
        if is_many(index):
            return self.take(index)  # type: ignore[arg-type]
        rows = self._located(rows_of([index_of(index, len(self))], len(self)))
        return self._row_of(
            self._batch_element(self._taker.take(rows), self._parameters), 0
        )

    def stats(self) -> TakeStats:
        """Returns counts and times of all calls of `take` so far, in this process.

        Any thread may call it at any time; see `rowfeed.take_stats`.
        """
        from rowfeed._take.stats import parse_takes  # Few users ask for statistics.

        return parse_takes(self._taker.stats())

    def __getstate__(self) -> dict[str, Any]:
        """Pickles parameters and the catalog, without rows or threads."""
        return {
            "parameters": self._parameters,
            "memory_budget_bytes": self._memory_budget_bytes,
        }

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        """Makes the same dataset, without reading footers again."""
        self._build(**pickled)

    def _sheet(self) -> Sheet:
        """Returns the description, without counting rows."""
        return Sheet(
            public_name(self),
            [*data_entries(self._parameters), *tables_of(self._parameters, (None,))],
            has_all="element_spec",
        )


class ParquetMapDataset(MapDataset):
    """Rows of Parquet files by index, as NumPy arrays.

    `dataset[i]` is row i, a dict from column name to value, as `ParquetDataset` with
    `batch_size=None` delivers it. `dataset[indices]` is `dataset.take(indices)`, a
    batch of rows in the order of the indices. Arrays are [batch], [batch, list_size]
    for fixed-size lists, or `Ragged`; they belong to the receiver.

    Only the pages that hold wanted rows are read. They are found by the page index of
    files that have one (`write_page_index=True` in pyarrow), else by the headers of all
    pages. Lists of any length in files without a page index are read by whole row
    groups. Decoded rows are kept for later calls, within `memory_budget_bytes`.

    The keywords are documented in `ParquetMapDataset.__init__`. There is no
    `transform`: the caller of `take` can call a function itself.

    Example:
        >>> rows = ParquetMapDataset("data", columns=["user"])  # doctest: +SKIP
        >>> len(rows), rows[-1]["user"]  # doctest: +SKIP
        (16000, 15999)
        >>> rows.take([7, 3, 7])["user"]  # doctest: +SKIP
        array([7, 3, 7])
    """


def take_rows(
    catalog: Catalog,
    indices: Indices,
    columns: Sequence[str | Column] | Mapping[str, str | Column | Stack] | None,
    *,
    num_threads: int | None,
    memory_budget_bytes: int | None,
) -> dict[str, Any]:
    """Returns rows of a catalog by index, for `rowfeed.Catalog.take`."""
    rows = ParquetMapDataset(
        catalog,
        columns=columns,
        num_threads=num_threads,
        memory_budget_bytes=memory_budget_bytes,
    )
    taken: dict[str, Any] = rows.take(indices)
    return taken
