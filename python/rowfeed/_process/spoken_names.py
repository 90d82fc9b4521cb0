# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Methods of private classes, under the names that users know."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TypeVar

_Class = TypeVar("_Class", bound=type)


def spoken_as(name: str) -> Callable[[_Class], _Class]:
    """Names the methods of a private class as users know them.

    Python's error over a wrong call has the qualified name of the method, which begins
    with the class that has defined it.

    Args:
        name: Name for the class, such as that of the public class derived from it.
    """

    def named(made: _Class) -> _Class:
        for method in vars(made).values():
            if isinstance(method, FunctionType):
                method.__qualname__ = f"{name}.{method.__name__}"
        return made

    return named
