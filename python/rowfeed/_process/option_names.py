# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Errors over misspelt options that name what the user called."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, TypeVar

_Called = TypeVar("_Called", bound=Callable[..., Any])


def names_options(called: _Called) -> _Called:
    """Lets a public function name itself where it is called with wrong arguments.

    Python's own error names the function that has the parameters. That may be the
    constructor of a private base class.

    Args:
        called: Function or method, or a class, whose constructor is wrapped.

    Returns:
        Function that does the same, or the class itself.
    """
    if isinstance(called, type):
        called.__init__ = names_options(called.__init__)  # type: ignore[misc]
        return called

    @wraps(called)
    def checked(*arguments: Any, **keywords: Any) -> Any:
        try:
            return called(*arguments, **keywords)
        except TypeError as error:
            trace = error.__traceback__
            if trace is None or trace.tb_next is not None:
                raise  # The function began: its arguments were not wrong.
            name = _public_name(checked, arguments)
            check_options(name, keywords, inspect.signature(called).parameters)
            said = str(error).replace(f"{called.__qualname__}()", f"{name}()")
            raise TypeError(said) from None

    return checked  # type: ignore[return-value]


def check_options(name: str, given: Iterable[str], known: Mapping[str, Any]) -> None:
    """Refuses options that a function does not have.

    Args:
        name: Public name of the function or class.
        given: Names of the options that it was given.
        known: Parameters of the function, by their names.

    Raises:
        TypeError: An option is unknown. If other loaders have it, the error says what
            stands for it here; else it has the option with the name that is nearest, or
            if there is none, all options.
    """
    from difflib import get_close_matches  # Only errors need these two.

    from rowfeed._process.foreign_options import answer_for

    options = [option for option in known if option not in ("self", "cls")]
    for wrong in given:
        if wrong in options:
            continue
        advice = answer_for(wrong, options)
        if advice is None:
            near = get_close_matches(wrong, options, n=1)
            has = f"it has {_listed(options)}"
            advice = f"did you mean {near[0]!r}?" if near else has
        raise TypeError(f"{name} has no option {wrong!r}: {advice}")


def _public_name(called: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    """Returns the name by which the user called a function."""
    name = called.__name__
    if called.__qualname__ == name:
        return f"{called.__module__}.{name}"
    owner = _owner(called, arguments)
    if owner is None:
        return called.__qualname__  # The module is that of a private class.
    of_class = f"{owner.__module__}.{owner.__qualname__}"
    return of_class if name == "__init__" else f"{of_class}.{name}"


def _owner(called: Callable[..., Any], arguments: tuple[Any, ...]) -> type | None:
    """Returns the class by which the user called a method.

    It is the class of the object, or where that has a method of its own, which has
    called this one, the nearest class above it that has not.
    """
    if not arguments:  # The user has called the method of the class without an object.
        name, _, _ = called.__qualname__.rpartition(".")
        # The class itself, or a public class that has the method from a private one.
        modules = (sys.modules[called.__module__], sys.modules["rowfeed"])
        return next((getattr(m, name) for m in modules if hasattr(m, name)), None)
    first = arguments[0] if isinstance(arguments[0], type) else type(arguments[0])
    for owner in first.__mro__:
        found = getattr(owner, called.__name__, None)
        if getattr(found, "__func__", found) is called:
            return owner
    return first


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))
