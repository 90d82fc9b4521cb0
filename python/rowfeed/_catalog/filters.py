# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the filter that the kernel takes of the forms in which users may give it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rowfeed._catalog.filter_functions import check_functions
from rowfeed._catalog.filter_tuples import expression_of
from rowfeed._native import core
from rowfeed._versions import ARROW

if TYPE_CHECKING:
    import pyarrow.compute as pc

# A filter is an expression, or a list as `pyarrow.parquet.read_table` takes it: a list
# of (column, operator, value) tuples, all of which must hold, or a list of such lists,
# of which at least one must hold.
FilterLike: TypeAlias = (
    "pc.Expression | list[tuple[str, str, Any]] | list[list[tuple[str, str, Any]]]"
)

_SHOWN: Final = 160  # The number of characters of a filter's text in its name.


@dataclass(frozen=True)
class Filter:
    """A filter that can be pickled and compared, unlike an expression of pyarrow.

    Attributes:
        serialized: Bytes of the expression, in Arrow's serialized form.
        text: Text of the expression, for people.
    """

    serialized: bytes
    text: str

    @classmethod
    def of(cls, given: FilterLike) -> Filter:
        """Makes a filter of an expression or a list of tuples.

        Raises:
            NotImplementedError: The expression calls a function that is not Arrow's, or
                the kernel's Arrow does not know what the user's pyarrow wrote.
            TypeError: `given` is neither an expression nor a list, or a value has a
                type that Arrow does not have.
            ValueError: The list is not well formed, or a string is not UTF-8, or Arrow
                has no such value, or the expression names no columns.
        """
        import pyarrow.compute as pc  # This import is slow, and few users filter.

        if isinstance(given, list):
            given = expression_of(given)
        if not isinstance(given, pc.Expression):
            raise TypeError(
                "filter must be a pyarrow.compute.Expression or a list of (column, "
                f"operator, value) tuples, not {given!r}"
            )
        try:
            _, (buffer,) = given.__reduce__()
        except NotImplementedError as error:
            raise ValueError(f"filter {given}: {error}; name the columns") from error
        made = cls(buffer.to_pybytes(), " ".join(_text_of(given).split()))
        check_functions(_functions_of(made))
        return made

    @property
    def columns(self) -> list[str]:
        """Names of the columns that the filter reads."""
        return core.filter_columns(self.serialized)

    @property
    def expression(self) -> pc.Expression:
        """Expression of the filter, as `of` takes it."""
        import pyarrow as pa
        import pyarrow.compute as pc

        made, _ = pc.scalar(0).__reduce__()
        found: pc.Expression = made(pa.py_buffer(self.serialized))
        return found

    @property
    def name(self) -> str:
        """Name of the filter in states: the begin of its text, and a digest of all."""
        text = self.text if len(self.text) <= _SHOWN else f"{self.text[:_SHOWN]}..."
        return f"{text} #{core.filter_digest(self.serialized)}"


def _functions_of(made: Filter) -> list[str]:
    """Returns the functions that a filter calls, as the kernel reads it.

    Raises:
        NotImplementedError: The kernel cannot read the bytes. pyarrow has just written
            them, so its version has a function, an option or a type in another form.
    """
    try:
        return core.filter_functions(made.serialized)
    except ValueError as error:
        import pyarrow as pa

        raise NotImplementedError(
            f"filter {made.text}: pyarrow {pa.__version__} and the Arrow {ARROW} by "
            f"which rowfeed filters differ in it ({error}): write it without that "
            f"function or type, or pip install 'pyarrow=={ARROW.partition('.')[0]}.*'"
        ) from error


def _text_of(expression: pc.Expression) -> str:
    try:
        return str(expression)
    except UnicodeDecodeError as error:  # Arrow cuts a long text within a character.
        return error.object.decode("utf-8", "backslashreplace")
