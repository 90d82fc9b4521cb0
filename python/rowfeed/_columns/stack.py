# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Stack`: many columns delivered as one tensor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Literal

from rowfeed._columns.column import Column
from rowfeed._columns.dtypes import BYTES
from rowfeed._columns.patterns import Beyond, expanded
from rowfeed._native import core
from rowfeed._process.checks import Flag
from rowfeed._process.option_names import names_options


@names_options
@dataclass(frozen=True)
class Stack:
    """One tensor of shape [batch, columns], of columns with one number per row.

    Attributes:
        columns: Columns in the order of the tensor: names, `rowfeed.Column`s (with
            fill, dtype or encoding of their own), or patterns like `"f*"`. A pattern
            stands for all columns of one number per row whose names match, in the order
            of the files, without label and sample weight, and without columns that the
            stack names or that an earlier pattern matches. `"!f3"` and `"!g*"` leave
            columns out of all patterns, and of all columns if there is nothing else.
        dtype: Dtype of the tensor, in the forms that `rowfeed.Column` takes. Default:
            the dtype of the columns, which then must be the same for all.
        fill: Value in the place of a null, for columns that have no fill of their own.
            Default: a null is an error.
        layout: Order of the numbers in memory. With "rows" the numbers of a row are
            contiguous, as every model takes them. With "columns" the numbers of a
            column are, and the tensor has strides; this is faster. TensorFlow has no
            such tensors.
        mask: Whether to add a mask, a feature of bools whose name is that of this
            feature and `__mask`, of the same shape. It is False where a value is null.
            Nulls are zeros unless there is a `fill`.

    Examples:
        `columns={"x": Stack(["f*", Column("age", fill=0)], dtype="float32")}`

        `columns={"x": Stack(["f*"], mask=True)}` adds the feature `x__mask`.
    """

    columns: Sequence[str | Column]
    _: KW_ONLY
    dtype: Any = None
    fill: bool | int | float | None = None
    layout: Literal["rows", "columns"] = "rows"
    mask: bool = False

    def __post_init__(self) -> None:
        """Checks types and values."""
        if isinstance(self.columns, (str, Column)) or not isinstance(
            self.columns, Sequence
        ):
            raise TypeError(f"Stack takes a sequence of names, not {self.columns!r}")
        if not self.columns:
            raise ValueError("Stack: no columns: at least one is needed")
        if self.layout not in ("rows", "columns"):
            raise ValueError(
                f'Stack: layout must be "rows" or "columns", not {self.layout!r}'
            )
        Flag()("Stack: mask", self.mask)
        for given in self.columns:
            column = Column._of(given, "Stack")
            if column.pad is not None:
                raise ValueError(f"Stack: column {column.name!r} cannot have padding")
            if column.mask:
                raise ValueError(
                    f"Stack: column {column.name!r} cannot have a mask of its own: "
                    "Stack([...], mask=True) adds one of all columns"
                )

    @property
    def _specs(self) -> list[Column]:
        """Columns and patterns as `Column`s, with the stack's dtype, fill and mask."""
        return [self._own(Column._of(column, "Stack")) for column in self.columns]

    def _own(self, column: Column) -> Column:
        return replace(
            column,
            dtype=self.dtype if column.dtype is None else column.dtype,
            fill=self.fill if column.fill is None else column.fill,
            mask=self.mask,
        )

    def _members(
        self,
        native: Sequence[core.Column],
        names: Collection[str],
        apart: set[str],
        beyond: Beyond,
    ) -> Iterator[Column]:
        """Yields the columns of the tensor.

        Args:
            native: Columns of the catalog.
            names: Names of these columns, in a collection with fast look-up.
            apart: Names of label and sample weight, which patterns leave out.
            beyond: Function that returns columns which the catalog leaves out.

        Raises:
            KeyError: An exclusion matches no column.
            ValueError: A column is named twice, or a pattern matches only label and
                sample weight, or only columns that are left out.
        """
        specs = self._specs
        named = Counter(spec.name for spec in specs if spec.name in names)
        for name, times in named.items():
            if times > 1:
                raise ValueError(f"Stack: column {name!r} is named twice")
        yield from expanded(specs, native, names, apart, is_number, "Stack", beyond)


def is_number(column: core.Column) -> bool:
    """Returns whether a column has one number per row."""
    return (
        not column.unsupported
        and column.dtype not in BYTES
        and not column.ragged_rank
        and not column.dense_shape
    )
