# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A data set as a table for people: columns, and what footers know of their values."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from rowfeed._catalog.entries import Field

_WIDEST: Final = 32  # Columns of a terminal that a type or a value may take.
_TITLES: Final = (
    *("column", "type", "NumPy, torch", "TensorFlow", "nulls", "min", "max"),
)


@dataclass(frozen=True, slots=True)
class ColumnDescription:
    """A column, and what the footers of all files know of its values.

    Attributes:
        field: Its type, and what it is delivered as.
        null_count: Rows without a value; None: not known, as for lists.
        minimum: A lower bound of its values, or of its lists' elements; for most
            writers the least. Dates and times are integers, as rowfeed delivers them,
            strings str, binaries bytes. None: not known, or there are no values.
        maximum: An upper bound.
    """

    field: Field
    null_count: int | None
    minimum: Any
    maximum: Any

    @property
    def numpy(self) -> str:
        """What it is in the NumPy and torch faces, `b` being the rows of a batch."""
        is_bytes = self.field.dtype in ("string", "binary")
        shape = (*self.field.shape, None) if is_bytes else self.field.shape
        dtype = "uint8" if is_bytes else self.field.dtype
        return f"{'Ragged ' if None in shape else ''}{dtype} {_batch_of(shape)}"

    @property
    def tensorflow(self) -> str:
        """What it is in the TensorFlow face."""
        is_bytes = self.field.dtype in ("string", "binary")
        dtype = "string" if is_bytes else self.field.dtype
        kind = "Ragged " if None in self.field.shape else ""
        return f"{kind}{dtype} {_batch_of(self.field.shape)}"

    def cells(self) -> tuple[str, ...]:
        """Returns the row of the table: as many texts as it has titles, or fewer."""
        name, type_ = _clipped(self.field.name), _clipped(self.field.type)
        if self.field.unsupported:
            return name, type_, self.field.unsupported
        nulls = "" if self.null_count is None else f"{self.null_count:,}"
        bounds = (self._shown(value) for value in (self.minimum, self.maximum))
        return name, type_, self.numpy, self.tensorflow, nulls, *bounds

    def _shown(self, value: Any) -> str:
        if value is None:
            return ""
        if self.field.type.startswith(("date", "timestamp")):
            unit: Any = {"days": "D"}.get(self.field.unit, self.field.unit)
            return _clipped(str(np.datetime64(value, unit)))
        if isinstance(value, float):
            return f"{value + 0.0:.6g}"  # The least may be -0.0 where it is 0.0.
        return _clipped(repr(value) if isinstance(value, bytes) else str(value))


@dataclass(frozen=True, slots=True)
class Description:
    """What `Catalog.describe` returns; it prints as a table.

    Attributes:
        columns: One for each column of the catalog.
    """

    columns: tuple[ColumnDescription, ...]

    def __repr__(self) -> str:
        """Returns the table."""
        rows = [_TITLES, *(column.cells() for column in self.columns)]
        full = [row for row in rows if len(row) == len(_TITLES)]
        widths = [max(_width(row[i]) for row in full) for i in range(len(_TITLES))]
        for i in (0, 1):  # Those of columns that are not supported, too.
            widths[i] = max(_width(row[i]) for row in rows)
        return "\n".join(_line(row, widths) for row in rows)


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = (
        text + " " * (width - _width(text))
        for text, width in zip(cells, widths, strict=False)
    )
    return "  ".join(padded).rstrip()


def _batch_of(shape: tuple[int | None, ...]) -> str:
    return f"[{', '.join(map(str, ('b', *shape)))}]"


def _clipped(text: str) -> str:
    """Returns `text` on one line, and no wider than a cell; characters stay whole."""
    shown = "".join(_printable(c) for c in text[: 4 * _WIDEST])
    if len(text) <= 4 * _WIDEST and _width(shown) <= _WIDEST:
        return shown
    end, width = 0, 1  # That of the sign that something is missing.
    while end < len(shown) and (width := width + _width(shown[end])) <= _WIDEST:
        end += 1
    while 0 < end < len(shown) and unicodedata.combining(shown[end]):
        end -= 1  # It belongs to the character before.
    return shown[:end] + "…"


def _printable(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode()


def _width(text: str) -> int:
    """Returns how many columns of a terminal the text takes."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )
