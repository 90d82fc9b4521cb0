# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`CatalogLook`: what a catalog's files hold, for people who look at their data."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from rowfeed._catalog.column_description import ColumnDescription
from rowfeed._catalog.description import Description, Spread
from rowfeed._catalog.rows import CatalogRows
from rowfeed._columns.column import Column
from rowfeed._columns.patterns import asked_of
from rowfeed._process.checks import check_integer

if TYPE_CHECKING:
    import pyarrow as pa


class CatalogLook(CatalogRows):
    """The part of a `Catalog` that describes the data and shows their first rows."""

    def describe(self) -> Description:
        """Returns a table of the columns and row groups, as the footers tell of them.

        The table has a row for each column: its type, its form in NumPy, PyTorch and
        TensorFlow batches, the number of nulls, the least and the greatest value, and
        its size, compression and encodings in the files. The form is the one that
        `open` was asked for; a saved catalog does not keep it, and shows that of the
        files. Null lists and nulls within lists are counted apart, and "?" stands for a
        number that is not known. For a column that is not supported the table has the
        reason. Below are the rows and the size of the row groups, the columns that have
        page indexes and bloom filters, those whose nulls need a fill or a mask, and the
        unsupported columns that patterns of `open` have left out. pyarrow reads the
        footers again for it, in parallel, and nothing else of the files. It takes the
        secrets that `open` was given in this process; a catalog that was saved or
        pickled has none, and needs those of the environment.

        Raises:
            FileNotFoundError: A file is gone.
            NotImplementedError: pyarrow cannot read from a file's store (`tf+…`).
            OSError: A file cannot be read, or has changed since it was catalogued.

        Example:
            >>> rowfeed.Catalog.open("data", ["user"]).describe()  # doctest: +SKIP
            column  type   NumPy, torch  TensorFlow  nulls  min  max    stored
            user    int64  int64 [b]     int64 [b]   0      0    15999  86.3 kB, ...
            <BLANKLINE>
            in a row group  least    median   most
            rows            1,000    1,000    1,000
            size            5.39 kB  5.39 kB  5.40 kB
            page index      no column
            bloom filter    no column
        """
        # These imports are slow, as they import pyarrow.
        from rowfeed._catalog import footers
        from rowfeed._catalog.arrow_files import roots_of
        from rowfeed._catalog.partition_values import known_of_directories

        fields = self.schema
        shown = self._delivered()
        found = footers.read(
            self.files,
            self._groups_of_files(),
            fields,
            shown,
            self._native.differences,
            roots_of(self._given),
        )
        columns, of_directories = [], known_of_directories(self)
        for i, (field, of_footers) in enumerate(zip(shown, found.known, strict=True)):
            known = of_directories.get(field.name, of_footers)
            stored = None if found.storage is None else found.storage[i]
            elements = known.elements if fields[i].shape else 0
            least, most = known.bounds or (None, None)
            asked = asked_of(self._native.columns[i], self._asked)
            needs = _needs_fill(asked, known.nulls, elements)
            columns.append(
                ColumnDescription(
                    field, known.nulls, elements, needs, least, most, stored
                )
            )
        return Description(
            tuple(columns),
            row_group_rows=Spread.of(self._native.group_rows.tolist()),
            row_group_bytes=Spread.of(found.group_bytes),
            left_out=tuple(self._passed_over()),
        )

    def head(self, num_rows: int = 5) -> pa.Table:
        """Returns the first rows as a `pyarrow.Table`: the values as they are stored.

        It serves to look at the data. In contrast to `take`, nulls are nulls, dates are
        dates, structs are whole, and columns that rowfeed cannot deliver are there too.
        pyarrow reads the rows, with the secrets of stores that `describe` takes, too.
        `to_pandas` and `to_pylist` of the table make other forms of it.

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
        from rowfeed._catalog.arrow_files import roots_of
        from rowfeed._catalog.first_rows import first_rows, with_columns

        check_integer("num_rows", num_rows, 0)
        num_rows = operator.index(num_rows)
        columns = self._native.columns
        stored = [column.path[0] for column in columns if not column.is_partition]
        table = first_rows(
            self.files,
            self._groups_of_files(),
            list(dict.fromkeys(stored)),
            num_rows,
            roots_of(self._given),
        )
        made = [c.name for c in columns if c.is_partition]
        if not made:
            return table
        taken = self.take(slice(num_rows), [Column(name, mask=True) for name in made])
        return with_columns(table, made, taken)

    def _groups_of_files(self) -> list[list[int]]:
        """Returns the numbers of the row groups that the catalog has of each file."""
        found: list[list[int]] = [[] for _ in self.files]
        for file, index, _ in self._native.row_groups:
            found[file].append(index)
        return found


def _needs_fill(asked: Column, nulls: int | None, elements: int | None) -> bool | None:
    """Returns whether a column of so many nulls is an error; None if not known."""
    if asked.fill is not None or asked.mask is True:
        return False
    numbers = [0 if asked.mask else nulls, elements]
    return True if any(numbers) else None if None in numbers else False
