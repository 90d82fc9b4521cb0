# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Which rows: an expression of pyarrow, as the kernel takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rowfeed._native import core

if TYPE_CHECKING:
    import pyarrow.compute as pc

# An expression, or what `pyarrow.parquet.read_table` takes: a list of (column,
# operator, value) tuples, all of which must hold, or a list of such lists, of which one
# must.
FilterLike: TypeAlias = (
    "pc.Expression | list[tuple[str, str, Any]] | list[list[tuple[str, str, Any]]]"
)

_SHOWN: Final = 160  # Characters of a filter's text.


@dataclass(frozen=True)
class Filter:
    """A filter that pickles and compares.

    Attributes:
        serialized: The expression as Arrow serializes it.
        text: The same for people.
    """

    serialized: bytes
    text: str

    @classmethod
    def of(cls, given: FilterLike) -> Filter:
        """Makes one of what users give.

        Raises:
            TypeError: It is neither an expression nor a list of tuples.
            ValueError: The list is not well formed, or a string is not UTF-8.
        """
        import pyarrow.compute as pc  # Slow to import, and rarely wanted.

        if isinstance(given, list):
            from pyarrow.parquet import filters_to_expression

            try:
                given = filters_to_expression(_in_order(given))
            except UnicodeEncodeError as error:
                raise ValueError(f"filter: a string is not UTF-8: {error}") from error
        if not isinstance(given, pc.Expression):
            raise TypeError(
                "filter must be a pyarrow.compute.Expression or a list of (column, "
                f"operator, value) tuples, not {given!r}"
            )
        try:
            _, (buffer,) = given.__reduce__()
        except NotImplementedError as error:
            raise ValueError(f"filter {given}: {error}; name the columns") from error
        return cls(buffer.to_pybytes(), " ".join(_text_of(given).split()))

    @property
    def columns(self) -> list[str]:
        """The columns that it reads."""
        return core.filter_columns(self.serialized)

    @property
    def name(self) -> str:
        """What states call it: the beginning of its text, and a digest of all of it."""
        text = self.text if len(self.text) <= _SHOWN else f"{self.text[:_SHOWN]}..."
        return f"{text} #{core.filter_digest(self.serialized)}"


def _text_of(expression: pc.Expression) -> str:
    try:
        return str(expression)
    except UnicodeDecodeError as error:  # Arrow cuts long texts between two bytes.
        return error.object.decode("utf-8", "backslashreplace")


def _in_order(part: Any) -> Any:
    """Returns a part of a list of tuples with sorted lists in the place of sets.

    Those of strings have another order in each process.
    """
    if isinstance(part, (set, frozenset)):
        return sorted(part, key=lambda value: (type(value).__name__, repr(value)))
    if isinstance(part, (list, tuple)):
        return [_in_order(each) for each in part]
    return part
