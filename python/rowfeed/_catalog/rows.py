# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`CatalogRows`: the rows of a catalog, counted by a filter or taken by index."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from rowfeed._catalog.contents import CatalogContents
from rowfeed._catalog.counting import count_rows
from rowfeed._catalog.filters import Filter, FilterLike
from rowfeed._catalog.paths import PathLike, cache_directory
from rowfeed._catalog.row_indices import Indices
from rowfeed._catalog.split import Split, condition_of
from rowfeed._columns.column import Column
from rowfeed._columns.nearest import naming_nearest
from rowfeed._columns.stack import Stack
from rowfeed._columns.string_encodings import Vocabulary
from rowfeed._native import core
from rowfeed._process.checks import InstanceOf
from rowfeed._process.option_names import names_options
from rowfeed._process.usable import usable_cpus


class CatalogRows(CatalogContents):
    """The part of a `Catalog` that reads rows."""

    # The functions that `take` and `vocabulary` call. They stand in modules that import
    # `Catalog`, so the package sets them here when it is imported.
    _take_rows: ClassVar[Callable[..., dict[str, Any]]]
    _distinct_values: ClassVar[Callable[..., list[str | bytes]]]

    # The serialized results of `count`, by filter, block_rows and use_statistics.
    _counted: dict[tuple[bytes, int, bool], bytes]

    @names_options
    def count(
        self,
        filter: FilterLike | None = None,
        *,
        split: Split | None = None,
        block_rows: int | None = None,
        num_threads: int | None = None,
        cache_dir: PathLike | None = None,
        verify_checksums: bool = False,
        use_statistics: bool = True,
    ) -> int:
        """Counts the rows that pass a filter, of all rows or of those of a split.

        A dataset that is made of this catalog with the same `filter`, `split` and
        `block_rows` need not count again; one of another process need not either if
        both are given the same `cache_dir`.

        Args:
            filter: Filter, in the forms that `rowfeed.ParquetDataset` takes. Default:
                all rows pass.
            split: `rowfeed.Split` whose rows are counted, such as those to train with.
                Default: the rows of all files.
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
            TypeError: The filter does what the types of its columns do not allow, or
                `split` is no `rowfeed.Split`.
            ValueError: The filter cannot be computed for some row.

        Example:
            >>> catalog = rowfeed.Catalog.open("data")  # doctest: +SKIP
            >>> catalog.count([("price", "<", 5)])  # doctest: +SKIP
            3573
            >>> train = rowfeed.Split.parts({"train": 0.8, "test": 0.2})["train"]
            >>> catalog.count([("price", "<", 5)], split=train)  # doctest: +SKIP
            2859
        """
        given = None if filter is None else Filter.of(filter)
        InstanceOf(Split)("split", split)
        condition = condition_of(given, split)
        if condition is None:
            return self._native.num_rows
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
        with naming_nearest(lambda _: self._native.columns):
            num_rows = count_rows(rows, condition, self._native.num_rows)
        self._counted[key] = rows.save()
        return num_rows

    def _known_count(
        self, serialized_filter: bytes, block_rows: int, *, use_statistics: bool
    ) -> bytes:
        """Returns the serialized result of `count`; empty if it was not called."""
        return self._counted.get((serialized_filter, block_rows, use_statistics), b"")

    @names_options
    def vocabulary(
        self,
        column: str,
        *,
        split: Split | None = None,
        unknown: int | None = None,
        first: int = 0,
    ) -> Vocabulary:
        """Reads a column of strings, and makes a vocabulary of all its values.

        Given as `Column(encode=...)` it makes datasets deliver the column as indices
        into `vocabulary.values`. An index means the same value in all files, whatever
        dictionaries the files have.

        Args:
            column: Name of a column of strings or binaries, or of lists of them.
            split: `rowfeed.Split` whose rows are read, such as those to train with.
                Values that only other rows have are then unknown ones. Default: the
                rows of all files.
            unknown: Index for values that are not in the vocabulary, which other data
                may have; see `rowfeed.Vocabulary`. It must not be that of a value.
            first: Index of the first value, which leaves those below it for unknown
                values and nulls.

        Returns:
            Vocabulary of the column's values, sorted by their bytes, without null.

        Raises:
            KeyError: The data has no such column.
            TypeError: `split` is no `rowfeed.Split`.
            ValueError: The column holds neither strings nor binaries, or more
                different values than a vocabulary can have, or `unknown` is the index
                of one of them.

        Example:
            >>> catalog = rowfeed.Catalog.open("data")  # doctest: +SKIP
            >>> city = rowfeed.Column(
            ...     "city", encode=catalog.vocabulary("city")
            ... )  # doctest: +SKIP
        """
        made = Vocabulary(
            self._distinct_values(column, split), unknown=unknown, first=first
        )
        end = made.first + len(made.values)
        if made.unknown is not None and made.first <= made.unknown < end:
            value = made.values[made.unknown - made.first]
            raise ValueError(
                f"unknown={unknown} is the index of {value!r}, one of "
                f"{len(made.values)} values: give unknown=-1, or first="
                f"{made.unknown + 1} so that the values begin behind it"
            )
        return made

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
