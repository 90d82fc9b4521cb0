# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Column` and `Padded`: what users ask of a column."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Final, Literal

import numpy as np

from rowfeed._columns import dtypes
from rowfeed._columns.string_encodings import HashBuckets, Vocabulary
from rowfeed._native import core
from rowfeed._process.option_names import names_options

# The kernel's names for no mask and for a mask of elements.
_MASKS: Final = {False: "none", True: "elements"}


def _sizes(label: str, sizes: Sequence[int]) -> tuple[int, ...]:
    """Returns sizes of lists as a tuple, after checks; errors begin with `label`."""
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(f"{label} must be of ints, not {size!r}")
        if not 1 <= size < 2**31:
            raise ValueError(f"{label} must be in [1, 2**31), not {size}")
    if not sizes:
        raise ValueError(f"{label} must have at least one size")
    return tuple(sizes)


@names_options
@dataclass(frozen=True)
class Padded:
    """Pads and cuts lists of any length to one size: a tensor of fixed shape.

    Attributes:
        length: Number of elements of each row: [batch, length]. Lists of lists take a
            length for each level, from the outside in: `Padded((20, 8))` is
            [batch, 20, 8]. Strings and binaries are lists of bytes, which become uint8:
            `Padded(64)` is [batch, 64]; for lists of strings, `Padded((20, 64))` is
            [batch, 20, 64].
        value: Value that follows the elements of a shorter list, in the forms that
            `Column.fill` takes; for strings and binaries, a byte.
        truncate: Way to cut a longer list: "end" cuts its end and keeps its first
            elements, "start" cuts its start and keeps its last ones. With False a
            longer list is an error that names the row.

    Example:
        `columns={"tokens": Column("text_tokens", pad=Padded(512), mask=True)}`
    """

    length: int | Sequence[int]
    value: bool | int | float = 0
    truncate: Literal["end", "start", False] = "end"

    def __post_init__(self) -> None:
        """Checks types and ranges."""
        if isinstance(self.length, Sequence):
            object.__setattr__(self, "length", _sizes("Padded: length", self.length))
        else:
            _sizes("Padded: length", (self.length,))
        if self.truncate not in ("end", "start", False):
            raise ValueError(
                f'Padded: truncate must be "end", "start" or False, not '
                f"{self.truncate!r}"
            )

    @property
    def lengths(self) -> tuple[int, ...]:
        """Tuple of one length for each level."""
        return (self.length,) if isinstance(self.length, int) else tuple(self.length)


