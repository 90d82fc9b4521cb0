# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the call of Keras from which a function was called, and its arguments."""

from __future__ import annotations

import sys
from typing import Any, Final, NamedTuple

# The arguments of these methods of a model are public: x, validation_data, callbacks.
_METHODS: Final = ("fit", "evaluate", "predict")


class Asking(NamedTuple):
    """A running call of `fit`, `evaluate` or `predict` of a Keras model.

    Attributes:
        method: Name of the method.
        model: Model whose method it is.
        arguments: Local variables of the call, its arguments among them.
    """

    method: str
    model: Any
    arguments: dict[str, Any]

    @property
    def data(self) -> list[Any]:
        """Data that the call was given, validation data included."""
        validation = self.arguments.get("validation_data")
        found = [self.arguments.get("x"), validation]
        return [data for data in found if data is not None]

    @property
    def callbacks(self) -> list[Any]:
        """Callbacks that the call was given."""
        given = self.arguments.get("callbacks")
        inner = getattr(given, "callbacks", given)  # `given` may be a CallbackList.
        found = list(inner) if isinstance(inner, (list, tuple)) else [inner]
        return found if inner is given else [given, *found]


def asking() -> Asking | None:
    """Returns the innermost running call of `fit`, `evaluate` or `predict`, or None."""
    keras = sys.modules.get("keras")
    model_class = getattr(keras, "Model", None)
    if model_class is None:
        return None
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name in _METHODS:
            arguments = frame.f_locals
            model = arguments.get("self")
            if isinstance(model, model_class) and "x" in arguments:
                return Asking(frame.f_code.co_name, model, dict(arguments))
        frame = frame.f_back  # type: ignore[assignment]
    return None
