# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A column of a data set for people, and what footers say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rowfeed._catalog.storage import Storage
from rowfeed._columns.dtypes import BYTES
from rowfeed._sheet.text import clipped, sized

if TYPE_CHECKING:
    from rowfeed._catalog.entries import Field

# The titles of the texts that `ColumnDescription.cells` returns.
TITLES: Final = (
    *("column", "type", "NumPy, torch", "TensorFlow"),
    *("nulls", "min", "max", "stored"),
)


@dataclass(frozen=True, slots=True)
class ColumnDescription:
    """A column, and what the footers of all files say of its values.

    Attributes:
        field: Name and type of the column, and the dtype and shape it is delivered in.
        null_count: Number of rows without a value, for lists of rows without a list.
            None if it is not known: where lists may be null or empty, or may have
            nulls, footers tell it only if their writer has added histograms of levels.
        null_elements: Number of nulls within the lists of all rows. 0 for a column
            without lists. None if it is not known, as with `null_count`.
        needs_fill: Whether reading the column as `open` was asked for raises an error,
            since it has nulls, or null lists, and neither a fill nor a mask. None if it
            is not known.
        minimum: Lower bound of the column's values, or of the elements of its lists;
            with most writers it is the least value. Dates and times are integers, as
            rowfeed delivers them, strings are str, binaries are bytes. None if it is
            not known, or if the column has no values.
        maximum: Upper bound of the column's values, in the same form as `minimum`.
        storage: Size, compression, encodings and indexes of the column in the files.
            None if it is not known, because pyarrow cannot read a footer.
    """

    field: Field
    null_count: int | None
    null_elements: int | None
    needs_fill: bool | None
    minimum: Any
    maximum: Any
    storage: Storage | None

    @property
    def numpy(self) -> str:
        """Form of the column in NumPy and PyTorch batches, `b` for the batch's rows."""
        is_bytes = self.field.dtype in BYTES
        shape = (*self.field.shape, None) if is_bytes else self.field.shape
        dtype = "uint8" if is_bytes else self.field.dtype
        return f"{'Ragged ' if None in shape else ''}{dtype} {_batch_of(shape)}"

    @property
    def tensorflow(self) -> str:
        """Form of the column in TensorFlow batches, `b` for the batch's rows."""
        is_bytes = self.field.dtype in BYTES
        dtype = "string" if is_bytes else self.field.dtype
        kind = "Ragged " if None in self.field.shape else ""
        return f"{kind}{dtype} {_batch_of(self.field.shape)}"

    def cells(self) -> tuple[str, ...]:
        """Returns the column's row of the table: a text for each title.

        A column that is not supported has three texts: name, type and the reason.
        """
        name, type_ = clipped(self.field.name), clipped(self.field.type)
        if self.field.unsupported:
            return name, type_, self.field.unsupported
        bounds = (self._shown(value) for value in (self.minimum, self.maximum))
        stored = "" if self.storage is None else _stored(self.storage)
        return name, type_, self.numpy, self.tensorflow, self._nulls(), *bounds, stored

    def _nulls(self) -> str:
        """Returns the number of nulls; "?" stands for one that is not known."""
        lists, elements = (
            "?" if count is None else f"{count:,}"
            for count in (self.null_count, self.null_elements)
        )
        if elements == "0" or lists == elements == "?":
            return lists
        return f"{lists} lists, {elements} elements"

    def _shown(self, value: Any) -> str:
        if value is None:
            return ""
        if self.field.type.startswith(("date", "timestamp")):
            unit: Any = {"days": "D"}.get(self.field.unit, self.field.unit)
            return clipped(str(np.datetime64(value, unit)))
        if isinstance(value, float):
            return f"{value + 0.0:.6g}"  # Adding 0.0 turns -0.0 into 0.0.
        return clipped(repr(value) if isinstance(value, bytes) else str(value))


def _stored(storage: Storage) -> str:
    """Returns size, codec and encodings of a column in a few words."""
    if not storage.chunks:
        return ""
    encodings = [
        "dictionary" if "DICTIONARY" in name else name.lower().replace("_", " ")
        for name in storage.encodings
    ]
    words = [*storage.compression, *dict.fromkeys(encodings)]
    return ", ".join([sized(storage.bytes), *words])


def _batch_of(shape: tuple[int | None, ...]) -> str:
    return f"[{', '.join(map(str, ('b', *shape)))}]"
