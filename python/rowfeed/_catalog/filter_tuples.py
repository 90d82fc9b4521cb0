# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes an expression of a filter that is given as a list of tuples."""

from __future__ import annotations

import reprlib
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pyarrow.compute as pc

_OPERATORS: Final = ("=", "==", "!=", "<", ">", "<=", ">=", "in", "not in")
_MAX_DIGITS: Final = 76  # The most digits that a decimal of Arrow has.
_SHOWN: Final = 80  # The number of characters of a value in an error.
_ADVICE: Final = "give a value of the column's type, or a list of them for in"


def expression_of(given: list[Any]) -> pc.Expression:
    """Returns the expression of a list that `pyarrow.parquet.read_table` takes.

    Raises:
        TypeError: A value has a type that Arrow does not have.
        ValueError: The list is not well formed, an operator is unknown, a string is not
            UTF-8, or Arrow has no such value. The error has the condition, which names
            the column.
    """
    from pyarrow.parquet import filters_to_expression

    for condition in _conditions(given):
        _check_shape(condition)
    ordered = _in_order(given)
    try:
        return filters_to_expression(ordered)
    except (OverflowError, TypeError, ValueError):
        for condition in _conditions(ordered):
            _check(*condition)
        raise


def _conditions(given: list[Any]) -> list[Any]:
    """Returns the conditions of a list, or of the lists in it.

    Raises:
        ValueError: The list is empty, or has lists of conditions and other members.
    """
    if not given:
        raise ValueError(
            "filter: the list has no conditions: give at least one, or no filter"
        )
    lists = [member for member in given if _has_conditions(member)]
    if not lists:
        return given
    for member in given:
        if not _has_conditions(member):
            raise ValueError(
                f"filter: {_shown(member)} is not a list of (column, operator, value) "
                "tuples, as another member of the filter is"
            )
    return [condition for each in lists for condition in each]


def _has_conditions(member: Any) -> bool:
    """Returns whether a member of a filter is a list, whose members are conditions."""
    if not isinstance(member, (list, tuple, set, frozenset)) or not member:
        return False
    return isinstance(next(iter(member)), (list, tuple))


def _check_shape(condition: Any) -> None:
    """Raises an error that names the condition if it is no tuple of a condition."""
    if not isinstance(condition, (list, tuple)) or len(condition) != 3:
        raise ValueError(
            f"filter: {_shown(condition)} is not a (column, operator, value) tuple"
        )
    if not isinstance(condition[0], str):
        raise ValueError(
            f"filter: {_shown(condition)}: the column must be a string, not "
            f"{_shown(condition[0])}"
        )


def _check(column: str, operator: Any, value: Any) -> None:
    """Raises an error that names the condition if Arrow does not take it."""
    from pyarrow.parquet import filters_to_expression

    condition = (column, operator, value)
    where = f"filter: {_shown(condition)}"
    if operator not in _OPERATORS:
        raise ValueError(
            f"{where}: {operator!r} is not an operator: give {', '.join(_OPERATORS)}"
        )
    for number in value if isinstance(value, list) else [value]:
        if isinstance(number, Decimal):
            _check_decimal(where, column, number)
    try:
        filters_to_expression([condition])
    except UnicodeEncodeError as error:
        raise ValueError(f"{where}: a string is not UTF-8: {error}") from error
    except TypeError as error:
        raise TypeError(f"{where}: {error}; {_ADVICE}") from error
    except (OverflowError, ValueError) as error:
        raise ValueError(f"{where}: {error}; {_ADVICE}") from error


def _check_decimal(where: str, column: Any, number: Decimal) -> None:
    """Raises an error if Arrow has no such decimal."""
    if not number.is_finite():
        raise ValueError(
            f"{where}: columns of decimals have finite numbers and nulls, and no "
            f"{number}: leave the condition out, or give the expression "
            f"pyarrow.compute.field({column!r}).is_valid()"
        )
    if _num_digits(number) > _MAX_DIGITS:
        raise ValueError(
            f"{where}: the value has {_num_digits(number)} digits, and decimals have "
            f"at most {_MAX_DIGITS}: give a number of fewer digits, or leave the "
            "condition out"
        )


def _num_digits(number: Decimal) -> int:
    """Returns the digits of a decimal number in Arrow's form, which has no exponent."""
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)  # The number is finite.
    return max(len(digits) + max(exponent, 0), -exponent)


def _shown(part: Any) -> str:
    """Returns a part of a filter as text, with long values cut."""
    shortened = reprlib.Repr()
    shortened.maxother = shortened.maxstring = shortened.maxlong = _SHOWN
    return shortened.repr(part)


def _in_order(part: Any) -> Any:
    """Returns `part` with a sorted list in the place of each set in it, at any depth.

    A set of strings has another order in each process, and filters must be the same in
    all of them.
    """
    if isinstance(part, (set, frozenset)):
        return sorted(part, key=lambda value: (type(value).__name__, repr(value)))
    if isinstance(part, (list, tuple)):
        return [_in_order(each) for each in part]
    return part
