# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Encodings of strings as integers: by their index in a list, or by a hash."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import SupportsIndex

from rowfeed._native import core
from rowfeed._process.option_names import names_options


@dataclass(frozen=True, init=False, repr=False)
class Vocabulary:
    """Turns strings or binaries into their index in a list.

    Attributes:
        values: List of str or bytes, or an array of pyarrow, without duplicates and
            nulls; str stands for its UTF-8.
        unknown: Index for values that are not in the list. With None such a value is an
            error that names the value and its row.
        first: Index of the first value, at least 0. The indices below it are free: for
            unknown values, and for nulls as the `fill` of a `Column`.

    Example:
        `Column("city", encode=Vocabulary(["Bern", "Oslo"], unknown=-1))`. With
        `Vocabulary(["Bern", "Oslo"], unknown=1, first=2)` and `fill=0` a null is 0, and
        an unknown city 1. The same indices as a `keras.layers.StringLookup`, whose
        index 0 stands for unknown strings, come from
        `Vocabulary(layer.get_vocabulary(), unknown=0)`.
    """

    values: tuple[str | bytes, ...]
    unknown: int | None
    first: int

    @names_options
    def __init__(
        self,
        values: Iterable[str | bytes],
        *,
        unknown: SupportsIndex | None = None,
        first: SupportsIndex = 0,
    ) -> None:
        """Checks types and values."""
        if isinstance(values, (str, bytes)):
            raise TypeError(f"a vocabulary is a list of values, not {values!r}")
        # An array of pyarrow has scalars of its own.
        to_list = getattr(values, "to_pylist", None)
        listed = tuple(values if to_list is None else to_list())
        for value in listed:
            if not isinstance(value, (str, bytes)):
                raise TypeError(f"a vocabulary has str or bytes, not {value!r}")
        if unknown is not None:
            unknown = _integer(unknown, "unknown", -(2**63))
        object.__setattr__(self, "values", listed)
        object.__setattr__(self, "unknown", unknown)
        object.__setattr__(self, "first", _integer(first, "first", 0))
        self._native()  # Refuses duplicates, and too many values.

    def __repr__(self) -> str:
        """Returns the first values, the number of all, and the other attributes."""
        values, count = reprlib.repr(self.values), len(self.values)
        if values.endswith(", ...)"):
            values = f"{values[:-1]} {count:,} in all)"
        return (
            f"Vocabulary(values={values}, unknown={self.unknown}, first={self.first})"
        )

    def _native(self) -> core.Vocabulary:
        """Returns the kernel's look-up table of the values."""
        encoded = [_as_bytes(value) for value in self.values]
        return core.Vocabulary.make(encoded, self.unknown, self.first)

    def _encoded(self, value: str | bytes) -> int | None:
        """Returns the index of a value; None if it is unknown and has no index."""
        encoded = [_as_bytes(value) for value in self.values]
        if _as_bytes(value) not in encoded:
            return self.unknown
        return self.first + encoded.index(_as_bytes(value))


@names_options
@dataclass(frozen=True)
class HashBuckets:
    """Turns strings or binaries into a bucket: XXH64, seed 0, modulo `num_buckets`.

    The hash is that of the value's bytes, for strings those of UTF-8. It will stay the
    same: with the package xxhash, `xxhash.xxh64_intdigest(value.encode()) %
    num_buckets`.

    Attributes:
        num_buckets: Number of buckets, which are 0 to num_buckets - 1.

    Example:
        `Column("user", encode=HashBuckets(100_000))`
    """

    num_buckets: int

    def __post_init__(self) -> None:
        """Checks the type and range of the number."""
        number = _integer(self.num_buckets, "num_buckets", 1)
        object.__setattr__(self, "num_buckets", number)

    def _encoded(self, value: str | bytes) -> int:
        """Returns the bucket of a value."""
        return core.hash_bucket(_as_bytes(value), self.num_buckets)


def _as_bytes(value: str | bytes) -> bytes:
    try:
        return value.encode() if isinstance(value, str) else value
    except UnicodeEncodeError:
        raise ValueError(
            f"{value!r} has surrogates, which UTF-8 cannot encode, so no file has it"
        ) from None


def _integer(value: SupportsIndex, name: str, least: int) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {value!r}")
    number = operator.index(value)
    if not least <= number < 2**63:
        raise ValueError(f"{name} must be in [{least}, 2**63), not {number}")
    return number
