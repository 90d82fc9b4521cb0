# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Finds names in messages that users do not know: private classes, modules, methods."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import rowfeed
from repository import ROOT

_PACKAGE = ROOT / "python" / "rowfeed"
# Names that others have, too: a class of TensorFlow.
_SAID_OF_OTHERS = {"Variable"}


def private_names(message: str) -> list[str]:
    """Returns the private names of the package that a message has.

    They are modules and packages (`rowfeed._stream`), names with an underscore in front
    that the package defines, if they are called or an attribute, and classes that
    docs/reference.md does not have. A class whose name is one word is found where it is
    written as code or within a sentence. Tracebacks, which the errors of DataLoader
    workers contain, may have any name.
    """
    message = re.sub(r"^ +File \".*\n(?: .*\n)*", "", message, flags=re.MULTILINE)
    found = re.findall(r"\browfeed\._(?!_)\w+", message)
    quoted = re.findall(r"(?<=attribute ['\"`])_(?!_)\w+(?=['\"`])", message)
    called = re.findall(r"(?<!\w)_(?!_)\w+(?=\()", message)
    defined = _underscored()
    found += [name for name in quoted + called if name in defined]
    for name in _private_classes():
        is_one_word = len(re.findall("[A-Z]", name)) == 1
        pattern = rf"(?<![\w.]){name}\b"
        if is_one_word:
            # Not at the beginning of a sentence, unless it is written as code.
            pattern = rf"(?<![.:] )(?<!^){pattern}|(?<![\w.]){name}(?:\.\w|\()"
        found += [name] * len(re.findall(pattern, message, re.MULTILINE))
    return found


def check_error(error: BaseException) -> None:
    """Fails the test if an error, or one of its causes, says private names.

    They are looked for in messages. The name of the class, which a traceback shows,
    must be public too.
    """
    seen: BaseException | None = error
    while seen is not None:
        kind = type(seen)
        if kind.__module__.startswith("rowfeed") and not hasattr(
            rowfeed, kind.__name__
        ):
            pytest.fail(f"the error is of the private class {kind.__name__}: {seen}")
        message = "\n".join(map(str, seen.args))
        if names := private_names(message):
            pytest.fail(f"a message has the private names {names}: {message}")
        seen = seen.__cause__


def check_raised() -> None:
    """Makes `pytest.raises` check the message of each error that it catches."""
    if not hasattr(pytest.raises, "is_checked"):
        pytest.raises = _checking(pytest.raises)


def _checking(raises: Callable[..., Any]) -> Callable[..., Any]:
    def checked(*arguments: Any, **keywords: Any) -> Any:
        made = raises(*arguments, **keywords)
        if isinstance(made, pytest.ExceptionInfo):  # `raises` has called a function.
            check_error(made.value)
            return made
        return _Checked(made)

    checked.is_checked = True  # type: ignore[attr-defined]
    return checked


class _Checked:
    """The context manager of `pytest.raises`, with a check after it."""

    def __init__(self, made: Any) -> None:
        self._made = made

    def __enter__(self) -> Any:
        return self._made.__enter__()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> Any:
        is_expected = self._made.__exit__(kind, error, trace)
        if is_expected:
            check_error(error)
        return is_expected


@cache
def _trees() -> list[ast.Module]:
    return [ast.parse(path.read_text()) for path in sorted(_PACKAGE.rglob("*.py"))]


@cache
def _private_classes() -> frozenset[str]:
    text = (ROOT / "docs" / "reference.md").read_text()
    public = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`", text))))
    classes = {
        node.name
        for tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    return frozenset(classes - public - _SAID_OF_OTHERS)


@cache
def _underscored() -> frozenset[str]:
    """Returns the names of functions and attributes with one underscore in front."""
    names: set[str] = set()
    for tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.Attribute):
                names.add(node.attr)
    return frozenset(name for name in names if re.match(r"_(?!_)", name))
