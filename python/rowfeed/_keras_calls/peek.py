# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Warns where Keras uses up the place that the user has set.

Keras takes a batch of the data to build a model. Under the backends JAX and PyTorch
`fit` and `evaluate` do so in `Model._symbolic_build`, and under a strategy of
TensorFlow in `Model._maybe_symbolic_build`. Under JAX `predict` does so before it calls
`Model.make_predict_function`. The number of batches does not tell this from an epoch of
one step, or from a loop that ends early. So this module wraps these methods.
"""

from __future__ import annotations

import sys
import warnings
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final

from rowfeed._keras_calls.asking import Asking, asking
from rowfeed._keras_calls.match import check_inputs
from rowfeed._keras_calls.source import source_below
from rowfeed._process.caller_warnings import StateWarning

# The methods of a model in which a callback sets the place again when Keras begins.
SETS_PLACE: Final = "_rowfeed_sets_place_in"

# The model of the running `predict`, its dataset, and the place where that stood.
_predicting: ContextVar[tuple[Any, Any, Any] | None] = ContextVar(
    "_predicting", default=None
)
_building: ContextVar[bool] = ContextVar("_building", default=False)


def is_building() -> bool:
    """Returns whether Keras asks for a batch only to build a model."""
    return _building.get()


def warn_of_peeks() -> None:
    """Warns from now on, if Keras is loaded."""
    keras = sys.modules.get("keras")
    if keras is None or not hasattr(keras, "Model"):
        return
    if hasattr(keras.Model, "_rowfeed_watches"):
        return
    keras.Model._rowfeed_watches = True
    backend = keras.backend.backend()
    name = "_maybe_symbolic_build" if backend == "tensorflow" else "_symbolic_build"
    if hasattr(keras.Model, name):
        _watch_build(keras.Model, name)
    if backend == "jax":
        _watch_predict(keras.Model)


def _watch_build(model_class: Any, name: str) -> None:
    """Watches `fit` and `evaluate`, which call the method `name`."""
    built = getattr(model_class, name)

    def build(*arguments: Any, **keywords: Any) -> Any:
        token = _building.set(True)
        try:
            return built(*arguments, **keywords)
        finally:
            _building.reset(token)

    @wraps(built)
    def watched(model: Any, *arguments: Any, **keywords: Any) -> Any:
        call = asking()
        source = None if call is None else source_below(call.arguments["x"])
        if call is None or call.model is not model or source is None:
            return build(model, *arguments, **keywords)
        check_inputs(model, call.arguments["x"])
        if _sets_place(call) or not _may_look(source):
            return build(model, *arguments, **keywords)
        place = source._next_place()
        result = build(model, *arguments, **keywords)
        _check_place(call, source, place)
        return result

    setattr(model_class, name, watched)


def _watch_predict(model_class: Any) -> None:
    """Watches `predict` from its begin to where it has built the model."""
    predict, make = model_class.predict, model_class.make_predict_function

    @wraps(predict)
    def watched(model: Any, x: Any, *arguments: Any, **keywords: Any) -> Any:
        source = source_below(x)
        may_look = source is not None and _may_look(source)
        known = (model, source, source._next_place()) if may_look else None
        tokens = _predicting.set(known), _building.set(True)
        try:
            return predict(model, x, *arguments, **keywords)
        finally:
            _predicting.reset(tokens[0])
            _building.reset(tokens[1])

    @wraps(make)
    def made(model: Any, *arguments: Any, **keywords: Any) -> Any:
        _building.set(False)
        known, call = _predicting.get(), asking()
        if known is not None and known[0] is model and call is not None:
            _predicting.set(None)
            if not _sets_place(call):
                _check_place(call, *known[1:])
        return make(model, *arguments, **keywords)

    model_class.predict, model_class.make_predict_function = watched, made


def _sets_place(call: Asking) -> bool:
    return any(
        call.method in getattr(callback, SETS_PLACE, ()) for callback in call.callbacks
    )


def _may_look(source: Any) -> bool:
    """Returns whether a look at the place is needed, and disturbs nobody.

    It lists an epoch of data that grows, which the call is about to begin anyway. But
    under a strategy of several workers it waits for the other workers.
    """
    meets = hasattr(source, "_begin_next") and source._agreement is not None
    return source._placed is not None and not meets


def _check_place(call: Asking, source: Any, place: Any) -> None:
    """Warns if the user had set the place, and the source is no longer there."""
    after = source._next_place()
    if _is_set(source, place) and after.astuple() != place.astuple():
        _warn(call, place, after)


def _is_set(source: Any, place: Any) -> bool:
    """Returns whether the user has set the place of the next iteration."""
    return source._placed is not None and source._placed.astuple() == place.astuple()


def _warn(call: Asking, place: Any, after: Any) -> None:
    warnings.warn(
        f"{call.method} has built the model with a batch of epoch {place.epoch}, row "
        f"{place.row}, where load_state_dict or set_epoch had put the dataset, and "
        f"goes on with epoch {after.epoch}: give it "
        "callbacks=[rowfeed.keras.StartAt(dataset)], which sets the place again when "
        "it begins",
        StateWarning,
        stacklevel=2,
    )
