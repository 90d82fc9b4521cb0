# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The values that an option may have, as users give it and as a state holds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Protocol

_INT64_MAX: Final = 2**63 - 1


class Check(Protocol):
    """A check of the values of one option."""

    def __call__(self, name: str, value: object) -> None:
        """Raises TypeError or ValueError if a user may not give `value`."""

    def expected(self, value: object, unset: object) -> str:
        """Returns a text of what a state must hold instead of `value`; "" if it may.

        A state holds what the kernel has: an exact type, and no None.

        Args:
            value: Value in the state.
            unset: Value that the kernel has for None, which may be out of range.
        """


class Flag:
    """The check of an option that is a bool."""

    def __call__(self, name: str, value: object) -> None:
        """Raises TypeError unless `value` is a bool."""
        if not isinstance(value, bool):
            raise TypeError(f"{name} must be a bool, not {value!r}")

    def expected(self, value: object, unset: object) -> str:  # noqa: ARG002
        """Returns "a bool" unless `value` is one."""
        return "" if isinstance(value, bool) else "a bool"


@dataclass(frozen=True)
class Integer:
    """The check of an option that is an integer in [low, high].

    Attributes:
        low: Smallest value.
        high: Largest value.
        optional: Whether users may give None.
    """

    low: int
    high: int = _INT64_MAX
    optional: bool = False

    def __call__(self, name: str, value: object) -> None:
        """Raises TypeError or ValueError unless `value` is such an integer."""
        check_integer(name, value, self.low, self.high, optional=self.optional)

    def expected(self, value: object, unset: object) -> str:
        """Returns the range unless `value` lies in it."""
        low = min(self.low, unset) if isinstance(unset, int) else self.low
        if type(value) is int and low <= value <= self.high:
            return ""
        return f"an integer in [{low}, {self.high}]"


@dataclass(frozen=True)
class OneOf:
    """The check of an option that is one of some names, or None."""

    names: tuple[str, ...]

    def __call__(self, name: str, value: object) -> None:
        """Raises TypeError or ValueError unless `value` is one of the names or None."""
        if value is None:
            return
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {value!r}")
        if value not in self.names:
            raise ValueError(
                f"{name} must be one of {', '.join(self.names)}, not {value!r}"
            )

    def expected(self, value: object, unset: object) -> str:  # noqa: ARG002
        """Returns the names unless `value` is one of them."""
        is_one = isinstance(value, str) and value in self.names
        return "" if is_one else f"one of {', '.join(self.names)}"


class Function:
    """The check of an option that is a function, or None."""

    def __call__(self, name: str, value: object) -> None:
        """Raises TypeError unless `value` can be called or is None."""
        if value is not None and not callable(value):
            raise TypeError(f"{name} must be a function, not {value!r}")

    def expected(self, value: object, unset: object) -> str:  # noqa: ARG002
        """Returns "a function" unless `value` is one."""
        return "" if callable(value) else "a function"


def check_integer(
    name: str,
    value: Any,
    low: int,
    high: int = _INT64_MAX,
    *,
    optional: bool = False,
) -> None:
    """Raises TypeError or ValueError unless `value` is an integer in [low, high]."""
    if value is None and optional:
        return
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {value!r}")
    if not low <= value.__index__() <= high:
        bound = f">= {low}" if value.__index__() < low else f"<= {high}"
        raise ValueError(f"{name} must be {bound}, not {value!r}")


@dataclass(frozen=True)
class InstanceOf:
    """The check of an option that is None or an object of a class of ours.

    Attributes:
        of: The class.
    """

    of: type

    def __call__(self, name: str, value: object) -> None:
        """Raises TypeError unless `value` is such an object."""
        if value is not None and not isinstance(value, self.of):
            raise TypeError(
                f"{name} must be a rowfeed.{self.of.__name__}, not {value!r}"
            )

    def expected(self, value: object, unset: object) -> str:  # noqa: ARG002
        """Returns "", as no state holds such an option."""
        return ""
