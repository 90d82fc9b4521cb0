# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What is asked of a column, and how columns make up an element."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from rowfeed import _core

VALID = "__valid"  # The feature that marks fill rows under remainder="pad".


@dataclass(frozen=True)
class Column:
    """Names a column and says what stands for its nulls.

    Attributes:
        name: The column's name in the files, exactly.
        fill: The value that stands for a null: bool, int, float, str or bytes, as the
            column holds (an int in the column's unit for dates and timestamps). None:
            a null is an error that names the column and the row. In columns of lists
            it stands for null elements; a null list is one of `list_size` fills where
            lists have a fixed size, else an empty list.

    Example:
        `ParquetDataset("data", 256, columns=["id", Column("price", fill=0.0)])`
    """

    name: str
    fill: bool | int | float | str | bytes | None = None

    def __post_init__(self) -> None:
        """Checks the types."""
        if not isinstance(self.name, str):
            raise TypeError(f"a column's name must be a str, not {self.name!r}")
        allowed = (bool, numbers.Real, np.bool_, str, bytes)
        if self.fill is not None and not isinstance(self.fill, allowed):
            raise TypeError(
                f"column {self.name!r}: fill must be a bool, int, float, str or bytes, "
                f"not {self.fill!r}"
            )

    @classmethod
    def of(cls, spec: object, keyword: str) -> Column:
        """Returns `spec`, a name or a Column, as a Column."""
        if isinstance(spec, Column):
            return spec
        if isinstance(spec, str):
            return cls(spec)
        raise TypeError(f"{keyword} takes str and rowfeed.Column, not {spec!r}")

    def fill_bytes(self, column: _core.Column) -> bytes | None:
        """Returns the fill as the kernel takes it: the bytes of one element.

        Args:
            column: The column as the catalog has it.

        Raises:
            TypeError: The fill is of another kind than the column.
            ValueError: The column cannot hold the fill.
        """
        if self.fill is None:
            return None
        problem = f"column {self.name!r}: fill={self.fill!r}"
        if column.dtype == "string":
            if not isinstance(self.fill, str):
                raise TypeError(f"{problem} must be a str")
            return self.fill.encode()
        if column.dtype == "binary":
            if not isinstance(self.fill, bytes):
                raise TypeError(f"{problem} must be bytes")
            return self.fill
        dtype = np.dtype(column.dtype)
        kind, convert = _KINDS[dtype.kind]
        is_bool = isinstance(self.fill, (bool, np.bool_))
        if is_bool != (dtype.kind == "b") or not isinstance(self.fill, kind):
            raise TypeError(f"{problem} does not fit its type, {column.logical_type}")
        try:
            with np.errstate(over="raise"):
                return np.array(convert(self.fill), dtype).tobytes()
        except (FloatingPointError, OverflowError) as error:
            raise ValueError(f"{problem} does not fit in {column.dtype}") from error


# By NumPy's kind of dtype: what a fill may be, and its exact conversion.
_KINDS: dict[str, tuple[Any, Callable[[Any], object]]] = {
    "b": ((bool, np.bool_), bool),
    "i": (numbers.Integral, int),
    "u": (numbers.Integral, int),
    "f": (numbers.Real, float),
}


@dataclass(frozen=True)
class Layout:
    """How the columns of a batch make up an element.

    A dict of features; with a label `(features, label)`; with a label and either a
    sample weight or remainder="pad" `(features, label, weight)`.

    Attributes:
        features: Names in the order of the dict.
        label: The column that is delivered apart as the label.
        sample_weight: The column that is delivered apart as the weight.
        padded: remainder="pad": features gain `__valid`, and fill rows weigh nothing.
    """

    features: tuple[str, ...]
    label: str | None = None
    sample_weight: str | None = None
    padded: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the stream delivers, in its order."""
        apart = (self.label, self.sample_weight)
        return (*self.features, *(name for name in apart if name is not None))

    @property
    def has_weight(self) -> bool:
        """Whether elements have a third part."""
        return self.label is not None and (
            self.sample_weight is not None or self.padded
        )

    def arrange(self, tensors: Sequence[Any], valid: Any, weight_of: Any) -> Any:
        """Returns the element made of a batch's tensors, or of what stands for them.

        Args:
            tensors: One per name of `columns`.
            valid: The tensor of `__valid`; None unless padded.
            weight_of: Called as weight_of(valid) for the weight of rows that have none
                of their own.
        """
        count = len(self.features)
        features = dict(zip(self.features, tensors, strict=False))
        if self.padded:
            features[VALID] = valid
        if self.label is None:
            return features
        if not self.has_weight:
            return features, tensors[count]
        if self.sample_weight is None:
            return features, tensors[count], weight_of(valid)
        return features, tensors[count], tensors[count + 1]  # Fill rows are zeros.


def lay_out(
    columns: Sequence[object] | None,
    label: object,
    sample_weight: object,
) -> tuple[list[Column] | None, Column | None, Column | None]:
    """Checks the three keywords that name columns and returns their specs."""
    if isinstance(columns, (str, Column)) or not isinstance(
        columns, (Sequence, type(None))
    ):
        raise TypeError(f"columns must be a sequence of names, not {columns!r}")
    specs = None
    if columns is not None:
        specs = [Column.of(spec, "columns") for spec in columns]
        if not specs:
            raise ValueError("columns is empty: name one, or give None for all")
    target = weight = None
    if label is not None:
        target = Column.of(label, "label")
    if sample_weight is not None:
        weight = Column.of(sample_weight, "sample_weight")
    if weight is not None and target is None:
        raise ValueError("sample_weight needs a label")
    names = [c.name for c in (*(specs or ()), target, weight) if c is not None]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"column {name!r} is named twice: columns, label and sample_weight "
                "are delivered apart"
            )
    return specs, target, weight
