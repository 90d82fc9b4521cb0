# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`CatalogContents`: the files, row groups and columns that a catalog lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from rowfeed._catalog import file_changes
from rowfeed._catalog.entries import Field, File, RowGroup
from rowfeed._catalog.extent import extent_of
from rowfeed._catalog.file_changes import FileChange
from rowfeed._catalog.paths import columns_of_file
from rowfeed._columns.column import Column
from rowfeed._columns.patterns import asked_of, is_pattern, passed_over
from rowfeed._native import core
from rowfeed._sheet.sheet import Sheet
from rowfeed._sheet.shown import Shown
from rowfeed._sheet.text import clipped


class CatalogContents(Shown):
    """The part of a `Catalog` that lists what it has, without opening any file."""

    _native: core.Catalog
    _asked: Sequence[Column]  # The columns that `open` was given, if any.
    _given: Sequence[bytes]  # The paths that it was given; they may have secrets.

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
        return [_field_of(column, column) for column in self._native.columns]

    def _delivered(self) -> list[Field]:
        """Returns the columns in the form that `open` was asked for."""
        return [
            _field_of(
                column,
                column
                if column.unsupported
                else asked_of(column, self._asked)
                ._column_spec(self._native)
                .column(self._native),
            )
            for column in self._native.columns
        ]

    def _passed_over(self) -> list[Field]:
        """Returns unsupported columns that the patterns of `open` do not stand for."""
        if not any(is_pattern(spec.name) for spec in self._asked):
            return []
        columns = columns_of_file(self._native.files[0][0])
        return [_field_of(c, c) for c in passed_over(self._asked, columns)]

    @property
    def fingerprint(self) -> str:
        """Digest of the data, 32 hexadecimal digits, by which states recognise it.

        It is the same for the same files on another machine or mount, whatever columns
        were asked for.
        """
        return self._native.fingerprint

    def changes(self, since: Self) -> list[FileChange]:
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

    def _sheet(self) -> Sheet:
        return Sheet(
            "rowfeed.Catalog",
            [
                ("data", extent_of(self._native)),
                ("fingerprint", self.fingerprint),
                ("columns", [_row_of(field) for field in self.schema]),
            ],
            has_all="schema",
        )


def _field_of(stored: core.Column, delivered: core.Column) -> Field:
    return Field(
        name=stored.name,
        type=stored.logical_type,
        dtype=delivered.dtype,
        shape=(*[None] * delivered.ragged_rank, *delivered.dense_shape),
        unit=delivered.unit,
        unsupported=stored.unsupported,
    )


def _row_of(field: Field) -> tuple[str, ...]:
    """Returns the cells of a column: its name, its type and the delivered rows."""
    name, type_ = clipped(field.name), clipped(field.type)
    if field.unsupported:
        return name, type_, f"cannot be read: {field.unsupported}"
    shape = f"[{', '.join(map(str, field.shape))}]" if field.shape else ""
    return name, type_, f"{field.dtype} {shape}".rstrip()
