# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What is asked of a column."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Final, Literal

import numpy as np

from rowfeed._columns import dtypes
from rowfeed._columns.string_encodings import HashBuckets, Vocabulary
from rowfeed._native import core

# What the kernel calls a mask that is there or not.
_MASKS: Final = {False: "none", True: "elements"}


def _sizes(label: str, sizes: Sequence[int]) -> tuple[int, ...]:
    """Returns sizes of lists as a tuple, after a check of types and ranges."""
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(f"{label} must be of ints, not {size!r}")
        if not 1 <= size < 2**31:
            raise ValueError(f"{label} must be in [1, 2**31), not {size}")
    if not sizes:
        raise ValueError(f"{label} must have at least one size")
    return tuple(sizes)


@dataclass(frozen=True)
class Padded:
    """Makes lists of any length one size, so that they are a tensor of fixed shape.

    Attributes:
        length: The elements of each row: [batch, length]. Lists of lists take a length
            for each level, from the outside in: `Padded((20, 8))` is [batch, 20, 8].
            Strings and binaries are lists of bytes, which become uint8: `Padded(64)` is
            [batch, 64], and `Padded((20, 64))` of lists of strings [batch, 20, 64].
        value: What follows the elements of a shorter list, of the kind of a fill; of
            strings, a byte.
        truncate: What becomes of a longer list: "end" keeps its first elements, "start"
            its last ones; False: it is an error that names the row.

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
        """One length for each level."""
        return (self.length,) if isinstance(self.length, int) else tuple(self.length)


@dataclass(frozen=True)
class Column:
    """Names a column and says what is made of it.

    Attributes:
        name: The column's name in the files, exactly. Fields of structs are joined by
            dots: `"user.address.city"`, read without the rest of `user`; lists add
            nothing: `"items.price"` are the prices of all items; maps have `key` and
            `value`. The name of a struct, or of a list of structs, stands for all
            fields below it, delivered as a dict.
        fill: The value that stands for a null: bool, int, float, str or bytes, as
            batches hold it (an int in its unit for dates and timestamps). In lists it
            stands for null elements; a null list is a list of fills where lists have a
            fixed size, else an empty list. It also stands for each row of a file that
            lacks the column, or has nulls without a type. None: a null, or such a file,
            is an error that names the column, unless there is a mask.
        shape: Of every row, where lists are in truth of one size: they are delivered as
            [batch, *shape], and a row of another size is an error that names it. Lists
            of numbers take any shape of as many elements, `(28, 28)` of 784; lists of
            lists one size for each level. None: as in the files, which remember fixed
            sizes only if Arrow wrote them.
        dtype: What numbers become: "bool", "int8" to "uint64", "float16", "bfloat16",
            "float32", "float64", or what NumPy takes for one of these. Floats are
            rounded; integers and bools must be able to hold each value exactly, else
            it is an error that names the row. For a column that is made of directories
            it decides what their names are read as, in filters, too; "string" keeps
            them as they are. Strings and binaries become "string" or "binary". None:
            as in the files, which then must have one type.
        encode: A `rowfeed.Vocabulary` or `rowfeed.HashBuckets`: how strings or binaries
            become integers, int64 unless `dtype` says otherwise.
        unit: "s", "ms", "us" or "ns": of timestamps, times of day and durations, which
            become int64 in this unit. Coarser units are rounded down; a value that a
            finer one cannot hold is an error. None: as in the files, which then must
            have one unit.
        mask: Whether to add a feature, named like this one with `__mask` behind it:
            bool, of the same shape (one for each string or fixed-size binary), True
            where there is a value. It is False for nulls, which are zeros or empty
            unless there is a `fill`, and for padding. "rows": of shape [batch], False
            where a row is null, so that null lists differ from empty ones; a null in a
            list then needs a `fill`.
        pad: Makes lists and strings one size; default: they stay ragged.

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
        """Checks the types."""
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
    def of(cls, spec: object, keyword: str) -> Column:
        """Returns `spec`, a name or a Column, as a Column."""
        if isinstance(spec, Column):
            return spec
        if isinstance(spec, str):
            return cls(spec)
        raise TypeError(f"{keyword} takes str and rowfeed.Column, not {spec!r}")

    def feature(self, catalog: core.Catalog) -> core.Feature:
        """Returns what the kernel is asked for.

        Raises:
            KeyError: There is no such column.
            NotImplementedError: Its type is not supported.
            TypeError: A value is of another kind than the column.
            ValueError: The column cannot hold a value.
        """
        encode = self.encode
        feature = core.Feature(
            catalog,
            self.name,
            dtype=self.dtype,
            unit=self.unit or "",
            vocabulary=encode.native() if isinstance(encode, Vocabulary) else None,
            num_buckets=encode.num_buckets if isinstance(encode, HashBuckets) else 0,
            mask="rows" if self.mask == "rows" else _MASKS[self.mask],
        )
        if self.shape is not None:
            feature.set_shape(self.shape)
        column = feature.column(catalog)
        if self.fill is not None:
            feature.set_fill(self._bytes("fill", self.fill, column))
        if self.pad is not None:
            if column.dtype in ("string", "binary"):
                value = self._byte(self.pad.value)
            else:
                value = self._bytes("pad", self.pad.value, column)
            feature.set_padding(self.pad.lengths, self.pad.truncate or "never", value)
            feature.column(catalog)  # Says if it cannot be padded so.
        return feature

    def _byte(self, value: Any) -> bytes:
        """Returns what follows the bytes of strings."""
        problem = f"column {self.name!r}: pad={value!r}"
        try:
            return dtypes.to_bytes(value, "uint8")
        except TypeError as error:
            raise TypeError(f"{problem} must be a byte, an int") from error
        except OverflowError as error:
            raise ValueError(f"{problem} must be a byte, from 0 to 255") from error

    def _bytes(self, keyword: str, value: Any, column: core.Column) -> bytes:
        """Returns a value as the kernel takes it: the bytes of one element."""
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
    """Returns what the values of columns must be read as, where that is asked for.

    It counts for columns that are made of directories alone: only their names are text.
    Where two features take one such column, the first decides; the other is cast.
    """
    asked: dict[str, str] = {}
    for column in columns:
        dtype = "string" if column.encode is not None else column.dtype
        if dtype is not None:
            asked.setdefault(column.name, dtype)
    return asked
