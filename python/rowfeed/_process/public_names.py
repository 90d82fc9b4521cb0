# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The names that messages and pickles have for classes and their methods."""

from __future__ import annotations

from types import FunctionType
from typing import Any


def publish(module: str, *things: Any) -> None:
    """Names classes and functions, and the methods of classes, as users import them.

    Args:
        module: Name of the public module.
        things: Public classes and functions of the module.
    """
    for thing in things:
        thing.__module__ = module
    for thing in things:
        if isinstance(thing, type):
            name_methods(thing, thing.__name__)


def name_methods(made: type, name: str) -> None:
    """Names the public methods that a class has from private classes.

    Python's error over a wrong call has the qualified name of the method, which begins
    with the class that has defined it.

    Args:
        made: The class.
        name: Name for it that users know. A private class that several public classes
            derive from must have methods for users only if they all have this name.
    """
    for base in made.__mro__:
        if base.__module__.startswith("rowfeed._"):
            for method in vars(base).values():
                is_public = (
                    isinstance(method, FunctionType) and method.__name__[0] != "_"
                )
                if is_public:
                    method.__qualname__ = f"{name}.{method.__name__}"