@names_options
@dataclass(frozen=True)
class Column:
    """Names a column, and says in which form it is delivered.

    Attributes:
        name: Exact name of the column in the files. Names of fields of structs are
            joined by dots: `"user.address.city"` is read without the rest of `user`.
            Lists add nothing to a name: `"items.price"` are the prices of all items.
            The parts of a map are `key` and `value`. The name of a struct, or of a list
            of structs, stands for all fields below it, delivered as a dict.
        fill: Value in the place of a null: bool, int, float, str or bytes, in the form
            that batches have (dates and timestamps are ints in their unit). With
            `encode` it is an integer, or a str or bytes that is encoded. In lists it
            stands for null elements. A null list becomes a list of fills if lists have
            a fixed size, else an empty list. The fill also stands for each row of a
            file that lacks the column, or has it as nulls without a type. With None, a
            null or such a file is an error that names the column, unless there is a
            mask.
        shape: Shape of every row, for lists that in truth all have one size. They are
            delivered as [batch, *shape]; a row of another size is an error that names
            it. Lists of numbers take any shape of as many elements, such as `(28, 28)`
            for 784. Lists of lists take one size for each level. Default: the shape in
            the files, which know fixed sizes only if Arrow wrote them.
        dtype: Type that numbers are converted to: "bool", "int8" to "uint64",
            "float16", "bfloat16", "float32", "float64", or any form that NumPy takes
            for one of these. Values are rounded to floats; integers and bools must be
            able to hold each value exactly, else an error names the row. For a column
            made of directories it is the type in which their names are read, in
            filters too; "string" keeps the names as they are. Strings and binaries can
            become "string" or "binary". Default: the type in the files, which then
            must be the same in all of them.
        encode: A `rowfeed.Vocabulary` or `rowfeed.HashBuckets`, which turns strings or
            binaries into integers; these are int64 unless `dtype` says otherwise.
        unit: Unit, "s", "ms", "us" or "ns", in which timestamps, times of day and
            durations are delivered as int64. Values are rounded down to a coarser unit;
            a value too large for a finer unit is an error. Default: the unit in the
            files, which then must be the same in all of them.
        mask: Whether to add a mask, a feature of bools whose name is that of this
            feature and `__mask`. It has the same shape (one bool for each string or
            fixed-size binary) and is True for values. It is False for nulls, which are
            zeros or empty unless there is a `fill`, and for padding. "rows" adds a mask
            of shape [batch] that is False for null rows, so that null lists can be told
            from empty ones; nulls in lists then need a `fill`.
        pad: Size to which lists and strings are padded and cut. Default: they stay
            ragged.

    Example:
        `ParquetDataset("data", 256, columns=["id", Column("price", fill=0.0)])`
    """

    name: str
    fill: bool | int | float | str | bytes | None = None
    _: KW_ONLY
    shape: Sequence[int] | None = None
    dtype: Any = None
    encode: Vocabulary | HashBuckets | None = None
    unit: str | None = None
    mask: bool | Literal["rows"] = False
    pad: Padded | None = None

    def __post_init__(self) -> None:
        """Checks types and values."""
        if not isinstance(self.name, str):
            raise TypeError(f"a column's name must be a str, not {self.name!r}")
        allowed = (bool, numbers.Real, np.bool_, str, bytes)
        if self.fill is not None and not isinstance(self.fill, allowed):
            raise TypeError(
                f"column {self.name!r}: fill must be a bool, int, float, str or bytes, "
                f"not {self.fill!r}"
            )
        if self.dtype is not None:
            try:
                object.__setattr__(self, "dtype", dtypes.name_of(self.dtype))
            except ValueError as error:
                raise ValueError(f"column {self.name!r}: {error}") from None
        if not isinstance(self.encode, (Vocabulary, HashBuckets, type(None))):
            raise TypeError(
                f"column {self.name!r}: encode must be a rowfeed.Vocabulary or a "
                f"rowfeed.HashBuckets, not {self.encode!r}"
            )
        if self.unit not in (None, "s", "ms", "us", "ns"):
            raise ValueError(
                f"column {self.name!r}: unit must be 's', 'ms', 'us' or 'ns', "
                f"not {self.unit!r}"
            )
        if not isinstance(self.mask, bool) and self.mask != "rows":
            raise TypeError(
                f'column {self.name!r}: mask must be a bool or "rows", not '
                f"{self.mask!r}"
            )
        self._check_shape()
        if not isinstance(self.pad, (Padded, type(None))):
            raise TypeError(
                f"column {self.name!r}: pad must be a rowfeed.Padded, not {self.pad!r}"
            )

    def _check_shape(self) -> None:
        if self.shape is None:
            return
        label = f"column {self.name!r}: shape"
        if isinstance(self.shape, str) or not isinstance(self.shape, Sequence):
            raise TypeError(f"{label} must be a tuple of ints, not {self.shape!r}")
        object.__setattr__(self, "shape", _sizes(label, self.shape))
        if self.pad is not None:
            raise ValueError(
                f"{label} is of lists that need no padding: pad={self.pad}"
            )

    @classmethod
    def _of(cls, spec: object, keyword: str) -> Column:
        """Returns `spec`, a name or a Column, as a Column.

        Raises:
            TypeError: `spec` is neither; the message names `keyword`.
        """
        if isinstance(spec, Column):
            return spec
        if isinstance(spec, str):
            return cls(spec)
        raise TypeError(f"{keyword} takes str and rowfeed.Column, not {spec!r}")

    def _column_spec(self, catalog: core.Catalog) -> core.ColumnSpec:
        """Returns the kernel's description of what is asked of this column.

        Raises:
            KeyError: The catalog lacks the column.
            NotImplementedError: The type of the column is not supported.
            TypeError: The fill or padding value is of another kind than the column.
            ValueError: The column's dtype cannot hold the fill or padding value.
        """
        encode = self.encode
        spec = core.ColumnSpec(
            catalog,
            self.name,
            dtype=self.dtype,
            unit=self.unit or "",
            vocabulary=encode._native() if isinstance(encode, Vocabulary) else None,
            num_buckets=encode.num_buckets if isinstance(encode, HashBuckets) else 0,
            mask="rows" if self.mask == "rows" else _MASKS[self.mask],
        )
        if self.shape is not None:
            spec.set_shape(self.shape)
        column = spec.column(catalog)
        if self.fill is not None:
            spec.set_fill(self._bytes("fill", self._encoded_fill(), column))
        if self.pad is not None:
            if column.dtype in dtypes.BYTES:
                value = self._byte(self.pad.value)
            else:
                value = self._bytes("pad", self.pad.value, column)
            spec.set_padding(self.pad.lengths, self.pad.truncate or "never", value)
            spec.column(catalog)  # Raises if it cannot be padded so.
        return spec

    def _encoded_fill(self) -> bool | int | float | str | bytes | None:
        """Returns the fill, which for an encoded column may be a value to encode."""
        if self.encode is None or not isinstance(self.fill, str | bytes):
            return self.fill
        index = self.encode._encoded(self.fill)
        if index is None:
            raise ValueError(
                f"column {self.name!r}: fill={self.fill!r} is not among the values of "
                "the vocabulary, which has no index for unknown ones"
            )
        return index

    def _byte(self, value: Any) -> bytes:
        """Returns the padding byte for strings."""
        problem = f"column {self.name!r}: pad={value!r}"
        try:
            return dtypes.to_bytes(value, "uint8")
        except TypeError as error:
            raise TypeError(f"{problem} must be a byte, an int") from error
        except OverflowError as error:
            raise ValueError(f"{problem} must be a byte, from 0 to 255") from error

    def _bytes(self, keyword: str, value: Any, column: core.Column) -> bytes:
        """Returns a value in the form that the kernel takes: one element's bytes."""
        problem = f"column {self.name!r}: {keyword}={value!r}"
        if column.dtype == "string":
            if not isinstance(value, str):
                raise TypeError(f"{problem} must be a str")
            return value.encode()
        if column.dtype == "binary":
            if not isinstance(value, bytes):
                raise TypeError(f"{problem} must be bytes")
            return value
        try:
            return dtypes.to_bytes(value, column.dtype)
        except TypeError as error:
            as_stored = self.dtype is None and self.encode is None
            kind = column.logical_type if as_stored else column.dtype
            raise TypeError(f"{problem} does not fit its type, {kind}") from error
        except OverflowError as error:
            raise ValueError(f"{problem} does not fit in {column.dtype}") from error


def dtypes_asked(columns: Iterable[Column]) -> dict[str, str]:
    """Returns the dtypes that are asked for, by the name of the column.

    They matter only for columns made of directories, whose names are text that must be
    read as some type. If two features use one such column, the first decides the type,
    and values are converted for the other.
    """
    asked: dict[str, str] = {}
    for column in columns:
        dtype = "string" if column.encode is not None else column.dtype
        if dtype is not None:
            asked.setdefault(column.name, dtype)
    return asked
