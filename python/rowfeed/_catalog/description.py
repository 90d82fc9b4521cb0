# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A table for people: the columns and row groups of a data set, by its footers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from rowfeed._catalog.column_description import TITLES, ColumnDescription
from rowfeed._sheet.text import clipped, line, sized, width_of

if TYPE_CHECKING:
    from rowfeed._catalog.entries import Field

_MOST_NAMES: Final = 4  # The number of columns that a line names.


class Spread(NamedTuple):
    """The spread of a number over the row groups.

    Attributes:
        least: Least value.
        median: Median; of two values in the middle the greater one.
        most: Greatest value.
    """

    least: int
    median: int
    most: int

    @classmethod
    def of(cls, numbers: Sequence[int] | None) -> Spread | None:
        """Returns the spread of some numbers; None if there are none."""
        if not numbers:
            return None
        ordered = sorted(numbers)
        return cls(ordered[0], ordered[len(ordered) // 2], ordered[-1])


@dataclass(frozen=True, slots=True)
class Description:
    """Result of `Catalog.describe`, which prints as a table.

    Attributes:
        columns: Descriptions of all columns of the catalog, in its order.
        row_group_rows: Least, median and greatest number of rows in a row group. None
            if there is no row group.
        row_group_bytes: Least, median and greatest size of the columns in a row group,
            in bytes as they are stored. Columns that are not supported do not count.
            None if it is not known, as `ColumnDescription.storage`.
        left_out: Columns of the first file that are not supported, and that the
            patterns of `open` have therefore passed over.
    """

    columns: tuple[ColumnDescription, ...]
    row_group_rows: Spread | None
    row_group_bytes: Spread | None
    left_out: tuple[Field, ...] = ()

    def __repr__(self) -> str:
        """Returns the table as text."""
        columns = [TITLES, *(column.cells() for column in self.columns)]
        # Columns that are not supported have a name, a type and a reason.
        table = _lines(columns, num_common=2)
        return "\n".join([*table, "", *_lines(self._of_row_groups(), num_common=1)])

    def _repr_html_(self) -> str:
        """Returns the table for a notebook."""
        from rowfeed._sheet.html import html_of_table  # Only notebooks need it.

        cells = [column.cells() for column in self.columns]
        return html_of_table([*cells, *self._of_row_groups()], TITLES)

    def _of_row_groups(self) -> list[tuple[str, ...]]:
        """Returns the table below that of the columns, as texts of cells."""
        found: list[tuple[str, ...]] = []
        if self.row_group_rows is not None:
            found.append(("in a row group", "least", "median", "most"))
            found.append(("rows", *(f"{rows:,}" for rows in self.row_group_rows)))
        if self.row_group_bytes is not None:
            found.append(("size", *map(sized, self.row_group_bytes)))
        for title, index in (
            ("page index", "page_indexes"),
            ("bloom filter", "bloom_filters"),
        ):
            words = self._columns_with(index)
            if words:
                found.append((title, words))
        unfilled = [clipped(c.field.name) for c in self.columns if c.needs_fill]
        if unfilled:
            # These names are for the user to act on, so all of them are shown.
            found.append(("needs a fill", ", ".join(unfilled)))
        for field in self.left_out:
            name, type_ = clipped(field.name), clipped(field.type)
            found.append(("left out", f"{name} ({type_}): {field.unsupported}"))
        return found

    def _columns_with(self, index: str) -> str:
        """Returns in words which columns have an index; "" if it is not known.

        Args:
            index: Attribute of `Storage` that counts the chunks with such an index.
        """
        # For each column, the number of its chunks with an index, and of all.
        chunks: dict[str, tuple[int, int]] = {}
        for column in self.columns:
            storage = column.storage
            if storage is None or getattr(storage, index) is None:
                return ""
            if storage.chunks:
                found = getattr(storage, index), storage.chunks
                chunks[column.field.name] = found
        having = {name: found for name, found in chunks.items() if found[0]}
        if not having:
            return "no column"
        if len(having) == len(chunks):
            is_whole = all(some == every for some, every in having.values())
            return "all columns" if is_whole else "all columns, in some row groups"
        shown = [
            clipped(name)
            + ("" if some == every else f" in {some:,} of {every:,} row groups")
            for name, (some, every) in having.items()
        ]
        return _first_of(shown)


def _first_of(texts: Sequence[str]) -> str:
    shown, more = texts[:_MOST_NAMES], len(texts) - _MOST_NAMES
    return ", ".join([*shown, *([f"{more:,} more"] if more > 0 else [])])


def _lines(rows: Sequence[tuple[str, ...]], num_common: int) -> list[str]:
    """Returns the lines of a table in which some rows end with a text over the rest.

    Args:
        rows: Cells of the rows.
        num_common: Number of cells that all rows have before such a text.
    """
    most = max(map(len, rows), default=0)
    full = [row for row in rows if len(row) == most]
    widths = [
        max(width_of(row[i]) for row in (rows if i < num_common else full))
        for i in range(most)
    ]
    return [line(row, widths) for row in rows]
